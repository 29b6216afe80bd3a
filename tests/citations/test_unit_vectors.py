"""The vectors of units are made in the background, and stored."""

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from citations.index.unit_vectors import read_unit_vectors
from citations.ingestion import unit_embedding
from citations.ingestion.renewal.reembedding import renew_if_changed
from citations.ingestion.unit_embedding import embed_units
from citations.models import Document, EmbedderRecord, UnitVectors
from memory.jobs import queue
from memory.models import Job, User
from memory.text.embedding import Embedded, get_embedder
from tests.citations.documents import add

pytestmark = pytest.mark.django_db

TEXT = "The harbour has nine berths. Dogs are welcome on every quay.\n\n- Ropes cost two coins.\n"
QUESTION = Embedded("How many berths does the harbour have?")


def add_with_units(text: str, owner: User | None = None) -> Document:
    document = add(text, owner)
    Job.objects.filter(kind=unit_embedding.EMBED_UNITS).update(due_at=timezone.now())
    queue.run_due()
    return document


@pytest.mark.parametrize("private", [True, False])
def test_what_answers_is_nearest_once_a_document_can_be_found(owner: User, private: bool) -> None:
    document = add_with_units(TEXT, owner if private else None)
    passages, model = list(document.passages.all()), get_embedder().model
    assert UnitVectors.objects.count() == document.passage_count
    vectors = read_unit_vectors(passages, QUESTION.vector, model=model)
    texts = {row.pk: row.text for row in passages}
    nearest = max(vectors, key=lambda key: float(vectors[key] @ QUESTION.vector))
    assert texts[nearest[0]][nearest[1] :].startswith("The harbour has nine")
    assert not read_unit_vectors(passages, np.ones(7, np.float32), model=model)


def test_vectors_of_a_private_document_are_sealed_and_go_with_it(owner: User) -> None:
    document = add_with_units(TEXT, owner)
    [clear] = embed_units(document.passages.all(), get_embedder())
    with connection.cursor() as cursor:
        cursor.execute("SELECT payload FROM citations_unitvectors")
        stored = [bytes(payload) for (payload,) in cursor.fetchall()]
    assert not any(clear[-100:] in payload for payload in stored)
    document.delete()
    assert not UnitVectors.objects.exists()


def test_what_an_older_version_embedded_is_replaced_in_slices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = (f"Rule {n}. " + "It says some words. " * 40 for n in range(4))
    document = add_with_units("\n\n".join(rules))
    UnitVectors.objects.update(model=get_embedder().model)
    EmbedderRecord.objects.create(model=get_embedder().model, since=timezone.now())
    monkeypatch.setattr(unit_embedding, "SLICE", 0)
    monkeypatch.setattr(unit_embedding, "BATCH", 1)
    renew_if_changed()
    queue.run_due()
    passages = list(document.passages.all())
    found = read_unit_vectors(passages, QUESTION.vector, model=get_embedder().model)
    assert {key for key, _ in found} == {row.pk for row in passages}
    Job.objects.all().delete()
    renew_if_changed()
    assert not Job.objects.exists()
