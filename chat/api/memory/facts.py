"""Endpoints for the facts about a person: list, add, confirm, correct, delete."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries
from chat.api.schema.bodies import Strict
from chat.api.schema.documentation import describe_answer, documented
from chat.api.schema.examples import EXAMPLE_TURN
from chat.api.schema.fields import ChoiceField, LineField
from chat.protocol.paging import read_newest_page
from chat.protocol.parsing import parse_id
from chat.protocol.requests import Endpoint, check_body, check_query, find_row, person
from chat.shapes.resources.facts import FactAnswer, FactsAnswer, fact_shape, find_turns
from memory.models import Fact, FactKind
from memory.recall.facts import managing, undoing
from memory.recall.facts.managing import LONGEST_FACT
from memory.recall.facts.undoing import UNDO_SECONDS


class FactsPage(queries.Page):
    kind = ChoiceField(choices=FactKind.choices, default=str)
    past = serializers.BooleanField(
        default=False, help_text="Whether those that newer ones have replaced are listed, too."
    )


class NewFact(Strict):
    """A statement about yourself, or a wish about answers, in your words."""

    text = LineField(max_length=LONGEST_FACT)
    kind = ChoiceField(choices=FactKind.choices, default=FactKind.FACT)


class FactChanges(Strict):
    text = LineField(max_length=LONGEST_FACT, required=False)
    kind = ChoiceField(choices=FactKind.choices, required=False)
    confirmed = serializers.BooleanField(
        required=False, help_text="True keeps it beyond its session; it can't be taken back."
    )

    def validate_confirmed(self, value: bool) -> bool:
        if not value:
            raise serializers.ValidationError("Delete it instead.")
        return value


EXAMPLE_FACT: FactAnswer = {
    "fact_id": "01970000-0000-7000-8000-0000000000f1",
    "kind": "fact",
    "state": "found",
    "origin": "said",
    "subject": "home",
    "text": "I moved to Porto",
    "session_id": EXAMPLE_TURN["session_id"],
    "turn_id": EXAMPLE_TURN["turn_id"],
    "position": 1,
    "shared": True,
    "current": True,
    "valid_from": "2026-01-05T09:30:00+00:00",
    "valid_until": None,
    "replaced_by": None,
    "expires_at": None,
}
FACT = describe_answer(FactAnswer, "The fact as it is remembered.", EXAMPLE_FACT)
FACTS = describe_answer(FactsAnswer, "What is remembered of you.")


class Facts(Endpoint):
    @documented(
        "list_facts",
        "List what is remembered of you: facts, preferences and wishes, newest first",
        answer=FACTS,
        parameters=[FactsPage],
    )
    def get(self, request: Request) -> Response:
        wish = check_query(request, FactsPage)
        rows = Fact.objects.visible(person(request)).order_by("-valid_from", "-id")
        rows = rows.filter(kind=wish["kind"]) if wish["kind"] else rows
        rows = rows if wish["past"] else rows.current()
        shown, following = read_newest_page(
            rows, "valid_from", cursor=wish["cursor"], limit=wish["limit"]
        )
        turns = find_turns(shown, person(request))
        facts = [fact_shape(fact, turns) for fact in shown]
        return Response(FactsAnswer(facts=facts, next=following))

    @documented(
        "add_fact",
        "Have something remembered of you, which takes your consent to `recall`",
        request=NewFact,
        answer=FACT,
        status=201,
        errors=(409,),
    )
    def post(self, request: Request) -> Response:
        fact = managing.write(person(request), **check_body(request, NewFact))
        return Response(fact_shape(fact, {}), status=201)


class OneFact(Endpoint):
    @documented("read_fact", "Read what is remembered", answer=FACT)
    def get(self, request: Request, fact_id: str) -> Response:
        return _respond_fact(request, _get_own_fact(request, fact_id))

    @documented(
        "change_fact",
        "Correct or confirm what is remembered; confirmed, it outlives its session",
        request=FactChanges,
        answer=FACT,
        errors=(409,),
    )
    def patch(self, request: Request, fact_id: str) -> Response:
        fact = _get_own_fact(request, fact_id)
        values = check_body(request, FactChanges)
        is_confirmed = values.pop("confirmed", False)
        if values:
            fact = managing.change(fact, **values)
        if is_confirmed:
            fact = managing.confirm(fact)
        return _respond_fact(request, fact)

    @documented(
        "delete_fact", f"Have it forgotten: at once hidden, for good after {UNDO_SECONDS} seconds"
    )
    def delete(self, request: Request, fact_id: str) -> Response:
        undoing.hide(_get_own_fact(request, fact_id))
        return Response(status=204)


class UndoneFact(Endpoint):
    @documented(
        "undo_fact",
        f"Bring back what was deleted, or take back a correction, within {UNDO_SECONDS} seconds",
        answer=FACT,
        errors=(409,),
    )
    def post(self, request: Request, fact_id: str) -> Response:
        return _respond_fact(request, undoing.undo(person(request), parse_id(fact_id)))


def _get_own_fact(request: Request, fact_id: str) -> Fact:
    return find_row(Fact.objects.visible(person(request)), fact_id)


def _respond_fact(request: Request, fact: Fact) -> Response:
    return Response(fact_shape(fact, find_turns([fact], person(request))))
