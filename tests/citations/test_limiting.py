"""The documents that a question may be answered from."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from citations.models import Document
from citations.session_focus.document_scope import (
    count_reachable_documents,
    get_scope,
    join_limit,
    scope_session,
    scope_turn,
)
from memory.errors import NotFound
from memory.models import AuditEvent, Session, User
from tests.pages.conversations import turn_of


@pytest.fixture
def three(owner: User) -> list[Document]:
    """Two of the owner's documents and a shared one."""
    owners = (owner, owner, None)
    return [
        Document.objects.create(owner=who, title="D", authors=[], checksum=str(number))
        for number, who in enumerate(owners)
    ]


def test_without_a_limit_all_documents_are_searched(session: Session) -> None:
    assert get_scope(turn_of(session)) is None


def test_a_session_limits_its_turns_and_a_turn_itself(
    session: Session, three: list[Document]
) -> None:
    own, other, shared = (document.pk for document in three)
    scope_session(session, [own, shared, own])
    turn = turn_of(session)
    assert get_scope(turn) == {own, shared}
    scope_turn(turn, [other])
    assert get_scope(turn) == {other}


def test_a_limit_is_replaced_and_lifted(session: Session, three: list[Document]) -> None:
    own, other, shared = (document.pk for document in three)
    turn = turn_of(session)
    scope_session(session, [own, other])
    kept = session.limited_to.get(document=other).pk
    scope_session(session, [other, shared])
    assert get_scope(turn) == {other, shared}
    assert session.limited_to.filter(pk=kept).exists()
    scope_session(session, [])
    assert get_scope(turn) is None
    assert AuditEvent.objects.filter(action="session.limited").count() == 3


def test_of_deleted_documents_the_limit_stays(session: Session, three: list[Document]) -> None:
    turn = turn_of(session)
    scope_session(session, [three[0].pk, three[1].pk])
    three[0].delete()
    assert get_scope(turn) == {three[1].pk}
    three[1].delete()
    assert get_scope(turn) == frozenset()
    scope_turn(turn, [three[2].pk])
    three[2].delete()
    scope_session(session, [])
    assert get_scope(turn) == frozenset()


def test_what_one_may_not_read_is_no_limit(session: Session, stranger: User) -> None:
    theirs = Document.objects.create(owner=stranger, title="D", authors=[], checksum="x")
    turn = turn_of(session)
    for limit, what in ((scope_session, session), (scope_turn, turn)):
        with pytest.raises(NotFound):
            limit(what, [theirs.pk])
    assert get_scope(turn) is None


def test_an_erased_session_is_not_limited(session: Session, three: list[Document]) -> None:
    Session.objects.all().delete()
    with pytest.raises(NotFound):
        scope_session(session, [three[0].pk])


def test_a_question_reaches_what_is_ready_shared_or_ones_own_within_its_limit(
    owner: User, stranger: User, three: list[Document]
) -> None:
    assert count_reachable_documents(owner.pk, None) == 0, "none has been read yet"
    Document.objects.update(status=Document.Status.READY)
    assert count_reachable_documents(owner.pk, None) == 3
    assert count_reachable_documents(stranger.pk, None) == 1
    own, shared = three[0].pk, three[2].pk
    assert count_reachable_documents(owner.pk, frozenset([own, shared])) == 2
    assert count_reachable_documents(stranger.pk, frozenset([own, shared])) == 1


@pytest.mark.django_db(transaction=True)
def test_documents_that_join_a_limit_at_once_all_join_it(
    session: Session, three: list[Document], owner: User
) -> None:
    scope_session(session, [three[0].pk])
    added = [
        Document.objects.create(owner=owner, title="D", authors=[], checksum=f"added {number}")
        for number in range(6)
    ]
    ready = Barrier(len(added))

    def join(document: Document) -> None:
        try:
            Session.objects.get(pk=session.pk)  # with a connection of its own, before all begin
            ready.wait()
            join_limit(session, [document.pk])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(added)) as threads:
        list(threads.map(join, added))
    limits = set(session.limited_to.values_list("document_id", flat=True))
    assert limits == {three[0].pk, *(document.pk for document in added)}
