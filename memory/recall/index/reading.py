"""What is kept of one session's messages, or of several sessions', read as one conversation.

The numbers of messages tell the sessions apart: each has a range of its own, in the order in which
they were last used.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from django.db.models import Count, Sum
from django.db.models.functions import Length
from numpy.typing import NDArray

from memory.models import VectorBlock, WordBlock
from memory.models.conversations import SessionQuerySet
from memory.recall.index.messages import STRIDE, Messages
from memory.text.embedding import Embedded, embedder, engine_of
from memory.text.vectors import Block

# Of a person's earlier sessions so many are read, the latest first, and so much of their words.
MOST_SESSIONS, MOST_BYTES = 5_000, 64 << 20


@dataclass(frozen=True)
class Heard:
    """The messages of some sessions, in the order in which they were said."""

    sessions: Sequence[UUID]
    messages: Messages

    def places(self, rows: NDArray[np.integer]) -> list[tuple[UUID, int]]:
        """Return the session and the position of these of the messages."""
        which, numbers = np.divmod(self.messages.numbers[rows], STRIDE)
        pairs = zip(which.tolist(), (numbers // 2).tolist(), strict=True)
        return [(self.sessions[at], position) for at, position in pairs]


def heard(sessions: Sequence[UUID]) -> Heard:
    """Read what is kept of the sessions' messages; the sessions are in order."""
    starts = _starts(sessions)
    rows = WordBlock.objects.filter(session__in=sessions)
    read = [
        _moved(Messages.unpacked(row.payload), starts[row.session_id])
        for row in rows.only("owner_id", "session_id", "payload")
    ]
    return Heard(sessions, Messages.joined(read).in_order())


def newest_within(sessions: SessionQuerySet, most_bytes: int = MOST_BYTES) -> list[UUID]:
    """Return those of the sessions that are read for a question, in order.

    They are the latest, as long as their words have at most so many bytes.
    """
    sizes = sessions.latest_first().annotate(
        size=Sum(Length("word_blocks__payload")), blocks=Count("word_blocks")
    )
    chosen, room = list[UUID](), most_bytes
    for pk, size in sizes.filter(blocks__gt=0).values_list("pk", "size")[:MOST_SESSIONS]:
        room -= size
        if room < 0:
            break
        chosen.append(pk)
    return chosen[::-1]


def cosines(
    sessions: Sequence[UUID], numbers: NDArray[np.int64], asked: Embedded
) -> NDArray[np.float64]:
    """Return each message's cosine with the question, over its engine's spread; NaN without one.

    What only another engine has embedded is compared by that one, if it is there. The numbers of
    the messages are sorted, and there is one at least.
    """
    found = np.full(len(numbers), np.nan)
    current = embedder()
    held = _vectors(sessions)
    # The engine of now comes last, and has the last word.
    for model in sorted(held, key=lambda model: current is not None and model == current.model):
        vector, engine = asked.by(model), engine_of(model)
        if vector is None or engine is None:
            continue
        fitting = [(start, block) for start, block in held[model] if block.fits(vector)]
        if not fitting:
            continue
        theirs = np.concatenate([start + block.numbers @ [2, 1] for start, block in fitting])
        values = np.concatenate([block.similarities(vector) for _, block in fitting])
        places = np.minimum(np.searchsorted(numbers, theirs), len(numbers) - 1)
        known = numbers[places] == theirs
        found[places[known]] = values[known] / engine.spread
    return found


def _vectors(sessions: Sequence[UUID]) -> Mapping[str, list[tuple[int, Block]]]:
    """Return the blocks of each engine, with where the numbers of their session begin."""
    starts, held = _starts(sessions), dict[str, list[tuple[int, Block]]]()
    rows = VectorBlock.objects.filter(session__in=sessions)
    for row in rows.only("owner_id", "session_id", "model", "payload"):
        block = Block.unpacked(row.payload)
        held.setdefault(row.model, []).append((starts[row.session_id], block))
    return held


def _starts(sessions: Iterable[UUID]) -> dict[UUID, int]:
    return {pk: at * STRIDE for at, pk in enumerate(sessions)}


def _moved(messages: Messages, start: int) -> Messages:
    return replace(messages, words=replace(messages.words, numbers=messages.numbers + start))
