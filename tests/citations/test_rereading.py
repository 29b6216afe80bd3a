"""Reading again: the old reading serves until the new one is whole, and nothing cited changes."""

import signal
from typing import Any

import pytest
from django.db import connection, transaction

from chat.models import ContextPassage, ContextRecord
from citations import library
from citations.attribution import citing
from citations.deletion import delete_document
from citations.formats.reading import READING_VERSION
from citations.index.full_text import add_headings
from citations.index.scope import Scope
from citations.ingestion import preparing, slices
from citations.ingestion.adding import add_document
from citations.ingestion.renewal import exchanging, reindexing, rereading
from citations.ingestion.renewal.exchanging import DELETE_REPLACED
from citations.ingestion.renewal.rereading import OriginalNotKept, ReadAlready, read_again
from citations.library import EXCHANGE, REREAD, NotYours
from citations.models import Document, OriginalFile, Passage, PassageVectors, UnitVectors
from citations.readers import Unreadable
from memory import holds
from memory.errors import NotFound
from memory.forgetting.erasure.people import count_left, delete_everything
from memory.jobs import queue
from memory.models import AuditEvent, Job, Session, Turn, User
from memory.text.embedding import get_embedder
from memory.text.embedding.e5 import E5
from tests.citations.documents import found_by_vector, found_by_words
from tests.citations.test_ingestion import Killed, indexed
from tests.pages.conversations import turn_of
from tests.servers import Blueprint
from tests.surroundings import PATIENCE, PYTHON

pytestmark = pytest.mark.django_db

NOTE = (
    b"# Beasts\n\n## Quokka\n\nThe quokka lives on Rottnest Island.\n\n"
    b"## Numbat\n\nThe numbat eats termites all day.\n\n"
    b"## Bilby\n\nThe bilby digs long burrows.\n"
)
QUOKKA, NUMBAT, BILBY = (
    "The quokka lives on Rottnest Island.",
    "The numbat eats termites all day.",
    "The bilby digs long burrows.",
)


@pytest.fixture(params=["private", "shared"])
def document(request: pytest.FixtureRequest, owner: User) -> Document:
    """A document as an older version has read it: it knew the numbat by another sentence."""
    added = add_document(
        NOTE.replace(b"eats termites all day", b"is striped"),
        file_name="beasts.md",
        owner=owner if request.param == "private" else None,
    )
    queue.run_due()
    Document.objects.update(reading=None)
    for original in OriginalFile.objects.all():
        original.file = NOTE
        original.save()
    added.refresh_from_db()
    return added


@pytest.fixture
def keeper(document: Document, owner: User) -> User:
    """A person who may have the document read again."""
    if document.owner_id is None:
        User.objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
        owner.refresh_from_db()
    return owner


def texts(document: Document) -> list[str]:
    return [row.text for row in document.passages.order_by("position")]


def scope(document: Document) -> Scope:
    return Scope(owner=document.owner_id)


def done(document: Document) -> Document:
    queue.run_due()
    document = Document.objects.get(pk=document.pk)
    assert not Job.objects.filter(kind__in=[REREAD, EXCHANGE], status="failed").exists()
    return document


def test_what_was_just_read_is_of_this_version_and_its_file_is_kept_sealed(owner):
    added = add_document(NOTE, file_name="beasts.md", owner=owner)
    queue.run_due()
    added.refresh_from_db()
    assert (added.reading, added.is_outdated, added.file) == (READING_VERSION, False, None)
    assert OriginalFile.objects.get(document=added).file == NOTE
    with connection.cursor() as cursor:
        cursor.execute("SELECT file FROM citations_originalfile")
        assert b"quokka" not in bytes(cursor.fetchone()[0])
    with pytest.raises(ReadAlready):
        read_again(added, actor=owner)


def test_reading_again_exchanges_what_changed_and_keeps_the_rest(document, keeper):
    before = {row.text: row.pk for row in document.passages}
    read_again(document, actor=keeper)
    assert texts(document)[1] == "The numbat is striped."  # until the new one is whole

    document = done(document)

    assert texts(document) == [QUOKKA, NUMBAT, BILBY]
    now = {row.text: row.pk for row in document.passages}
    assert (now[QUOKKA], now[BILBY]) == (before[QUOKKA], before[BILBY])
    assert (document.passages_changed, document.passage_count) == (1, 3)
    assert document.reading == READING_VERSION
    assert [row.position for row in document.passages.order_by("position")] == [0, 1, 2]
    assert found_by_words("termites", scope(document)).keys() == {document.pk}
    assert not found_by_words("striped", scope(document))
    assert found_by_vector("What does the numbat eat?", scope(document))
    if document.owner_id is None:
        assert indexed() == 3
    actor = AuditEvent.objects.get(action="document.reread", subject_id=document.pk).actor_id
    assert actor == keeper.pk


