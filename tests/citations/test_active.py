"""The active documents of a session, computed from its answers' citations."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.deletion import delete_document
from citations.models import Citation, Document, DocumentStanding, Passage, Source
from citations.session_focus import active
from citations.session_focus.active import (
    WINDOW,
    get_active_document,
    list_active_documents,
    list_active_sections,
    list_places,
    list_uses,
    set_standing,
)
from memory.errors import NotFound
from memory.models import AuditEvent, Session, Turn, User

pytestmark = pytest.mark.django_db


def document(title: str, owner: User | None = None) -> Passage:
    """Store a document with one passage."""
    row = Document.objects.create(
        title=title,
        owner=owner,
        authors=[],
        media_type="text/plain",
        checksum=title.ljust(64, "0"),
        status=Document.Status.READY,
    )
    values = {"owner": owner, "position": 0, "tokens": 3, "text": "It is so."}
    return Passage.objects.create(document=row, heading=f"{title} › 1", **values)


def cite(session: Session, *passages: Passage, **fields: object) -> Turn:
    """Store a finished turn that cites the passages."""
    session.last_position += 1
    session.save()
    values = {"query": "?", "query_tokens": 1, "response": "Yes [1].", "status": "complete"}
    turn = Turn.objects.create(
        session=session, owner=session.owner, position=session.last_position, **values | fields
    )
    for start, passage in enumerate(passages):
        number = Source.objects.filter(session=session).count() + 1
        source, _ = Source.objects.get_or_create(
            session=session, document=passage.document, defaults={"number": number}
        )
        values = {"start": start, "claim_start": 0, "quote": "", "score": 1.0}
        Citation.objects.create(
            turn=turn, owner=turn.owner, source=source, passage=passage, **values
        )
    return turn


def titles(session: Session) -> list[str]:
    return [row.document.title for row in list_active_documents(session)]


def test_the_documents_and_sections_of_the_last_answers_are_active(session: Session) -> None:
    one, two = document("One"), document("Two")
    cite(session, one)
    turn = cite(session, two, one)
    rows = {row.document.title: (row.position, row.turns) for row in list_active_documents(session)}
    assert rows == {"One": (2, 2), "Two": (2, 1)}
    assert {row.heading for row in list_active_sections(session)} == {"One › 1", "Two › 1"}
    assert {place.title for place in list_places(turn)} == {"One", "Two"}


def test_what_was_not_cited_for_long_is_not_active(session: Session) -> None:
    cite(session, document("One"))
    for _ in range(WINDOW - 1):
        cite(session)
    assert titles(session) == ["One"]
    cite(session)
    assert titles(session) == []


def test_a_new_topic_lets_go_of_the_old_ones_documents(session: Session) -> None:
    cite(session, document("One"))
    cite(session, document("Two"), new_topic=True)
    assert titles(session) == ["Two"]
    assert [row.heading for row in list_active_sections(session)] == ["Two › 1"]
    assert [use.position for use in list_uses(session, 2)] == [1]  # as it was before


def test_a_document_that_is_deleted_is_out_of_it(session: Session) -> None:
    shared, private = document("Shared"), document("Private", session.owner)
    cite(session, shared, private)
    set_standing(session, shared.document_id, "boosted")
    set_standing(session, private.document_id, "muted")
    delete_document(shared.document, actor=None)
    delete_document(private.document, actor=session.owner)
    assert titles(session) == []
    assert not DocumentStanding.objects.exists()


def test_what_a_person_says_of_a_document_stands_until_it_is_taken_back(session: Session) -> None:
    passage = document("One")
    for standing in ("boosted", "muted", "required"):
        set_standing(session, passage.document_id, standing)
        assert get_active_document(session, passage.document_id).standing == standing
    assert titles(session) == ["One"]
    set_standing(session, passage.document_id, "")
    assert get_active_document(session, passage.document_id).standing == ""
    assert titles(session) == []
    events = AuditEvent.objects.filter(subject_id=session.pk, action="document.stands")
    assert events.count() == 4


def test_nothing_is_said_of_a_document_that_may_not_be_read(
    session: Session, stranger: User
) -> None:
    theirs = document("Theirs", stranger)
    with pytest.raises(NotFound):
        set_standing(session, theirs.document_id, "boosted")
    with pytest.raises(NotFound):
        get_active_document(session, theirs.document_id)
    assert not DocumentStanding.objects.exists()


def test_it_costs_the_same_however_much_there_is(session: Session) -> None:
    passages = [document(f"Document {number}") for number in range(6)]
    for _ in range(8):
        cite(session, *passages)
    with CaptureQueriesContext(connection) as queries:
        assert len(list_uses(session, session.last_position + 1)) == 48
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        assert len(list_active_documents(session)) == 6
    assert len(queries) == 3  # what is said, what is cited, the documents
    with CaptureQueriesContext(connection) as queries:
        assert len(list_active_sections(session)) == 6
    assert len(queries) == 1
    assert active.SECTIONS >= 6
