"""The shared library in PostgreSQL: words as tsvectors, vectors in pgvector if it is installed.

Words are stemmed before; a tsvector stores a term's frequency in the passage as that many
positions. BM25 is computed over the passages that hold any of the question's rarest terms, with the
numbers of FTS5, so both engines rank alike. ts_rank() gives the frequency faster than unnesting:
for one term it is the sum of 1/i² for i to n, over π²/6. The rest of that series after n terms is
1/(n + ½) to within a hundredth.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from uuid import UUID

from django.db import connection, transaction
from django.db.utils import DatabaseError, DataError

from citations.index.ranking import Tally, TermWeights
from citations.index.scope import Documents, IndexHit, NewPassage, State, VectorSearch
from citations.models import PassageVectors
from memory.text.embedding import Vectors
from memory.text.vectors import Block

# A recall of .99 needs this (pgvector's default of 40 reaches .85).
EF_SEARCH = 200
# The first version with iterative scans and halfvec.
PGVECTOR = (0, 8)
MAX_POSITIONS = 255  # a tsvector stores no more

# One term's part of BM25: n / (n + norm), written so that n is computed once.
TERM = """
%s * (1 - norm / (
    round(1 / (1.644934 * (1 - ts_rank('{1, 1, 1, 1}', terms, %s::tsquery))) - 0.5) + norm
))
"""
SEARCH = """
SELECT passage_id, 2.2::float8 * ({parts}) AS score
FROM (
    SELECT passage_id, terms, 1.2::float8 * (0.25::float8 + 0.75::float8 * length / (
        SELECT greatest(length::float8 / greatest(passages, 1), 1) FROM citations_library
    )) AS norm
    FROM citations_passage_terms
    WHERE terms @@ %s::tsquery AND (%s::uuid[] IS NULL OR document_id = ANY(%s::uuid[]))
) AS candidates
ORDER BY score DESC, passage_id LIMIT %s
"""

COSINE = "-(embedding <#> %s::halfvec)"
NEAREST = """
SELECT passage_id, {cosines} FROM citations_passage_vector
ORDER BY embedding <#> %s::halfvec LIMIT %s
"""


def tally(terms: Sequence[str]) -> Tally:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT NULL, passages, version, vector_model FROM citations_library UNION ALL"
            " SELECT term, doc, NULL, NULL FROM citations_term WHERE term = ANY(%s)",
            [list(terms)],
        )
        rows = {term: rest for term, *rest in cursor.fetchall()}
        passages, *state = rows.pop(None)
        return Tally(passages, {term: doc for term, (doc, *_) in rows.items()}, State(*state))


def search(weights: TermWeights, tally: Tally, documents: Documents, limit: int) -> list[IndexHit]:
    if not weights.terms:
        return []
    terms = {quote_term(term): weight for term, weight in weights.terms.items()}
    parts = [value for term, weight in terms.items() for value in (weight, term)]
    named = None if documents is None else list(documents)
    with connection.cursor() as cursor:
        cursor.execute(
            SEARCH.format(parts=" + ".join([TERM] * len(terms))),
            [*parts, " | ".join(terms), named, named, limit],
        )
        return [IndexHit(*row) for row in cursor.fetchall()]


def quote_term(term: str) -> str:
    """Return the term quoted for tsquery and tsvector; terms are letters, digits and points."""
    return f"'{term}'"


def nearest(search: VectorSearch) -> list[IndexHit]:
    query, others = format_vector(search.query), [format_vector(row) for row in search.others]
    cosines = ", ".join([COSINE] * (1 + len(others)))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL hnsw.ef_search = {EF_SEARCH}")
            # Rows deleted but not yet vacuumed must not take up the limit.
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute(NEAREST.format(cosines=cosines), [query, *others, query, search.limit])
            rows = cursor.fetchall()
    except DataError:
        return []  # other dimensions: another engine under the same name
    fit = [(pk, [float(cosine) / search.spread for cosine in found]) for pk, *found in rows]
    return [IndexHit(pk, score, tuple(rest)) for pk, (score, *rest) in fit]


def format_vector(vector: Vectors) -> str:
    return "[" + ",".join(f"{number:.6g}" for number in vector.tolist()) + "]"


def add(document: UUID, entries: Sequence[NewPassage]) -> None:
    with connection.cursor() as cursor:
        # A single statement, because its triggers count once per statement.
        cursor.execute(
            """
            INSERT INTO citations_passage_terms (passage_id, document_id, length, terms)
            SELECT passage_id, %s, length, terms::tsvector
            FROM unnest(%s::bigint[], %s::integer[], %s::text[]) AS r(passage_id, length, terms)
            """,
            [
                document,
                [entry.passage for entry in entries],
                [len(entry.terms) for entry in entries],
                [format_tsvector(entry.terms) for entry in entries],
            ],
        )


def format_tsvector(terms: Sequence[str]) -> str:
    """Return the terms as a tsvector, each with a position per occurrence."""
    counts = Counter(terms)
    places = ((term, range(1, min(count, MAX_POSITIONS) + 1)) for term, count in counts.items())
    return " ".join(f"{quote_term(term)}:{','.join(map(str, place))}" for term, place in places)


def add_vectors(passages: Sequence[int], vectors: Vectors, *, model: str) -> None:
    """Add to pgvector's table, created with the first vectors, unless it holds another model's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT vector_model FROM citations_library FOR UPDATE")
        (current,) = cursor.fetchone()
        if current is None and make_vector_table(vectors.shape[1]):
            cursor.execute("UPDATE citations_library SET vector_model = %s", [model])
            current = model
        if current != model:
            return
        rows = [(pk, format_vector(vector)) for pk, vector in zip(passages, vectors, strict=True)]
        with suppress(DataError), transaction.atomic():  # as in `nearest`
            cursor.executemany(
                "INSERT INTO citations_passage_vector VALUES (%s, %s::halfvec)", rows
            )


