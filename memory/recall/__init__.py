"""Recall: everything a new question needs of what was said before. `recall()` is the one entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings

from memory.embedding import Vectors, embed_query, embedder
from memory.markers import without_markers
from memory.models import Session, Turn
from memory.models.conversations import Strategy
from memory.recall.budget import MESSAGE_OVERHEAD, Limits
from memory.recall.history import wanted
from memory.recall.rewriting import LAST_TURNS, Ask, Exchange, Rewrite, rewrite
from memory.recall.router import Route, route
from memory.recall.similarity import similarities
from memory.tokens import count_tokens, shorten
from memory.words import terms

CUT = "\n[…]\n"
# Without vectors, turns are compared by their words, which means opening them: not all of 10,000.
WORDS_READ = 200
READ = ("owner_id", "position", "query", "query_tokens", "response", "recalled_tokens")


@dataclass(frozen=True)
class RecalledTurn:
    """An earlier turn that may go into the prompt."""

    row: Turn
    # What it may cost at most: a message over the limit keeps its head and tail.
    message_limit: int

    @property
    def position(self) -> int:
        return self.row.position

    @property
    def tokens(self) -> int:
        """What it costs at most; exactly, if no message has to be shortened."""
        sides = (self.row.query_tokens, self.row.recalled_tokens)
        return sum(min(side, self.message_limit) + MESSAGE_OVERHEAD for side in sides)

    @property
    def shortened(self) -> bool:
        return max(self.row.query_tokens, self.row.recalled_tokens) > self.message_limit

    @cached_property
    def query(self) -> str:
        return self._within_limit(self.row.query, self.row.query_tokens)

    @cached_property
    def response(self) -> str:
        """The answer without the numbers of its citations, which meant something then."""
        return self._within_limit(without_markers(self.row.response), self.row.recalled_tokens)

    @property
    def query_tokens(self) -> int:
        return self._tokens_within_limit(self.query, self.row.query_tokens)

    @property
    def response_tokens(self) -> int:
        return self._tokens_within_limit(self.response, self.row.recalled_tokens)

    def _within_limit(self, text: str, tokens: int) -> str:
        if tokens <= self.message_limit:
            return text
        return shorten(text, self.message_limit, marker=CUT)

    def _tokens_within_limit(self, text: str, tokens: int) -> int:
        return tokens if tokens <= self.message_limit else count_tokens(text)


@dataclass(frozen=True)
class Recalled:
    """The standalone question, and the turns wanted for the window in the order they are wanted."""

    rewrite: Rewrite
    vector: Vectors | None
    route: Route
    turns: Mapping[int, RecalledTurn]
    order: tuple[int, ...]
    last_position: int

    @property
    def unwanted(self) -> str:
        """Why turns that are not in the order were left out."""
        return "older" if self.route.strategy == Strategy.SEQUENTIAL else "not_relevant"


def recall(
    session: Session,
    query: str,
    *,
    before: int,
    limits: Limits,
    allowance: int,
    ask: Ask | None = None,
) -> Recalled:
    """Return what the session holds for a question at the position `before`.

    `allowance` is the most that history could get, in tokens. Reads only. With `ask` a language
    model rewrites the question.
    """
    newest = _newest(session, before=before, limits=limits)
    recent = [turn for turn in newest if turn.position >= before - LAST_TURNS]
    standalone = rewrite(query, [Exchange(turn.query, turn.response) for turn in recent], ask)
    vector = embed_query(standalone.query)
    total = sum(turn.tokens for turn in newest)
    way = route(
        query,
        turns=before - 1,
        all_fit=len(newest) == before - 1 and total <= allowance,
        asked_for=_strategy(session),
    )
    turns, order = _chosen(session, way.strategy, newest, standalone.query, vector, limits, before)
    return Recalled(
        rewrite=standalone,
        vector=vector,
        route=way,
        turns={turn.position: turn for turn in turns},
        order=order,
        last_position=before - 1,
    )


def _strategy(session: Session) -> str:
    """What the session asks for, or else the instance's setting."""
    if session.strategy != Strategy.AUTO:
        return session.strategy
    return str(settings.CONTEXT_BUILDING_STRATEGY)


def _newest(session: Session, *, before: int, limits: Limits) -> list[RecalledTurn]:
    """Return the newest turns that the limits allow and the session's first, oldest first."""
    since = max(1, before - limits.history_turns)
    # Named one by one: with "or the first" in its place, SQLite reads the whole session.
    return _read(session, {1, *range(since, before)} if before > 1 else set(), limits)


def _read(session: Session, positions: set[int], limits: Limits) -> list[RecalledTurn]:
    rows = Turn.objects.filter(
        session=session.pk, position__in=positions, status=Turn.Status.COMPLETE
    )
    read = rows.order_by("position").only(*READ)
    return [RecalledTurn(row, limits.message) for row in read]


def _chosen(
    session: Session,
    strategy: Strategy,
    newest: list[RecalledTurn],
    query: str,
    vector: Vectors | None,
    limits: Limits,
    before: int,
) -> tuple[list[RecalledTurn], tuple[int, ...]]:
    have = {turn.position for turn in newest}
    if strategy == Strategy.SEQUENTIAL:
        return newest, tuple(wanted(strategy, have))
    scores = _scores(session, query, vector, before)
    minimum = settings.MIN_RELEVANCE_SCORE
    order = wanted(strategy, have | set(scores), scores, minimum=minimum)
    order = order[: limits.history_turns]
    missing = _read(session, set(order) - have, limits)
    turns = newest + missing
    known = {turn.position for turn in turns}
    return turns, tuple(position for position in order if position in known)


def _scores(
    session: Session, query: str, vector: Vectors | None, before: int
) -> Mapping[int, float]:
    engine = embedder()
    if vector is None or engine is None:
        return _shared_words(session, query, before)
    scores = similarities(session, vector, model=engine.model)
    return {position: score for position, score in scores.items() if position < before}


def _shared_words(session: Session, query: str, before: int) -> Mapping[int, float]:
    """Return the share of the question's terms that each of the newest turns has."""
    asked = set(terms(query))
    rows = session.turns.remembered().filter(position__gte=before - WORDS_READ, position__lt=before)
    if not asked:
        return {}
    return {
        row.position: len(asked.intersection(terms(f"{row.query} {row.response}"))) / len(asked)
        for row in rows.only("session_id", "owner_id", "position", "query", "response")
    }


__all__ = ["Recalled", "RecalledTurn", "recall"]
