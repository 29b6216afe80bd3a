"""The replay of the ledger after a restore.

A backup of the content that is put back brings rows again that were erased since. Before anything
is served they are deleted again (`manage.py reapply_erasures`; `prepare`, `serve` and each web
server look by themselves). So the keys database, which has the ledger, is backed up apart, and is
not put back with the content.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from uuid import UUID

from django.apps import apps
from django.db import models, transaction

from memory import audit
from memory.errors import Held, NotFound
from memory.forgetting import waiting
from memory.forgetting.batches import delete_whole
from memory.forgetting.persons import delete_person
from memory.models import DataKey, ErasedPerson, ErasedRow, ErasureRequest, User
from memory.sealing import shred

BATCH = 500


@dataclass
class Reapplied:
    """What had come back, and went again; what a hold keeps stays."""

    people: int = 0
    rows: int = 0
    keys: int = 0
    held: int = 0


@dataclass(frozen=True)
class Returned:
    """What is there although the ledger says that it was erased."""

    people: list[UUID] = field(default_factory=list)
    rows: list[tuple[str, UUID]] = field(default_factory=list)
    # People whose erasure the content knows, but whose keys have come back.
    keys: list[UUID] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.people or self.rows or self.keys)


def returned() -> Returned:
    """Return what has come back; reads the ledger and changes nothing."""
    return Returned(list(_people()), list(_rows()), list(_keys()))


def reapply() -> Reapplied:
    """Delete again what has come back with a backup; may be stopped, and called again."""
    found, done = returned(), Reapplied()
    for person in [*found.people, *found.keys]:
        request = ErasureRequest.objects.filter(person_id=person).values_list("pk", flat=True)
        done.keys += shred(person, request=request.first())
    for person in found.people:
        delete_person(person)
        audit.record("erasure.reapplied", actor=None, subject=User(pk=person))
        done.people += 1
    for kind, pk in found.rows:
        try:
            _delete(kind, pk)
            done.rows += 1
        except NotFound:  # it went with another
            done.rows += 1
        except Held:
            done.held += 1
    return done


def _delete(kind: str, pk: UUID) -> None:
    """Delete the row as its kind is deleted, or simply with all that hangs on it."""
    if waiting.is_known(kind):
        waiting.carry_out_now(kind, pk, None)
        return
    with transaction.atomic():
        delete_whole(_model_named(kind), [pk])


def _people() -> Iterator[UUID]:
    erased = ErasedPerson.objects.values_list("pk", flat=True).iterator(chunk_size=BATCH)
    while ids := list(islice(erased, BATCH)):
        yield from User.objects.filter(pk__in=ids).values_list("pk", flat=True)


def _rows() -> Iterator[tuple[str, UUID]]:
    by_kind = ErasedRow.objects.order_by("kind").values_list("kind", "pk")
    for kind, rows in groupby(by_kind.iterator(chunk_size=BATCH), key=lambda row: row[0]):
        model = _model_named(kind)
        while ids := [pk for _kind, pk in islice(rows, BATCH)]:
            there = model._base_manager.filter(pk__in=ids)
            yield from ((kind, pk) for pk in there.values_list("pk", flat=True))


def _model_named(kind: str) -> type[models.Model]:
    return next(
        model
        for model in apps.get_models()
        if model._meta.model_name == kind and hasattr(model, "handling")
    )


def _keys() -> Iterator[UUID]:
    shredded = ErasureRequest.objects.exclude(shredded_at=None).order_by()
    people = shredded.values_list("person_id", flat=True).iterator(chunk_size=BATCH)
    while ids := list(islice(people, BATCH)):
        back = DataKey.objects.filter(owner_id__in=ids).order_by()
        yield from back.values_list("owner_id", flat=True).distinct()
