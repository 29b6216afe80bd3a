"""Recall: the earlier turns and memories that a new question needs. `recall()` is the one entry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings

from memory.models.conversations import Strategy
from memory.recall.budget import MESSAGE_OVERHEAD, Limits, compute_fill_limit
from memory.recall.given import Given, Past
from memory.recall.history import Route, order_positions, route
from memory.recall.past import PastTurn, Stored, drop_notes, is_answered
from memory.recall.rewriting.exchanges import Rewrite
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.summaries.window import Brief
from memory.recall.understanding import Understood, understand
from memory.text.citation_markers import strip_markers
from memory.text.token_counting import count_tokens, shorten

CUT = "\n[…]\n"
# The share of the history's limit that summaries of older turns may use.
SUMMARY_SHARE = 1 / 3
# The tokens of a short turn, and the most turns read whole to fill the remaining tokens.
SHORTEST_TURN, MOST_WHOLE = 40, 24


@dataclass(frozen=True)
class RecalledTurn:
    """An earlier turn that may go into the prompt."""

    row: PastTurn
    # Most tokens of a message: a longer one keeps its head and tail.
    message_limit: int

    @property
    def position(self) -> int:
        return self.row.position

    @cached_property
    def tokens(self) -> int:
        """Its tokens at most; exactly, if no message has to be shortened."""
        sides = (self.row.query_tokens, self.row.recalled_tokens)
        return sum(min(side, self.message_limit) + MESSAGE_OVERHEAD for side in sides)

    @property
    def shortened(self) -> bool:
        return max(self.row.query_tokens, self.row.recalled_tokens) > self.message_limit

    @cached_property
    def query(self) -> str:
        return self._shorten_to_limit(self.row.query, self.row.query_tokens)

    @cached_property
    def response(self) -> str:
        """The answer without its citation numbers, which are meaningless later."""
        return self._shorten_to_limit(strip_markers(self.row.response), self.row.recalled_tokens)

    @property
    def query_tokens(self) -> int:
        return self._tokens_within_limit(self.query, self.row.query_tokens)

    @property
    def response_tokens(self) -> int:
        return self._tokens_within_limit(self.response, self.row.recalled_tokens)

    def _shorten_to_limit(self, text: str, tokens: int) -> str:
        if tokens <= self.message_limit:
            return text
        return shorten(text, self.message_limit, marker=CUT)

    def _tokens_within_limit(self, text: str, tokens: int) -> int:
        return tokens if tokens <= self.message_limit else count_tokens(text)


@dataclass(frozen=True, kw_only=True)
class ChosenTurns:
    """The turns that a strategy chose, in order of priority, and others that may fill the rest."""

    turns: Mapping[int, RecalledTurn]
    order: tuple[int, ...]
    # Turns to fill the remaining tokens, by priority: whole or shortened; and summaries of older
    # ones, in order.
    spare: tuple[RecalledTurn | Brief, ...] = ()
    summaries: tuple[Brief, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recalled(Understood, ChosenTurns):
    """The rewritten question, and the turns chosen for the window."""

    route: Route
    last_position: int
    # From a client, instead of the stored history.
    is_given: bool = False
    # Of the turns read: small talk, answers that found nothing, and failures.
    unanswered: frozenset[int] = frozenset()

    @property
    def begins_anew(self) -> bool:
        """Whether the question is unrelated to the turns right before it."""
        return self.new_topic or self.is_resumed or self.is_given

    @property
    def unwanted(self) -> str:
        """The reason for leaving out turns that are not in the order."""
        return "older" if self.route.strategy == Strategy.SEQUENTIAL else "not_relevant"


def recall(
    past: Past,
    query: str,
    *,
    limits: Limits,
    allowance: int,
    standalone: Rewrite | None = None,
) -> Recalled:
    """Recall the turns of the past that a question needs, and rewrite it to stand alone.

    `allowance` is the largest token budget of the history. Reads only. A given `standalone`
    question is used unchanged.
    """
    last = past.last_position
    since = max(1, last + 1 - limits.history_turns)
    # The newest and the first, each by its position: with "or the first", SQLite reads all of them.
    looked_at = {1, *range(since, last + 1)} if last else set()
    newest = _read(past, looked_at, limits)
    question, rows = ReadQuestion(query), drop_notes([turn.row for turn in newest])
    understood = understand(past, question, rows, standalone=standalone)
    newest = [turn for turn in newest if is_answered(turn.row)]
    total = sum(turn.tokens for turn in newest)
    all_fit = last <= limits.history_turns + 1 and total <= allowance
    way = route(question, turns=last, all_fit=all_fit, asked_for=past.strategy)
    chosen = _choose(past, way.strategy, newest, understood, limits)
    return Recalled(
        **vars(understood),
        **vars(chosen),
        route=way,
        last_position=last,
        is_given=isinstance(past, Given),
        unanswered=frozenset(looked_at - {turn.position for turn in newest}),
    )


def _choose(
    past: Past,
    strategy: Strategy,
    newest: Sequence[RecalledTurn],
    understood: Understood,
    limits: Limits,
) -> ChosenTurns:
    """Choose turns by the strategy; turns to fill the rest are read along with them."""
    have = {turn.position: turn for turn in newest}
    scores: Mapping[int, float] = {}
    order = order_positions(strategy, have)
    if strategy != Strategy.SEQUENTIAL:
        scores = past.scores(understood.asked)
        minimum = settings.MIN_RELEVANCE_SCORE
        order = order_positions(strategy, have.keys() | scores.keys(), scores, minimum=minimum)
        order = order[: limits.history_turns]
    if len(order) == past.last_position:
        return ChosenTurns(turns=have, order=tuple(order))
    filling = _order_filling(past, order, scores, limits)
    summaries = past.summaries(filling, int(limits.history * SUMMARY_SHARE))
    missing = [at for at in filling if at not in summaries.turns and at not in order][:MOST_WHOLE]
    read = _read(past, {*order, *missing} - have.keys(), limits)
    known = have | {turn.position: turn for turn in read if is_answered(turn.row)}
    whole = {at: known[at] for at in missing if at in known}
    found = (summaries.turns.get(at) or whole.get(at) for at in filling)
    return ChosenTurns(
        turns={at: known[at] for at in order if at in known},
        order=tuple(at for at in order if at in known),
        spare=tuple(each for each in found if each),
        summaries=summaries.levels,
    )


def _order_filling(
    past: Past, chosen: Sequence[int], scores: Mapping[int, float], limits: Limits
) -> list[int]:
    """Return the turns that may fill the rest: chosen, then relevant, then the newest.

    The chosen ones are included since only a shortened version may fit. The number is limited to
    the most that could ever fit, however long the conversation is.
    """
    if settings.HISTORY_FILL != "on":
        return []
    most = compute_fill_limit(limits) // SHORTEST_TURN + len(chosen)
    newest = range(past.last_position, max(0, past.last_position - most), -1)
    relevant = sorted(scores, key=lambda position: scores[position], reverse=True)
    return list(dict.fromkeys([*chosen, *relevant, *newest]))[:most]


def _read(past: Past, positions: set[int], limits: Limits) -> list[RecalledTurn]:
    return [RecalledTurn(row, limits.message) for row in past.read(positions)]


__all__ = ["Brief", "Given", "Past", "Recalled", "RecalledTurn", "Stored", "recall"]