def adopt(model: str) -> None:
    """Refill pgvector's table from the stored blocks of the library's vectors by the model."""
    rows = PassageVectors.objects.filter(owner=None, model=model)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT vector_model FROM citations_library FOR UPDATE")
        (current,) = cursor.fetchone()
        first = rows.first()
        if current == model or first is None or not make_vector_table(first.dimensions):
            return
        cursor.execute("UPDATE citations_library SET vector_model = %s", [model])
        for row in rows.iterator(chunk_size=50):
            block = Block.unpacked(row.payload)
            vectors = block.vectors * block.scales[:, None]
            add_vectors(block.numbers[:, 0].tolist(), vectors, model=model)


def make_vector_table(dimensions: int) -> bool:
    """Create the table if pgvector and our rights allow it; return whether it was created."""
    if not has_pgvector():
        return False
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            cursor.execute("DROP TABLE IF EXISTS citations_passage_vector")
            cursor.execute(
                f"""
                CREATE TABLE citations_passage_vector
                (passage_id bigint PRIMARY KEY, embedding halfvec({int(dimensions)}) NOT NULL)
                """
            )
            cursor.execute(
                """
                CREATE INDEX citations_passage_vector_hnsw ON citations_passage_vector
                USING hnsw (embedding halfvec_ip_ops)
                """
            )
    except DatabaseError:  # no right, or too many dimensions for an index: vectors are scanned
        return False
    return True


def has_pgvector() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT coalesce(installed_version, default_version)
            FROM pg_available_extensions WHERE name = 'vector'
            """
        )
        row = cursor.fetchone()
    return row is not None and tuple(int(part) for part in row[0].split(".")[:2]) >= PGVECTOR


def remove(passages: Collection[int]) -> None:
    with connection.cursor() as cursor:
        gone = [list(passages)]
        cursor.execute("DELETE FROM citations_passage_terms WHERE passage_id = ANY(%s)", gone)
        cursor.execute("SELECT to_regclass('citations_passage_vector') IS NOT NULL")
        if cursor.fetchone()[0]:
            cursor.execute("DELETE FROM citations_passage_vector WHERE passage_id = ANY(%s)", gone)


def clear() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM citations_passage_terms")
        cursor.execute("DROP TABLE IF EXISTS citations_passage_vector")
        cursor.execute("UPDATE citations_library SET vector_model = NULL")
