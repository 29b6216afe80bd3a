"""Vectors, compared one by one: exact, and fast enough for what isn't in pgvector.

The library's vectors stay in the process, as int8, because 50,000 of them take 20 MB and 6 ms.
Their rows never change, only come and go; `version` tells whether any did since they were read. A
person's vectors are opened for the question and dropped with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from citations.index.scope import Hit, Scope, best
from citations.models import PassageVectors
from memory.embedding import Vectors
from memory.vectors import Block


@dataclass(frozen=True)
class Library:
    """The vectors of the shared library as they were at a version."""

    version: str
    # Views of one block that holds them all.
    parts: dict[UUID, Block]
    whole: Block | None


_libraries: dict[str, Library] = {}


def nearest(
    query: Vectors,
    scope: Scope,
    limit: int,
    *,
    model: str,
    version: str,
    beside: Vectors | None = None,
) -> list[Hit]:
    """Return the passages in scope nearest to the unit vector, with the cosine."""
    blocks = [*of_rows(scope, model)]
    if scope.documents is None and (whole := library(model, version).whole):
        blocks.append(whole)
    return best([hit for block in blocks for hit in top(block, query, limit, beside)], limit)


def of_rows(scope: Scope, model: str) -> Iterable[Block]:
    """Read the blocks of named documents, or those of the owner's."""
    if scope.documents is None and scope.owner is None:
        return []
    wanted = scope.private if scope.documents is None else scope.readable
    rows = PassageVectors.objects.filter(wanted, model=model)
    return [Block.unpacked(row.payload) for row in rows]


def top(block: Block, query: Vectors, limit: int, beside: Vectors | None = None) -> list[Hit]:
    """Return the nearest passages of a block."""
    if block.vectors.shape[1] != len(query):
        return []  # another engine behind the same name
    scores = block.similarities(query)
    few = len(scores) <= limit
    rows = np.arange(len(scores)) if few else np.argpartition(-scores, limit)[:limit]
    passages, found = block.numbers[rows, 0].tolist(), scores[rows].tolist()
    if beside is None:
        return [Hit(*hit) for hit in zip(passages, found, strict=True)]
    others = block.vectors[rows].astype(np.float32) @ beside.T * block.scales[rows, None]
    return [Hit(*hit) for hit in zip(passages, found, map(tuple, others.tolist()), strict=True)]


def part(block: Block, start: int, end: int) -> Block:
    return Block(block.numbers[start:end], block.scales[start:end], block.vectors[start:end])


def library(model: str, version: str) -> Library:
    """Return the library's vectors, reading only what came since they were last read."""
    known = _libraries.get(model)
    if known is None or known.version != version:
        known = _libraries[model] = reread(model, version, known.parts if known else {})
    return known


def reread(model: str, version: str, known: dict[UUID, Block]) -> Library:
    rows = PassageVectors.objects.filter(owner=None, model=model)
    ids = set(rows.values_list("pk", flat=True))
    parts = {pk: block for pk, block in known.items() if pk in ids}
    # Reading them all at once beats naming nearly all of them.
    for row in rows.filter(pk__in=ids - parts.keys()) if parts else rows:
        parts[row.pk] = Block.unpacked(row.payload)
    if not parts:
        return Library(version, {}, None)
    whole = Block.joined(list(parts.values()))
    ends = np.cumsum([len(block) for block in parts.values()])
    views = {
        pk: part(whole, int(end) - len(block), int(end))
        for (pk, block), end in zip(parts.items(), ends, strict=True)
    }
    return Library(version, views, whole)
