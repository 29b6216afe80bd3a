"""Earlier turns of a question: rows of its session, or a client's history (memory.recall.given)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from django.conf import settings
from django.db.models import Q

from memory.models import Session, Turn
from memory.models.conversations import Strategy
from memory.models.turns import TurnQuerySet
from memory.recall.index.blocks import Pair, pick_vectors, read_blocks
from memory.recall.index.kept_messages import Kept, read_kept
from memory.recall.index.matching import Scores
from memory.recall.index.messages import Messages
from memory.recall.index.scoring import score_messages
from memory.recall.summaries.window import Summaries, read_summaries
from memory.recall.talk.conversation import ABOUT_CONVERSATION, SMALL_TALK
from memory.recall.talk.refusals import is_refusal
from memory.text.citation_markers import strip_markers
from memory.text.embedding import Embedded, Vectors, embed_message, get_embedder
from memory.text.token_counting import count_tokens
from memory.text.words import extract_terms

# Most turns examined for a topic to return to.
MOST_TOPICS = 256
# Most turns in a row with unread documents that are skipped in the search for an answer.
MOST_UNREAD = 20
# Most characters of a message that is embedded while its follow-up waits.
LONGEST_EMBEDDED = 1_000
READ = (
    "owner_id",
    "position",
    "query",
    "query_tokens",
    "standalone_query",
    "response",
    "recalled_tokens",
    "new_topic",
    "topic",
    "outcome",
    "structure",
)


EMPTY = frozenset(Turn.Outcome.list_empty())


@dataclass(frozen=True)
class GivenTurn:
    """An exchange of a client's history."""

    position: int
    query: str
    response: str
    standalone_query: str | None = None
    new_topic: bool = False
    topic: int | None = None
    outcome: str = ""

    @cached_property
    def query_tokens(self) -> int:
        return count_tokens(self.query)

    @cached_property
    def recalled_tokens(self) -> int:
        return count_tokens(strip_markers(self.response))


# An earlier question with its answer, and their tokens in a prompt.
PastTurn = Turn | GivenTurn


def embed_beginnings(turn: PastTurn) -> Pair:
    """Return the vectors of the beginnings of the question and the answer."""
    return _embed_text(turn.standalone_query or turn.query), _embed_text(turn.response)


def _embed_text(text: str) -> Vectors | None:
    said = strip_markers(text[:LONGEST_EMBEDDED])
    return embed_message(said) if extract_terms(said) and not is_refusal(text) else None


def is_answered(turn: PastTurn) -> bool:
    """Return whether the turn's answer has content that later ones may draw on."""
    # While documents were being read, the nearest passages are cited; "nothing found" isn't.
    if turn.outcome == Turn.Outcome.NOT_READ_YET:
        return strip_markers(turn.response) != turn.response
    if turn.outcome:
        return turn.outcome not in EMPTY
    # In turns from before outcomes, and in clients' histories, refusals are known by their text.
    return not is_refusal(turn.response)


def drop_notes(turns: Sequence[PastTurn]) -> Sequence[PastTurn]:
    """Return the turns without those that only stated facts, unless there are no others.

    "I live in Munich" is needed for "whats its capital".
    """
    return [turn for turn in turns if turn.outcome != Turn.Outcome.NOTED] or turns


