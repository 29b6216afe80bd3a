"""P14: a restored backup brings nothing back that was erased since: the ledger is replayed before
anything is served.
"""

import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memory.forgetting import restoring
from memory.forgetting.erasure import erase_session, erase_turn
from memory.models import ErasedPerson, ErasureRequest, Session, Turn, User
from tests.promises.canaries import asked
from tests.servers import Web

# A backup of SQLite is its file; one of PostgreSQL is made and put back by its own tools.
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the backup is a file"),
]
Scope = ErasureRequest.Scope

PLANT = """
from memory.asking import Question, create_session
from memory.models import User
from chat.turns import answer_now, take_turn
from citations.ingestion import add_document
from memory.jobs import run_due
owner = User.objects.get(username="owner")
for number in range({sessions}):
    session = create_session(owner, title=f"Kxtitle{{number:012d}}ab")
    attempt = take_turn(session, Question(f"What of the Kxquery{{number:012d}}ab clause?")).attempt
    answer_now(attempt)
add_document(b"The Kxpassage0123456789ab clause sets no fee.", file_name="a.txt", owner=owner)
run_due()
"""
LEFT = """
from memory.models import User
from memory.forgetting.persons import left_of
owner = User.objects.filter(username="owner").first()
print(sum(left_of(owner.pk).values()) if owner else 0)
"""


def number_left(web: Web) -> int:
    return int(web.python(LEFT).split()[-1])


def a_restore_brings_nothing_back(web: Web, *, sessions: int) -> None:
    web.python(PLANT.format(sessions=sessions))
    assert number_left(web) > 4 * sessions
    backup = web.data_dir.parent / f"{web.data_dir.name}.backup"  # not where it would be searched
    copy_of(web.data_dir / "throughline.sqlite3", backup)

    web.manage("erase_person", "owner", "--yes")
    assert number_left(web) == 0
    put_back(backup, web.data_dir / "throughline.sqlite3")
    assert number_left(web) > 4 * sessions, "the backup brought it all back"

    with pytest.raises(AssertionError, match="reapply_erasures"):
        web.start()
    assert "A backup brought back" in web.log()
    assert "have been deleted" in web.manage("prepare")
    assert number_left(web) == 0
    stored = (web.data_dir / "throughline.sqlite3").read_bytes()
    assert b"owner@example.org" not in stored
    assert b"colleague@example.org" in stored
    web.start()


def copy_of(database: Path, backup: Path) -> None:
    import sqlite3

    source, target = sqlite3.connect(database), sqlite3.connect(backup)
    source.backup(target)
    source.close()
    target.close()


def put_back(backup: Path, database: Path) -> None:
    for ending in ("-wal", "-shm"):
        Path(str(database) + ending).unlink(missing_ok=True)
    shutil.copy(backup, database)


def test_p14_a_restore_does_not_bring_a_person_back(blueprint) -> None:
    stopped_afterwards(blueprint.copy(), sessions=5)


@pytest.mark.deep
def test_p14_a_restore_does_not_bring_a_hundred_conversations_back(blueprint) -> None:
    stopped_afterwards(blueprint.copy(), sessions=100)


def stopped_afterwards(web: Web, *, sessions: int) -> None:
    try:
        a_restore_brings_nothing_back(web, sessions=sessions)
    finally:
        web.stop()


# --- Single rows, and the ledger itself -------------------------------------------------------


@pytest.mark.django_db
def test_p14_what_was_deleted_one_by_one_stays_deleted(owner: User) -> None:
    from memory.asking import create_session

    session, other = create_session(owner, title="Gone"), create_session(owner, title="Kept")
    turn, kept = asked(other, "What is the fee?"), asked(other, "And when is it due?")
    backup = [Session.objects.get(pk=session.pk), Turn.objects.get(pk=turn.pk)]
    assert all(row.title if isinstance(row, Session) else row.query for row in backup)
    erase_session(session, actor=owner)
    erase_turn(turn, actor=owner)
    for row in backup:
        row.save(force_insert=True)

    assert set(restoring.returned().rows) == {("session", session.pk), ("turn", turn.pk)}
    with pytest.raises(CommandError, match="there again"):
        call_command("reapply_erasures", "--check")
    assert restoring.reapply().rows == 2
    assert [row.pk for row in Session.objects.all()] == [other.pk]
    assert [row.pk for row in Turn.objects.all()] == [kept.pk]
    assert not restoring.returned()


@pytest.mark.django_db
def test_p14_a_backup_of_the_keys_that_is_put_back_opens_nothing(owner: User) -> None:
    from memory.models import DataKey

    asked_of(owner)
    key = DataKey.objects.get(owner_id=owner.pk)
    request = ErasureRequest.objects.create(
        scope=Scope.ACCOUNT, person_id=owner.pk, shredded_at=owner.date_joined
    )
    ErasedPerson.objects.all().delete()
    assert restoring.returned().keys == [key.owner_id]
    restoring.reapply()
    assert not DataKey.objects.filter(owner_id=owner.pk).exists()
    assert ErasedPerson.objects.get(pk=owner.pk).request_id == request.pk


def asked_of(someone: User) -> None:
    from memory.asking import create_session

    asked(create_session(someone), "What is the fee?")


@pytest.mark.django_db
def test_p14_the_ledger_costs_a_start_little(owner: User, django_assert_max_num_queries) -> None:
    from uuid_utils.compat import uuid7

    from memory.forgetting import ledger

    for kind in ("session", "turn", "document"):
        ledger.note_all(kind, [uuid7() for _ in range(1000)])
    with django_assert_max_num_queries(12):
        assert not restoring.returned()
