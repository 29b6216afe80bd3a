"""Ingestion: once each, whole or not at all, readable by nobody else."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction

from chat.uploads import uploading
from citations import library
from citations.index.scope import Scope
from citations.ingestion import ingesting, pacing, preparing, slices
from citations.ingestion.adding import add_document, load_sample_library
from citations.ingestion.pacing import INGEST
from citations.ingestion.renewal.reembedding import REEMBED
from citations.models import Document, Passage, PassageVectors, PassageWords
from citations.readers import Unreadable, read_file
from citations.retrieval import find_passages
from memory.jobs import queue
from memory.models import AuditEvent, Job, User
from memory.people.rate_limits import LimitReached
from memory.text.embedding import EmbeddingError
from memory.text.embedding.e5 import E5
from memory.text.vectors import Block
from tests.citations import files
from tests.citations.documents import found_by_words

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
    assert Job.objects.get(kind=INGEST, subject=document.pk).status == Job.Status.WAITING

    assert queue.run_due() == 1

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


def test_the_layout_is_stored_with_the_passage(owner):
    document = add_document(b"Do:\n\n- a\n- b", file_name="note.md", owner=owner)
    queue.run_due()
    passage = document.passages.get()
    assert passage.text == "Do:\n\n- a\n- b"
    assert passage.spans == [(0, 3, "paragraph"), (5, 8, "item"), (9, 12, "item")]
    Passage.objects.update(layout=None)  # as it is of one that was read before there were layouts
    assert document.passages.get().spans == []


def test_the_same_file_again_is_the_same_document_and_no_more_work():
    first = add_document(NOTE, file_name="note.md")
    assert add_document(NOTE, file_name="other-name.md") == first
    queue.run_due()
    assert add_document(NOTE, file_name="note.md") == first
    assert Job.objects.filter(kind=INGEST).count() == 1
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
    queue.run_due()
    before = [row.pk for row in passages_of(document)]
    queue.enqueue(INGEST, document.pk)
    assert queue.run_due() == 1
    assert [row.pk for row in passages_of(document)] == before
    assert PassageVectors.objects.count() == 1


class Killed(BaseException):
    """An exception that no handler catches, like a killed process."""


@pytest.mark.parametrize("last_step", ["write_passages", "index"])
def test_killed_in_the_middle_it_leaves_nothing_and_is_done_again(monkeypatch, last_step):
    document = add_document(NOTE, file_name="note.md")
    job = Job.objects.get(kind=INGEST)

    def killed(*args: object, **kwargs: object) -> None:
        raise Killed

    target = preparing if last_step == "write_passages" else preparing.index
    name = "write_passages" if last_step == "write_passages" else "add_vectors"
    with monkeypatch.context() as patch:
        patch.setattr(target, name, killed)
        with pytest.raises(Killed), transaction.atomic():
            queue.run(job.pk)

    document.refresh_from_db()
    assert document.status == Document.Status.WAITING
    assert not Passage.objects.exists()
    assert not PassageVectors.objects.exists()
    assert indexed() == 0

    assert queue.run(job.pk)
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
    queue.run_due()
    assert Job.objects.get(kind=INGEST).status == Job.Status.DONE
    assert not Passage.objects.exists()


class Broken:
    """An engine that is down."""

    model = "broken"

    def embed(self, texts: object) -> object:
        raise EmbeddingError("engine_unavailable")


def test_an_engine_that_stays_down_fails_the_document_and_adding_it_again_retries(monkeypatch):
    document = add_document(NOTE, file_name="note.md")
    with monkeypatch.context() as patch:
        patch.setattr(ingesting, "get_embedder", Broken)
        for _ in range(queue.MAX_FAILURES):
            Job.objects.filter(kind=INGEST).update(due_at=document.created_at)
            queue.run_due(limit=1)
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.FAILED, "engine_unavailable")

    assert add_document(NOTE, file_name="note.md") == document
    queue.run_due()
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.READY, "")


def test_without_an_engine_documents_have_words_alone(settings):
    settings.EMBEDDING = "none"
    document = add_document(NOTE, file_name="note.md")
    queue.run_due()
    document.refresh_from_db()
    assert document.status == Document.Status.READY
    assert indexed() == 2
    assert not PassageVectors.objects.exists()


def test_private_words_and_vectors_are_sealed(owner):
    text = b"# Secret\n\nThe xylophone of Queen Zenobia was repossessed."
    document = add_document(text, file_name="zenobia-letter.md", owner=owner)
    queue.run_due()
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


def test_a_pdf_is_found_again_on_its_page(owner):
    pages = ["All about apples, which grow on trees.", "The quokka lives on Rottnest Island."]
    data = files.pdf(pages, title="On Fruit and Beasts")
    document = add_document(data, file_name="fruit.pdf", owner=owner)
    assert (document.page_count, document.media_type) == (2, "application/pdf")
    assert document.file == data
    queue.run_due()

    found = find_passages("Where does the quokka live?", scope=Scope(owner=owner.pk))[0].passage
    assert (found.page, found.text) == (2, "The quokka lives on Rottnest Island.")
    assert [row.page for row in passages_of(document)] == [1, 2]
    document.refresh_from_db()
    assert document.file is None


def test_what_could_not_be_read_is_said_in_words(owner):
    data = files.pdf_with_pictures(["One.", b"/X Do", "Three."], on=[1])
    document = add_document(data, file_name="a.pdf", owner=owner)
    queue.run_due()
    document.refresh_from_db()
    assert library.unread_sentences(document) == [
        "Page 2 was not read: no text, perhaps a scanned picture."
    ]


def test_a_file_that_turns_out_to_be_unreadable_fails_and_is_let_go(monkeypatch, owner):
    document = add_document(NOTE, file_name="note.md", owner=owner)

    def refuse(*args: object) -> None:
        raise Unreadable("too_complex")

    with monkeypatch.context() as patch:
        patch.setattr(preparing, "read_file", refuse)
        queue.run_due()
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.FAILED, "too_complex")
    assert document.file is None
    assert not Passage.objects.exists()
    assert Job.objects.get().status == Job.Status.DONE

    assert add_document(NOTE, file_name="note.md", owner=owner) == document
    queue.run_due()
    document.refresh_from_db()
    assert document.status == Document.Status.READY


def test_a_job_that_is_given_up_leaves_no_document_waiting(monkeypatch):
    document = add_document(NOTE, file_name="note.md")
    monkeypatch.setattr(preparing, "chunk_sections", lambda *args, **kwargs: 1 / 0)
    for _ in range(queue.MAX_FAILURES):
        Job.objects.update(due_at=document.created_at)
        queue.run_due(limit=1)
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.FAILED, "gave_up")
    assert document.file is None


def test_a_job_that_kills_its_workers_leaves_no_document_waiting():
    document = add_document(NOTE, file_name="note.md")
    Job.objects.update(fence=queue.MAX_FENCE)
    queue.run_due()
    document.refresh_from_db()
    assert (document.status, document.failure) == (Document.Status.FAILED, "gave_up")


def test_the_progress_of_the_job_is_in_pages_and_then_in_passages(monkeypatch):
    told: list[tuple[int, int, int]] = []
    hold = queue.Lease.pulse

    def listened(lease: queue.Lease, *, progress: int = 0, total: int = 0) -> None:
        passages = Document.objects.get(pk=lease.subject).passage_count
        told.append((passages, progress, total))
        hold(lease, progress=progress, total=total)

    monkeypatch.setattr(queue.Lease, "pulse", listened)
    monkeypatch.setattr(preparing, "BATCH", 2)
    monkeypatch.setattr(slices, "BATCH", 2)
    add_document(files.pdf([f"Page {word}." for word in "abcdef"]), file_name="a.pdf")
    queue.run_due()
    pages = [far for passages, *far in told if not passages]
    read = [done for done, total in pages if total == 6]
    assert read == sorted(read)
    assert [0, 6] in pages
    assert [6, 6] in pages
    assert [far for passages, *far in told if passages == 6] == [
        *[[0, 6], [0, 6], [2, 6], [4, 6]],
        *[[6, 6]] * 3,
    ]


def test_the_characters_of_a_text_are_never_told_as_passages(monkeypatch):
    told: list[tuple[int, int]] = []
    make_cut = preparing.make_cut

    def looked_on(document: Document, *args: Any, **kwargs: Any) -> object:
        job = Job.objects.get(subject=document.pk)
        told.append((Document.objects.get(pk=document.pk).passage_count, job.total))
        return make_cut(document, *args, **kwargs)

    monkeypatch.setattr(preparing, "make_cut", looked_on)
    add_document(NOTE, file_name="note.md")
    queue.run_due()
    ((passages, total),) = told
    assert passages == total > 0


BOOK = b"# Book\n\n" + b"".join(b"## Part %d\n\nIt says %d.\n\n" % (n, n) for n in range(9))


@pytest.fixture
def sliced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let each slice embed two passages; return what will be embedded, in order."""
    embedded: list[str] = []
    embed = E5.embed

    def noted(engine: E5, texts: list[str]) -> Any:
        embedded.extend(texts)
        return embed(engine, texts)

    monkeypatch.setattr(slices, "SLICE", 0)
    monkeypatch.setattr(slices, "BATCH", 2)
    monkeypatch.setattr(E5, "embed", noted)
    return embedded


