"""The shared library's words in SQLite: FTS5 over stemmed terms.

A passage's row has its key as rowid, its terms, and its document's id as a word of a column with
weight 0. Naming documents in a query costs no more than a range of rowids. Deleting a passage
deletes its row (citations/migrations/0002_index.py). Vectors are scanned (citations.index.scan).
"""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from django.db import connection

from citations.index.ranking import Tally, TermWeights
from citations.index.scope import Documents, IndexHit, NewPassage, State, VectorSearch
from memory.text.embedding import Vectors

# One term's part of BM25, with our weight in place of FTS5's.
TERM = """
SELECT rowid, -bm25(citations_passage_terms, 1.0, 0.0) * %s AS part
FROM citations_passage_terms WHERE citations_passage_terms MATCH %s
"""
# Materialised, because bm25() works only in a query of the table itself.
SEARCH = """
WITH found AS MATERIALIZED ({parts})
SELECT rowid, sum(part) AS score FROM found GROUP BY rowid ORDER BY score DESC, rowid LIMIT %s
"""


def tally(terms: Sequence[str]) -> Tally:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT NULL, passages, version FROM citations_library UNION ALL
            SELECT term, doc, NULL FROM citations_term
            WHERE term IN (SELECT value FROM json_each(%s))
            """,
            [json.dumps(list(terms))],
        )
        rows = {term: rest for term, *rest in cursor.fetchall()}
        passages, version = rows.pop(None)
        return Tally(passages, {term: doc for term, (doc, _) in rows.items()}, State(version))


def search(weights: TermWeights, tally: Tally, documents: Documents, limit: int) -> list[IndexHit]:
    if not weights.terms or (documents is not None and not documents):
        return []
    among = f"document : ({match_any(pk.hex for pk in documents)}) AND " if documents else ""
    values: list[str | float] = []
    for term, weight in weights.terms.items():
        values += [weight / compute_rarity(tally, term), f'{among}terms : "{term}"']
    with connection.cursor() as cursor:
        cursor.execute(
            SEARCH.format(parts=" UNION ALL ".join([TERM] * len(weights.terms))), [*values, limit]
        )
        return [IndexHit(*row) for row in cursor.fetchall()]


def compute_rarity(tally: Tally, term: str) -> float:
    """Return the weight of the term in FTS5's BM25: close to 0 for a common term."""
    held_by = tally.held_by.get(term, 0)
    return max(math.log((tally.passages - held_by + 0.5) / (held_by + 0.5)), 1e-6)


def match_any(words: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)


def nearest(search: VectorSearch) -> list[IndexHit]:
    raise NotImplementedError("SQLite's vectors are scanned")


def add(document: UUID, entries: Sequence[NewPassage]) -> None:
    rows = [(entry.passage, " ".join(entry.terms), document.hex) for entry in entries]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO citations_passage_terms (rowid, terms, document) VALUES (%s, %s, %s)", rows
        )


def add_vectors(passages: Sequence[int], vectors: Vectors, *, model: str) -> None:
    """Do nothing: the scan needs only the blocks in PassageVectors."""


def adopt(model: str) -> None:
    """Do nothing, as above."""


def remove(passages: Collection[int]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "DELETE FROM citations_passage_terms WHERE rowid = %s", [(pk,) for pk in passages]
        )


def clear() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM citations_passage_terms")