def test_it_is_done_once_however_often_it_is_asked(document, keeper):
    for _ in range(3):
        read_again(document, actor=keeper)
    assert Job.objects.filter(kind=REREAD).count() == 1
    document = done(document)
    before = [row.pk for row in document.passages]
    queue.enqueue(REREAD, document.pk)
    document = done(document)
    assert [row.pk for row in document.passages] == before


def test_what_stands_elsewhere_now_keeps_its_key_and_can_be_opened(document, keeper):
    bilby = document.passages.get(position=2).pk
    for original in OriginalFile.objects.all():
        original.file = NOTE.replace(b"## Numbat", b"## Emu\n\nThe emu runs.\n\n## Numbat")
        original.save()
    read_again(document, actor=keeper)
    document = done(document)
    assert texts(document) == [QUOKKA, "The emu runs.", NUMBAT, BILBY]
    assert document.passages.get(position=3).pk == bilby
    assert document.passages_changed == 2


def test_a_document_that_reads_as_before_keeps_its_index_as_it_is(document, keeper):
    for original in OriginalFile.objects.all():
        original.file = NOTE.replace(b"eats termites all day", b"is striped")
        original.save()
    vectors = list(PassageVectors.objects.values_list("pk", flat=True))
    passages = [row.pk for row in document.passages]
    read_again(document, actor=keeper)
    document = done(document)
    assert (document.reading, document.passages_changed) == (READING_VERSION, 0)
    assert list(PassageVectors.objects.values_list("pk", flat=True)) == vectors
    assert [row.pk for row in document.passages] == passages


def test_only_what_is_new_is_embedded(document, keeper, monkeypatch):
    embedded: list[str] = []
    embed = E5.embed

    def noted(engine: E5, given: list[str]) -> Any:
        embedded.extend(given)
        return embed(engine, given)

    read_again(document, actor=keeper)
    monkeypatch.setattr(E5, "embed", noted)
    queue.run(Job.objects.get(kind=REREAD).pk)
    assert [text.rpartition("\n")[2] for text in embedded] == [NUMBAT]


# --- What is cited --------------------------------------------------------------------------------


def cited(document: Document, session: Session, position: int) -> Turn:
    return turn_of(session, document.passages.get(position=position))


def test_a_cited_passage_stays_as_it_was_shown(document, keeper, session):
    citation = cited(document, session, 1).citations.get()
    passage = citation.passage
    read_again(document, actor=keeper)
    document = done(document)

    citation.refresh_from_db()
    kept = Passage.objects.get(pk=citation.passage_id)
    assert kept == passage
    assert (kept.text, kept.heading) == ("The numbat is striped.", "Numbat")
    assert kept.replaced_at is not None
    assert kept not in document.passages
    assert not UnitVectors.objects.filter(passage=kept).exists()
    assert citation.source.document == document


def test_what_nothing_points_at_is_deleted_a_day_later_and_what_is_cited_stays(
    document, keeper, session
):
    citation = cited(document, session, 1).citations.get()
    for original in OriginalFile.objects.all():
        original.file = NOTE.replace(b"long burrows", b"deep burrows")
        original.save()
    read_again(document, actor=keeper)
    document = done(document)
    assert document.all_passages.exclude(replaced_at=None).count() == 2

    a_day_on(document)
    assert [row.pk for row in document.all_passages.exclude(replaced_at=None)] == [
        citation.passage_id
    ]
    assert document.passages.count() == 3
    if document.owner_id is None:
        assert indexed() == 3
        assert counted_passages() == 3


def counted_passages() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT passages FROM citations_library")
        return int(cursor.fetchone()[0])


def a_day_on(document: Document) -> None:
    rows = document.all_passages.exclude(replaced_at=None)
    for row in rows:
        Passage.objects.filter(pk=row.pk).update(replaced_at=row.replaced_at - exchanging.LATER)
    job = Job.objects.get(kind=DELETE_REPLACED, subject=document.pk, status="waiting")
    Job.objects.filter(pk=job.pk).update(due_at=job.created_at)
    queue.run_due()


