"""What was said before a question: the rows of its session, or what a client brings with it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from django.conf import settings

from memory.embedding import Vectors, embedder
from memory.markers import without_markers
from memory.models import Session, Turn
from memory.models.conversations import Strategy
from memory.recall.rewriting import Exchange
from memory.recall.similarity import similarities
from memory.tokens import count_tokens
from memory.words import terms

# Without vectors, turns are compared by their words, which means opening them: not all of 10,000.
WORDS_READ = 200
READ = ("owner_id", "position", "query", "query_tokens", "response", "recalled_tokens")


class Said(Protocol):
    """An earlier question with its answer, and their tokens as a prompt has them."""

    @property
    def position(self) -> int: ...
    @property
    def query(self) -> str: ...
    @property
    def query_tokens(self) -> int: ...
    @property
    def response(self) -> str: ...
    @property
    def recalled_tokens(self) -> int: ...


class Past(Protocol):
    """Turns by position, from 1 without a gap to the last."""

    @property
    def last_position(self) -> int: ...
    @property
    def strategy(self) -> str: ...
    def read(self, positions: Collection[int]) -> Sequence[Said]:
        """Return those of the turns that may be recalled, in order."""
        ...

    def scores(self, query: str, vector: Vectors | None) -> Mapping[int, float]:
        """Return how near turns are to the question."""
        ...


@dataclass(frozen=True)
class Stored:
    """A session's turns before a position."""

    session: Session
    before: int

    @property
    def last_position(self) -> int:
        return self.before - 1

    @property
    def strategy(self) -> str:
        """What the session asks for, or else the instance's setting."""
        if self.session.strategy != Strategy.AUTO:
            return self.session.strategy
        return str(settings.CONTEXT_BUILDING_STRATEGY)

    def read(self, positions: Collection[int]) -> Sequence[Said]:
        rows = Turn.objects.remembered().filter(session=self.session.pk, position__in=positions)
        return list(rows.order_by("position").only(*READ))

    def scores(self, query: str, vector: Vectors | None) -> Mapping[int, float]:
        engine = embedder()
        if vector is None or engine is None:
            return self._shared_words(query)
        scores = similarities(self.session, vector, model=engine.model)
        return {position: score for position, score in scores.items() if position < self.before}

    def _shared_words(self, query: str) -> Mapping[int, float]:
        rows = self.session.turns.remembered().filter(
            position__gte=self.before - WORDS_READ, position__lt=self.before
        )
        needed = ("session_id", "owner_id", "position", "query", "response")
        return shared_words(query, rows.only(*needed)) if terms(query) else {}


@dataclass(frozen=True)
class Told:
    """An exchange as a client tells it."""

    position: int
    query: str
    response: str

    @cached_property
    def query_tokens(self) -> int:
        return count_tokens(self.query)

    @cached_property
    def recalled_tokens(self) -> int:
        return count_tokens(without_markers(self.response))


@dataclass(frozen=True)
class Given:
    """A history that a client brings: nothing of it is stored, so its turns have no vectors."""

    exchanges: Sequence[Exchange]

    @property
    def last_position(self) -> int:
        return len(self.exchanges)

    @property
    def strategy(self) -> str:
        return str(settings.CONTEXT_BUILDING_STRATEGY)

    def read(self, positions: Collection[int]) -> Sequence[Said]:
        there = sorted(position for position in positions if position <= self.last_position)
        return [self._told(position) for position in there]

    def scores(self, query: str, vector: Vectors | None) -> Mapping[int, float]:
        newest = range(max(1, self.last_position - WORDS_READ), self.last_position + 1)
        return shared_words(query, map(self._told, newest))

    def _told(self, position: int) -> Told:
        exchange = self.exchanges[position - 1]
        return Told(position, exchange.query, exchange.response)


def shared_words(query: str, turns: Iterable[Said]) -> Mapping[int, float]:
    """Return the share of the question's terms that each of the turns has."""
    asked = set(terms(query))
    if not asked:
        return {}
    return {
        turn.position: len(asked.intersection(terms(f"{turn.query} {turn.response}"))) / len(asked)
        for turn in turns
    }
