"""Import of a package by an instance that doesn't know its person yet; all ids stay the same.

Only the portable tables are imported, and each row becomes the person's, whatever it states.
Tokens, devices, passwords and rights are not imported: a file can't give access. Nor can it extend
retention: nothing expires later than a session begun now. The digest is no signature, so each value
is validated by its field.
"""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import BinaryField, CharField, DateTimeField, ForeignKey, Model
from django.utils import timezone

from memory import audit
from memory.fields import SealedBytesField, SealedTextField
from memory.models import ErasedPerson, Fact, RetentionPolicy, Session, User
from memory.owners import OwnerId
from memory.personal_data.rows import (
    CHUNK,
    CLOCKS,
    FORMAT,
    VERSION,
    AnyField,
    Belongings,
    Table,
    list_tables,
)
from memory.sealing import ledger

ACCOUNT = ("id", "username", "email", "first_name", "last_name", "tier", "time_zone", "language")
# Largest lag of our clock behind that of the package's instance.
AHEAD = timedelta(hours=1)
WRONG = (TypeError, ValueError, ValidationError, OverflowError, AttributeError, RecursionError)
Tables = Mapping[str, Sequence[Mapping[str, Any]]]


class Unfit(Exception):
    """The file is no package, or doesn't fit into this instance; the message gives the reason."""


def take_in(package: Mapping[str, Any], *, username: str = "") -> User:
    """Make the package's account with everything in its tables, or nothing; raises Unfit.

    A given user name replaces the old one.
    """
    if package.get("format") != FORMAT or package.get("version") != VERSION:
        raise Unfit("This is no package of this version.")
    try:
        with transaction.atomic():
            person = _make_account(package, username)
            _Rows(person, timezone.now() - _parse_creation(package)).take_in(
                _get_tables(package, "tables")
            )
            audit.record("package.imported", actor=None, subject=person)
            if compute_digest(person) != package.get("digest"):
                raise Unfit("The digest is another: the package was changed.")
    except (KeyError, *WRONG) as error:
        raise Unfit(f"The package is damaged ({type(error).__name__}).") from error
    except IntegrityError as error:
        raise Unfit("Some of it is here already, or is in it twice.") from error
    return person


def compute_digest(person: User) -> str:
    """Return the digest of a package of the person, made now."""
    belongings = Belongings(person)
    for table in list_tables():
        if table.is_portable:
            for _row in belongings.rows(table):
                pass
    return belongings.digest()


def _make_account(package: Mapping[str, Any], username: str) -> User:
    rows = _get_tables(package, "about_you").get("memory.user", [])
    if len(rows) != 1 or not {*ACCOUNT} <= {*rows[0]}:
        raise Unfit("about_you has no row of memory.user with all that an account needs.")
    row = {**rows[0], "username": username or rows[0]["username"]}
    fields = {field.name: field for field in User._meta.fields}
    person = User(**{name: _parse_value(fields[name], row[name]) for name in ACCOUNT})
    if ErasedPerson.objects.filter(pk=person.pk).exists():
        raise Unfit("This person was erased here.")
    if User.objects.filter(pk=person.pk).exists():
        raise Unfit("This person is here already.")
    if User.objects.filter(username=person.username).exists():
        raise Unfit("There is another account of this name.")
    # Their consents are in the package.
    person.presumes_consent = False
    person.set_unusable_password()
    person.save(force_insert=True)
    return person


def _parse_creation(package: Mapping[str, Any]) -> datetime:
    try:
        made_at = datetime.fromisoformat(package["made_at"])
        if made_at > timezone.now() + AHEAD:
            raise Unfit("made_at is a time to come.")
    except (KeyError, *WRONG) as error:
        raise Unfit("made_at is no time with its time zone.") from error
    return made_at


def _get_tables(package: Mapping[str, Any], name: str) -> Tables:
    """Return a member of the package that has tables, or raise Unfit."""
    given = package.get(name)
    if not isinstance(given, dict):
        raise Unfit(f"{name} is no object.")
    for table, rows in given.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise Unfit(f"{table} in {name} is no list of rows.")
    return given


