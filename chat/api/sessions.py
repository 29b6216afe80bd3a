"""Endpoints for sessions: create, list, read, change, delete."""

from typing import Annotated

from django.db import transaction
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries, serializers
from chat.api.schema.bodies import Nothing
from chat.api.schema.components import build_schema
from chat.api.schema.documentation import BIBLIOGRAPHIES, DELETION, documented
from chat.exports.conversation import Wish
from chat.exports.data import ExportAnswer
from chat.exports.downloading import WORD, download
from chat.protocol.paging import cut_page, parse_position, position_page, read_newest_page
from chat.protocol.requests import Endpoint, check_body, check_query, get_own_session, person
from chat.shapes.bibliographies import download_session_bibliography
from chat.shapes.resources.bibliography import CitedEntryAnswer, cited_entry_shape
from chat.shapes.resources.deletions import preview_session_deletion
from chat.shapes.resources.sessions import SessionAnswer, session_shape
from chat.shapes.resources.turns import TurnAnswer, load_citations, turn_shape
from chat.shapes.resources.vocabulary import Id, Paged
from citations.bibliography.cited import choose_format, choose_language, list_cited
from citations.session_focus.document_scope import scope_session
from memory import audit
from memory.conversations.asking import create_session
from memory.conversations.editing import change
from memory.errors import NotFound
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention.lifetimes import check_lifetime, extend, limit_lifetime
from memory.models import Session
from memory.models.people import CitationFormat
from memory.sealing import load_data_key


class SessionsAnswer(Paged):
    sessions: list[SessionAnswer]


class HistoryAnswer(Paged):
    session_id: Id
    turns: list[TurnAnswer]
    total_turns: int


class SourcesAnswer(Paged):
    session_id: Id
    style: Annotated[str, CitationFormat]
    sources: list[CitedEntryAnswer]


EXPORTS = {
    (200, "application/json"): build_schema(ExportAnswer),
    (200, "text/markdown"): OpenApiTypes.STR,
    (200, "text/html"): OpenApiTypes.STR,
    (200, WORD): OpenApiTypes.BINARY,
    (200, "application/pdf"): OpenApiTypes.BINARY,
}


class Sessions(Endpoint):
    @documented(
        "list_sessions",
        "List your sessions, latest activity first",
        answer=SessionsAnswer,
        parameters=[queries.SessionsPage],
    )
    def get(self, request: Request) -> Response:
        wish = check_query(request, queries.SessionsPage)
        rows = Session.objects.visible(person(request)).latest_first()
        found, following = read_newest_page(
            rows.prefetch_related("limited_to"), "last_activity", **wish
        )
        shapes = [session_shape(session) for session in found]
        return Response(SessionsAnswer(sessions=shapes, next=following))

    @documented(
        "begin_session",
        "Begin a session",
        request=serializers.NewSession,
        answer=SessionAnswer,
        status=201,
        errors=(404,),
    )
    def post(self, request: Request) -> Response:
        values = check_body(request, serializers.NewSession)
        if values.pop("user_id", person(request).pk) != person(request).pk:
            raise NotFound
        documents = values.pop("document_context", None)
        check_lifetime(person(request), values.get("own_lifetime"))
        load_data_key(person(request).pk)
        with transaction.atomic():
            session = create_session(person(request), **values)
            if documents:
                scope_session(session, documents)
        return Response(session_shape(session), status=201)


class OneSession(Endpoint):
    @documented("read_session", "Read a session", answer=SessionAnswer)
    def get(self, request: Request, session_id: str) -> Response:
        return Response(session_shape(get_own_session(request, session_id)))

    @documented(
        "change_session",
        "Change a session",
        request=serializers.SessionChanges,
        answer=SessionAnswer,
        errors=(409,),
    )
    def patch(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        values = check_body(request, serializers.SessionChanges)
        documents = values.pop("document_context", ...)
        lifetime = values.pop("own_lifetime", ...)
        with transaction.atomic():
            change(session, **values)
            if lifetime is not ...:
                limit_lifetime(session, lifetime)
            if documents is not ...:
                scope_session(session, documents or [])
        return Response(session_shape(session))

    @documented("erase_session", "Erase a session with all that was made from it")
    def delete(self, request: Request, session_id: str) -> Response:
        erase_session(get_own_session(request, session_id), actor=person(request))
        return Response(status=204)


class SessionDeletion(Endpoint):
    @documented(
        "preview_session_deletion",
        "Read what else would go if the session were erased",
        answer=DELETION,
    )
    def get(self, request: Request, session_id: str) -> Response:
        return Response(preview_session_deletion(get_own_session(request, session_id)))


class Extend(Endpoint):
    @documented(
        "extend_session",
        "Begin a session's time anew without asking a question",
        request=Nothing,
        answer=SessionAnswer,
    )
    def post(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        check_body(request, Nothing)
        extend(session)
        return Response(session_shape(session))


class History(Endpoint):
    @documented(
        "read_history",
        "Read a session's turns in order",
        answer=HistoryAnswer,
        parameters=[queries.HistoryPage],
    )
    def get(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        page = check_query(request, queries.HistoryPage)
        turns, following = position_page(load_citations(session.turns.all()), "position", page)
        history = HistoryAnswer(
            session_id=str(session.pk),
            turns=[turn_shape(turn, page["style"]) for turn in turns],
            total_turns=session.turn_count,
            next=following,
        )
        return Response(history)


class Sources(Endpoint):
    @documented(
        "list_sources",
        "List every source a session cites, by number, or download its bibliography",
        more=BIBLIOGRAPHIES | {(200, "application/json"): build_schema(SourcesAnswer)},
        parameters=[queries.SourcesPage],
    )
    def get(self, request: Request, session_id: str) -> HttpResponseBase:
        session = get_own_session(request, session_id)
        wish = check_query(request, queries.SourcesPage)
        after = parse_position(wish["cursor"], first=0)
        style = choose_format(person(request), session, wish["style"])
        language = choose_language(wish["language"])
        if wish["format"] != "json":
            audit.record("session.exported", actor=session.owner_id, subject=session)
            return download_session_bibliography(
                request._request, session, wish["format"], style, language
            )
        found = list_cited(session, after=after, limit=wish["limit"] + 1)
        shown, last = cut_page(found, wish["limit"])
        answer = SourcesAnswer(
            session_id=str(session.pk),
            style=style,
            sources=[cited_entry_shape(cited, style, language) for cited in shown],
            next=str(last.number) if last else None,
        )
        return Response(answer)


class Export(Endpoint):
    @documented(
        "export_session",
        "Download a session with its sources",
        more=EXPORTS,
        parameters=[queries.ExportFormat],
        errors=(409, 413, 503),
    )
    def get(self, request: Request, session_id: str) -> StreamingHttpResponse:
        session = get_own_session(request, session_id)
        wish = check_query(request, queries.ExportFormat)
        form = wish.pop("format")
        response = download(request._request, session, form, Wish(**wish))
        audit.record("session.exported", actor=session.owner_id, subject=session)
        return response