def test_what_a_prompt_was_made_of_stays_on_record(document, keeper, session):
    passage = document.passages.get(position=1)
    turn = turn_of(session, document.passages.get(position=0))
    record = ContextRecord.objects.create(
        turn=turn, attempt=1, prompt_version="1", prompt_hash="0" * 64, window=100, prompt_tokens=1
    )
    ContextPassage.objects.create(record=record, passage=passage, rank=2, score=1, tokens=3)
    read_again(document, actor=keeper)
    document = done(document)
    a_day_on(document)
    assert ContextPassage.objects.get(record=record, passage=passage).passage == passage


def test_an_answer_that_is_being_written_keeps_what_it_was_offered(document, keeper):
    offered = list(document.passages)
    read_again(document, actor=keeper)
    done(document)
    with transaction.atomic():
        assert citing.present(offered) == {row.pk for row in offered}


def test_of_a_held_document_nothing_is_deleted(document, keeper):
    holds.place(document, reason="A case", author=keeper)
    title = document.title
    read_again(document, actor=keeper)
    document = done(document)
    assert texts(document)[1] == NUMBAT
    a_day_on(document)
    assert document.all_passages.exclude(replaced_at=None).count() == 1
    assert Job.objects.filter(kind=DELETE_REPLACED, status="waiting").exists()
    assert document.title == title


def test_deleting_the_document_takes_all_of_it(document, keeper, session):
    cited(document, session, 1)
    read_again(document, actor=keeper)
    document = done(document)
    delete_document(document, actor=keeper)
    assert not Passage.objects.exists()
    assert not OriginalFile.objects.exists()
    if document.owner_id is None:
        assert (indexed(), counted_passages()) == (0, 0)


# --- In slices, and killed ------------------------------------------------------------------------


@pytest.fixture
def sliced(monkeypatch: pytest.MonkeyPatch, document: Document) -> None:
    """Let each slice embed one passage, of a document of which three are new."""
    for original in OriginalFile.objects.all():
        original.file = b"# Beasts\n\n" + b"".join(
            b"## %b\n\nIt lives here.\n\n" % name for name in (b"Emu", b"Dingo", b"Koala")
        )
        original.save()
    monkeypatch.setattr(slices, "SLICE", 0)
    monkeypatch.setattr(slices, "BATCH", 1)


def test_words_are_counted_and_passages_sealed_once_in_the_last_slice(
    sliced, document, keeper, monkeypatch
):
    done_last: list[str] = []
    count, make_ready = preparing.index_terms, rereading.seal_passages

    def made_ready(rows: list[Passage]) -> None:
        done_last.extend("ready" for _ in rows)
        make_ready(rows)

    monkeypatch.setattr(
        preparing, "index_terms", lambda text: done_last.append("words") or count(text)
    )
    monkeypatch.setattr(rereading, "seal_passages", made_ready)
    read_again(document, actor=keeper)
    for _ in range(2):
        run_next(document)
        assert not done_last
    run_next(document)
    assert done_last == ["words"] * 3 + ["ready"] * 3


def run_next(document: Document) -> str:
    job = Job.objects.get(kind__in=[REREAD, EXCHANGE], subject=document.pk, status="waiting")
    assert queue.run(job.pk)
    return job.kind


def test_a_long_one_is_exchanged_with_its_last_slice(sliced, document, keeper, monkeypatch):
    before = texts(document)
    read_again(document, actor=keeper)
    reads: list[int] = []
    read = preparing.read_file
    monkeypatch.setattr(preparing, "read_file", lambda *args: reads.append(1) or read(*args))
    kinds = []
    while Job.objects.filter(kind__in=[REREAD, EXCHANGE], status="waiting").exists():
        assert texts(document) == before
        kinds.append(run_next(document))
    assert kinds == [REREAD, EXCHANGE, EXCHANGE]
    assert texts(document) == ["It lives here."] * 3
    assert reads == [1]
    assert OriginalFile.objects.get().new_reading is None
    assert set(PassageVectors.objects.values_list("model", flat=True)) == {E5.model}


