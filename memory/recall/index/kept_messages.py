"""Indexed messages of one session, or of several sessions read as one conversation.

Each session has its own range of message numbers, in the order of last use.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

import numpy as np
from django.db.models import BinaryField, Count, ExpressionWrapper, F, Sum, Value
from django.db.models.functions import Length
from numpy.typing import NDArray

from memory.models import Session, VectorBlock, WordBlock
from memory.models.conversations import SessionQuerySet
from memory.recall.index.messages import MARK, STRIDE, Messages, Side
from memory.text.embedding import Embedded, Embedder, Vectors, find_engine, get_embedder
from memory.text.vectors import Block

# Most earlier sessions of a person, the latest first, and most bytes of their words.
MOST_SESSIONS, MOST_BYTES = 5_000, 64 << 20
# Share of the distance to its nearest part by which a message's cosine rises.
PART = 0.36


@dataclass(frozen=True)
class Heard:
    """The messages of some sessions, in the order in which they were said."""

    sessions: Sequence[UUID]
    messages: Messages

    def places(self, rows: NDArray[np.integer]) -> list[tuple[UUID, int, Side]]:
        """Return the session, the position and the side of these of the messages."""
        which, numbers = np.divmod(self.messages.numbers[rows], STRIDE)
        pairs = zip(which.tolist(), numbers.tolist(), strict=True)
        return [(self.sessions[at], number // 2, Side(number % 2)) for at, number in pairs]


class KeptVectors(NamedTuple):
    """A block of vectors with its session and its model's name as it is stored."""

    session: UUID
    model: str
    block: Block


@dataclass(frozen=True)
class Kept:
    """The index of sessions' messages: vectors, words and cues."""

    vectors: Sequence[KeptVectors]
    words: Sequence[tuple[UUID, Messages]]


def read_kept(owner: UUID, sessions: Sequence[UUID]) -> Kept:
    """Read the index of the sessions' messages: one query for both kinds of blocks."""
    vectors, words = list[KeptVectors](), list[tuple[UUID, Messages]]()
    # For thousands of blocks, an instance of each would cost as much as decrypting it.
    fields = [kind._meta.get_field("payload") for kind in (WordBlock, VectorBlock)]
    for session, model, pk, sealed in _read_kept_rows(owner, sessions):
        payload = fields[bool(model)].open_value(sealed, owner=owner, identity=pk)
        if model:
            vectors.append(KeptVectors(session, model, Block.unpacked(payload)))
        else:
            words.append((session, Messages.unpacked(payload)))
    return Kept(vectors, words)


def _read_kept_rows(
    owner: UUID, sessions: Sequence[UUID]
) -> Iterable[tuple[UUID, str, UUID, bytes | memoryview]]:
    these = [Session(pk=pk, owner_id=owner) for pk in sessions]
    # As plain bytes: marking megabytes as sealed would copy them.
    sealed = ExpressionWrapper(F("payload"), output_field=BinaryField())
    vectors = VectorBlock.objects.filter(session__in=these)
    words = WordBlock.objects.filter(session__in=these)
    return vectors.values_list("session_id", "model", "pk", sealed).union(
        words.values_list("session_id", Value(""), "pk", sealed), all=True
    )


def join_messages(kept: Kept, sessions: Sequence[UUID]) -> Heard:
    """Join the words of the sessions' messages; the sessions are in order."""
    starts = _compute_starts(sessions)
    read = [_shift_messages(messages, starts[session]) for session, messages in kept.words]
    return Heard(sessions, Messages.joined(read).ordered())


def select_newest(sessions: SessionQuerySet, most_bytes: int = MOST_BYTES) -> list[UUID]:
    """Return the sessions to read for a question, in order.

    They are the latest ones whose words have at most `most_bytes`.
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


Started = tuple[int, Block]


@dataclass(frozen=True)
class Meanings:
    """The vectors of messages by one engine: blocks, and the first number of each.

    The vectors of parts of messages are separate from those of whole ones.
    """

    engine: Embedder
    # The question's.
    asked: Vectors
    blocks: list[Started] = field(default_factory=list)
    parts: list[Started] = field(default_factory=list)

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the whole messages."""
        return np.concatenate([start + block.numbers @ [2, 1] for start, block in self.blocks])

    def write_cosines(self, cosines: NDArray[np.float64], numbers: NDArray[np.int64]) -> None:
        """Write each message's cosine with the question, over the engine's spread, at its number.

        A part that is nearer than the whole raises the cosine by a share of the difference.
        """
        if not self.blocks:
            return
        places, values = _locate_values(numbers, self.numbers, self._near(self.blocks))
        cosines[places] = values
        if self.parts:
            theirs = np.concatenate([start + 2 * block.positions for start, block in self.parts])
            best = np.full(len(numbers), -np.inf)
            np.maximum.at(best, *_locate_values(numbers, theirs, self._near(self.parts)))
            nearer = best > cosines
            cosines[nearer] += PART * (best - cosines)[nearer]

    def _near(self, blocks: Sequence[Started]) -> NDArray[np.float64]:
        found = np.concatenate([block.similarities(self.asked) for _, block in blocks])
        return found.astype(np.float64) / self.engine.spread

    def vectors(self, numbers: Sequence[int]) -> dict[int, Vectors]:
        """Return the vectors of some messages, divided by the root of the engine's spread."""
        if not self.blocks:
            return {}
        ends = np.cumsum([len(block) for _, block in self.blocks])
        found: dict[int, Vectors] = {}
        for number in numbers:
            for row in np.flatnonzero(self.numbers == number):
                at = int(np.searchsorted(ends, row, side="right"))
                block = self.blocks[at][1]
                whole = block.whole(np.array([row - ends[at] + len(block)]))[0]
                found[number] = whole / math.sqrt(self.engine.spread)
        return found


def group_vectors_by_engine(
    kept: Kept, sessions: Sequence[UUID], asked: Embedded
) -> list[Meanings]:
    """Group the blocks that can be compared with the question by their engine.

    Messages embedded only by another engine are compared by that one, if it is available. The
    current engine comes last, and so takes precedence.
    """
    current, starts = get_embedder(), _compute_starts(sessions)
    found: dict[str, Meanings] = {}
    for session, name, block in kept.vectors:
        model = name.removesuffix(MARK)
        engine, vector = find_engine(model), asked.vector_by_model(model)
        if engine is not None and vector is not None and block.fits(vector):
            theirs = found.setdefault(model, Meanings(engine, vector))
            held = theirs.blocks if name == model else theirs.parts
            held.append((starts[session], block))
    return sorted(found.values(), key=lambda each: each.engine is current)


def compute_cosines(found: Sequence[Meanings], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return each message's cosine with the question, over its engine's spread; NaN without one.

    The numbers of the messages are sorted and not empty.
    """
    known = np.full(len(numbers), np.nan)
    for each in found:
        each.write_cosines(known, numbers)
    return known


def _locate_values(
    numbers: NDArray[np.int64], theirs: NDArray[np.int64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the positions in `numbers` of those values that occur there, and these values."""
    places = np.minimum(np.searchsorted(numbers, theirs), len(numbers) - 1)
    there = numbers[places] == theirs
    return places[there], values[there]


def _compute_starts(sessions: Iterable[UUID]) -> dict[UUID, int]:
    return {pk: at * STRIDE for at, pk in enumerate(sessions)}


def _shift_messages(messages: Messages, start: int) -> Messages:
    if not start:
        return messages
    return replace(messages, words=replace(messages.words, numbers=messages.numbers + start))
