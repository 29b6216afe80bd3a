"""Endpoint for queries: with the client's own history, or as the next turn of a session."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed, ValidationError
from rest_framework.request import Request

from chat.api.schema import serializers
from chat.api.schema.documentation import KEY, QUERY_STREAM, describe_answer, documented
from chat.api.schema.examples import EXAMPLE_ANSWER, QUERY_EXAMPLES
from chat.api.turns import TURN, read_key, read_question, respond_turn
from chat.protocol.credentials import SCHEME
from chat.protocol.errors import error_shape, json_response, respond_missing
from chat.protocol.requests import Endpoint, check_body, person
from chat.shapes.resources.turns import QueryAnswer
from chat.shapes.statuses import STATUS
from chat.streams.following import follow
from chat.streams.querying import Query, pair_messages
from chat.streams.snapshots import Event
from chat.streams.unstored import answer_unstored
from chat.turns.grounding import check_length
from chat.turns.pipeline import take_turn
from citations.library import get_readable_documents
from memory.conversations.asking import create_session
from memory.errors import NotFound, Refusal
from memory.forgetting.deletion import erase_if_without_turns
from memory.models import Session, User
from memory.recall.rewriting.exchanges import Exchange

MODEL_FAILED = 503
MEANING = "The answer, of which nothing is stored: its ids are null."


class Ask(Endpoint):
    @documented(
        "query",
        "Ask with a history of your own; without a session, nothing is stored",
        request=serializers.Query,
        answer=describe_answer(QueryAnswer, MEANING, EXAMPLE_ANSWER),
        more={**QUERY_STREAM, 201: TURN},
        examples=QUERY_EXAMPLES,
        tag="query",
        parameters=[KEY],
        errors=(404, 409, 422, 503),
    )
    def post(self, request: Request) -> HttpResponse:
        values = check_body(request, serializers.Query)
        history = pair_messages(values["conversation_context"])
        if values.get("session_id"):
            return _ask_in_session(request, values, history)
        if read_key(request):
            wrong = _("Without a session nothing is stored that could be given again.")
            raise ValidationError({"Idempotency-Key": [wrong]})
        query = Query(
            owner=person(request),
            text=values["query"],
            style=values.get("style", settings.CITATION_STYLE),
            history=history,
            structure=values.get("structure", ""),
            standalone=values.get("standalone_query"),
            documents=frozenset(get_readable_documents(person(request), values.get("scope") or ()))
            or None,
        )
        return answer_unstored(request, query, respond=build_response, refuse=refuse_credential)


def build_response(last: Event) -> HttpResponse:
    """Build the response from the last event of an answer."""
    if last.name == "done":
        return json_response(last.data, 200)
    shape = error_shape(last.data["code"], last.data["message"])
    return json_response(shape, STATUS.get(last.data["code"], MODEL_FAILED))


def refuse_credential() -> HttpResponse:
    """Build the response to a credential that has become invalid meanwhile."""
    shape = error_shape(AuthenticationFailed.default_code, _("Invalid token."))
    response = json_response(shape, 401)
    response["WWW-Authenticate"] = SCHEME
    return response


# --- In a session ---------------------------------------------------------------------------------


def _ask_in_session(
    request: Request, values: dict[str, Any], history: Sequence[Exchange]
) -> HttpResponse:
    session, is_new = _get_or_create_session(person(request), values)
    try:
        question = read_question(request, "query", session, values)
        question = replace(question, has_history=bool(history))
        asked = take_turn(session, question, documents=values.get("scope") or ())
    except (Refusal, ValidationError):
        if is_new:
            erase_if_without_turns(session, actor=person(request))
        raise
    return follow(
        request,
        asked.turn,
        asked.attempt,
        respond=partial(respond_turn, 201),
        missing=respond_missing,
        history=history,
    )


def _get_or_create_session(owner: User, values: dict[str, Any]) -> tuple[Session, bool]:
    """Return the person's session of the id, created if it is new. Raises NotFound."""
    identity: UUID = values["session_id"]
    mine = Session.objects.visible(owner).select_related("owner").filter(pk=identity)
    if known := mine.first():
        return known, False
    if Session.objects.filter(pk=identity).exists():
        raise NotFound
    check_length(values["query"], settings.MAX_TOKENS_PER_CONTEXT)
    try:
        return create_session(owner, id=identity), True
    except IntegrityError as error:  # a concurrent request created it
        if known := mine.first():
            return known, False
        raise NotFound from error
