"""Topics: whether a question goes on with what was talked about, begins something new, or comes
back to something earlier.

A turn's topic is the position of the turn with which it began. Trees, trained on public
conversations that were mixed as people mix them (topics.md), tell from the question's form, its
words and its nearness to the turns of the newest topic whether it goes on with that. If it doesn't,
it comes back to the earlier topic that has the nearest question, if that is near enough. Words
alone decide where there are no vectors, and have to be surer then. Told too late, an old topic
lingers for a while; told too early, a conversation forgets what it is about.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from django.db.models import Q, Subquery
from django.db.models.functions import Coalesce

from memory.embedding import Embedded, embed_message, embedder
from memory.models import Session, Turn
from memory.recall.rewriting import Exchange
from memory.recall.rewriting.exchanges import within_reach
from memory.recall.rewriting.selection.trees import Forest
from memory.recall.topics.signs import Near, Pair, signs
from memory.words import terms

ARTEFACT = Path(__file__).parent / "topics.npz"
# From which probability on the topic is left: with vectors, and by words alone.
LIMIT, LIMIT_BY_WORDS = 0.5, 0.7
# How near a question of an earlier topic has to be to come back to it.
RETURNS = 0.7
# Older turns are not looked at for a topic to come back to.
LOOKED_BACK = 256
ReadVectors = Callable[[Collection[int]], Mapping[int, Pair]]


@dataclass(frozen=True)
class Topic:
    """What a question is about: the topic's exchanges, oldest first."""

    exchanges: tuple[Exchange, ...]
    # The position of the turn with which it began; 0 for a new one.
    begun: int
    # It was left for another one in between.
    is_resumed: bool = False
    # How likely the question is of another topic all the same.
    doubt: float = 0.0

    @property
    def is_new(self) -> bool:
        return not self.begun


@dataclass(frozen=True)
class Told:
    """An exchange, and the position with which its topic began."""

    exchange: Exchange
    topic: int


def topic_of(
    query: str,
    told: Sequence[Told],
    vectors: ReadVectors,
    *,
    asked: Embedded | None = None,
) -> Topic:
    """Return what the question is about, given what was said before, oldest first.

    `vectors` reads those of turns by their positions; without `asked` nothing is compared by them.
    """
    if not told:
        return Topic((), 0)
    if not terms(query):
        return going_on(told)
    newest = told[-1].topic
    recent = told[-LOOKED_BACK:]
    near = _near([each.exchange.position for each in recent], vectors, asked)
    of_topic = within_reach([row for row, each in enumerate(recent) if each.topic == newest])
    others = [row for row, each in enumerate(recent) if each.topic != newest]
    exchanges = [recent[row].exchange for row in of_topic]
    row = signs(query, exchanges, near.taken(of_topic), near.taken(others) if others else None)
    by_words = np.isnan(near.as_question[of_topic[-1]]).all()
    left = float(load().probabilities(row)[0])
    if left <= (LIMIT_BY_WORDS if by_words else LIMIT):
        return replace(going_on(told), doubt=left)
    return _resumed(told, recent, near, others) or Topic((), 0)


def going_on(told: Sequence[Told]) -> Topic:
    """Return the newest topic of what was said."""
    return _topic(told, told[-1].topic) if told else Topic((), 0)


def _near(
    positions: Sequence[int],
    vectors: ReadVectors,
    asked: Embedded | None,
) -> Near:
    engine = embedder()
    vector = asked.vector if asked and engine else None
    if asked is None or engine is None or vector is None:
        return Near.of(positions, {}, None, None, spread=1.0)
    message = embed_message(asked.text)
    return Near.of(positions, vectors(positions), vector, message, spread=engine.spread)


def _resumed(
    told: Sequence[Told], recent: Sequence[Told], near: Near, others: Sequence[int]
) -> Topic | None:
    """Return the earlier topic that the question comes back to, if it does."""
    asked = np.nan_to_num(near.as_message[list(others), 0], nan=-1.0)
    if not asked.size or asked.max() < RETURNS:
        return None
    begun = recent[others[int(asked.argmax())]].topic
    return replace(_topic(told, begun), is_resumed=True, doubt=LIMIT)


def _topic(told: Sequence[Told], begun: int) -> Topic:
    exchanges = within_reach([each.exchange for each in told if each.topic == begun])
    return Topic(tuple(exchanges), begun)


@cache
def load() -> Forest:
    """Read the artefact, once."""
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        return Forest.loaded(arrays, "topics")


def topic_since(session: Session, before: int) -> Subquery:
    """Return, as part of a query, where the topic of the newest turn before the position began."""
    told = Q(topic__isnull=False) | Q(new_topic=True)  # the turns before topics were noted
    turns = Turn.objects.filter(told, session=session, position__lt=before)
    begun = turns.order_by("-position").values(begun=Coalesce("topic", "position"))
    return Subquery(begun[:1])
