"""The clean-up deletes rows of documents that were kept for a reason that has ended."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.ingestion.adding import add_document
from citations.ingestion.renewal import exchanging
from citations.models import Citation, Document, Passage, Source
from memory import holds, tasks
from memory.conversations.asking import create_session
from memory.jobs import queue
from memory.models import LegalHold, Turn, User

pytestmark = pytest.mark.django_db


def added(owner: User | None, number: int = 0) -> Document:
    document = add_document(b"Note %d says so." % number, file_name="note.txt", owner=owner)
    queue.run_due()
    return document


def replaced(document: Document, *, days: int = 2) -> Passage:
    """Return a passage of the document that was replaced so many days ago."""
    row = document.passages.get()
    row.pk, row.position = None, 1_000_000_000
    row.replaced_at = timezone.now() - timedelta(days=days)
    row.save(force_insert=True)
    return row


def cited(passage: Passage, owner: User) -> Turn:
    session = create_session(owner)
    turn = Turn.objects.create(
        session=session, owner=owner, position=1, status="complete", query="?", query_tokens=1
    )
    source = Source.objects.create(
        session=session, owner_id=owner.pk, number=1, document=passage.document
    )
    Citation.objects.create(
        turn=turn,
        owner=owner,
        source=source,
        passage=passage,
        start=0,
        claim_start=0,
        quote="So",
        score=1,
    )
    return turn


def test_a_replaced_passage_goes_when_its_last_citation_has_gone(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchanging, "PASSAGES", 1)
    document = added(owner)
    turn = cited(replaced(document), owner)
    tasks.clean_up_all()
    assert document.all_passages.count() == 2
    turn.delete()
    tasks.clean_up_all()
    assert list(document.all_passages.all()) == list(document.passages.all())
    assert document.passages.count() == 1


def test_one_that_was_replaced_today_may_still_be_answered_with(owner: User) -> None:
    document = added(owner)
    replaced(document, days=0)
    tasks.clean_up_all()
    assert document.all_passages.count() == 2


def test_what_is_held_stays_until_the_hold_ends(owner: User, colleague: User) -> None:
    mine, shared = added(owner), added(None, 1)
    for document in (mine, shared):
        replaced(document)
    hold = holds.place(owner, reason="A case", author=colleague)
    tasks.clean_up_all()
    assert (mine.all_passages.count(), shared.all_passages.count()) == (2, 1)
    holds.release(LegalHold.objects.get(pk=hold.pk), actor=colleague)
    tasks.clean_up_all()
    assert mine.all_passages.count() == 1
