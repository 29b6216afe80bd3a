"""Transient errors of databases, and retries after a conflict."""

import errno
import sqlite3
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction

from memory.conversations.asking import create_session
from memory.forgetting import answers
from memory.models import Session, User
from memory.outages import TRIES, is_clash, is_passing, retry_clash
from tests.lock_order import ORDER, taken_too_late
from tests.lock_watch import strangers, tables
from tests.pages.conversations import turn_of
from tests.people import person
from tests.surroundings import PATIENCE


def raised(cause: Exception, kind: type[Exception] = OperationalError, **facts: int) -> Exception:
    for name, value in facts.items():
        setattr(cause, name, value)
    error = kind("as Django raises it")
    error.__cause__ = cause
    return error


def of_sqlite(code: int) -> Exception:
    return raised(sqlite3.OperationalError("so"), sqlite_errorcode=code)


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (of_sqlite(sqlite3.SQLITE_BUSY), True),
        (of_sqlite(sqlite3.SQLITE_FULL), True),
        (of_sqlite(sqlite3.SQLITE_IOERR_FSYNC), True),
        (of_sqlite(sqlite3.SQLITE_ERROR), False),  # such as a missing table
        (of_sqlite(sqlite3.SQLITE_CORRUPT), False),
        (raised(psycopg.OperationalError("connection refused")), True),
        (raised(psycopg.errors.AdminShutdown()), True),
        (raised(psycopg.errors.DeadlockDetected()), True),
        (raised(psycopg.errors.DiskFull()), True),
        (raised(psycopg.errors.QueryCanceled()), False),
        (raised(psycopg.errors.UndefinedTable()), False),
        (raised(psycopg.errors.UniqueViolation(), IntegrityError), False),
        (InterfaceError("connection already closed"), True),
        (OSError(errno.ENOSPC, "No space left"), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (ValueError("OperationalError"), False),
        (None, False),
    ],
)
def test_only_what_says_nothing_of_the_rows_passes(error: Exception | None, passes: bool) -> None:
    assert is_passing(error) is passes


def failing(times: int, error: Exception) -> Callable[[], int]:
    tries: list[int] = []

    def act() -> int:
        tries.append(1)
        if len(tries) <= times:
            raise error
        return len(tries)

    return act


@pytest.mark.django_db(transaction=True)
def test_a_clash_is_tried_again_a_few_times_and_nothing_else_is() -> None:
    clash = raised(psycopg.errors.DeadlockDetected())
    assert is_clash(clash)
    assert retry_clash(failing(TRIES - 1, clash)) == TRIES
    with pytest.raises(OperationalError):
        retry_clash(failing(TRIES, clash))
    away = raised(psycopg.errors.AdminShutdown())
    with pytest.raises(OperationalError):
        retry_clash(failing(1, away))
    with transaction.atomic(), pytest.raises(OperationalError):
        retry_clash(failing(1, clash))  # half of a transaction can't be tried again


@pytest.mark.django_db(transaction=True)
def test_a_deletion_that_has_to_give_in_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clash = failing(1, raised(psycopg.errors.DeadlockDetected()))
    monkeypatch.setattr(answers, "refuse_held", lambda _session: clash())
    session = create_session(person("owner"))
    turn = turn_of(session)
    answers.delete_answers(session.pk, [turn.pk])
    turn.refresh_from_db()
    assert turn.response == ""


def test_the_order_of_locks_is_held_against_what_a_transaction_has() -> None:
    assert taken_too_late("memory_user", ["memory_session", "memory_attempt"]) == []
    assert taken_too_late("memory_session", ["memory_user"]) == ["memory_user"]
    assert taken_too_late("memory_session", ["memory_attempt"]) == ["memory_attempt"]
    assert taken_too_late("memory_session", ["memory_session", "memory_user"]) == []
    assert taken_too_late("memory_user", ["memory_erasurerequest"]) == ["memory_erasurerequest"]
    assert taken_too_late("memory_session", ["memory_retentionrun"]) == ["memory_retentionrun"]
    assert taken_too_late(ORDER[-1], ORDER) == []


def test_what_is_locked_has_a_place_in_the_order() -> None:
    sql = 'SELECT 1 FROM "memory_session" INNER JOIN "memory_attempt" ON (1) FOR UPDATE'
    assert strangers(sql, tables(sql)[0]) == []
    sql = 'SELECT 1 FROM "memory_session" INNER JOIN "memory_consent" ON (1) FOR UPDATE'
    assert strangers(sql, tables(sql)[0]) == ["memory_consent"]
    sql = 'UPDATE "memory_consent" SET "x" = 1'
    assert strangers(sql, tables(sql)[0]) == []


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ('SELECT 1 FROM "a" INNER JOIN "b" ON (1) FOR UPDATE', (["a", "b"], True)),
        ('SELECT 1 FROM "a" INNER JOIN "b" ON (1) FOR UPDATE OF "a"', (["a"], True)),
        ('SELECT 1 FROM "a" FOR NO KEY UPDATE SKIP LOCKED', (["a"], False)),
        ('SELECT 1 FROM "a" WHERE x IN (SELECT 1 FROM "b" WHERE (1)) FOR UPDATE', (["a"], True)),
        ('UPDATE "a" SET "x" = 1', (["a"], True)),
        ('DELETE FROM "a" WHERE "a"."id" IN (1)', (["a"], True)),
        ('SELECT "a"."for_update" FROM "a"', ([], False)),
    ],
)
def test_the_watch_reads_what_a_statement_locks(sql: str, found: Any) -> None:
    assert tables(sql) == found


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock")
@pytest.mark.django_db(transaction=True)
def test_two_who_lock_the_wrong_way_round_both_get_through() -> None:
    owner = person("owner")
    sessions = [create_session(owner) for _ in range(2)]
    both_hold, done = Barrier(2), []

    def lock(first: Session, second: Session) -> None:
        waits = [True]

        def act() -> None:
            with transaction.atomic():
                Session.objects.select_for_update().get(pk=first.pk)
                if waits.pop() if waits else False:
                    both_hold.wait(PATIENCE)
                Session.objects.select_for_update().get(pk=second.pk)
                done.append(first.pk)

        try:
            retry_clash(act)
        finally:
            connection.close()

    threads = [Thread(target=lock, args=pair) for pair in (sessions, sessions[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == sorted(session.pk for session in sessions)
    assert User.objects.count() == 1
