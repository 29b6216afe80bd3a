"""Tables whose rows are written once: the database refuses to change them, whoever asks."""

import sqlite3

import pytest
from django.db import DatabaseError, IntegrityError, connection, connections, transaction
from django.db.models import Model
from uuid_utils.compat import uuid7

from memory.audit import append_only, recording
from memory.models import (
    AuditEvent,
    Consent,
    ErasedPerson,
    ErasedRow,
    Purpose,
    User,
    WithdrawnConsent,
)
from memory.personal_data import consent
from memory.sealing import ledger
from memory.sealing.cipher import shred

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(owner: User) -> AuditEvent:
    return recording.record("test", actor=owner.pk, subject=owner)


def refused(statement: str) -> None:
    with (
        pytest.raises((IntegrityError, DatabaseError), match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_audit_the_consents_and_the_ledger_are_written_once() -> None:
    of_the_ledger = {ErasedPerson, ErasedRow, WithdrawnConsent}
    assert set(append_only.models()) == {AuditEvent, Consent} | of_the_ledger


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
    with append_only.lifted():
        refused("UPDATE memory_auditevent SET action = 'another'")
        AuditEvent.objects.filter(pk=event.pk).delete()
    refused("DELETE FROM memory_auditevent")
    assert not AuditEvent.objects.filter(pk=event.pk).exists()


def test_the_permission_ends_when_the_deletion_fails(event: AuditEvent) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic(), append_only.lifted():
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


@pytest.mark.skipif(connection.vendor != "sqlite", reason="REPLACE is SQLite's")
@pytest.mark.parametrize(
    ("model", "field"),
    [
        (AuditEvent, "action"),
        (Consent, "source"),
        (ErasedRow, "kind"),
        (ErasedPerson, "request_id"),
        (WithdrawnConsent, "purpose"),
    ],
)
def test_no_row_is_put_in_the_place_of_another(model: type[Model], field: str, owner: User) -> None:
    everything(owner)
    row = model._base_manager.values().first()
    assert row
    forged = model(**row | {field: uuid7().hex[:8] if field != "request_id" else uuid7()})
    refused_instead(forged)
    if model is Consent:
        forged.pk = uuid7()
        refused_instead(forged)
    assert model._base_manager.values().first() == row


def everything(owner: User) -> None:
    """Write a row of each kind."""
    recording.record("test", actor=owner.pk, subject=owner)
    consent.decide(owner, {Purpose.STORE: False}, source=Consent.Source.PAGE)
    ledger.note(owner)
    shred(owner.pk)


def refused_instead(row: Model) -> None:
    """Insert the row as REPLACE does, and see that nothing comes of it."""
    fields = row._meta.concrete_fields
    columns = ", ".join(field.column for field in fields)
    using = connections["default" if isinstance(row, AuditEvent | Consent) else "keys"]
    values = [field.get_db_prep_save(getattr(row, field.attname), using) for field in fields]
    statement = f"INSERT OR REPLACE INTO {row._meta.db_table} ({columns}) VALUES "
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(using=using.alias),
        using.cursor() as cursor,
    ):
        cursor.execute(f"{statement} ({', '.join(['%s'] * len(values))})", values)
