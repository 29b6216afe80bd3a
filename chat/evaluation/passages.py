"""Evaluation of retrieval for follow-up questions, as turns of a session retrieve.

The history stands in for a session: its turns have the vectors that would have been stored.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db import transaction

from chat.evaluation.conversations import Retold
from chat.evaluation.files import Line
from chat.evaluation.rewriters import Rewriter
from citations import index
from citations.index.full_text import add_headings
from citations.index.ranking import index_terms
from citations.index.scope import Scope
from citations.ingestion.chunking import Piece
from citations.ingestion.preparing import Cut, make_passage, seal_passages, write_prepared
from citations.models import Document
from citations.retrieval import Found, find_passages
from citations.retrieval.before import read_conversation
from memory.recall import Given, recall
from memory.recall.budget import scale_limits
from memory.recall.index.blocks import Pair
from memory.recall.index.messages import split_speaker
from memory.recall.rewriting import rewrite
from memory.text.citation_markers import strip_markers
from memory.text.embedding import Vectors, embed_message, get_embedder

DEPTH = 100
BATCH = 256
# Texts whose vectors are cached: many lines share a history.
TEXTS_KEPT = 20_000


@dataclass(frozen=True)
class EmbeddedHistory(Given):
    """A history whose turns are embedded like those of a session."""

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        return {position: self._pair(position) for position in positions}

    def _pair(self, position: int) -> Pair:
        exchange = self.exchanges[position - 1]
        return embed_sides(exchange.standalone or exchange.query, exchange.response)


def embed_sides(asked: str, response: str) -> Pair:
    sides = (asked, strip_markers(response))
    question, answer = (embed_text(side) if side.strip() else None for side in sides)
    return question, answer


@lru_cache(maxsize=TEXTS_KEPT)
def embed_text(text: str) -> Vectors | None:
    return embed_message(split_speaker(text)[1])


def load_passages(corpus: Iterable[Line]) -> Iterator[dict[UUID, str]]:
    """Index each line as a document of one passage; yield their `pid`s, batch by batch."""
    remaining = iter(corpus)
    while batch := list(islice(remaining, BATCH)):
        yield load_batch(batch)


def load_batch(lines: Sequence[Line]) -> dict[UUID, str]:
    engine = get_embedder()
    texts = [add_headings(line["title"] or "", "", line["text"]) for line in lines]
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
            passage = make_passage(document, 0, Piece(heading="", text=line["text"], page=None))
            seal_passages([passage])
            words = index.count_terms(document, [index_terms(texts[row])])
            model = engine.model if engine else ""
            write_prepared(document, Cut([passage], [], vectors=own, model=model, words=words))
            pids[document.pk] = line["pid"]
    return pids


def rank_passages(
    turns: Iterable[Line], pids: dict[UUID, str], rewriter: Rewriter
) -> Iterator[Line]:
    """Yield the ranking of passages for each turn."""
    # Earlier questions have the rewrites of the product's own rewriter, as in a session.
    retold = Retold(lambda asked, exchanges, known: rewrite(asked, exchanges, known=known))
    for line in turns:
        found = find_answers(line, EmbeddedHistory(retold.exchanges(line["history"])), rewriter)
        yield {
            "dataset": line["dataset"],
            "conv_id": line["conv_id"],
            "turn_id": line["turn_id"],
            "ranked": [pids[hit.passage.document_id] for hit in found],
        }


def find_answers(line: Line, past: EmbeddedHistory, rewriter: Rewriter) -> list[Found]:
    """Return the passages that a turn would retrieve for the line's question."""
    limits = scale_limits(settings.MAX_TOKENS_PER_CONTEXT)
    recalled = recall(
        past,
        line["query"],
        limits=limits,
        allowance=limits.history,
        standalone=rewriter(line),
    )
    return find_passages(
        recalled.asked,
        scope=Scope(),
        limit=DEPTH,
        before=read_conversation(line["query"], recalled, past),
    )
