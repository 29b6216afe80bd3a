"""Endpoints for consents: read the current state and the history, and record a decision."""

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries, serializers
from chat.api.schema.documentation import documented
from chat.protocol.paging import cut_page, parse_row_id
from chat.protocol.requests import Endpoint, check_body, check_query, person
from chat.shapes.resources.vocabulary import Paged, Time, shape
from memory.models import Consent, Purpose
from memory.personal_data import consent
from memory.personal_data.consent import Standing


class DecisionAnswer(TypedDict):
    purpose: Annotated[str, Purpose]
    number: Annotated[int, "Counts your decisions on the purpose, without a gap."]
    version: Annotated[int, "Which wording it was about."]
    given: bool
    source: Annotated[str, Consent.Source]
    timestamp: Time


class ConsentAnswer(TypedDict):
    purpose: Annotated[str, Purpose]
    text: Annotated[str, "The wording of now."]
    version: Annotated[int, "Of the wording; a new one has to be allowed anew."]
    allowed: Annotated[bool, "Whether it may be done now."]
    in_use: Annotated[bool, "Whether anything is done under it yet: not of `share`."]
    decision: Annotated[DecisionAnswer | None, "Your newest one."]


class ConsentsAnswer(TypedDict):
    consents: list[ConsentAnswer]


class DecisionsAnswer(Paged):
    decisions: list[DecisionAnswer]


class Consents(Endpoint):
    @documented("list_consents", "Read what you allow", answer=ConsentsAnswer)
    def get(self, request: Request) -> Response:
        return Response(_build_answer(request))

    @documented(
        "decide",
        "Allow a purpose, or withdraw it: it counts at once",
        request=serializers.NewDecision,
        answer=ConsentsAnswer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        values = check_body(request, serializers.NewDecision)
        given = {Purpose(values["purpose"]): values["given"]}
        consent.decide(person(request), given, source=Consent.Source.API)
        return Response(_build_answer(request), status=201)


class Decisions(Endpoint):
    @documented(
        "list_decisions",
        "List every decision of yours, newest first",
        answer=DecisionsAnswer,
        parameters=[queries.Page],
    )
    def get(self, request: Request) -> Response:
        page = check_query(request, queries.Page)
        rows = consent.list_decisions(
            person(request), before=parse_row_id(page["cursor"]), limit=page["limit"] + 1
        )
        shown, last = cut_page(rows, page["limit"])
        decisions = [_build_decision(row) for row in shown]
        return Response(DecisionsAnswer(decisions=decisions, next=str(last.pk) if last else None))


def _build_answer(request: Request) -> ConsentsAnswer:
    return {"consents": [_shape(one) for one in consent.list_standings(person(request))]}


def _shape(standing: Standing) -> ConsentAnswer:
    return {
        "purpose": standing.purpose.value,
        "text": standing.text,
        "version": standing.version,
        "allowed": standing.is_live,
        "in_use": standing.is_used,
        "decision": _build_decision(standing.decision) if standing.decision else None,
    }


def _build_decision(row: Consent) -> DecisionAnswer:
    return shape(DecisionAnswer, row, timestamp=row.at.isoformat())