def test_others_come_between_the_slices_of_a_long_document(sliced, owner, colleague):
    """Nobody waits for more than a slice of it: neither another person, nor another note."""
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due(limit=1)
    theirs = add_document(NOTE, file_name="theirs.md", owner=colleague)
    mine = add_document(NOTE, file_name="mine.md", owner=owner)
    order = []
    while queue.run_due(limit=1):
        order += Document.objects.ready().exclude(pk__in=order).values_list("pk", flat=True)
    assert order[-1] == book.pk
    assert set(order) == {theirs.pk, mine.pk, book.pk}
    taken = list(Job.objects.filter(kind=INGEST).order_by("finished_at").values_list("subject"))
    assert [taken.index((each.pk,)) <= 4 for each in (theirs, mine)] == [True, True]
    assert 5 + 2 <= len(taken) <= 5 + 2 + 1  # the book has given its place to the note
    assert len(sliced) == 9 + 2 + 2


def test_of_ones_own_the_shortest_goes_first_and_people_still_take_turns(sliced, owner, colleague):
    long = add_document(BOOK + BOOK.replace(b"It", b"This"), file_name="long.md", owner=owner)
    theirs = add_document(BOOK.replace(b"It", b"That"), file_name="theirs.md", owner=colleague)
    assert queue.run_due(limit=2) == 2
    book = add_document(BOOK, file_name="book.md", owner=owner)
    note = add_document(NOTE, file_name="note.md", owner=owner)
    ready, after = [], {}
    for turn in range(1, 40):
        queue.run_due(limit=1)
        for pk in Document.objects.ready().exclude(pk__in=ready).values_list("pk", flat=True):
            ready.append(pk)
            after[pk] = turn
    mine = [pk for pk in ready if pk != theirs.pk]
    assert mine == [note.pk, book.pk, long.pk]
    assert after[note.pk] <= 2
    # Four slices were left to the other, and one turn of two is theirs.
    assert after[theirs.pk] <= 2 * 4 + 1
    assert after[long.pk] == max(after.values())
    assert Job.objects.filter(status=Job.Status.FAILED).count() == 0


