"""SQLite locked by somebody else: writers wait as long as they may, readers don't wait."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from threading import Timer
from traceback import walk_tb

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.test import Client

from memory.models import User
from memory.outages import is_passing
from memory.people.api_tokens import issue
from memory.sqlite import patience as waiting
from memory.sqlite.patience import long_patience, patience

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def locked() -> Iterator[sqlite3.Connection]:
    """Hold the write lock from another connection, as another program would."""
    name = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(name, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


def test_lists_are_read_while_another_program_writes(
    owner: User, locked: sqlite3.Connection
) -> None:
    api = Client(headers=bearer(owner, locked))
    began = time.monotonic()
    answer = api.get("/api/v1/sessions")
    assert answer.status_code == 200
    assert time.monotonic() - began < 2


def test_an_upload_is_refused_in_words_within_seconds(
    owner: User, locked: sqlite3.Connection
) -> None:
    api = Client(headers=bearer(owner, locked), raise_request_exception=False)
    began = time.monotonic()
    answer = api.post("/api/v1/documents", {"file": SimpleUploadedFile("fee.txt", b"The fee.")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) > 0
    assert time.monotonic() - began < 2 * waiting.REQUEST_SECONDS


def bearer(owner: User, locked: sqlite3.Connection) -> dict[str, str]:
    """Return the headers of a new token, which is issued while the lock is let go."""
    locked.execute("ROLLBACK")
    _row, token = issue(owner, lifetime=None)
    locked.execute("BEGIN IMMEDIATE")
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.usefixtures("locked")
def test_a_writer_that_waits_in_vain_hears_that_the_database_is_locked() -> None:
    with patience(0.1), pytest.raises(OperationalError, match="locked") as raised:
        take_lock()
    assert is_passing(raised.value)


@pytest.mark.usefixtures("locked")
def test_a_writer_that_waited_in_vain_leaves_its_cursor_closed() -> None:
    with patience(0.1), pytest.raises(OperationalError) as raised:
        take_lock()
    [cursor] = [
        frame.f_locals["self"]
        for frame, _line in walk_tb(raised.tb)
        if isinstance(frame.f_locals.get("self"), SQLiteCursorWrapper)
    ]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        cursor.fetchone()


def test_what_was_promised_waits_longer_than_a_request(locked: sqlite3.Connection) -> None:
    freed = Timer(0.5, locked.execute, ["ROLLBACK"])
    with patience(0.1), long_patience():
        freed.start()
        take_lock()
    freed.join()


def take_lock() -> None:
    with transaction.atomic():
        pass
