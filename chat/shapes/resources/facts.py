"""Facts about a person in the API."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict
from uuid import UUID

from django.conf import settings

from chat.shapes.resources.vocabulary import Id, Paged, Time, TurnPlace, shape, turn_place_shape
from memory.models import Fact, FactKind, Turn, User
from memory.recall.earlier.recalling import EarlierTurn
from memory.recall.earlier.returning import ReturnedTo
from memory.recall.facts.patterns import Pattern, Patterns
from memory.recall.levels import Levels


class FactAnswer(TypedDict):
    fact_id: Id
    kind: Annotated[str, FactKind]
    state: Annotated[str, Fact.State, "What you confirmed outlives its session."]
    origin: Annotated[str, Fact.Origin]
    subject: Annotated[str, "What it is about: a newer value of it replaces it."]
    text: Annotated[str, "As you said it."]
    session_id: Annotated[Id | None, "Where you said it; null if that is gone, or you wrote it."]
    turn_id: Id | None
    position: int | None
    shared: Annotated[bool, "Whether it counts in other sessions, while you allow that."]
    current: Annotated[bool, "Whether nothing has replaced it or taken it back."]
    valid_from: Time
    valid_until: Time | None
    replaced_by: Annotated[Id | None, "The fact that replaced it."]
    expires_at: Annotated[Time | None, "Of a confirmed one; null: it is kept."]


class FactsAnswer(Paged):
    facts: Annotated[list[FactAnswer], "The newest first."]


class EarlierTurnAnswer(TurnPlace):
    title: Annotated[str, "Of the session."]
    query: str
    response: str
    score: Annotated[float, "How relevant it is, 0 to 1."]


class RecollectionAnswer(TypedDict):
    confidence: Annotated[float, "How likely these are what is asked for, 0 to 1."]
    turns: Annotated[list[EarlierTurnAnswer], "The most relevant first."]
    facts: Annotated[list[FactAnswer], "What is remembered of you that bears on it."]


class SourceTurnAnswer(TurnPlace):
    """The turn of a statement."""


class ReturnedToAnswer(TypedDict):
    name: str
    sessions: Annotated[list[Id], "That it comes from, the latest first; of many, some."]
    turns: Annotated[list[SourceTurnAnswer], "The latest question on it in each of these."]
    count: Annotated[int, "How many sessions there are."]
    days: Annotated[int, "On how many days it was asked about."]
    beside: Annotated[list[str], "Other topics that often come in the same sessions."]


class PatternAnswer(TypedDict):
    subject: Annotated[str, "What the facts have in common."]
    facts: Annotated[list[FactAnswer], "That it comes from, the oldest first; of many, the newest."]
    count: Annotated[int, "How many facts there are."]


class WorkingAnswer(TypedDict):
    window: Annotated[int, "Tokens that a prompt of a new session may have."]
    turns: Annotated[int, "Of its turns, the newest that are looked at first."]


class EpisodicAnswer(TypedDict):
    sessions: int
    recallable: Annotated[int, "Those that others may draw on; 0 while you don't allow that."]


class SemanticAnswer(TypedDict):
    facts: int
    confirmed: Annotated[int, "Of all that is remembered of you, what you confirmed."]


class DerivedAnswer(TypedDict):
    returned_to: Annotated[
        list[ReturnedToAnswer], "Topics of your questions in three sessions or more, on two days."
    ]
    changed: Annotated[list[PatternAnswer], "What had three values or more, with these."]
    alike: Annotated[list[PatternAnswer], "Three things or more of one kind that are so now."]


class ProfileAnswer(TypedDict):
    preferences: int
    wishes: Annotated[int, "How you want to be answered."]


class LevelsAnswer(TypedDict):
    allowed: Annotated[bool, "Whether one session may be used in another now: `recall`."]
    working: WorkingAnswer
    episodic: EpisodicAnswer
    semantic: SemanticAnswer
    derived: DerivedAnswer
    profile: ProfileAnswer


def levels_shape(levels: Levels, derived: DerivedAnswer) -> LevelsAnswer:
    """Return the levels of a person's memory."""
    return {
        "allowed": levels.is_allowed,
        "working": {
            "window": settings.MAX_TOKENS_PER_CONTEXT,
            "turns": settings.MAX_HISTORY_TURNS,
        },
        "episodic": {"sessions": levels.sessions, "recallable": levels.recallable},
        "semantic": {"facts": levels.facts, "confirmed": levels.confirmed},
        "derived": derived,
        "profile": {"preferences": levels.preferences, "wishes": levels.wishes},
    }


def derived_shape(
    returned: Sequence[ReturnedTo], patterns: Patterns, turns: Mapping[UUID, Turn]
) -> DerivedAnswer:
    """Return the patterns derived for a person, with the turns of their facts."""
    return {
        "returned_to": [_returned_shape(each) for each in returned],
        "changed": [_pattern_shape(each, turns) for each in patterns.changed],
        "alike": [_pattern_shape(each, turns) for each in patterns.alike],
    }


def _returned_shape(returned: ReturnedTo) -> ReturnedToAnswer:
    return shape(
        ReturnedToAnswer,
        returned,
        sessions=[str(turn.session_id) for turn in returned.turns],
        turns=[turn_place_shape(SourceTurnAnswer, turn) for turn in returned.turns],
        beside=list(returned.beside),
    )


def _pattern_shape(pattern: Pattern, turns: Mapping[UUID, Turn]) -> PatternAnswer:
    facts = [fact_shape(fact, turns) for fact in pattern.facts]
    return shape(PatternAnswer, pattern, facts=facts)


def find_turns(facts: Sequence[Fact], owner: User) -> dict[UUID, Turn]:
    """Return the turns in which the facts were stated, if they still exist: one query."""
    ids = {fact.said_in for fact in facts if fact.said_in}
    rows = Turn.objects.visible(owner).filter(pk__in=ids).order_by() if ids else ()
    return {turn.pk: turn for turn in rows}


def fact_shape(fact: Fact, turns: Mapping[UUID, Turn]) -> FactAnswer:
    """Return a fact with its turn, if that still exists."""
    turn = turns.get(fact.said_in) if fact.said_in else None
    return shape(
        FactAnswer,
        fact,
        fact_id=str(fact.pk),
        session_id=str(turn.session_id) if turn else None,
        turn_id=str(turn.pk) if turn else None,
        position=turn.position if turn else None,
        shared=fact.is_shared,
        current=fact.valid_until is None,
        replaced_by=str(fact.replaced_by_id) if fact.replaced_by_id else None,
    )


def earlier_shape(found: EarlierTurn) -> EarlierTurnAnswer:
    """Return a turn of another session with its relevance."""
    turn = found.turn
    score = round(found.score, 4)
    return turn_place_shape(EarlierTurnAnswer, turn, title=turn.session.title, score=score)
