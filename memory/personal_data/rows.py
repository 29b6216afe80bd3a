"""All rows of a person, in a form that another instance can import.

The data map defines a person's rows and their exported fields; this module walks it, so a new model
needs no code here. A table is portable if it holds words or decisions of the person or answers to
them, or depends on such rows. Only portable tables are imported elsewhere
(memory.personal_data.importing), and the digest covers these. The others are included for
information: devices, tokens by name, addresses.

A row refers to another by its id. Rows with sequential ids have their position in the table
instead, from 1. References to rows outside of the package, as in the shared library, are included
for information and are null in the digest. So are expiry times, which the importing instance sets.
So the digest of the same rows is the same on every instance. It is the hash of a line `NAME
SHA256\\n` for each table with rows, by name. A table's hash is over its rows as JSON with sorted
keys and without spaces, in UTF-8, each with a line end.
"""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import AutoField, BinaryField, Field, ForeignKey, Model, Q, QuerySet

from memory.classification import Kind
from memory.fields import SealedBytesField, SealedTextField
from memory.models import AuditEvent, User
from memory.personal_data import data_map

FORMAT, VERSION = "throughline-package", 1
OURS = ("memory", "citations", "chat")
CHUNK = 500
# Expiry fields, which another instance sets.
CLOCKS = frozenset({"expires_at", "kept_until"})
Row = dict[str, Any]
if TYPE_CHECKING:
    AnyField = Field[Any, Any]
else:
    AnyField = Field


@dataclass(frozen=True)
class Table:
    """A model's table in packages: the exported fields."""

    model: type[Model]
    fields: tuple[AnyField, ...]
    is_portable: bool

    @property
    def name(self) -> str:
        return self.model._meta.label_lower

    @property
    def is_counted(self) -> bool:
        """Whether the database numbers the rows, so that their ids mean nothing elsewhere."""
        return isinstance(self.model._meta.pk, AutoField)


# --- Tables ---------------------------------------------------------------------------------------


@cache
def list_tables() -> tuple[Table, ...]:
    """Return the tables of a package: the targets of references before the referring tables."""
    models = [model for model in reversed(data_map.get_ordered_models()) if _list_fields(model)]
    portable: set[type[Model]] = set()
    for model in models:
        if _is_portable(model, portable):
            portable.add(model)
    return tuple(Table(model, _list_fields(model), model in portable) for model in models)


@cache
def _list_fields(model: type[Model]) -> tuple[AnyField, ...]:
    """Return the exported fields, and the primary key that other rows refer to."""
    exported = set(data_map.list_exported_fields(model))
    named = exported | {model._meta.pk.name} if exported else exported
    return tuple(field for field in model._meta.fields if field.name in named)


def _is_portable(model: type[Model], portable: set[type[Model]]) -> bool:
    """Return whether rows can be imported elsewhere, given the portable tables before."""
    handling = data_map.get_handling(model)
    if handling is None or model._meta.app_label not in OURS or model is User:
        return False
    if handling.secret or not _leads_to_its_person(model, handling.person):
        return False
    kinds = data_map.get_kinds(model)
    says = any(Kind.CONTENT in kinds[field.name] for field in _list_fields(model))
    targets = {field.related_model for field in _list_foreign_keys(model)}
    return says or handling.portable or bool(targets & portable)


def _leads_to_its_person(model: type[Model], path: str) -> bool:
    """Return whether foreign keys lead to the person; a bare id is only a record about them."""
    for name in path.split("__"):
        field = model._meta.get_field(name)
        if not isinstance(field, ForeignKey):
            return False
        model = field.related_model
    return model is User


def _list_foreign_keys(model: type[Model]) -> "list[ForeignKey[Any, Any]]":
    return [field for field in _list_fields(model) if isinstance(field, ForeignKey)]


@cache
def _list_target_models() -> frozenset[type[Model]]:
    return frozenset(
        link.related_model for table in list_tables() for link in _list_foreign_keys(table.model)
    )


# --- Rows -----------------------------------------------------------------------------------------


def _choose_chunk_size(table: Table) -> int:
    """Return how many rows to have in memory: a document's row includes its file."""
    return 1 if any(isinstance(field, SealedBytesField) for field in table.fields) else CHUNK


