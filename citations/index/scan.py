"""Exact vector search by scanning, for vectors that are not in pgvector.

The library's vectors stay in the process, as int8: 50,000 of them take 20 MB and 6 ms. Their rows
are added and deleted but never changed; `version` shows whether any were since the last read. A
person's vectors are opened for the question and dropped with it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from citations.index.scope import IndexHit, Scope, VectorSearch, select_best_hits
from citations.models import PassageVectors
from memory.text.vectors import Block


@dataclass(frozen=True)
class LibraryVectors:
    """The vectors of the shared library by one model, at a version."""

    version: str
    # Views of one block that holds them all.
    parts: dict[UUID, Block]
    whole: Block | None


_models: dict[str, list[str]] = {}
_libraries: dict[str, LibraryVectors] = {}


def list_models(version: str) -> list[str]:
    """Return the models of the library's vectors, cached by its version."""
    if version not in _models:
        rows = PassageVectors.objects.filter(owner=None).order_by()
        _models.clear()
        _models[version] = list(rows.values_list("model", flat=True).distinct())
    return _models[version]


def read_rows(scope: Scope) -> list[PassageVectors]:
    """Read the vectors of named documents, or of the owner's."""
    if scope.documents is None and scope.owner is None:
        return []
    rows = PassageVectors.objects.filter(scope.wanted)
    return list(rows.only("owner_id", "document_id", "model", "payload"))


def search_library(search: VectorSearch, model: str, version: str) -> list[IndexHit]:
    """Return the nearest passages of the shared library."""
    whole = read_library_vectors(model, version).whole
    return [] if whole is None else find_nearest(whole, search)


def scan_rows(search: VectorSearch, rows: Iterable[PassageVectors]) -> list[IndexHit]:
    """Return the nearest passages of the rows."""
    hits = [hit for row in rows for hit in find_nearest(Block.unpacked(row.payload), search)]
    return select_best_hits(hits, search.limit)


def find_nearest(block: Block, search: VectorSearch) -> list[IndexHit]:
    """Return the nearest passages of a block."""
    if not block.fits(search.query):
        return []  # another engine under the same name
    scores = block.similarities(search.query)
    few = len(scores) <= search.limit
    rows = np.arange(len(scores)) if few else np.argpartition(-scores, search.limit)[: search.limit]
    cosines = block.vectors[rows].astype(np.float32) @ search.others.T * block.scales[rows, None]
    columns = (
        block.numbers[rows, 0].tolist(),
        (scores[rows] / search.spread).tolist(),
        map(tuple, (cosines / search.spread).tolist()),
    )
    return [IndexHit(*hit) for hit in zip(*columns, strict=True)]


def slice_block(block: Block, start: int, end: int) -> Block:
    return Block(block.numbers[start:end], block.scales[start:end], block.vectors[start:end])


def read_library_vectors(model: str, version: str) -> LibraryVectors:
    """Return the library's vectors, reading only the rows since the last call."""
    known = _libraries.get(model)
    if known is None or known.version != version:
        known = _libraries[model] = reread(model, version, known.parts if known else {})
    return known


def reread(model: str, version: str, known: dict[UUID, Block]) -> LibraryVectors:
    rows = PassageVectors.objects.filter(owner=None, model=model)
    ids = set(rows.values_list("pk", flat=True))
    parts = {pk: block for pk, block in known.items() if pk in ids}
    # Reading all rows at once is faster than listing nearly all of them.
    for row in rows.filter(pk__in=ids - parts.keys()) if parts else rows:
        parts[row.pk] = Block.unpacked(row.payload)
    if not parts:
        return LibraryVectors(version, {}, None)
    # Keep the usual dimensions only: another engine may have answered under the model's name.
    widths = Counter(block.vectors.shape[1] for block in parts.values())
    [(width, _)] = widths.most_common(1)
    parts = {pk: block for pk, block in parts.items() if block.vectors.shape[1] == width}
    whole = Block.joined(list(parts.values()))
    ends = np.cumsum([len(block) for block in parts.values()])
    views = {
        pk: slice_block(whole, int(end) - len(block), int(end))
        for (pk, block), end in zip(parts.items(), ends, strict=True)
    }
    return LibraryVectors(version, views, whole)
