"""Tables whose rows are written once: the database refuses to change them, whoever asks."""

import sqlite3

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from memory.audit import append_only, recording
from memory.models import (
    AuditEvent,
    AuditLink,
    AuditStub,
    Consent,
    ErasedPerson,
    ErasedRow,
    User,
    WithdrawnConsent,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def event(owner: User) -> AuditEvent:
    return recording.record("test", actor=owner.pk, subject=owner)


def refused(statement: str) -> None:
    with (
        pytest.raises((IntegrityError, DatabaseError), match=r"append-only|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_audit_the_consents_and_the_ledger_are_written_once() -> None:
    of_the_ledger = {ErasedPerson, ErasedRow, WithdrawnConsent}
    of_the_chain = {AuditEvent, AuditLink, AuditStub, Consent}
    assert set(append_only.models()) == of_the_chain | of_the_ledger


def test_no_row_is_changed_or_deleted_by_anyone(event: AuditEvent) -> None:
    event.action = "another"
    for act in (
        event.save,
        event.delete,
        AuditEvent.objects.all().delete,
        lambda: AuditEvent.objects.update(action="another"),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            act()
    refused("UPDATE memory_auditevent SET action = 'another'")
    refused("DELETE FROM memory_auditevent")
    assert AuditEvent.objects.get(pk=event.pk).action == "test"


def test_who_may_delete_still_can_not_change(event: AuditEvent) -> None:
    with append_only.deletion_allowed():
        refused("UPDATE memory_auditevent SET action = 'another'")
        AuditEvent.objects.filter(pk=event.pk).delete()
    refused("DELETE FROM memory_auditevent")
    assert not AuditEvent.objects.filter(pk=event.pk).exists()


def test_the_permission_ends_when_the_deletion_fails(event: AuditEvent) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic(), append_only.deletion_allowed():
        AuditEvent.objects.filter(pk=event.pk).delete()
        raise ZeroDivisionError
    refused("DELETE FROM memory_auditevent")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_the_table_is_not_emptied(event: AuditEvent) -> None:
    refused("TRUNCATE memory_auditevent CASCADE")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file that other programs can open")
def test_another_program_can_not_delete_either(event: AuditEvent) -> None:
    other = sqlite3.connect(connection.settings_dict["NAME"])
    with pytest.raises(sqlite3.OperationalError, match="memory_is_lifted"):
        other.execute("DELETE FROM memory_auditevent")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute("UPDATE memory_auditevent SET action = 'another'")
    other.close()