def test_who_gives_place_is_no_more_patient_with_a_file_that_kills(sliced, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    Job.objects.filter(subject=book.pk).update(failures=2, fence=7, progress=3, total=9)
    add_document(NOTE, file_name="note.md", owner=owner)
    queue.run_due(limit=1)
    row = Job.objects.get(subject=book.pk, status=Job.Status.WAITING)
    assert (row.failures, row.fence, row.progress, row.total) == (2, 7, 3, 9)
    assert Document.objects.ready().get().file_name == "note.md"


@pytest.mark.parametrize("private", [True, False])
def test_a_document_in_slices_is_found_when_it_is_whole_and_as_if_read_at_once(
    sliced, monkeypatch, owner, private
):
    whose = owner if private else None
    book = add_document(BOOK, file_name="book.md", owner=whose)
    scope = Scope(owner=owner.pk)
    for _ in range(4):
        queue.run_due(limit=1)
        assert not find_passages("What does it say of 7?", scope=scope)
        assert not found_by_words("says", scope)
    progress = Job.objects.get(status=Job.Status.WAITING)
    assert (progress.progress, progress.total) == (8, 9)
    queue.run_due(limit=1)
    assert list(found_by_words("says", scope)) == [book.pk]
    book.refresh_from_db()
    assert (book.status, book.file, book.passage_count) == (Document.Status.READY, None, 9)
    blocks = [Block.unpacked(row.payload) for row in book.vectors.all()]
    assert [len(block) for block in blocks] == [9]

    monkeypatch.setattr(slices, "SLICE", 60)
    again = add_document(BOOK + b" ", file_name="again.md", owner=whose)
    queue.run_due(limit=1)
    (at_once,) = (Block.unpacked(row.payload) for row in again.vectors.all())
    assert np.abs(blocks[0].vectors.astype(int) - at_once.vectors.astype(int)).max() <= 1


def test_the_words_of_a_document_in_slices_are_counted_once(sliced, monkeypatch, owner):
    counted: list[str] = []
    count = preparing.index_terms
    monkeypatch.setattr(preparing, "index_terms", lambda text: counted.append(text) or count(text))
    add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due()
    assert counted == sliced
    assert len(counted) == 9


def test_killed_in_a_slice_it_goes_on_behind_the_last(sliced, monkeypatch, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due(limit=2)
    with monkeypatch.context() as patch:
        patch.setattr(slices.Embedding, "keep", lambda *_: (_ for _ in ()).throw(Killed()))
        with pytest.raises(Killed), transaction.atomic():
            queue.run(Job.objects.get(status=Job.Status.WAITING).pk)
    queue.run_due()
    book.refresh_from_db()
    assert book.status == Document.Status.READY
    assert len(sliced) == 9 + 2  # those of the slice that was killed


def test_a_document_renamed_between_two_slices_is_embedded_under_its_new_name(sliced, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due(limit=2)
    library.change_metadata(book, actor=owner, title="Zanzibar")
    del sliced[:]
    queue.run_due()
    assert len(sliced) == 9
    assert all(text.startswith("Zanzibar") for text in sliced)
    assert list(found_by_words("Zanzibar", Scope(owner=owner.pk))) == [book.pk]


def test_a_ready_document_renamed_twice_is_embedded_under_its_last_name(sliced, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due()
    library.change_metadata(book, actor=owner, title="Quokka")
    queue.run_due(limit=2)
    library.change_metadata(book, actor=owner, title="Zanzibar")
    del sliced[:]
    queue.run_due()
    scope = Scope(owner=owner.pk)
    assert list(found_by_words("Zanzibar", scope)) == [book.pk]
    assert not found_by_words("Quokka", scope)
    assert len(sliced) == 9
    assert all(text.startswith("Zanzibar") for text in sliced)
    assert [len(Block.unpacked(row.payload)) for row in book.vectors.all()] == [9]


def test_vectors_are_made_anew_in_slices_with_the_old_ones_in_their_place(sliced, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due()
    model = book.vectors.get().model
    book.vectors.update(model="old")
    queue.enqueue(REEMBED, book.pk, owner=owner.pk)
    del sliced[:]
    queue.run_due(limit=2)
    assert {row.model for row in book.vectors.all()} == {"old", f"unfinished {model}"}
    queue.run_due()
    assert [row.model for row in book.vectors.all()] == [model]
    assert len(sliced) == 9


def test_a_document_given_up_between_two_slices_leaves_nothing_of_them(sliced, owner):
    book = add_document(BOOK, file_name="book.md", owner=owner)
    queue.run_due(limit=2)
    assert Passage.objects.count() == 9
    Job.objects.filter(status=Job.Status.WAITING).update(fence=queue.MAX_FENCE)
    queue.run_due()
    book.refresh_from_db()
    assert (book.status, book.failure, book.file) == (Document.Status.FAILED, "gave_up", None)
    assert not Passage.objects.exists()
    assert not PassageVectors.objects.exists()


def test_small_documents_and_what_is_urgent_are_done_while_a_long_file_is_read(
    monkeypatch, owner, colleague
):
    monkeypatch.setattr(pacing, "SMALL", len(NOTE))
    monkeypatch.setattr(pacing, "PAUSE", 0)
    book = add_document(BOOK, file_name="book.md", owner=owner)
    before = add_document(NOTE, file_name="before.md", owner=colleague)
    ready: list[bool] = []

    def read_slowly(data: bytes, kind: str, progress: Callable[[int, int], None]) -> object:
        progress(0, 1)
        ready.append(Document.objects.ready().filter(pk=before.pk).exists())
        return read_file(data, kind, progress)

    monkeypatch.setattr(preparing, "read_file", read_slowly)
    queue.run(Job.objects.get(subject=book.pk).pk)
    assert ready[-1] is True
    assert Document.objects.ready().count() == 2


def test_what_is_still_being_read_is_told_in_scope_in_one_query(
    owner, colleague, django_assert_num_queries
):
    mine = add_document(NOTE, file_name="mine.md", owner=owner, title="Mine")
    shared = add_document(NOTE, file_name="shared.md", title="Shared")
    add_document(NOTE, file_name="theirs.md", owner=colleague)
    scope = Scope(owner=owner.pk)
    with django_assert_num_queries(1):
        found = library.unread_in_scope(scope)
    assert found == [(mine.pk, "Mine"), (shared.pk, "Shared")]
    assert library.unread_in_scope(Scope(owner.pk, frozenset([shared.pk]))) == [found[1]]
    queue.run_due()
    assert library.unread_in_scope(scope) == []


def test_adding_is_recorded_once_with_who_did_it(owner, colleague):
    for _ in range(2):
        mine = add_document(NOTE, file_name="note.md", owner=owner)
        shared = add_document(NOTE, file_name="note.md", actor=colleague)
    events = AuditEvent.objects.filter(action="document.added").order_by("id")
    assert [(event.subject_id, event.actor_id) for event in events] == [
        (mine.pk, owner.pk),
        (shared.pk, colleague.pk),
    ]


def test_text_from_a_program_is_what_it_is_said_to_be(owner):
    text = b"<!doctype html><p>Shown as it is.</p>"
    about = {"title": "A page\nof\u202e text", "authors": ["Doe,\tJane"]}
    document = add_document(text, file_name="", owner=owner, media_type="text/plain", **about)
    queue.run_due()
    assert (document.title, document.authors) == ("A page of text", ["Doe, Jane"])
    assert passages_of(document)[0].text == text.decode()


def test_names_and_text_lose_what_nobody_sees(owner):
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    text = f"# Ti\u200btle{hidden}\n\nA\u202e fact{hidden}.".encode()
    document = add_document(text, file_name=f"../no\x00te{hidden}.md", owner=owner)
    queue.run_due()
    assert (document.title, document.file_name) == ("Title", "note.md")
    assert passages_of(document)[0].text == "A fact."


def test_the_sample_library_is_loaded_into_an_empty_library_only():
    added = load_sample_library()
    assert len(added) >= 10
    assert {document.owner_id for document in added} == {None}
    assert load_sample_library() == []


def fail_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the job that is due with a reader that refuses."""

    def refuse(*args: object) -> None:
        raise Unreadable("too_complex")

    with monkeypatch.context() as patch:
        patch.setattr(preparing, "read_file", refuse)
        queue.run_due()


def test_a_failed_file_that_is_added_again_is_new_and_takes_what_is_said_now(monkeypatch, owner):
    data = files.pdf(["One."], title="A fund")
    first = uploading.add_upload(data, file_name="a.pdf", actor=owner, shared=False, year=1999)
    fail_once(monkeypatch)
    Document.objects.update(page_count=7)

    about = {"title": "Mine", "authors": ["Doe, Jane"], "url": "https://example.org/"}
    again = uploading.add_upload(data, file_name="b.pdf", actor=owner, shared=False, **about)

    assert again.is_new
    assert again.document == first.document
    document = Document.objects.get()
    assert (document.title, document.authors, document.url) == tuple(about.values())
    assert (document.file_name, document.page_count, document.year) == ("b.pdf", 1, 1999)
    assert (document.status, document.failure) == (Document.Status.WAITING, "")
    added = AuditEvent.objects.filter(action="document.added", subject_id=document.pk)
    assert [event.actor_id for event in added] == [owner.pk, owner.pk]

    queue.run_due()
    assert not uploading.add_upload(data, file_name="c.pdf", actor=owner, shared=False).is_new
    assert added.count() == 2


@pytest.mark.parametrize("private", [True, False])
def test_a_title_given_while_the_document_is_read_is_indexed(monkeypatch, owner, private):
    owner.is_staff = owner.is_superuser = not private
    text = b"It sets a fee."
    whose = owner if private else None
    document = add_document(text, file_name="note.txt", owner=whose, title="Note")
    stale = Document.objects.get(pk=document.pk)

    def read_meanwhile(*args: object) -> object:
        library.change_metadata(document, actor=owner, title="Zanzibar agreement")
        return read_file(*args)

    monkeypatch.setattr(preparing, "read_file", read_meanwhile)
    queue.run_due()
    queue.run_due()
    scope = Scope(owner=owner.pk)
    assert list(found_by_words("Zanzibar", scope)) == [document.pk]

    # A change by a person who loaded the waiting document applies to its present row.
    library.change_metadata(stale, actor=owner, title="Quokka agreement")
    queue.run_due()
    assert list(found_by_words("Quokka", scope)) == [document.pk]
    assert not found_by_words("Zanzibar", scope)


def test_what_can_be_made_before_is_not_made_in_the_transaction(monkeypatch, owner):
    """Of a thick book it takes many seconds, in which nobody else could write to SQLite."""
    document = add_document(NOTE, file_name="note.md", owner=owner)
    within: list[bool] = []
    finishing = queue.Lease.finishing

    @contextmanager
    def listened(lease: queue.Lease) -> Iterator[None]:
        with finishing(lease):
            within.append(True)
            yield
        within.clear()

    def outside(function: Callable[..., object]) -> Callable[..., object]:
        def checked(*args: object, **options: object) -> object:
            assert not within
            return function(*args, **options)

        return checked

    monkeypatch.setattr(queue.Lease, "finishing", listened)
    monkeypatch.setattr(preparing, "count_tokens", outside(preparing.count_tokens))
    monkeypatch.setattr(preparing, "index_terms", outside(preparing.index_terms))
    monkeypatch.setattr(preparing, "make_passage", outside(preparing.make_passage))
    queue.run_due()
    document.refresh_from_db()
    assert document.status == Document.Status.READY


def test_so_many_documents_an_hour_and_no_more(owner: User, settings: object) -> None:
    settings.UPLOADS_PER_HOUR = 2
    for number in (1, 2, 2):  # one that is known is no new one
        add_document(f"Number {number}.".encode(), file_name="a.txt", owner=owner, actor=owner)
    with pytest.raises(LimitReached, match="2 documents within the hour"):
        add_document(b"Number 3.", file_name="a.txt", owner=owner, actor=owner)
    assert Document.objects.count() == Job.objects.count() == 2
    add_document(b"By command.", file_name="a.txt", owner=owner)
