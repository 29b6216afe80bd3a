"""A package taken in by an instance that doesn't know its person yet, with all ids as they were.

Only the portable tables are taken in, and each row becomes the person's, whatever it says. Tokens,
devices, passwords and rights stay behind: a file can't give anyone a way in.
"""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import BinaryField, DateTimeField, ForeignKey, Model
from django.utils import timezone

from memory import audit
from memory.fields import SealedBytesField, SealedTextField
from memory.forgetting.portability import (
    CHUNK,
    CLOCKS,
    FORMAT,
    VERSION,
    AnyField,
    Belongings,
    Table,
    tables,
)
from memory.models import User

ACCOUNT = ("id", "username", "email", "first_name", "last_name", "tier", "time_zone", "language")


class Unfit(Exception):
    """What is given is no package, or doesn't fit into this instance; the message says why."""


def take_in(package: Mapping[str, Any], *, username: str = "") -> User:
    """Make the package's account with all that is in its tables, or nothing; raises Unfit.

    It gets another user name than it had if one is given.
    """
    if package.get("format") != FORMAT or package.get("version") != VERSION:
        raise Unfit("This is no package of this version.")
    try:
        with transaction.atomic():
            person = _account(package, username)
            made_at = datetime.fromisoformat(package["made_at"])
            _Rows(person, timezone.now() - made_at).take_in(package["tables"])
            audit.record("package.imported", actor=None, subject=person)
            if digest_of(person) != package.get("digest"):
                raise Unfit("The digest is another: the package was changed.")
    except (KeyError, TypeError, ValueError, ValidationError) as error:
        raise Unfit(f"The package is damaged ({type(error).__name__}).") from error
    except IntegrityError as error:
        raise Unfit("Some of it is here already.") from error
    return person


def digest_of(person: User) -> str:
    """Return the digest that a package of the person would have now."""
    belongings = Belongings(person)
    for table in tables():
        if table.is_portable:
            for _row in belongings.rows(table):
                pass
    return belongings.digest()


def _account(package: Mapping[str, Any], username: str) -> User:
    (row,) = package["about_you"]["memory.user"]
    fields = {field.name: field for field in User._meta.fields}
    person = User(**{name: _value(fields[name], row[name]) for name in ACCOUNT})
    person.username = username or person.username
    if User.objects.filter(pk=person.pk).exists():
        raise Unfit("This person is here already.")
    if User.objects.filter(username=person.username).exists():
        raise Unfit("There is another account of this name.")
    # What they allow is in the package.
    person.presumes_consent = False
    person.set_unusable_password()
    person.save(force_insert=True)
    return person


class _Rows:
    """Makes rows of what tables say; what a row points at has been made before it."""

    def __init__(self, person: User, since: timedelta) -> None:
        self._person = person
        # In the package no clock ran.
        self._since = since
        self._made: dict[type[Model], dict[Any, Any]] = {}

    def take_in(self, given: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Make the rows of all tables; raises Unfit for a table or a field that isn't one."""
        known = [table for table in tables() if table.is_portable]
        if unknown := set(given) - {table.name for table in known}:
            raise Unfit(f"There is no table {min(unknown)!r} here.")
        for table in known:
            rows = given.get(table.name, [])
            if not table.is_counted:
                # Their ids stay: rows may point at a later one of their own table.
                key = table.model._meta.pk
                ids = {row[key.name]: key.to_python(row[key.name]) for row in rows}
                self._made[table.model] = ids
            for start in range(0, len(rows), CHUNK):
                self._make(table, rows[start : start + CHUNK])

    def _make(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
        instances = [self._instance(table, row) for row in rows]
        table.model._base_manager.bulk_create(instances)
        primary = table.model._meta.pk.name
        made = self._made.setdefault(table.model, {})
        made.update((row[primary], one.pk) for row, one in zip(rows, instances, strict=True))

    def _instance(self, table: Table, row: Mapping[str, Any]) -> Model:
        fields = {field.name: field for field in table.fields}
        if set(row) != set(fields):
            raise Unfit(f"A row of {table.name} has other fields than here.")
        instance = table.model()
        for name, field in fields.items():
            if isinstance(field, ForeignKey):
                setattr(instance, field.attname, self._pointed(field, row[name]))
            elif not (field.primary_key and table.is_counted):
                value = _value(field, row[name])
                shifted = value + self._since if name in CLOCKS and value else value
                setattr(instance, field.attname, shifted)
        for field in table.model._meta.fields:
            if field not in table.fields and not field.primary_key:
                _fill(instance, field)
        return instance

    def _pointed(self, field: "ForeignKey[Any, Any]", value: Any) -> Any:
        target = field.related_model
        if target is User:
            return self._person.pk
        made = self._made.get(target, {}).get(value)
        # What is outside of the package was for information.
        if made is None and not field.null:
            raise Unfit(f"{field} points at nothing.")
        return made


def _value(field: AnyField, value: Any) -> Any:
    """Return a field's value from JSON's."""
    if isinstance(field, SealedTextField) and not isinstance(field, SealedBytesField):
        return value
    if isinstance(field, BinaryField):
        return None if value is None else b64decode(value, validate=True)
    return field.to_python(value)


def _fill(instance: Model, field: AnyField) -> None:
    """Give a field that packages don't have, and that has no value of its own, one that fits."""
    if field.null or field.has_default() or isinstance(field, BinaryField):
        return
    if isinstance(field, DateTimeField):
        setattr(instance, field.attname, timezone.now())
    elif field.get_internal_type() == "CharField":
        # Where it has to be unique, the row's id is.
        setattr(instance, field.attname, instance.pk.hex if isinstance(instance.pk, UUID) else "")
    else:
        setattr(instance, field.attname, 0)
