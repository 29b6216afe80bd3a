"""P14: a restored backup brings nothing back that was erased since: the ledger is replayed before
anything is served.
"""

import shutil
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from config.programs import build_worker_command
from memory.audit import append_only
from memory.conversations.asking import create_session
from memory.errors import NotFound
from memory.forgetting.deletion import erase_session, erase_turn
from memory.forgetting.erasure import restoring
from memory.jobs.queue import run_due
from memory.models import (
    Consent,
    DataKey,
    ErasedPerson,
    ErasureRequest,
    LedgerEcho,
    LedgerMark,
    Purpose,
    Session,
    Turn,
    User,
)
from memory.personal_data import consent
from memory.sealing import ledger
from tests.promises.canaries import asked
from tests.servers import Web
from tests.surroundings import run

Scope = ErasureRequest.Scope

PLANT = """
from memory.conversations.asking import Question, create_session
from memory.models import User
from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
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
from memory.forgetting.erasure.people import count_left
owner = User.objects.filter(username="owner").first()
print(sum(count_left(owner.pk).values()) if owner else 0)
"""


def number_left(web: Web) -> int:
    return int(web.python(LEFT).split()[-1])


def a_restore_brings_nothing_back(web: Web, *, sessions: int) -> None:
    web.python(PLANT.format(sessions=sessions))
    assert number_left(web) > 4 * sessions
    backup = web.data_dir.parent / f"{web.data_dir.name}.backup"  # not where it would be searched
    store = STORES[connection.vendor](web)
    store.back_up(backup)

    erase(web, "owner")
    assert number_left(web) == 0
    store.put_back(backup)
    assert number_left(web) > 4 * sessions, "the backup brought it all back"

    with pytest.raises(AssertionError, match="reapply_erasures"):
        web.start()
    assert "A backup brought back" in web.log()
    worker = run(build_worker_command(), web.environment)
    assert worker.returncode == 1
    assert "A backup brought back" in worker.stderr
    assert "have been deleted" in web.manage("prepare")
    assert number_left(web) == 0
    stored = store.content()
    assert b"owner@example.org" not in stored
    assert b"colleague@example.org" in stored
    web.start()


def erase(web: Web, username: str) -> None:
    """Erase the person; that storage may have to be overwritten once more is P13's to say."""
    try:
        web.manage("erase_person", username, "--yes")
    except AssertionError as failed:
        if "The worker goes on with it" not in str(failed):
            raise


class File:
    """The content in SQLite: its backup is a file."""

    def __init__(self, web: Web) -> None:
        self._database = web.data_dir / "throughline.sqlite3"

    def back_up(self, backup: Path) -> None:
        source, target = sqlite3.connect(self._database), sqlite3.connect(backup)
        source.backup(target)
        source.close()
        target.close()

    def put_back(self, backup: Path) -> None:
        for ending in ("-wal", "-shm"):
            Path(str(self._database) + ending).unlink(missing_ok=True)
        shutil.copy(backup, self._database)

    def content(self) -> bytes:
        return self._database.read_bytes()


