"""Scoring: the relevance of each message, its confidence, and a preference for the newest."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

import numpy as np

from memory.recall.index.kept_messages import (
    Heard,
    Kept,
    Meanings,
    compute_cosines,
    group_vectors_by_engine,
    join_messages,
    read_kept,
)
from memory.recall.index.matching import Scores
from memory.recall.index.messages import Messages, Side
from memory.recall.index.questions import RelevanceQuestion
from memory.recall.index.relevance import Comparison, drop_names, find_named_speakers
from memory.text.embedding import Embedded, Vectors, get_embedder


@dataclass(frozen=True)
class Scored:
    """Messages with their relevance, and the confidence that they hold the answer."""

    heard: Heard
    scores: Scores
    confidence: float


def score_messages(
    sessions: Sequence[UUID],
    asked: Embedded,
    *,
    owner: UUID,
    kept: Kept | None = None,
) -> Scored:
    """Score the indexed messages of their owner's sessions against the question.

    The sessions are in order; their index is read unless it is `kept`. Without an engine, words
    decide alone.
    """
    kept = kept or read_kept(owner, sessions)
    said, query = join_messages(kept, sessions), asked.text
    messages, engine = said.messages, get_embedder()
    # Messages are embedded without the names of their speakers; so is the question.
    if speakers := find_named_speakers(query, messages):
        asked = Embedded(drop_names(query, speakers))
    found = group_vectors_by_engine(kept, sessions, asked) if engine and len(messages) else []
    near = compute_cosines(found, messages.numbers) if found else None
    compared = Comparison(query, messages, near, engine.model if engine else "")
    scores = compared.scores()
    ordered = prefer_newest_values(
        compared.asked, messages, scores, partial(_get_vectors, found, said)
    )
    return Scored(said, ordered, compute_confidence(compared, scores))


def _get_vectors(found: Sequence[Meanings], said: Heard, rows: Sequence[int]) -> dict[int, Vectors]:
    """Return the vectors of these messages by the current engine, by their row."""
    if not found:
        return {}
    numbers = said.messages.numbers[list(rows)].tolist()
    vectors = found[-1].vectors(numbers)
    return {
        row: vectors[number] for row, number in zip(rows, numbers, strict=True) if number in vectors
    }


OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|me|mine|we|our|us|yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?)\b",
    re.IGNORECASE,
)
CONTENTS = re.compile(
    r"\b(?:why|rationale|reasons?|reasoning|details?|detailed|exact|more about|describe|explain"
    r"|discuss\w*|specific\w*|background|reactions?|feedback|agenda|contents?|criteria"
    r"|(?:main|key) (?:points?|topics?|takeaways?)|atmosphere|dynamics"
    r"|por qué|razón|razones|motivos?|detalles?|describe|explica|antecedentes)\b",
    re.IGNORECASE,
)
# For the nearest message: midpoints and slopes of its cosine and its share of the rare words.
NEAR, NEARNESS = 0.5, 8.0
SHARED, SHARE = 0.3, 4.0
TOLD, OF_ONESELF, OF_CONTENTS = 0.5, 1.2, -1.5


def compute_confidence(compared: Comparison, scores: Scores) -> float:
    """Return the probability that the messages answer the question.

    It is high if the nearest message is near in meaning and has the rare words. The question must
    also be about personal facts, rather than reasons and details. On BEAM the first separates
    questions on one person's conversations from those on another's (.94), the second those without
    an answer (.97).
    """
    if not len(scores):
        return 0.0
    share = compared.matched.share(int(np.argmax(scores)), len(compared.wanted))
    subject = SHARE * (share - SHARED)
    if compared.known is not None:
        subject += NEARNESS * (float(compared.known.max()) - NEAR)
    query = compared.asked.query
    told = TOLD + OF_ONESELF * bool(OWN.search(query)) + OF_CONTENTS * bool(CONTENTS.search(query))
    return _compute_logistic(subject) * _compute_logistic(told)


def _compute_logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))


# Most messages compared, and the least cosine to the first for the same subject.
LOOKED_AT, ONE_SUBJECT = 5, 0.7


def prefer_newest_values(
    asked: RelevanceQuestion,
    messages: Messages,
    scores: Scores,
    near: Callable[[Sequence[int]], Mapping[int, Vectors]],
) -> Scores:
    """Return the scores, with the newest first among the person's best messages on one subject.

    A question about a present state is answered by its newest value. `near` gives vectors by their
    row, over the root of their engine's spread.
    """
    if messages.are_of_people or not asked.wants_what_is:
        return scores
    count = min(LOOKED_AT, len(scores))
    near_best = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    best = near_best[np.argsort(-scores[near_best], kind="stable")][:LOOKED_AT].tolist()
    vectors = near(best)
    said = messages.numbers % len(Side) == Side.QUESTION
    rows = [row for row in best if row in vectors and said[row]]
    slots = [row for row in rows if float(vectors[row] @ vectors[rows[0]]) >= ONE_SUBJECT]
    changed = scores.copy()
    # Rows are in chronological order, of several sessions too.
    changed[sorted(slots, reverse=True)] = scores[slots]
    return changed
