"""Sealed blocks of a session: up to 256 rows each of vectors, or of messages' words.

The caller of a function that writes holds the lock of the session.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, Self, TypeVar

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from memory.models import Session, VectorBlock, WordBlock
from memory.recall.index.messages import VERSION, Messages, Side
from memory.text.embedding import Vectors
from memory.text.vectors import BLOCK, Block

BlockRow = VectorBlock | WordBlock
# The vectors of a question and of its answer.
Pair = tuple[Vectors | None, Vectors | None]


class Rows(Protocol):
    """The rows of a block."""

    def __len__(self) -> int: ...
    @property
    def positions(self) -> NDArray[np.int64]: ...
    def taken(self, rows: NDArray[np.integer]) -> Self: ...
    def packed(self) -> bytes: ...
    @classmethod
    def joined(cls, blocks: Sequence[Self]) -> Self: ...


RowsT = TypeVar("RowsT", bound=Rows)


def select_vector_blocks(session: Session, model: str) -> QuerySet[VectorBlock]:
    return VectorBlock.objects.filter(session=session, model=model)


def select_word_blocks(session: Session) -> QuerySet[WordBlock]:
    return WordBlock.objects.filter(session=session)


def read_messages(session: Session) -> Messages:
    """Read the indexed messages of a session, oldest first."""
    rows = select_word_blocks(session).order_by("number").only("owner_id", "payload")
    return Messages.joined([Messages.unpacked(row.payload) for row in rows]).ordered()


def read_blocks(session: Session, positions: Collection[int], *, model: str) -> list[Block]:
    """Read the blocks that hold the vectors of the turns at the positions."""
    if not positions:
        return []
    # The first turn of a session is often wanted with the newest: blocks between them are skipped.
    first, *others = sorted(positions)
    near = Q(first_position__lte=first, last_position__gte=first)
    if others:
        near |= Q(first_position__lte=others[-1], last_position__gte=others[0])
    rows = select_vector_blocks(session, model).filter(near)
    return [Block.unpacked(row.payload) for row in rows.only("owner_id", "payload")]


def pick_vectors(blocks: Iterable[Block], positions: Collection[int]) -> Mapping[int, Pair]:
    """Return the vectors of the turns at the positions."""
    found: dict[int, list[Vectors | None]] = {}
    wanted = np.array(sorted(positions), dtype=np.int64)
    for block in blocks:
        near = (
            wanted[np.searchsorted(wanted, block.positions.min()) :] if len(block) else wanted[:0]
        )
        if not len(near) or near[0] > block.positions.max():
            continue
        rows = np.flatnonzero(np.isin(block.positions, near))
        vectors = block.whole(rows)
        for (position, side), vector in zip(block.numbers[rows].tolist(), vectors, strict=True):
            found.setdefault(position, [None, None])[side] = vector
    return {position: (pair[Side.QUESTION], pair[Side.ANSWER]) for position, pair in found.items()}


def list_stored_positions(session: Session, *, model: str) -> tuple[set[int], set[int]]:
    """Return the positions of the turns with words, and of those with vectors."""
    vectors = select_vector_blocks(session, model).only("owner_id", "payload")
    return (
        set(read_messages(session).positions.tolist()),
        {int(at) for row in vectors for at in Block.unpacked(row.payload).positions},
    )


def unpack_rows(row: BlockRow) -> Rows:
    """Unpack the rows of a block."""
    held = Block if isinstance(row, VectorBlock) else Messages
    return held.unpacked(row.payload)


def append(blocks: QuerySet[BlockRow], added: Rows, fresh: BlockRow) -> None:
    """Add the new ones of the rows to the newest of the blocks, or to a fresh one.

    A fresh one is used where the newest is full, or of another version of the product.
    """
    if not len(added):
        return
    first, last = int(added.positions.min()), int(added.positions.max())
    for row in blocks.filter(first_position__lte=last, last_position__gte=first):
        added = drop_turns(added, unpack_rows(row).positions.tolist())
    newest = blocks.order_by("-number").first()
    if (
        newest
        and _is_alike(newest, added)
        and len(held := unpack_rows(newest)) + len(added) <= BLOCK
    ):
        fresh, added = newest, type(added).joined([held, added])
    elif newest:
        fresh.number = newest.number + 1
    if len(added):
        write(fresh, added)


def _is_alike(row: BlockRow, added: Rows) -> bool:
    """Return whether new rows may be added to the block."""
    if isinstance(row, VectorBlock):
        return not isinstance(added, Block) or row.dimensions == added.vectors.shape[1]
    return row.version == VERSION


def write(row: BlockRow, rows: Rows) -> None:
    """Store the rows in the block."""
    row.first_position = int(rows.positions.min())
    row.last_position = int(rows.positions.max())
    row.payload = rows.packed()
    row.save()


def drop_turns(rows: RowsT, positions: Collection[int]) -> RowsT:
    """Return the rows without those of the turns at the positions."""
    return rows.taken(np.flatnonzero(~np.isin(rows.positions, list(positions))))
