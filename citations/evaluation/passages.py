"""Follow-up retrieval: rewrite each question, find passages, as a turn does."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from uuid import UUID

import numpy as np
from django.db import transaction

from citations import index
from citations.cutting import Piece, in_full
from citations.evaluation.files import Line
from citations.evaluation.rewriters import Rewriter
from citations.ingestion import Cut, passage_of, write
from citations.models import Document
from citations.retrieval import Scope, find
from memory.embedding import embedder

DEPTH = 100
BATCH = 256


def load(corpus: Iterable[Line]) -> Iterator[dict[UUID, str]]:
    """Index each line as a document of one passage; yield their `pid`s, batch by batch."""
    remaining = iter(corpus)
    while batch := list(islice(remaining, BATCH)):
        yield load_batch(batch)


def load_batch(lines: Sequence[Line]) -> dict[UUID, str]:
    engine = embedder()
    texts = [in_full(line["title"] or "", "", line["text"]) for line in lines]
    vectors = None if engine is None else engine.embed(texts)
    pids = {}
    with transaction.atomic():
        for row, line in enumerate(lines):
            document = Document.objects.create(
                title=line["title"] or "",
                authors=[],
                media_type="text/plain",
                checksum=line["pid"][-64:],
            )
            own = None if vectors is None else np.ascontiguousarray(vectors[row : row + 1])
            passage = passage_of(document, 0, Piece(heading="", text=line["text"], page=None))
            words = index.counted(document, [index.index_terms(texts[row])])
            write(document, Cut([passage], words, [], own, engine.model if engine else ""))
            pids[document.pk] = line["pid"]
    return pids


def run(turns: Iterable[Line], pids: dict[UUID, str], rewriter: Rewriter) -> Iterator[Line]:
    """Yield the ranking for each turn."""
    for line in turns:
        found = find(rewriter(line).query, scope=Scope(), limit=DEPTH)
        yield {
            "dataset": line["dataset"],
            "conv_id": line["conv_id"],
            "turn_id": line["turn_id"],
            "ranked": [pids[hit.passage.document_id] for hit in found],
        }
