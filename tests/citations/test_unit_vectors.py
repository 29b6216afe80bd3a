"""The vectors of units are made with those of their passages, and stored."""

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from citations.index.unit_vectors import unit_vectors
from citations.ingestion import unit_embedding
from citations.ingestion.renewal.reembedding import renew_if_changed
from citations.ingestion.unit_embedding import embed_passages
from citations.models import EmbedderRecord, UnitVectors
from memory.jobs.queue import run_due
from memory.models import Job, User
from memory.text.embedding import Embedded, embedder
from memory.text.embedding.e5 import E5
from memory.text.embedding.minilm import MiniLM
from memory.text.embedding.vectors import unit
from tests.citations.documents import add

pytestmark = pytest.mark.django_db

TEXT = "The harbour has nine berths. Dogs are welcome on every quay.\n\n- Ropes cost two coins.\n"
QUESTION = Embedded("How many berths does the harbour have?")


@pytest.mark.parametrize("engine", [E5, MiniLM])
@pytest.mark.parametrize(
    "text",
    [
        "Nine berths. Dogs are welcome.",
        "Neun Plätze, ½ l Öl.  Hunde ‑ ja!",
        "九个泊位。狗可以进来。",
    ],
)
def test_spans_are_pooled_from_the_pass_that_makes_the_passages_vector(
    engine: type[E5 | MiniLM], text: str
) -> None:
    made = engine()
    half = len(text) // 2
    [(vector, spans)] = made.embed_with_spans([text], [[(0, half), (half, len(text)), (0, 0)]])
    assert np.allclose(vector, made.embed([text])[0], atol=1e-5)
    assert np.allclose(np.linalg.norm(spans, axis=1), 1, atol=1e-5)
    assert float(spans[0] @ spans[1]) < 0.999


@pytest.mark.parametrize("private", [True, False])
def test_what_answers_is_nearest_once_a_document_can_be_found(owner: User, private: bool) -> None:
    document = add(TEXT, owner if private else None)
    passages, model = list(document.passages.all()), embedder().model
    assert UnitVectors.objects.count() == document.passage_count
    vectors = unit_vectors(passages, QUESTION.vector, model=model)
    texts = {row.pk: row.text for row in passages}
    nearest = max(vectors, key=lambda key: float(vectors[key] @ QUESTION.vector))
    assert texts[nearest[0]][nearest[1] :].startswith("The harbour has nine")
    assert not unit_vectors(passages, np.ones(7, np.float32), model=model)


def test_vectors_of_a_private_document_are_sealed_and_go_with_it(owner: User) -> None:
    document = add(TEXT, owner)
    [(_, clear)] = embed_passages(document.title, document.passages.all(), embedder())
    with connection.cursor() as cursor:
        cursor.execute("SELECT payload FROM citations_unitvectors")
        stored = [bytes(payload) for (payload,) in cursor.fetchall()]
    assert not any(clear[-100:] in payload for payload in stored)
    document.delete()
    assert not UnitVectors.objects.exists()


def test_what_an_older_version_embedded_is_replaced_in_slices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = add("\n\n".join(f"Rule {n}. " + "It says some words. " * 40 for n in range(4)))
    UnitVectors.objects.update(model=embedder().model)
    EmbedderRecord.objects.create(model=embedder().model, since=timezone.now())
    monkeypatch.setattr(unit_embedding, "SLICE", 0)
    monkeypatch.setattr(unit_embedding, "BATCH", 1)
    renew_if_changed()
    run_due()
    passages = list(document.passages.all())
    found = unit_vectors(passages, QUESTION.vector, model=embedder().model)
    assert {key for key, _ in found} == {row.pk for row in passages}
    Job.objects.all().delete()
    renew_if_changed()
    assert not Job.objects.exists()


def test_a_server_that_embeds_is_asked_for_spans_as_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    from memory.text.embedding.remote import Remote

    monkeypatch.setattr(
        Remote, "embed", lambda _, texts: unit(np.array([[1.0, len(text)] for text in texts]))
    )
    remote = Remote("http://localhost", "any", "")
    [one, other] = remote.embed_with_spans(["abcd", "xy"], [[(0, 1), (1, 4)], [(0, 2)]])
    assert np.allclose(one[1], unit(np.array([[1.0, 1], [1.0, 3]])))
    assert np.allclose(other[0], other[1][0])
