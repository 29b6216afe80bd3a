"""Endpoints for turns: ask, read, follow, stop, retry, continue, rate."""

import json
from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.contexts import ContextAnswer, context_shape
from chat.api.schema import queries, serializers
from chat.api.schema.bodies import Nothing
from chat.api.schema.documentation import (
    DELETION,
    KEY,
    LAST_EVENT_ID,
    STREAM,
    describe_answer,
    documented,
)
from chat.api.schema.examples import EXAMPLE_TURN, NEW_TURN_EXAMPLES
from chat.protocol.errors import json_response, respond_missing
from chat.protocol.requests import (
    Endpoint,
    check_body,
    check_query,
    get_own_session,
    get_own_turn,
    person,
    validate,
)
from chat.shapes.citation_styles import restyle_text
from chat.shapes.resources.deletions import preview_turn_deletion
from chat.shapes.resources.turns import TurnAnswer, load_citations, turn_shape
from chat.shapes.tables import download_table
from chat.shapes.transcript import load_newest_context, read_text_so_far
from chat.streams.following import follow
from chat.turns.pipeline import begin_attempt, take_turn
from memory.conversations.asking import Question, go_on, retry
from memory.conversations.attempts import request_stop
from memory.conversations.editing import rate_answer
from memory.errors import NotFound
from memory.forgetting.deletion import erase_turn
from memory.models import Attempt, Session, Turn

TURN = describe_answer(
    TurnAnswer,
    "The whole turn, once it has ended: complete, interrupted, or failed with the reason.",
    EXAMPLE_TURN,
)


def show_whole_turn(turn: Turn, style: str = "") -> TurnAnswer:
    """Return the turn as it is now; an answer in progress has its text so far."""
    now = load_citations(Turn.objects.filter(pk=turn.pk, owner=turn.owner_id)).first()
    if now is None:
        raise NotFound
    if now.is_open:
        so_far = restyle_text(read_text_so_far(now), style or now.style)
        return {**turn_shape(now, style), "response": so_far, "sources": [], "citations": []}
    return turn_shape(now, style)


def respond_turn(status: int, turn: Turn) -> HttpResponse:
    """Respond with a turn that has ended, or NotFound if it was erased meanwhile."""
    try:
        return json_response(show_whole_turn(turn), status)
    except NotFound:
        return respond_missing()


def follow_turn(request: Request, turn: Turn, attempt: Attempt | None) -> HttpResponse:
    """Respond with the new turn's events, or with the turn once it has ended."""
    return follow(
        request, turn, attempt, respond=partial(respond_turn, 201), missing=respond_missing
    )


class Turns(Endpoint):
    @documented(
        "ask",
        "Ask: the whole turn when it has ended, or its events while it is answered",
        request=serializers.NewTurn,
        answer=TURN,
        status=201,
        more=STREAM,
        examples=NEW_TURN_EXAMPLES,
        parameters=[KEY],
        errors=(409, 422, 503),
    )
    def post(self, request: Request, session_id: str) -> HttpResponse:
        session = get_own_session(request, session_id)
        values = check_body(request, serializers.NewTurn)
        documents = values.pop("documents", ())
        question = read_question(request, "turns", session, values)
        asked = take_turn(session, question, documents=documents)
        return follow_turn(request, asked.turn, asked.attempt)


def read_key(request: Request) -> str:
    """Return the Idempotency-Key, or an empty text; raises ValidationError if it is malformed."""
    given = {"Idempotency-Key": request.headers.get("Idempotency-Key", "")}
    key: str = validate(serializers.Headers(data=given))["Idempotency-Key"]
    return key


def read_question(
    request: Request, endpoint: str, session: Session, values: dict[str, Any]
) -> Question:
    """Build the question; the endpoint and the session distinguish requests with the same key."""
    return Question(
        values["query"],
        style=values.get("style", ""),
        structure=values.get("structure", ""),
        standalone=values.get("standalone_query"),
        idempotency_key=read_key(request),
        request=json.dumps([endpoint, str(session.pk), request.data], sort_keys=True),
    )


