"""Ingestion: once each, whole or not at all, readable by nobody else."""

import pytest
from django.db import connection, transaction

from citations import ingestion
from citations.ingestion import CUT, add_document, load_sample_library
from citations.models import Document, Passage, PassageVectors, PassageWords
from citations.readers import Unreadable
from memory import jobs
from memory.embedding import EmbeddingError
from memory.models import Job

pytestmark = pytest.mark.django_db

NOTE = b"""---
title: A note
authors: Doe, Jane
year: 2001
---

# A note

First.

## Part

Second."""


def passages_of(document: Document) -> list[Passage]:
    return list(document.passages.order_by("position"))


def test_a_file_becomes_a_waiting_document_and_then_passages_under_its_headings():
    document = add_document(NOTE, file_name="note.md")
    assert document.status == Document.Status.WAITING
    assert Job.objects.get(kind=CUT, subject=document.pk).status == Job.Status.WAITING

    assert jobs.run_due() == 1

    document.refresh_from_db()
    assert (document.status, document.passage_count) == (Document.Status.READY, 2)
    assert document.file is None
    assert [(row.heading, row.text) for row in passages_of(document)] == [
        ("", "First."),
        ("Part", "Second."),
    ]
    assert all(row.tokens == 2 for row in passages_of(document))
    assert (document.title, document.authors, document.year) == ("A note", ["Doe, Jane"], 2001)


def test_what_the_adder_says_about_it_counts_more_than_the_file():
    document = add_document(NOTE, file_name="note.md", title="Mine", year=None)
    assert (document.title, document.year, document.authors) == ("Mine", None, ["Doe, Jane"])


def test_the_same_file_again_is_the_same_document_and_no_more_work():
    first = add_document(NOTE, file_name="note.md")
    assert add_document(NOTE, file_name="other-name.md") == first
    jobs.run_due()
    assert add_document(NOTE, file_name="note.md") == first
    assert Job.objects.filter(kind=CUT).count() == 1
    assert Passage.objects.count() == 2


def test_a_changed_file_is_another_document():
    assert add_document(NOTE, file_name="note.md") != add_document(
        NOTE + b" More.", file_name="n.md"
    )


def test_the_same_file_of_two_people_and_the_library_is_three_documents(owner, colleague):
    added = [add_document(NOTE, file_name="n.md", owner=who) for who in (owner, colleague, None)]
    assert len({document.checksum for document in added}) == 3
    assert add_document(NOTE, file_name="n.md", owner=owner) == added[0]


def test_doing_the_job_twice_changes_nothing():
    document = add_document(NOTE, file_name="note.md")
    jobs.run_due()
    before = [row.pk for row in passages_of(document)]
    jobs.enqueue(CUT, document.pk)
    assert jobs.run_due() == 1
    assert [row.pk for row in passages_of(document)] == before
    assert PassageVectors.objects.count() == 1


class Killed(BaseException):
    """What no handler catches, as a killed process."""


@pytest.mark.parametrize("last_step", ["write_passages", "index"])
def test_killed_in_the_middle_it_leaves_nothing_and_is_done_again(monkeypatch, last_step):
    document = add_document(NOTE, file_name="note.md")
    job = Job.objects.get(kind=CUT)

    def killed(*args: object, **kwargs: object) -> None:
        raise Killed

    target = ingestion if last_step == "write_passages" else ingestion.index
    name = "write_passages" if last_step == "write_passages" else "add_vectors"
    with monkeypatch.context() as patch:
        patch.setattr(target, name, killed)
        with pytest.raises(Killed), transaction.atomic():
            jobs.run(job.pk)

    document.refresh_from_db()
    assert document.status == Document.Status.WAITING
    assert not Passage.objects.exists()
    assert not PassageVectors.objects.exists()
    assert indexed() == 0

    assert jobs.run(job.pk)
    document.refresh_from_db()
    assert document.status == Document.Status.READY
    assert indexed() == document.passage_count == Passage.objects.count() == 2


def indexed() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM citations_passage_terms")
        return int(cursor.fetchone()[0])


def test_a_document_deleted_before_its_job_leaves_a_job_that_ends():
    document = add_document(NOTE, file_name="note.md")
    document.delete()
    jobs.run_due()
    assert Job.objects.get(kind=CUT).status == Job.Status.DONE
    assert not Passage.objects.exists()


class Broken:
    """An engine that is down."""

    model = "broken"

    def embed(self, texts: list[str]) -> object:
        raise EmbeddingError("engine_unavailable")


def test_an_engine_that_stays_down_fails_the_document_and_adding_it_again_retries(monkeypatch):
    document = add_document(NOTE, file_name="note.md")
    with monkeypatch.context() as patch:
        patch.setattr(ingestion, "embedder", Broken)
        for _ in range(jobs.MAX_FAILURES):
            Job.objects.filter(kind=CUT).update(due_at=document.created_at)
            jobs.run_due(limit=1)
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.FAILED, "engine_unavailable")

    assert add_document(NOTE, file_name="note.md") == document
    jobs.run_due()
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.READY, "")


def test_without_an_engine_documents_have_words_alone(settings):
    settings.EMBEDDING = "none"
    document = add_document(NOTE, file_name="note.md")
    jobs.run_due()
    document.refresh_from_db()
    assert document.status == Document.Status.READY
    assert indexed() == 2
    assert not PassageVectors.objects.exists()


def test_private_words_and_vectors_are_sealed(owner):
    text = b"# Secret\n\nThe xylophone of Queen Zenobia was repossessed."
    document = add_document(text, file_name="zenobia-letter.md", owner=owner)
    jobs.run_due()
    assert PassageWords.objects.get().owner == owner
    assert document.passages.get().text == "The xylophone of Queen Zenobia was repossessed."
    for value in every_value():
        for word in (b"xylophon", b"zenobia", b"repossess", b"secret"):
            assert word not in value.lower()
    assert indexed() == 0


def every_value() -> list[bytes]:
    """Return every value of every table of this app, as bytes."""
    with connection.cursor() as cursor:
        tables = [
            info.name
            for info in connection.introspection.get_table_list(cursor)
            if info.name.startswith("citations_")
        ]
        assert {"citations_passage", "citations_passagewords", "citations_term"} <= set(tables)
        values: list[bytes] = []
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            values += [as_bytes(value) for row in cursor.fetchall() for value in row]
    return values


def as_bytes(value: object) -> bytes:
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def test_an_unreadable_file_leaves_no_row():
    with pytest.raises(Unreadable):
        add_document(b"", file_name="empty.md")
    assert not Document.objects.exists()


def test_the_sample_library_is_loaded_into_an_empty_library_only():
    added = load_sample_library()
    assert len(added) >= 10
    assert {document.owner_id for document in added} == {None}
    assert load_sample_library() == []