@dataclass(frozen=True)
class Stored:
    """A session's turns before a position, from 1 without a gap to the last."""

    session: Session
    before: int
    # The rows read, None for turns without a question; several steps need the same ones.
    _rows: dict[int, Turn | None] = field(default_factory=dict, init=False, compare=False)

    @property
    def last_position(self) -> int:
        return self.before - 1

    @property
    def last_answered(self) -> Turn | None:
        """The newest turn with a usable answer."""
        turns = Turn.objects.filter(session=self.session, position__lt=self.before)
        has_some = ~Q(outcome__in=Turn.Outcome.list_empty())
        rows = turns.filter(has_some | Q(outcome=Turn.Outcome.NOT_READ_YET)).order_by("-position")
        newest = rows.only(*READ, "answerability")[:MOST_UNREAD].iterator(chunk_size=1)
        return next(filter(is_answered, newest), None)

    @property
    def strategy(self) -> str:
        """The session's strategy, or else the instance's setting."""
        if self.session.strategy != Strategy.AUTO:
            return self.session.strategy
        return str(settings.CONTEXT_BUILDING_STRATEGY)

    def read(self, positions: Collection[int]) -> Sequence[PastTurn]:
        """Return the answered ones of the turns, in order, without those that are no questions."""
        if missing := set(positions) - self._rows.keys():
            self._rows.update(dict.fromkeys(missing))
            rows = _select_questions(self.session).filter(position__in=missing).order_by()
            self._rows.update({row.position: row for row in rows.only(*READ)})
        return [row for at in sorted(positions) if (row := self._rows[at])]

    def count(self) -> int:
        """Return the number of turns that `read` returns."""
        return _select_questions(self.session).filter(position__lt=self.before).count()

    def topics(self) -> Mapping[int, int]:
        """Return the first turn of the topic of each of the newest turns, oldest first."""
        rows = Turn.objects.finished().filter(session=self.session, position__lt=self.before)
        rows = rows.filter(position__gte=self.before - MOST_TOPICS).order_by("position")
        return assign_topics(rows.values_list("position", "topic", "new_topic"))

    def scores(self, asked: Embedded) -> Mapping[int, float]:
        """Return the relevance of turns to the question, from 0 to 1, without irrelevant ones."""
        session = self.session
        found = score_messages([session.pk], asked, owner=session.owner_id, kept=self._kept)
        return select_relevant_turns(found.heard.messages, found.scores, before=self.before)

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        """Return the vectors of questions and answers at the positions.

        A job stores them. The newest turn is embedded here if its job has not been done.
        """
        engine = get_embedder()
        before = [position for position in positions if position < self.before]
        if engine is None:
            return {}
        if self.strategy == Strategy.SEQUENTIAL:  # a long session is read whole only for scores
            mine = read_blocks(self.session, before, model=engine.model)
        else:
            mine = [each.block for each in self._kept.vectors if each.model == engine.model]
        stored = pick_vectors(mine, before)
        is_lacking = self.last_position in before and self.last_position not in stored
        return {**stored, **self._newest_vectors} if is_lacking else stored

    @cached_property
    def _newest_vectors(self) -> Mapping[int, Pair]:
        newest = self.read([self.last_position])
        return {
            turn.position: embed_beginnings(turn) for turn in newest if turn.outcome not in EMPTY
        }

    @cached_property
    def _kept(self) -> Kept:
        return read_kept(self.session.owner_id, [self.session.pk])

    def summaries(self, positions: Collection[int], room: int) -> Summaries:
        """Return short versions of the turns, and summaries of older ones within the room."""
        return read_summaries(self.session, positions, before=self.before, room=room)


def _select_questions(session: Session) -> TurnQuerySet:
    rows = Turn.objects.finished().filter(session=session)
    return rows.exclude(outcome__in=[SMALL_TALK, ABOUT_CONVERSATION])


def assign_topics(turns: Iterable[tuple[int, int | None, bool]]) -> dict[int, int]:
    """Return the topic of each turn; for older turns, derived from the flags of new topics."""
    found: dict[int, int] = {}
    last = 0
    for position, topic, is_new in turns:
        last = topic or (position if is_new or not last else last)
        found[position] = last
    return found


def select_relevant_turns(messages: Messages, scores: Scores, *, before: int) -> dict[int, float]:
    """Return the better score of each turn's messages, if it is relevant enough."""
    wanted = np.flatnonzero(
        (scores >= settings.MIN_RELEVANCE_SCORE) & (messages.positions < before)
    )
    best: dict[int, float] = {}
    for position, score in zip(
        messages.positions[wanted].tolist(), scores[wanted].tolist(), strict=True
    ):
        best[position] = max(score, best.get(position, 0.0))
    return best