class _Rows:
    """Makes rows from tables; the targets of a row's references are made before it."""

    def __init__(self, person: User, since: timedelta) -> None:
        self._person = person
        # Time doesn't count for a package.
        self._since = since
        self._now = timezone.now()
        self._policy = RetentionPolicy.objects.ruling(person.tier)
        self._made: dict[type[Model], dict[Any, Any]] = {}

    def take_in(self, given: Tables) -> None:
        """Make the rows of all tables; raises Unfit for an unknown table or field."""
        known = [table for table in list_tables() if table.is_portable]
        if unknown := set(given) - {table.name for table in known}:
            raise Unfit(f"There is no table {min(unknown)!r} here.")
        for table in known:
            rows = given.get(table.name, [])
            if not table.is_counted:
                # Ids stay the same: a row may refer to a later one of its own table.
                key = table.model._meta.pk
                ids = {str(row.get(key.name)): _parse_value(key, row.get(key.name)) for row in rows}
                if ledger.find_erased_ids(ids.values()):
                    raise Unfit(f"Some rows of {table.name} were erased here.")
                self._made[table.model] = ids
            primary, made = table.model._meta.pk.name, self._made.setdefault(table.model, {})
            for start in range(0, len(rows), CHUNK):
                some = rows[start : start + CHUNK]
                instances = [self._instance(table, row) for row in some]
                table.model._base_manager.bulk_create(instances)
                made.update(
                    (row[primary], one.pk) for row, one in zip(some, instances, strict=True)
                )

    def _instance(self, table: Table, row: Mapping[str, Any]) -> Model:
        fields = {field.name: field for field in table.fields}
        if set(row) != set(fields):
            raise Unfit(f"A row of {table.name} has other fields than here.")
        instance = table.model()
        for name, field in fields.items():
            if isinstance(field, ForeignKey):
                setattr(instance, field.attname, self._pointed(field, row[name]))
            elif not (field.primary_key and table.is_counted):
                setattr(instance, field.attname, _parse_value(field, row[name]))
        for field in table.model._meta.fields:
            if isinstance(field, OwnerId):
                setattr(instance, field.attname, self._person.pk)
            elif field not in table.fields and not field.primary_key:
                _fill(instance, field)
        if isinstance(instance, Session):
            self._set_clocks(instance)
        if isinstance(instance, Fact):
            self._set_end(instance)
        return instance

    def _set_clocks(self, session: Session) -> None:
        """Keep its remaining lifetime, at most that of one begun now."""
        session.owner = self._person
        latest = session.compute_expiry(self._now, self._policy)
        for name in CLOCKS:
            if moment := getattr(session, name):
                # Before any sum that could exceed the calendar.
                left = min(moment, self._now + timedelta(days=36_500)) + self._since
                setattr(session, name, min(left, latest))

    def _set_end(self, fact: Fact) -> None:
        """Set its expiry as if it were confirmed now."""
        lifetime = self._policy.fact_lifetime
        lives_on = fact.session_id is None and lifetime is not None
        fact.expires_at = self._now + timedelta(seconds=lifetime or 0) if lives_on else None

    def _pointed(self, field: "ForeignKey[Any, Any]", value: Any) -> Any:
        target = field.related_model
        if target is User:
            return self._person.pk
        made = self._made.get(target, {}).get(value) if isinstance(value, str | int) else None
        # References to rows outside of the package are for information.
        if made is None and not field.null:
            raise Unfit(f"{field} points at nothing.")
        return made


def _parse_value(field: AnyField, value: Any) -> Any:
    """Return a field's value from JSON, or raise Unfit if it is invalid."""
    try:
        made = _convert_value(field, value)
        if made is None and not field.null:
            raise ValueError
        if field.flatchoices and made and made not in dict(field.flatchoices):
            raise ValueError
        field.run_validators(made)
    except WRONG as error:
        raise Unfit(f"{str(field).lower()} can't be what it is in the package.") from error
    return made


def _convert_value(field: AnyField, value: Any) -> Any:
    if type(field) is SealedTextField or isinstance(field, CharField):
        if not isinstance(value, str | None):
            raise TypeError
        return value
    if isinstance(field, SealedBytesField):
        return None if value is None else b64decode(value, validate=True)
    if isinstance(field, SealedTextField):  # JSON
        return value
    made = field.to_python(value)
    if isinstance(field, DateTimeField) and made:
        is_to_come = made > timezone.now() + AHEAD  # TypeError without a time zone
        if is_to_come and field.name not in CLOCKS:
            raise ValueError
    return made


def _fill(instance: Model, field: AnyField) -> None:
    """Set a field that is missing in packages and has no default to a valid value."""
    if field.null or field.has_default() or isinstance(field, BinaryField):
        return
    if isinstance(field, DateTimeField):
        setattr(instance, field.attname, timezone.now())
    elif field.get_internal_type() == "CharField":
        # A unique field gets the row's id.
        setattr(instance, field.attname, instance.pk.hex if isinstance(instance.pk, UUID) else "")
    else:
        setattr(instance, field.attname, 0)
