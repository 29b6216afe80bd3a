"""The conversation before a follow-up, and its effect on ranking.

The answer to a follow-up is often near the earlier turns, and their vectors are stored. So a
passage near one of the last turns fits better. But only up to a limit: the same subject counts, the
same content doesn't. Otherwise the passages of the last answer, which are its nearest, crowd out
the one that was asked for. A passage near none of the turns keeps its fit, so that a question about
something else loses nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memory.models.conversations import Rewriting
from memory.recall import Past, Recalled
from memory.recall.rewriting.exchanges import ASKED_FURTHER, REFERENCE_RESOLVED, TOPIC_CARRIED
from memory.text.embedding import Vectors, get_embedder, scale_to_unit
from memory.text.embedding.e5 import E5

# Reasons of a rewrite that refer to an earlier turn, in any language.
RESOLVED = frozenset([REFERENCE_RESOLVED, ASKED_FURTHER])
# Maximum number of turns that are compared.
TURNS = 5
# Shift of the vector search towards the turns; it affects the candidates only.
DRAWN = 0.6


@dataclass(frozen=True)
class Nearness:
    """The effect of the turns before, by an engine's cosines over its spread."""

    # The cosines up to which a passage is unrelated to a turn, from which it is on its subject, and
    # from which it repeats the turn. Repetition lowers the fit.
    elsewhere: float
    subject: float
    same: float
    # Weight of a turn relative to the one after it.
    fading: float
    # Share of the typed question in the question's own fit: a rewrite may be wrong.
    typed: float
    # Weight of the turns, if the question refers to them and if it doesn't.
    leaning: float
    alone: float


# Chosen on the conversations of MT-RAG, CAsT and iKAT, rewritten by models that had not seen them,
# and rounded. A change of any by a fifth changes R@5 by less than .02.
MINILM = Nearness(0.14, 0.5, 0.8, fading=0.9, typed=0.6, leaning=0.8, alone=0.3)
NEARNESS = {E5.model: Nearness(0.28, 0.69, 0.9, fading=0.95, typed=0.7, leaning=1.0, alone=0.3)}


@dataclass(frozen=True)
class Before:
    """The question as typed, and the last turns: unit vectors, the newest turn first."""

    # The model of the vectors.
    model: str
    typed: Vectors
    turns: Vectors
    # Whether the question refers to the turns.
    leans: bool
    # The question as typed.
    question: str = ""
    # Whether the rewrite's added words are a guess at the topic.
    guessed: bool = False

    @property
    def nearness(self) -> Nearness:
        return NEARNESS.get(self.model, MINILM)

    def shift(self, vector: Vectors) -> Vectors:
        """Return the query vector, in place of the standalone question's vector."""
        own = self._own(vector, self.typed)
        drawn: Vectors = scale_to_unit(own + DRAWN * self.turns.mean(axis=0))
        return drawn

    def list_comparisons(self, vector: Vectors) -> Vectors:
        """Return, as rows, the vectors that `fit` compares each candidate with."""
        return np.vstack([vector, self.typed, self.turns])

    def fit(self, cosines: Sequence[float]) -> float:
        """Return the fit of a candidate, given its cosines."""
        standalone, typed, *turns = cosines
        like = self.nearness
        nearest = max(cosine * like.fading**age for age, cosine in enumerate(turns))
        near = min(nearest, like.subject) - max(max(turns) - like.same, 0.0)
        weight = like.leaning if self.leans else like.alone
        own: float = self._own(standalone, typed)
        return own + weight * max(near - like.elsewhere, 0.0)

    def _own(self, standalone: Any, typed: Any) -> Any:
        share = self.nearness.typed
        return (1 - share) * standalone + share * typed


def read_conversation(query: str, recalled: Recalled, past: Past) -> Before | None:
    """Read the conversation before the question; return None if it has no effect.

    It has none on the first question of a topic, and none if the person set the query.
    """
    engine, reason = get_embedder(), recalled.rewrite.reason
    typed = recalled.typed.meaning(engine.model) if engine else None
    said = reason in (Rewriting.AS_TYPED, Rewriting.GIVEN)
    if engine is None or typed is None or said or recalled.new_topic:
        return None
    leans = reason in RESOLVED or (recalled.question.leans_back and reason != "stands_alone")
    turns = list_turn_vectors(past, len(typed), list_topic_turns(recalled, past))
    guessed = reason == TOPIC_CARRIED and not recalled.question.points_back
    return Before(engine.model, typed, np.vstack(turns), leans, query, guessed) if turns else None


def list_topic_turns(recalled: Recalled, past: Past) -> Sequence[int]:
    """Return the positions of the last turns of the question's topic, even of an earlier one."""
    reached = [exchange.position for exchange in recalled.exchanges]
    if recalled.is_resumed:
        return reached[-TURNS:]
    last = past.last_position
    return range(max([1, last - TURNS + 1, *reached[:1]]), last + 1)


def list_turn_vectors(past: Past, dimensions: int, positions: Sequence[int]) -> list[Vectors]:
    """Return the turns' vectors, newest first: of the answer, or of the question if it has none."""
    pairs = past.vectors(positions)
    sides = (pairs.get(position, (None, None)) for position in sorted(positions, reverse=True))
    found = [question if answer is None else answer for question, answer in sides]
    return [vector for vector in found if vector is not None and len(vector) == dimensions]
