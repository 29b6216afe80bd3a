"""The stored vectors of units: a row per passage, with a vector for the start of each unit."""

from collections.abc import Iterable, Mapping

import numpy as np

from citations.models import Document, Passage, UnitVectors
from memory.text.embedding import Vectors
from memory.text.vectors import Block

# Prefix of the embedder's name; vectors from before 0.2.0 are keyed by their texts.
BY_PLACE = " by place"


def get_unit_model(model: str) -> str:
    """Return the name under which the embedder's vectors of units are stored."""
    return model + BY_PLACE


def read_unit_vectors(
    passages: Iterable[Passage], query: Vectors, *, model: str
) -> dict[tuple[int, int], Vectors]:
    """Return the stored vectors of the passages' units, by passage and first character.

    Vectors with other dimensions than the query's are left out.
    """
    keys = sorted({each.pk for each in passages})
    found: dict[tuple[int, int], Vectors] = {}
    for row in UnitVectors.objects.filter(passage__in=keys, model=get_unit_model(model)):
        if row.payload and (block := Block.unpacked(row.payload)).fits(query):
            starts = [(row.passage_id, start) for start in block.positions.tolist()]
            found |= zip(starts, block.whole(np.arange(len(block))), strict=True)
    return found


def list_passages_without_units(document: Document, *, model: str) -> list[Passage]:
    """Return the passages, in order, whose units have no vectors by the model."""
    # By document: by passage, PostgreSQL may scan the rows of all documents.
    made = UnitVectors.objects.filter(document=document, model=get_unit_model(model))
    return list(document.passages.exclude(pk__in=made.values("passage")).order_by("position"))


def store_units(document: Document, units: Mapping[int, bytes], *, model: str) -> None:
    """Store packed blocks by their passage's key, in place of other models' blocks."""
    UnitVectors.objects.filter(passage__in=units).delete()
    UnitVectors.objects.bulk_create(
        UnitVectors(
            passage_id=key,
            document=document,
            owner_id=document.owner_id,
            model=get_unit_model(model),
            payload=payload,
        )
        for key, payload in units.items()
    )
