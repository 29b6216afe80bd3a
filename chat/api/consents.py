"""What the person allows: how it stands, every decision, and new ones."""

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import answers, serializers
from chat.api.schema.documentation import documented
from chat.protocol.requests import Endpoint, checked, checked_query, person
from chat.shapes.resources import Shape
from memory.models import Consent, Purpose
from memory.personal_data import consent
from memory.personal_data.consent import Standing


class Consents(Endpoint):
    @documented(
        "list_consents",
        "Read what you allow",
        answer=answers.ConsentsAnswer,
        errors=(401,),
        tag="your data",
    )
    def get(self, request: Request) -> Response:
        return Response({"consents": [_shape(one) for one in consent.standings(person(request))]})

    @documented(
        "decide",
        "Allow a purpose, or withdraw it: it counts at once",
        request=serializers.NewDecision,
        answer=answers.ConsentsAnswer,
        status=201,
        errors=(400, 401, 403, 413, 415),
        tag="your data",
    )
    def post(self, request: Request) -> Response:
        values = checked(request, serializers.NewDecision)
        given = {Purpose(values["purpose"]): values["given"]}
        consent.decide(person(request), given, source=Consent.Source.API)
        shapes = [_shape(one) for one in consent.standings(person(request))]
        return Response({"consents": shapes}, status=201)


class Decisions(Endpoint):
    @documented(
        "list_decisions",
        "List every decision of yours, newest first",
        answer=answers.DecisionsAnswer,
        parameters=[serializers.DecisionsPage],
        errors=(400, 401, 404),
        tag="your data",
    )
    def get(self, request: Request) -> Response:
        before = checked_query(request, serializers.DecisionsPage).get("before")
        rows = consent.history(person(request), before=before)
        following = str(rows[-1].pk) if len(rows) == consent.HISTORY_PAGE else None
        return Response({"decisions": [_decision(row) for row in rows], "next": following})


def _shape(standing: Standing) -> Shape:
    return {
        "purpose": standing.purpose.value,
        "text": standing.text,
        "version": standing.version,
        "allowed": standing.is_live,
        "in_use": standing.is_used,
        "decision": _decision(standing.decision) if standing.decision else None,
    }


def _decision(row: Consent) -> Shape:
    return {
        "purpose": row.purpose,
        "number": row.number,
        "version": row.version,
        "given": row.given,
        "source": row.source,
        "timestamp": row.at.isoformat(),
    }
