"""Units are embedded once a document can be found, and compared by what is stored of that."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from chat.extractive import vectors
from chat.extractive.scorer import score_units
from chat.extractive.vectors import texts_of
from citations.index.unit_vectors import number_of, unit_vectors
from citations.ingestion.preparing import EMBED_UNITS
from citations.ingestion.renewal import reembedding
from citations.ingestion.renewal.reembedding import RENEW, WHOLE, renew_if_changed
from citations.models import Document, EmbedderRecord, UnitVectors
from citations.retrieval import Scope, find_passages
from memory.jobs import enqueue
from memory.jobs.queue import run_due
from memory.models import Job, User
from memory.text.embedding import Embedded, Vectors, embedder
from memory.text.embedding.e5 import E5
from memory.text.embedding.kept import clear_kept
from tests.chat.extractive.material import HANDBOOK, add

pytestmark = pytest.mark.django_db

AN_HOUR = timedelta(hours=1)
QUESTION = Embedded("How many berths does the harbour have?")


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is embedded from here on, questions left out."""
    told, embed = list[str](), E5.embed

    def noted(engine: E5, texts: Sequence[str]) -> Vectors:
        told.extend(texts)
        return embed(engine, texts)

    monkeypatch.setattr(E5, "embed", noted)
    return told


def embed_units(document: Document) -> None:
    """Do what is asked for once a document can be found, without waiting for others."""
    Job.objects.filter(kind=EMBED_UNITS, subject=document.pk).update(due_at=timezone.now())
    run_due()


def nearness(owner: User | None = None) -> dict[str, float]:
    """Ask the question as a process that has just begun; return how near each unit is."""
    clear_kept()
    found = find_passages(QUESTION, scope=Scope(owner=owner and owner.pk))
    return {each.text: each.near for each in score_units(QUESTION, found)}


@pytest.mark.asked_elsewhere
@pytest.mark.parametrize("private", [True, False])
def test_units_are_compared_by_stored_vectors_and_none_is_made_for_a_question(
    owner: User, embedded: list[str], private: bool
) -> None:
    document = add(HANDBOOK, owner=owner if private else None)
    embedded.clear()
    before = nearness(owner)
    assert not embedded
    embed_units(document)
    after = nearness(owner)
    other = "A berth is a place where one boat is moored."
    assert after["The harbour has 240 berths."] > after[other]
    assert len(set(before.values())) < len(set(after.values()))


def test_what_is_a_persons_is_sealed_and_goes_with_the_document(owner: User) -> None:
    document = add(HANDBOOK, owner=owner)
    embed_units(document)
    (text, *_) = texts_of(document.passages.get(position=1))
    number = number_of(text).to_bytes(8, "little", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT payload FROM citations_unitvectors")
        stored = [bytes(payload) for (payload,) in cursor.fetchall()]
    assert len(stored) == document.passage_count
    assert not any(number in payload for payload in stored)
    document.delete()
    assert not UnitVectors.objects.exists()


def test_a_long_document_goes_in_slices_and_killed_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, embedded: list[str]
) -> None:
    document = add(HANDBOOK)
    monkeypatch.setattr(vectors, "SLICE", 0)
    monkeypatch.setattr(vectors, "BATCH", 1)
    Job.objects.exclude(kind=EMBED_UNITS).delete()
    Job.objects.update(due_at=timezone.now())
    embedded.clear()
    run_due(limit=2)
    assert UnitVectors.objects.count() == 2
    Job.objects.filter(kind=EMBED_UNITS, status=Job.Status.WAITING).delete()
    enqueue(EMBED_UNITS, document.pk)
    run_due()
    assert UnitVectors.objects.count() == document.passage_count
    in_order = document.passages.order_by("position")
    assert embedded == [text for each in in_order for text in texts_of(each)]


def test_what_an_older_version_added_gets_its_vectors_after_an_update(embedded: list[str]) -> None:
    document = add(HANDBOOK)
    Job.objects.filter(kind=EMBED_UNITS).delete()
    engine = embedder()
    assert engine
    EmbedderRecord.objects.create(model=engine.model, since=timezone.now())
    renew_if_changed()
    assert Job.objects.get(kind=RENEW).subject == WHOLE
    run_due()
    assert UnitVectors.objects.count() == document.passage_count
    Job.objects.all().delete()
    renew_if_changed()
    assert not Job.objects.exists()


def test_what_raises_again_and_again_is_left_for_an_hour_and_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reembedding, "DOCUMENTS", 1)
    hopeless, other = add(HANDBOOK), add(HANDBOOK.replace("harbour", "airport"))
    Job.objects.all().delete()
    enqueue(EMBED_UNITS, hopeless.pk)
    Job.objects.update(status=Job.Status.FAILED, finished_at=timezone.now())
    renew_if_changed()
    run_due()
    assert Job.objects.get(kind=EMBED_UNITS, status=Job.Status.DONE).subject == other.pk
    for _ in range(2):
        Job.objects.filter(kind=RENEW).update(due_at=timezone.now())
        run_due()
    again = Job.objects.get(kind=RENEW, status=Job.Status.WAITING)
    assert again.due_at > timezone.now() + timedelta(minutes=50)
    assert not UnitVectors.objects.filter(document=hopeless).exists()
    Job.objects.filter(status=Job.Status.FAILED).update(finished_at=F("finished_at") - AN_HOUR)
    again.due_at = timezone.now()
    again.save()
    run_due()
    assert UnitVectors.objects.filter(document=hopeless).exists()


def test_vectors_of_another_engine_are_not_compared_and_are_replaced() -> None:
    document = add(HANDBOOK)
    before = nearness()
    embed_units(document)
    UnitVectors.objects.update(model="another")
    assert nearness() == before
    enqueue(EMBED_UNITS, document.pk)
    run_due()
    assert set(UnitVectors.objects.values_list("model")) == {(embedder().model,)}
    assert UnitVectors.objects.count() == document.passage_count


def test_vectors_of_as_many_dimensions_as_the_questions_are_found_alone() -> None:
    document = add(HANDBOOK)
    embed_units(document)
    passages, model = document.passages.all(), embedder().model
    assert unit_vectors(passages, QUESTION.vector, model=model)
    assert not unit_vectors(passages, np.ones(7, np.float32), model=model)
