"""Sessions: begin, list, read, change, delete; and what they hold."""

from typing import TypedDict

from django.db import transaction
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries, serializers
from chat.api.schema.components import build_schema
from chat.api.schema.documentation import READING, SESSION_ID, WRITING, documented
from chat.exports.conversation import Wish
from chat.exports.data import ExportAnswer
from chat.exports.downloading import WORD, download
from chat.protocol.paging import sessions_page, turns_page
from chat.protocol.requests import Endpoint, checked, checked_query, own_session, person
from chat.shapes.resources.attribution import SourceAnswer, list_sources
from chat.shapes.resources.sessions import SessionAnswer, session_shape
from chat.shapes.resources.turns import TurnAnswer, turn_shape
from chat.shapes.resources.vocabulary import Id, Paged
from citations.session_focus.document_scope import scope_session
from memory import audit
from memory.conversations.asking import create_session
from memory.conversations.editing import change
from memory.errors import NotFound
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention.lifetimes import check_lifetime, extend, limit_lifetime
from memory.sealing import load_data_key


class SessionsAnswer(Paged):
    sessions: list[SessionAnswer]


class HistoryAnswer(Paged):
    session_id: Id
    turns: list[TurnAnswer]
    total_turns: int


class SourcesAnswer(TypedDict):
    session_id: Id
    sources: list[SourceAnswer]


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
        errors=(400, 401),
    )
    def get(self, request: Request) -> Response:
        found = sessions_page(person(request), **checked_query(request, queries.SessionsPage))
        shapes = [session_shape(session) for session in found.sessions]
        return Response(SessionsAnswer(sessions=shapes, next=found.next))

    @documented(
        "begin_session",
        "Begin a session",
        request=serializers.NewSession,
        answer=SessionAnswer,
        status=201,
        errors=WRITING,
    )
    def post(self, request: Request) -> Response:
        values = checked(request, serializers.NewSession)
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
    @documented("read_session", "Read a session", answer=SessionAnswer, parameters=[SESSION_ID])
    def get(self, request: Request, session_id: str) -> Response:
        return Response(session_shape(own_session(request, session_id)))

    @documented(
        "change_session",
        "Change a session",
        request=serializers.SessionChanges,
        answer=SessionAnswer,
        parameters=[SESSION_ID],
        errors=(*WRITING, 409),
    )
    def patch(self, request: Request, session_id: str) -> Response:
        session = own_session(request, session_id)
        values = checked(request, serializers.SessionChanges)
        documents = values.pop("document_context", ...)
        lifetime = values.pop("own_lifetime", ...)
        with transaction.atomic():
            change(session, **values)
            if lifetime is not ...:
                limit_lifetime(session, lifetime)
            if documents is not ...:
                scope_session(session, documents or [])
        return Response(session_shape(session))

    @documented(
        "erase_session",
        "Erase a session with all that was made from it",
        status=204,
        parameters=[SESSION_ID],
        errors=(401, 403, 404, 409),
    )
    def delete(self, request: Request, session_id: str) -> Response:
        erase_session(own_session(request, session_id), actor=person(request))
        return Response(status=204)


class Extend(Endpoint):
    @documented(
        "extend_session",
        "Begin a session's time anew without asking a question",
        request=serializers.Nothing,
        answer=SessionAnswer,
        parameters=[SESSION_ID],
        errors=WRITING,
    )
    def post(self, request: Request, session_id: str) -> Response:
        session = own_session(request, session_id)
        checked(request, serializers.Nothing)
        extend(session)
        return Response(session_shape(session))


class History(Endpoint):
    @documented(
        "read_history",
        "Read a session's turns in order",
        answer=HistoryAnswer,
        parameters=[SESSION_ID, queries.HistoryPage],
        errors=(400, *READING),
    )
    def get(self, request: Request, session_id: str) -> Response:
        session = own_session(request, session_id)
        page = checked_query(request, queries.HistoryPage)
        style = page.pop("style")
        found = turns_page(session, **page)
        history = HistoryAnswer(
            session_id=str(session.pk),
            turns=[turn_shape(turn, style) for turn in found.turns],
            total_turns=session.turn_count,
            next=found.next,
        )
        return Response(history)


class Sources(Endpoint):
    @documented(
        "list_sources",
        "List every source a session cites, by number",
        answer=SourcesAnswer,
        parameters=[SESSION_ID],
    )
    def get(self, request: Request, session_id: str) -> Response:
        session = own_session(request, session_id)
        sources = list_sources(session)
        return Response(SourcesAnswer(session_id=str(session.pk), sources=sources))


class Export(Endpoint):
    @documented(
        "export_session",
        "Download a session with its sources",
        more=EXPORTS,
        parameters=[SESSION_ID, queries.ExportFormat],
        errors=(400, *READING, 409, 413, 503),
    )
    def get(self, request: Request, session_id: str) -> StreamingHttpResponse:
        session = own_session(request, session_id)
        wish = checked_query(request, queries.ExportFormat)
        form = wish.pop("format")
        response = download(request._request, session, form, Wish(**wish))
        audit.record("session.exported", actor=session.owner_id, subject=session)
        return response