class Belongings:
    """Reads a person's rows table by table, in the order of `tables`, and digests them."""

    def __init__(self, person: User) -> None:
        self._person = person
        # For each table, the names of ids in the package.
        self._known: dict[type[Model], dict[Any, Any]] = {User: {person.pk: str(person.pk)}}
        self._digests: dict[str, Any] = {}

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield the person's rows of the table, as far as they may be read now."""
        known = self._known.setdefault(table.model, {})
        is_pointed_at = table.model in _list_target_models()
        found, number = hashlib.sha256(), 0
        readable = self._readable(table.model)
        if any(link.related_model is table.model for link in _list_foreign_keys(table.model)):
            # Rows may refer to later rows of their own table.
            known.update((pk, str(pk)) for pk in readable.values_list("pk", flat=True))
        for instance in readable.iterator(chunk_size=_choose_chunk_size(table)):
            if not self._is_whole(table, instance):
                continue
            number += 1
            name = number if table.is_counted else str(instance.pk)
            if is_pointed_at or not table.is_counted:
                known[instance.pk] = name
            row, outside = self._row(table, instance, name)
            yield row
            found.update(encode_canonical(row | dict.fromkeys([*outside, *CLOCKS & set(row)])))
        if number and table.is_portable:
            self._digests[table.name] = found

    def digest(self) -> str:
        """Return the digest of the portable tables that were read."""
        lines = (f"{name} {self._digests[name].hexdigest()}\n" for name in sorted(self._digests))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def ids(self) -> Iterator[UUID]:
        """Yield the ids of all rows read, if they are UUIDs."""
        for known in self._known.values():
            yield from (pk for pk in known if isinstance(pk, UUID))

    def _readable(self, model: type[Model]) -> "QuerySet[Model]":
        mine, handling = (
            data_map.get_person_filter(model, self._person.pk),
            data_map.get_handling(model),
        )
        rows = model._default_manager.filter(Q(pk__in=[]) if mine is None else mine)
        if handling and handling.exported:
            rows = rows.filter(handling.exported())
        return rows.order_by("pk")

    def _is_whole(self, table: Table, instance: Model) -> bool:
        """Return whether all required targets of the row have been read."""
        required = (field for field in _list_foreign_keys(table.model) if not field.null)
        return all(
            getattr(instance, field.attname) in self._known[field.related_model]
            for field in required
            if field.related_model in self._known
        )

    def _row(self, table: Table, instance: Model, name: int | str) -> tuple[Row, list[str]]:
        """Return the row with its name, and the fields that lead out of the package."""
        row: Row = {}
        outside: list[str] = []
        for field in table.fields:
            if isinstance(field, ForeignKey):
                pointed = getattr(instance, field.attname)
                known = self._known.get(field.related_model, {})
                if pointed is not None and pointed not in known:
                    outside.append(field.name)
                # Omitted are ids of other people, and numbers that mean nothing elsewhere.
                is_told = isinstance(pointed, UUID) and field.related_model is not User
                row[field.name] = known.get(pointed, str(pointed) if is_told else None)
            elif field.primary_key:
                row[field.name] = name
            else:
                row[field.name] = encode_value(field, getattr(instance, field.attname))
        return row, outside


def encode_value(field: AnyField, value: Any) -> Any:
    """Return a field's value as JSON."""
    if value is None:
        return None
    if isinstance(field, SealedTextField) and not isinstance(field, SealedBytesField):
        return value
    if isinstance(field, BinaryField):
        return b64encode(bytes(value)).decode()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def encode_canonical(row: Row) -> bytes:
    """Return the row in the form of the digest."""
    text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


# --- Audit events ---------------------------------------------------------------------------------


def audit_lines(person: User, ids: Iterator[UUID]) -> Iterator[Row]:
    """Yield the events by the person, or about them or their rows; other people are not named."""
    lines = {
        event.pk: event for event in _select_events(Q(actor_id=person.pk) | Q(subject_id=person.pk))
    }
    remaining = list(ids)
    for start in range(0, len(remaining), CHUNK):
        about = Q(subject_id__in=remaining[start : start + CHUNK])
        lines |= {event.pk: event for event in _select_events(about)}
    for pk in sorted(lines):
        event = lines[pk]
        yield {
            "at": event.at.isoformat(),
            "action": event.action,
            "by": _describe_actor(event, person),
            "subject": event.subject,
            "subject_id": str(event.subject_id) if event.subject_id else None,
        }


def _select_events(which: Q) -> "QuerySet[AuditEvent]":
    return AuditEvent.objects.filter(which)


def _describe_actor(event: AuditEvent, person: User) -> str:
    if event.actor_id == person.pk:
        return "you"
    return "someone else" if event.actor_id else "the system"
