"""Topics: whether a question continues the current topic, starts one, or returns to an earlier one.

A turn's topic is the position of its first turn. Trees predict whether a question continues the
newest topic, from its form, its words and its similarity to that topic's turns. They were trained
on public conversations, mixed as people mix them (topics.md). If not, it returns to the earlier
topic with the nearest question, if that is near enough. Without vectors, words alone decide, with a
higher threshold. A change noticed too late keeps an old topic for a while; one noticed too early
loses the subject of the conversation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from django.db.models import Q, Subquery
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from memory.models import Session, Turn
from memory.recall.index.blocks import Pair
from memory.recall.rewriting.exchanges import Exchange, select_reachable
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.embedding import Embedded, Vectors, get_embedder
from memory.text.reading import compute_rarity
from memory.text.trees import Forest
from memory.text.words import extract_terms, stem_words

# Number of newest turns compared with the question, beside all of them.
LAST_TURNS = 3
MOST_WORDS, FEW_WORDS, MOST_TURNS = 8, 3, 4
# Most characters of an answer that are compared word by word.
LONGEST = 4_000
UNKNOWN = -1.0


@dataclass(frozen=True)
class Near:
    """Cosines of earlier turns with a question, over the engine's spread; NaN where unknown.

    Rows are turns, columns their question and their answer.
    """

    cosines: NDArray[np.float64]

    @classmethod
    def compare(
        cls,
        positions: Sequence[int],
        pairs: Mapping[int, Pair],
        asked: Vectors | None,
        *,
        spread: float,
    ) -> "Near":
        """Compare the turns at the positions with the question's vector."""
        found = np.full((len(positions), 2), np.nan)
        for row, position in enumerate(positions):
            for column, side in enumerate(pairs.get(position, (None, None))):
                if side is not None and asked is not None and len(side) == len(asked):
                    found[row, column] = side @ asked
        return cls(found / spread)

    def taken(self, rows: slice) -> "Near":
        return Near(self.cosines[rows])


def build_feature_row(
    question: ReadQuestion, exchanges: Sequence[Exchange], near: Near, others: Near | None = None
) -> NDArray[np.float32]:
    """Return the features of the question after one or more exchanges, oldest first."""
    both, asked = near.cosines, near.cosines[:, :1]
    nearness = [
        *both[-1],
        _compute_maximum(both[-1:]),
        _compute_maximum(both[-LAST_TURNS:]),
        _compute_maximum(both),
        _compute_mean(both[-LAST_TURNS:]),
        _compute_maximum(both[:1]),
        _compute_maximum(asked),
        _compute_mean(asked[-LAST_TURNS:]),
        _compute_maximum(asked[-LAST_TURNS:]),
        np.nan if others is None else _compute_maximum(others.cosines[:, :1]),
    ]
    row = [*nearness, *_compute_overlap(question, exchanges), *question.shape.values()]
    return np.nan_to_num(np.array([row], dtype=np.float32), nan=UNKNOWN)


def _compute_overlap(question: ReadQuestion, exchanges: Sequence[Exchange]) -> list[float]:
    """Return the shares of the question's words in the topic."""
    own = frozenset(question.terms)
    asked = [frozenset(each.question.terms).union(each.sought.terms) for each in exchanges]
    told = [extract_terms(each.response[:LONGEST]) for each in exchanges]
    said = [one.union(other) for one, other in zip(asked, told, strict=True)]
    # Rare words have a greater weight.
    weights = {term: compute_rarity(word) for word in question.words for term in stem_words([word])}
    newest = frozenset[str]().union(*said[-LAST_TURNS:])
    rare = sum(weight for term, weight in weights.items() if term in newest)
    count = len(question.content_words)
    return [
        _share(own, said[-LAST_TURNS:]),
        _share(own, said),
        _share(own, asked[-LAST_TURNS:]),
        rare / (sum(weights.values()) or 1.0),
        float(question.points_back),
        min(count, MOST_WORDS),
        float(count < FEW_WORDS),
        len(own),
        min(len(exchanges), MOST_TURNS),
        float(not exchanges[-1].response),
    ]


def _share(own: Collection[str], said: Sequence[Collection[str]]) -> float:
    return len(set(own).intersection(set().union(*said))) / len(own) if own else 0.0


