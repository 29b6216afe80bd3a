"""Endpoints for an overview of a person's memory and for a search of all their sessions."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema.bodies import Strict
from chat.api.schema.documentation import describe_answer, documented
from chat.api.schema.fields import PageSizeField
from chat.protocol.requests import Endpoint, check_query, person
from chat.shapes.resources.facts import (
    LevelsAnswer,
    RecollectionAnswer,
    derived_shape,
    earlier_shape,
    fact_shape,
    find_turns,
    levels_shape,
)
from memory.recall.earlier.recalling import search_earlier_turns
from memory.recall.earlier.returning import find_returning_topics
from memory.recall.facts.known import read_shared_facts
from memory.recall.facts.patterns import find_patterns
from memory.recall.levels import count_levels
from memory.text.embedding import Embedded

LONGEST_WORDS = 500


class RecollectionQuery(Strict):
    q = serializers.CharField(max_length=LONGEST_WORDS, help_text="A question, or words.")
    limit = PageSizeField(min_value=1, max_value=20, default=5)


LEVELS = describe_answer(LevelsAnswer, "How much is remembered of you.")
FOUND = describe_answer(RecollectionAnswer, "What is remembered on it.")


class MemoryLevels(Endpoint):
    @documented("read_levels", "Read how much is remembered of you, at each level", answer=LEVELS)
    def get(self, request: Request) -> Response:
        who = person(request)
        patterns = find_patterns(who)
        derived = derived_shape(
            find_returning_topics(who), patterns, find_turns(patterns.facts, who)
        )
        return Response(levels_shape(count_levels(who), derived))


class Recollections(Endpoint):
    @documented(
        "search_memory",
        "Search by meaning in what was said in all sessions, which takes your consent to `recall`",
        answer=FOUND,
        parameters=[RecollectionQuery],
        errors=(403,),
    )
    def get(self, request: Request) -> Response:
        wish, who = check_query(request, RecollectionQuery), person(request)
        found = search_earlier_turns(who, wish["q"], limit=wish["limit"])
        facts = read_shared_facts(who).bearing_on(Embedded(wish["q"]))
        turns = find_turns(facts, who)
        return Response(
            RecollectionAnswer(
                confidence=round(found.confidence or 0.0, 4),
                turns=[earlier_shape(each) for each in found.turns],
                facts=[fact_shape(fact, turns) for fact in facts],
            )
        )
