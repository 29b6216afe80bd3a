"""Understanding a question after what was said before it: standing alone, dated, of which topic."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from memory.recall import entities
from memory.recall.index.blocks import Pair
from memory.recall.past import Given, Past, PastTurn, Stored, is_answered
from memory.recall.rewriting import Ask, Exchange, Known, ReadQuestion, Rewrite, rewrite
from memory.recall.rewriting.dates import resolve_dates
from memory.recall.talk import talk_in
from memory.recall.topics import going_on, topic_of
from memory.text.embedding import Embedded


@dataclass(frozen=True)
class Understood:
    """What is searched for, and what it was understood from."""

    # The question as it was typed, read once.
    question: ReadQuestion
    rewrite: Rewrite
    # The standalone question and the one that was typed, for comparing.
    asked: Embedded
    typed: Embedded
    # Of the topic, the first turn and the newest, oldest first.
    exchanges: tuple[Exchange, ...]
    # The position with which the topic began, 0 if it begins with this question; whether it has
    # nothing to do with what was said before, or comes back to what was left.
    begun: int
    new_topic: bool
    is_resumed: bool


def understand(
    past: Past,
    question: ReadQuestion,
    newest: Sequence[PastTurn],
    *,
    ask: Ask | None = None,
    standalone: Rewrite | None = None,
    today: date | None = None,
) -> Understood:
    """Return the question as it stands alone after the newest turns, which begin with the first.

    A `standalone` one that is given is taken as it is.
    """
    told, typed = ReadPast(past, newest), Embedded(question.text)
    if standalone or talk_in(question, newest[-1].response if newest else ""):
        topic = going_on(told)
    else:
        topic = topic_of(question, told, asked=typed)
    new_topic = bool(newest) and topic.is_new
    if new_topic:  # nothing of another topic goes into it
        rewritten = Rewrite(question.text, "new_topic")
    else:
        rewritten = standalone or rewrite(
            question, topic.exchanges, ask, known=known_to(past), doubt=topic.doubt
        )
    if standalone is None and today:
        rewritten = resolve_dates(rewritten, topic.exchanges, today)
    if isinstance(past, Given):  # its turns have no rows that could be named
        rewritten = replace(rewritten, positions=())
    return Understood(
        question,
        rewritten,
        typed if rewritten.query == question.text else Embedded(rewritten.query),
        typed,
        exchanges=topic.exchanges,
        begun=topic.begun,
        new_topic=new_topic,
        is_resumed=topic.is_resumed,
    )


@dataclass(frozen=True)
class ReadPast:
    """What was said, as rewriting and topics read it."""

    past: Past
    newest: Sequence[PastTurn]

    @cached_property
    def exchanges(self) -> Mapping[int, Exchange]:
        return {turn.position: _exchange(turn) for turn in self.newest}

    @cached_property
    def topics(self) -> Mapping[int, int]:
        topics = self.past.topics()
        # The first turn is read though it may be older than topics are looked back for.
        return {at: 1 for at in self.exchanges if at not in topics} | dict(topics)

    def read(self, positions: Collection[int]) -> Mapping[int, Exchange]:
        return {turn.position: _exchange(turn) for turn in self.past.read(positions)}

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        return self.past.vectors(positions)


def _exchange(turn: PastTurn) -> Exchange:
    is_refused = not is_answered(turn)
    response = "" if is_refused else turn.response
    standalone = turn.standalone_query or ""
    return Exchange(turn.query, response, turn.position, standalone, is_refused=is_refused)


def known_to(past: Past) -> Sequence[Known]:
    """Return what the session remembers; of a history that is given, nothing is kept."""
    return entities.known(past.session, past.before) if isinstance(past, Stored) else ()