class Server:
    """The content in PostgreSQL: its backup is another database of the server."""

    def __init__(self, web: Web) -> None:
        self._url = web.environment["DATABASE_URL"]
        self._name = urlsplit(self._url).path.removeprefix("/")

    def back_up(self, backup: Path) -> None:
        self._copy(self._name, f"{self._name}_backup")

    def put_back(self, backup: Path) -> None:
        self._copy(f"{self._name}_backup", self._name)

    def content(self) -> bytes:
        found = b""
        with psycopg.connect(self._url) as connected:
            names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            for (table,) in connected.execute(names).fetchall():
                with connected.cursor().copy(f'COPY "{table}" TO STDOUT') as rows:
                    found += b"".join(rows)
        return found

    def _copy(self, source: str, target: str) -> None:
        elsewhere = self._url.replace(f"/{self._name}", "/postgres", 1)
        with psycopg.connect(elsewhere, autocommit=True) as connected:
            connected.execute(f'DROP DATABASE IF EXISTS "{target}" WITH (FORCE)')
            connected.execute(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


STORES: dict[str, type[File | Server]] = {"sqlite": File, "postgresql": Server}


def test_p14_a_restore_does_not_bring_a_person_back(blueprint, tmp_path: Path) -> None:
    stopped_afterwards(blueprint.copy(TMPDIR=str(tmp_path)), sessions=5)


@pytest.mark.deep
def test_p14_a_restore_does_not_bring_a_hundred_conversations_back(
    blueprint, tmp_path: Path
) -> None:
    stopped_afterwards(blueprint.copy(TMPDIR=str(tmp_path)), sessions=100)


# Temporary files are searched too, and those of other test runs may have the same words.
def stopped_afterwards(web: Web, *, sessions: int) -> None:
    try:
        a_restore_brings_nothing_back(web, sessions=sessions)
    finally:
        web.stop()


# --- Single rows, and the ledger itself -------------------------------------------------------


@pytest.mark.postgresql
@pytest.mark.django_db
def test_p14_what_was_deleted_one_by_one_stays_deleted(owner: User) -> None:
    session, other = create_session(owner, title="Gone"), create_session(owner, title="Kept")
    turn, kept = asked(other, "What is the fee?"), asked(other, "And when is it due?")
    backup = [Session.objects.get(pk=session.pk), Turn.objects.get(pk=turn.pk)]
    assert all(row.title if isinstance(row, Session) else row.query for row in backup)
    erase_session(session, actor=owner)
    erase_turn(turn, actor=owner)
    for row in backup:
        row.save(force_insert=True)

    assert set(restoring.find_returned_data().rows) == {("session", session.pk), ("turn", turn.pk)}
    with pytest.raises(CommandError, match="there again"):
        call_command("reapply_erasures", "--check")
    restoring.reapply()
    assert [row.pk for row in Session.objects.all()] == [other.pk]
    assert [row.pk for row in Turn.objects.all()] == [kept.pk]
    assert not restoring.find_returned_data()


@pytest.mark.django_db
def test_p14_a_backup_of_the_keys_that_is_put_back_opens_nothing(owner: User) -> None:
    asked_of(owner)
    key = DataKey.objects.get(owner_id=owner.pk)
    request = ErasureRequest.objects.create(
        scope=Scope.ACCOUNT, person_id=owner.pk, shredded_at=owner.date_joined
    )
    with append_only.deletion_allowed("keys"):
        ErasedPerson.objects.all().delete()
    assert restoring.find_returned_data().keys == [key.owner_id]
    restoring.reapply()
    assert not DataKey.objects.filter(owner_id=owner.pk).exists()
    assert ErasedPerson.objects.get(pk=owner.pk).request_id == request.pk


def asked_of(someone: User) -> None:
    asked(create_session(someone), "What is the fee?")


@pytest.mark.django_db
def test_p14_a_consent_that_was_taken_back_stays_so(owner: User) -> None:
    turn = asked(create_session(owner), "What is the fee?")
    Turn.objects.update(rating=1)
    before = set(Consent.objects.values_list("pk", flat=True))
    consent.decide(owner, {Purpose.IMPROVE: False}, source=Consent.Source.PAGE)
    run_due()
    with append_only.deletion_allowed():  # a backup of before is put back
        Consent.objects.exclude(pk__in=before).delete()
    Turn.objects.update(rating=1)
    assert consent.allows(owner.pk, Purpose.IMPROVE)

    assert restoring.find_returned_data().consents == {(owner.pk, "improve")}
    restoring.reapply()
    assert not consent.allows(owner.pk, Purpose.IMPROVE)
    newest = consent.list_decisions(owner)[0]
    assert (newest.given, newest.source, newest.number) == (False, "restored", 2)
    assert consent.allows(owner.pk, Purpose.STORE)
    run_due()
    turn.refresh_from_db()
    assert turn.rating is None
    assert not restoring.find_returned_data()
    # A later decision counts, regardless of earlier entries in the ledger.
    consent.decide(owner, {Purpose.IMPROVE: True}, source=Consent.Source.PAGE)
    assert not restoring.find_returned_data()


# --- The cost of a start --------------------------------------------------------------------------


@pytest.mark.django_db
def test_p14_a_start_without_a_restore_asks_one_query_in_each_database(
    owner: User, django_assert_num_queries
) -> None:
    erase_session(create_session(owner), actor=owner)
    for using in ("default", "keys"):
        with django_assert_num_queries(1, connection=connections[using]):
            assert not restoring.must_reapply()


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("put_back", ["content", "keys"])
def test_p14_a_start_sees_that_either_database_was_put_back(owner: User, put_back: str) -> None:
    model = {"content": LedgerEcho, "keys": LedgerMark}[put_back]
    erase_session(create_session(owner), actor=owner)
    backup = model.objects.get().value
    erase_session(create_session(owner), actor=owner)
    assert ledger.read_marks().agree
    model.objects.update(value=backup)
    assert not ledger.read_marks().agree
    erase_session(create_session(owner), actor=owner)
    assert not ledger.read_marks().agree, "what is noted later hides it not"
    assert not restoring.must_reapply()
    assert ledger.read_marks().agree


# --- An id that a client chose --------------------------------------------------------------------


@pytest.mark.django_db
def test_p14_the_id_of_an_erased_session_is_never_given_again(owner: User) -> None:
    session = create_session(owner)
    erase_session(session, actor=owner)
    with pytest.raises(NotFound):
        create_session(owner, id=session.pk)
    assert not Session.objects.exists()
    assert not restoring.find_returned_data()
