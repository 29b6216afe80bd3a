"""How relevant everything is that was said: the same for a turn, across sessions and measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from memory.recall.index.confidence import confidence
from memory.recall.index.kept_messages import (
    Heard,
    Kept,
    Meanings,
    cosines,
    heard,
    meanings,
    read_kept,
)
from memory.recall.index.matching import Scores
from memory.recall.index.newest import newest_first
from memory.recall.index.relevance import Comparison, drop_names, named_speakers
from memory.text.embedding import Embedded, Vectors, embedder


@dataclass(frozen=True)
class Scored:
    """What was said, how relevant each message is, and how sure it is that the answer is there."""

    heard: Heard
    scores: Scores
    confidence: float


def scored(
    sessions: Sequence[UUID],
    asked: Embedded,
    *,
    owner: UUID,
    kept: Kept | None = None,
) -> Scored:
    """Compare what is kept of their owner's sessions' messages with the question.

    The sessions are in order; what is `kept` of them is read unless it is given. Without an engine,
    words decide alone.
    """
    kept = kept or read_kept(owner, sessions)
    said, query = heard(kept, sessions), asked.text
    messages, engine = said.messages, embedder()
    # Messages are embedded without the names of their speakers; so the question is, too.
    if speakers := named_speakers(query, messages):
        asked = Embedded(drop_names(query, speakers))
    found = meanings(kept, sessions, asked) if engine and len(messages) else []
    near = cosines(found, messages.numbers) if found else None
    compared = Comparison(query, messages, near, engine.model if engine else "")
    scores = compared.scores()
    ordered = newest_first(compared.asked, messages, scores, partial(_vectors, found, said))
    return Scored(said, ordered, confidence(compared, scores))


def _vectors(found: Sequence[Meanings], said: Heard, rows: Sequence[int]) -> dict[int, Vectors]:
    """Return the vectors of these of the messages by the engine of now, by their row."""
    if not found:
        return {}
    numbers = said.messages.numbers[list(rows)].tolist()
    vectors = found[-1].vectors(numbers)
    return {
        row: vectors[number] for row, number in zip(rows, numbers, strict=True) if number in vectors
    }
