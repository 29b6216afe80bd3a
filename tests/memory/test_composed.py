"""Queries composed once (memory.composed)."""

import contextlib
import gc
import weakref
from datetime import timedelta
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connections, transaction
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from django.utils import timezone

from memory.composed import composed
from memory.conversations.asking import create_session
from memory.models import DataKey, Session, Turn, User
from memory.models.rows import let_be

pytestmark = pytest.mark.django_db(databases=["default", "keys"])


@pytest.fixture
def compositions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that Django composes."""
    made: list[str] = []
    compose = SQLCompiler.as_sql

    def noted(self: SQLCompiler, *args: Any, **options: Any) -> Any:
        made.append(type(self).__name__)
        return compose(self, *args, **options)

    monkeypatch.setattr(SQLCompiler, "as_sql", noted)
    return made


def test_a_query_is_composed_once_and_asked_for_other_values(
    owner: User, compositions: list[str]
) -> None:
    @composed
    def visible(person: UUID, session: UUID) -> QuerySet[Session]:
        mine = Session.objects.visible_to(User(pk=person)).select_related("owner")
        return mine.filter(pk=session).order_by()

    one, other = (create_session(owner) for _ in range(2))
    assert visible(owner.pk, one.pk) == [one]
    assert compositions
    compositions.clear()
    assert visible(owner.pk, other.pk) == [other]
    assert visible(owner.pk, other.pk)[0].owner.username == owner.username
    assert visible(uuid4(), other.pk) == []
    assert compositions == []


def test_what_is_now_is_asked_for_each_time(owner: User, compositions: list[str]) -> None:
    @composed
    def live(session: UUID) -> QuerySet[Session, UUID]:
        return Session.objects.live().filter(pk=session).values_list("pk", flat=True)

    session = create_session(owner)
    assert live(session.pk) == [session.pk]
    Session.objects.filter(pk=session.pk).update(expires_at=timezone.now())
    compositions.clear()
    assert live(session.pk) == []
    assert compositions == []


def test_lists_choices_and_nothing_belong_to_the_shape(
    owner: User, compositions: list[str]
) -> None:
    @composed
    def among(sessions: list[UUID], status: Turn.Status, standalone: str | None) -> QuerySet[Turn]:
        rows = Turn.objects.filter(session__in=sessions, status=status)
        return rows.filter(standalone_query=None) if standalone is None else rows

    for count in (1, 2, 3, 0):
        assert among([uuid4() for _ in range(count)], Turn.Status.COMPLETE, None) == []
    assert among([uuid4()], Turn.Status.FAILED, None) == []
    compositions.clear()
    assert among([uuid4(), uuid4()], Turn.Status.COMPLETE, None) == []
    assert among([uuid4() for _ in range(4)], Turn.Status.COMPLETE, None) == []
    assert among([uuid4()], Turn.Status.FAILED, None) == []
    assert compositions == []


def test_a_query_with_what_else_changes_is_composed_each_time(owner: User) -> None:
    @composed
    def lately(person: UUID) -> QuerySet[Session]:
        return Session.objects.filter(owner=person, created_at__gt=timezone.now() - ago[0])

    ago = [timedelta(hours=1)]
    session = create_session(owner)
    assert lately(owner.pk) == [session]
    ago[0] = -ago[0]
    assert lately(owner.pk) == []


def test_a_text_that_begins_like_a_moment_is_a_text(owner: User) -> None:
    @composed
    def named(name: str) -> QuerySet[User, str]:
        return User.objects.filter(username=name).values_list("username", flat=True)

    assert named(timezone.now().isoformat(" ")) == []
    assert named(owner.username) == [owner.username]


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_inside_a_transaction_only(owner: User) -> None:
    @composed
    def locked(person: UUID) -> QuerySet[User]:
        return User.objects.filter(pk=person).select_for_update().order_by()

    with pytest.raises(TransactionManagementError):
        locked(owner.pk)
    with transaction.atomic():
        assert locked(owner.pk) == [owner]


@pytest.mark.parametrize("alias", ["default", "keys"])
def test_a_thread_that_ended_keeps_no_connection_open(alias: str) -> None:
    # SQLite writes its log into its file when the last connection is closed, and not before.
    @composed
    def everyone(person: UUID) -> QuerySet[DataKey] | QuerySet[User]:
        model: Any = DataKey if alias == "keys" else User
        return model.objects.using(alias).filter(pk=person)

    held = []

    def ask() -> None:
        with contextlib.suppress(DatabaseError):  # SQLite's tests lie in the memory of a thread
            everyone(uuid4())
        held.append(weakref.ref(connections[alias]))

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    gc.collect()
    assert [connection() for connection in held] == [None]


def test_rows_can_take_the_place_of_a_relations(
    owner: User, django_assert_num_queries: Any
) -> None:
    session = create_session(owner)
    with django_assert_num_queries(0):
        let_be(session, "turns", [Turn(session_id=session.pk, owner=owner, position=1)])
        [turn] = session.turns.all()
        assert turn.session is session