class OneTurn(Endpoint):
    @documented("read_turn", "Read a turn", answer=TurnAnswer, parameters=[queries.Style])
    def get(self, request: Request, session_id: str, turn_id: str) -> Response:
        turn = get_own_turn(request, session_id, turn_id)
        return Response(show_whole_turn(turn, **check_query(request, queries.Style)))

    @documented(
        "rate_turn",
        "Rate an answer, and say why",
        request=serializers.Rating,
        answer=TurnAnswer,
        errors=(409,),
    )
    def patch(self, request: Request, session_id: str, turn_id: str) -> Response:
        turn = get_own_turn(request, session_id, turn_id)
        given = {"rating": turn.rating, "feedback": turn.feedback}
        rate_answer(turn, **given | check_body(request, serializers.Rating))
        return Response(show_whole_turn(turn))

    @documented("erase_turn", "Erase a question with its answer and all that was made from them")
    def delete(self, request: Request, session_id: str, turn_id: str) -> Response:
        """Other answers that repeat its content are deleted too.

        Their questions stay, with the failure `memory_deleted`, and can be asked again. `told` in
        the context of an answer lists the turns that it repeats.
        """
        erase_turn(get_own_turn(request, session_id, turn_id), actor=person(request))
        return Response(status=204)


class TurnDeletion(Endpoint):
    @documented(
        "preview_turn_deletion", "Read what else would go if the turn were erased", answer=DELETION
    )
    def get(self, request: Request, session_id: str, turn_id: str) -> Response:
        return Response(preview_turn_deletion(get_own_turn(request, session_id, turn_id)))


class Events(Endpoint):
    @documented(
        "follow_turn",
        "Follow a turn from where you left off",
        more=STREAM,
        parameters=[LAST_EVENT_ID, queries.StreamPlace],
    )
    def get(self, request: Request, session_id: str, turn_id: str) -> HttpResponse:
        turn = get_own_turn(request, session_id, turn_id)
        style = check_query(request, queries.StreamPlace)["style"]
        return follow(request, turn, respond=partial(respond_turn, 200), streams=True, style=style)


class Stop(Endpoint):
    @documented(
        "stop_turn",
        "Stop the answer, keeping what there is of it",
        request=Nothing,
        answer=TurnAnswer,
        more={202: TurnAnswer},
    )
    def post(self, request: Request, session_id: str, turn_id: str) -> Response:
        turn = get_own_turn(request, session_id, turn_id)
        check_body(request, Nothing)
        stopping = request_stop(turn)
        return Response(show_whole_turn(turn), status=202 if stopping else 200)


class Table(Endpoint):
    @documented(
        "read_table",
        "Download the table of a structured answer as CSV",
        more={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, session_id: str, turn_id: str) -> HttpResponse:
        turn = get_own_turn(request, session_id, turn_id)
        return download_table(load_citations(Turn.objects.filter(pk=turn.pk)).get())


further_attempt = partial(
    documented, request=Nothing, answer=TURN, status=201, more=STREAM, errors=(409,)
)


class Retry(Endpoint):
    @further_attempt("retry_turn", "Try again to answer a turn that has no answer, or a poor one")
    def post(self, request: Request, session_id: str, turn_id: str) -> HttpResponse:
        turn = get_own_turn(request, session_id, turn_id)
        check_body(request, Nothing)
        return follow_turn(request, turn, begin_attempt(turn, retry))


class Continue(Endpoint):
    @further_attempt(
        "continue_turn",
        "Go on with an answer that was cut off: its text stays, and the rest is added",
    )
    def post(self, request: Request, session_id: str, turn_id: str) -> HttpResponse:
        turn = get_own_turn(request, session_id, turn_id)
        check_body(request, Nothing)
        return follow_turn(request, turn, begin_attempt(turn, go_on))


class Context(Endpoint):
    @documented("read_context", "Read what the model saw: ids and numbers", answer=ContextAnswer)
    def get(self, request: Request, session_id: str, turn_id: str) -> Response:
        turn = get_own_turn(request, session_id, turn_id)
        record = load_newest_context(turn)
        if record is None:
            raise NotFound
        return Response(context_shape(record))
