"""Passages made of blocks, as tests need them: never stored, each unit with a score of its own."""

from collections.abc import Mapping
from itertools import count

from chat.extractive.scorer import ScoredUnit
from chat.extractive.selection import select_stretches
from chat.extractive.units import read_units
from chat.extractive.writing import write_stretches
from citations.formats.blocks import Block, BlockKind, join_blocks
from citations.models import Document, Passage
from citations.retrieval import Found

numbers = count(1)


def passage_of(
    *blocks: tuple[BlockKind, str], of: Document | None = None, **fields: object
) -> Passage:
    """Return a passage of these blocks, of a document of its own."""
    whole = join_blocks(Block(kind, text) for kind, text in blocks)
    document = of or Document(title="Guide")
    passage = Passage(pk=next(numbers), document=document, text=whole.text, **fields)
    passage.layout = [list(span) for span in whole.layout]
    return passage


def found_alone(passage: Passage) -> Found:
    return Found(passage, 1, 0.5, 0.5, None, None, None)


def scored(passage: Passage, scores: Mapping[str, float]) -> list[ScoredUnit]:
    """Return the units; one that begins with a key has its score, the others nearly none."""
    return [
        ScoredUnit(
            unit,
            next((own for start, own in scores.items() if unit.text.startswith(start)), 0.01),
            0.0,
            0.0,
        )
        for unit in read_units(found_alone(passage))
    ]


def answer(*passages: Passage, best: str, asked: str = "Tell", **limits: int) -> str:
    """Return the answer quoted around the unit that begins with `best`."""
    units = [unit for passage in passages for unit in scored(passage, {best: 0.9})]
    labels = {passage.pk: at for at, passage in enumerate(passages, start=1)}
    return write_stretches(select_stretches(units, **limits), labels, asked)