@pytest.mark.parametrize("last_step", ["index.remove", "write_passages", "make_findable"])
def test_killed_in_the_exchange_the_old_reading_serves_and_it_is_done_again(
    document, keeper, monkeypatch, last_step
):
    before = texts(document)
    read_again(document, actor=keeper)

    def killed(*args: object, **kwargs: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        room, _, name = last_step.rpartition(".")
        patch.setattr(getattr(exchanging, room) if room else exchanging, name, killed)
        with pytest.raises(Killed), transaction.atomic():
            queue.run(Job.objects.get(kind=REREAD).pk)

    assert texts(document) == before
    assert found_by_words("striped", scope(document)).keys() == {document.pk}
    assert not Passage.objects.exclude(replaced_at=None).exists()
    document = done(document)
    assert texts(document) == [QUOKKA, NUMBAT, BILBY]


def test_killed_between_slices_it_goes_on_with_what_it_has(sliced, document, keeper, monkeypatch):
    read_again(document, actor=keeper)
    run_next(document)
    with monkeypatch.context() as patch:

        def killed(*args: object) -> None:
            raise Killed

        patch.setattr(E5, "embed", killed)
        with pytest.raises(Killed), transaction.atomic():
            run_next(document)
    assert run_next(document) == EXCHANGE
    assert run_next(document) == EXCHANGE
    assert texts(document) == ["It lives here."] * 3


def test_renamed_between_slices_it_is_found_under_its_new_name(sliced, document, keeper):
    read_again(document, actor=keeper)
    run_next(document)
    library.change_metadata(Document.objects.get(pk=document.pk), actor=keeper, title="Zanzibar")
    document = done(document)
    assert document.title == "Zanzibar"
    assert found_by_words("Zanzibar", scope(document)).keys() == {document.pk}
    assert texts(document) == ["It lives here."] * 3


def test_an_update_between_slices_reads_the_file_anew(sliced, document, keeper, monkeypatch):
    read_again(document, actor=keeper)
    run_next(document)
    monkeypatch.setattr(preparing, "READING_VERSION", READING_VERSION + 1)
    for original in OriginalFile.objects.all():
        original.file = original.file.replace(b"Emu", b"Cassowary")
        original.save()
    assert run_next(document) == EXCHANGE
    assert [run_next(document) for _ in range(3)] == [REREAD, EXCHANGE, EXCHANGE]
    assert document.passages.get(position=0).heading == "Cassowary"
    nearest = found_by_vector("Where does the cassowary live?", scope(document))
    assert nearest.keys() == {document.pk}
    engine = get_embedder()
    assert engine is not None
    stored = reindexing.read_stored_vectors(document, engine)
    for row in document.passages:  # none of them is of what the older version had read there
        (vector,) = engine.embed([add_headings(document.title, row.heading, row.text)])
        assert float(vector @ stored[row.pk]) > 0.99, row.heading


def test_who_renames_while_it_is_exchanged_is_not_left_with_an_index_of_old_keys(document, keeper):
    """The job that indexes the new title had read the passages that are replaced by now."""
    stale = list(document.passages.order_by("position"))
    read_again(document, actor=keeper)
    document = done(document)
    with transaction.atomic():
        reindexing.replace(document, stale, None, None)
    assert found_by_words("termites", scope(document)).keys() == {document.pk}
    assert Job.objects.filter(kind=library.RETITLE, status="waiting").exists()


# --- What goes wrong, and who may -----------------------------------------------------------------


def test_a_file_that_is_refused_now_leaves_the_old_reading_and_says_why(
    document, keeper, monkeypatch
):
    before = texts(document)

    def refuse(*args: object) -> None:
        raise Unreadable("too_complex")

    read_again(document, actor=keeper)
    with monkeypatch.context() as patch:
        patch.setattr(preparing, "read_file", refuse)
        document = done(document)
    assert (document.status, document.rereading_failure) == (Document.Status.READY, "too_complex")
    assert (texts(document), document.reading) == (before, None)

    read_again(document, actor=keeper)  # and it may be tried again
    document = done(document)
    assert (document.rereading_failure, document.reading) == ("", READING_VERSION)


def test_a_job_that_is_given_up_leaves_the_old_reading_and_says_so(document, keeper, monkeypatch):
    before = texts(document)
    read_again(document, actor=keeper)
    monkeypatch.setattr(preparing, "chunk_sections", lambda *args, **kwargs: 1 / 0)
    for _ in range(queue.MAX_FAILURES):
        Job.objects.update(due_at=document.created_at)
        queue.run(Job.objects.get(kind=REREAD).pk)
    document.refresh_from_db()
    assert (document.status, document.rereading_failure) == (Document.Status.READY, "gave_up")
    assert texts(document) == before
    assert OriginalFile.objects.exists()


def test_without_its_file_it_is_refused_and_adding_that_again_reads_it_anew(owner):
    added = add_document(NOTE, file_name="beasts.md", owner=owner)
    queue.run_due()
    OriginalFile.objects.all().delete()
    Document.objects.update(reading=None)
    added.refresh_from_db()
    with pytest.raises(OriginalNotKept):
        read_again(added, actor=owner)
    assert not Job.objects.filter(kind=REREAD).exists()

    assert add_document(NOTE, file_name="beasts.md", owner=owner, actor=owner) == added
    assert done(added).reading == READING_VERSION
    assert OriginalFile.objects.get().file == NOTE


def test_only_who_keeps_a_document_may_have_it_read_again(document, colleague):
    with pytest.raises(NotYours):
        read_again(document, actor=colleague)
    assert not Job.objects.filter(kind=REREAD).exists()


def test_deleted_while_it_is_read_again_it_stays_deleted(document, keeper, monkeypatch):
    read_again(document, actor=keeper)
    read = preparing.read_file

    def read_meanwhile(*args: Any) -> object:
        delete_document(Document.objects.get(pk=document.pk), actor=keeper)
        return read(*args)

    monkeypatch.setattr(preparing, "read_file", read_meanwhile)
    queue.run_due()
    assert not Document.objects.exists()
    assert not Passage.objects.exists()
    assert not OriginalFile.objects.exists()
    with pytest.raises(NotFound):
        read_again(document, actor=keeper)


def test_an_erasure_that_begins_while_it_is_read_again_wins(owner, monkeypatch):
    added = add_document(NOTE, file_name="beasts.md", owner=owner)
    queue.run_due()
    Document.objects.update(reading=None)
    added.refresh_from_db()
    read_again(added, actor=owner)
    read = preparing.read_file

    def read_meanwhile(*args: Any) -> object:
        delete_everything(owner.pk)
        return read(*args)

    monkeypatch.setattr(preparing, "read_file", read_meanwhile)
    queue.run_due()
    assert count_left(owner.pk).keys() == {"memory.user", "memory.consent"}
    assert not Passage.objects.exists()


def test_every_row_that_outlives_a_passage_keeps_it_from_being_deleted():
    assert {field.model._meta.label for field in exchanging.list_outliving_references()} == {
        "citations.Citation",
        "chat.ContextPassage",
    }


def test_who_runs_the_place_asks_for_each_in_the_turn_of_its_owner(document):
    rereading.ask_for_each([document, document])
    assert Job.objects.get(kind=REREAD).owner_id == document.owner_id


# --- Killed for good ------------------------------------------------------------------------------

OLDER = """
from citations.ingestion.adding import add_document
from citations.models import Document, OriginalFile
from memory.jobs import queue
from memory.models import User
owner = User.objects.get(username="owner")
added = add_document(b"The numbat is striped.", file_name="a.txt", owner=owner)
queue.run_due()
Document.objects.filter(pk=added.pk).update(reading=None)
original = OriginalFile.objects.get(document=added)
original.file = b"The numbat eats termites."
original.save()
from citations.ingestion.renewal.rereading import read_again
added.refresh_from_db()
read_again(added, actor=owner)
"""
DIES = """
import os, signal
from citations.ingestion.renewal import exchanging
from memory.jobs import queue
exchanging.write_passages = lambda rows: os.kill(os.getpid(), signal.SIGKILL)
queue.run_due()
"""
TOLD = """
from citations.models import Document
from memory.models import Job
found = Document.objects.get(owner__username="owner")
print(found.passages.get().text, found.all_passages.count(), found.reading)
Job.objects.filter(kind="reread", status="running").update(due_at=found.created_at)
"""


def test_kill_9_in_the_exchange_leaves_the_old_reading_and_the_next_worker_makes_it_new(
    blueprint: Blueprint,
) -> None:
    installation = blueprint.copy()
    installation.python(OLDER)
    died = installation.spawn(PYTHON, "-c", f"import django; django.setup()\n{DIES}", log="died")
    assert died.wait(PATIENCE) == -signal.SIGKILL, installation.log("died")
    assert installation.python(TOLD).split() == "The numbat is striped. 1 None".split()
    installation.python("from memory.jobs import queue; queue.run_due()")
    assert (
        installation.python(TOLD).split()
        == f"The numbat eats termites. 2 {READING_VERSION}".split()
    )