def _compute_maximum(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else np.nan


def _compute_mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else np.nan


ARTEFACT = Path(__file__).parent / "topics.npz"
# Least probability of another topic: with vectors, and by words alone.
LIMIT, LIMIT_BY_WORDS = 0.5, 0.7
# Least cosine with a question of an earlier topic for a return to it. On the same conversations, it
# finds .90 of returns (MiniLM .87), and .13 of new topics pass it (.00).
RETURNS = 0.35


@dataclass(frozen=True)
class Topic:
    """The topic of a question: its exchanges, oldest first."""

    exchanges: tuple[Exchange, ...]
    # The position of its first turn; 0 for a new one.
    begun: int
    # It was interrupted by another topic.
    is_resumed: bool = False
    # The probability that the question is about another topic after all.
    doubt: float = 0.0

    @property
    def is_new(self) -> bool:
        return not self.begun


class PastExchanges(Protocol):
    """The exchanges before a question, by the positions of turns."""

    @property
    def exchanges(self) -> Mapping[int, Exchange]:
        """The newest and the first, oldest first."""
        ...

    @property
    def newest_topics(self) -> Mapping[int, int]:
        """The first turn of each exchange's topic."""
        ...

    @property
    def topics(self) -> Mapping[int, int]:
        """The same for more of the newest turns, oldest first."""
        ...

    def read(self, positions: Collection[int]) -> Mapping[int, Exchange]: ...
    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]: ...


def find_topic(
    question: ReadQuestion, told: PastExchanges, *, asked: Embedded | None = None
) -> Topic:
    """Return the topic of the question after the exchanges.

    Without `asked`, no vectors are compared.
    """
    if not told.exchanges or not question.terms:
        return get_current_topic(told)
    newest = told.topics[max(told.exchanges)]
    exchanges = _select_exchanges(told, newest)
    others = [at for at, topic in told.topics.items() if topic != newest]
    of_topic = [exchange.position for exchange in exchanges]
    near = _compute_nearness([*of_topic, *others], told, asked)
    here, there = near.taken(slice(len(of_topic))), near.taken(slice(len(of_topic), None))
    row = build_feature_row(question, exchanges, here, there if others else None)
    left = float(load().probabilities(row)[0])
    by_words = np.isnan(here.cosines[-1]).all()
    if left <= (LIMIT_BY_WORDS if by_words else LIMIT):
        return replace(get_current_topic(told), doubt=left)
    return _find_resumed_topic(told, others, there) or Topic((), 0)


def get_current_topic(told: PastExchanges) -> Topic:
    """Return the newest topic of the exchanges."""
    if not told.exchanges:
        return Topic((), 0)
    newest = told.newest_topics[max(told.exchanges)]
    return Topic(_select_exchanges(told, newest), newest)


def _select_exchanges(told: PastExchanges, topic: int) -> tuple[Exchange, ...]:
    """Return the newest exchanges of the topic."""
    of_topic = [at for at in told.exchanges if told.newest_topics.get(at) == topic]
    return tuple(told.exchanges[at] for at in select_reachable(of_topic))


def _compute_nearness(
    positions: Sequence[int], told: PastExchanges, asked: Embedded | None
) -> Near:
    engine = get_embedder()
    vector = asked.vector if asked and engine else None
    if asked is None or engine is None or vector is None:
        return Near.compare(positions, {}, None, spread=1.0)
    return Near.compare(positions, told.vectors(positions), vector, spread=engine.spread)


def _find_resumed_topic(told: PastExchanges, others: Sequence[int], near: Near) -> Topic | None:
    """Return the earlier topic that the question returns to, if it does."""
    asked = np.nan_to_num(near.cosines[:, 0], nan=-1.0)
    if not asked.size or asked.max() < RETURNS:
        return None
    begun = told.topics[others[int(asked.argmax())]]
    of_topic = select_reachable([at for at in others if told.topics[at] == begun])
    known = {at: told.exchanges[at] for at in of_topic if at in told.exchanges}
    known |= told.read([at for at in of_topic if at not in known])
    exchanges = tuple(known[at] for at in sorted(known))
    return Topic(exchanges, begun, is_resumed=True, doubt=LIMIT)


@cache
def load() -> Forest:
    """Load the artefact, once."""
    with np.load(ARTEFACT, allow_pickle=False) as arrays:
        return Forest.loaded(arrays, "topics")


def select_topic(session: Session, before: int) -> Subquery:
    """Return an expression for the first position of the newest topic before the position."""
    told = Q(topic__isnull=False) | Q(new_topic=True)  # turns from before topics were stored
    turns = Turn.objects.filter(told, session=session, position__lt=before)
    begun = turns.order_by("-position").values(begun=Coalesce("topic", "position"))
    return Subquery(begun[:1])
