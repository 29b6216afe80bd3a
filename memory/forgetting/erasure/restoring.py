"""The replay of the ledger after a restore.

A restored backup of the content brings back rows erased since, and consents withdrawn since. They
are erased and withdrawn again before anything is served (`manage.py reapply_erasures`; `prepare`,
`serve`, each web server and each worker check it). So the keys database, which has the ledger, is
backed up separately, and is not restored with the content.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby, islice
from uuid import UUID

from django.apps import apps
from django.db import DatabaseError, models, transaction

from memory import audit, postponed
from memory.errors import Held, NotFound
from memory.forgetting.erasure.people import delete_person
from memory.jobs.batches import delete_whole
from memory.models import (
    Consent,
    DataKey,
    ErasedPerson,
    ErasedRow,
    ErasureRequest,
    Purpose,
    User,
    WithdrawnConsent,
)
from memory.personal_data import consent
from memory.sealing import ledger, shred

log = logging.getLogger(__name__)

BATCH = 500
REFUSAL = "A backup brought back what was erased. Run: python manage.py reapply_erasures"
Row = tuple[str, UUID]


@dataclass(frozen=True)
class Returned:
    """Data that exists although it is in the ledger of erasures."""

    people: list[UUID] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    # People whose erasure is in the content, but whose keys have returned.
    keys: list[UUID] = field(default_factory=list)
    # Withdrawn consents that apply again, each as its person and purpose.
    consents: set[tuple[UUID, str]] = field(default_factory=set)
    # Rows under a legal hold, deleted at its release: they don't prevent a start.
    waiting: list[Row] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.people or self.rows or self.keys or self.consents)

    def __str__(self) -> str:
        return (
            f"{len(self.people)} accounts, {len(self.rows)} rows, keys of {len(self.keys)}, "
            f"{len(self.consents)} consents"
        )


# --- Search -------------------------------------------------------------------------------------


def find_returned_data() -> Returned:
    """Return the erased rows that exist again, by the ledger; changes nothing."""
    rows: list[Row] = []
    held: list[Row] = []
    for kind, pk in _find_returned_rows():
        (held if postponed.is_waiting(kind, pk) else rows).append((kind, pk))
    return Returned(
        list(_find_returned_people()),
        rows,
        list(_find_returned_keys()),
        set(_find_returned_consents()),
        held,
    )


def must_reapply() -> bool:
    """Return whether erased data has returned: two queries if no database was restored.

    If a restore returned nothing, that is noted, so that the search isn't repeated.
    """
    marks = ledger.read_marks()
    if marks.agree:
        return False
    if find_returned_data():
        return True
    ledger.settle(marks)
    return False


def forbids_start() -> bool:
    """Return whether a start is forbidden; a database that is down has nothing to serve."""
    try:
        return must_reapply()
    except DatabaseError as error:
        log.warning("ledger_unread", extra={"error": type(error).__name__})
        return False


def _find_returned_people() -> Iterator[UUID]:
    running = ErasureRequest.objects.running().filter(scope=ErasureRequest.Scope.ACCOUNT)
    erased = ErasedPerson.objects.values_list("pk", flat=True).iterator(chunk_size=BATCH)
    while ids := list(islice(erased, BATCH)):
        there = User.objects.filter(pk__in=ids)
        # People whose erasure is under way have not returned.
        there = there.exclude(pk__in=running.values("person_id"), is_active=False)
        yield from there.values_list("pk", flat=True)


def _find_returned_rows() -> Iterator[Row]:
    by_kind = ErasedRow.objects.order_by("kind").values_list("kind", "pk")
    for kind, rows in groupby(by_kind.iterator(chunk_size=BATCH), key=lambda row: row[0]):
        model = _find_model(kind)
        while ids := [pk for _kind, pk in islice(rows, BATCH)]:
            there = model._base_manager.filter(pk__in=ids)
            yield from ((kind, pk) for pk in there.values_list("pk", flat=True))


def _find_model(kind: str) -> type[models.Model]:
    return next(
        model
        for model in apps.get_models()
        if model._meta.model_name == kind and hasattr(model, "handling")
    )


def _find_returned_keys() -> Iterator[UUID]:
    shredded = ErasureRequest.objects.exclude(shredded_at=None).order_by()
    people = shredded.values_list("person_id", flat=True).iterator(chunk_size=BATCH)
    while ids := list(islice(people, BATCH)):
        back = DataKey.objects.filter(owner_id__in=ids).order_by()
        yield from back.values_list("owner_id", flat=True).distinct()


def _find_returned_consents() -> Iterator[tuple[UUID, str]]:
    withdrawn = WithdrawnConsent.objects.order_by("pk").iterator(chunk_size=BATCH)
    while rows := list(islice(withdrawn, BATCH)):
        there = Consent.objects.filter(pk__in=[row.pk for row in rows])
        known = set(there.values_list("pk", flat=True))
        for row in rows:
            if row.pk not in known and consent.is_older(row.person_id, row.purpose, row.at):
                yield row.person_id, row.purpose


# --- Replay ---------------------------------------------------------------------------------------


def reapply() -> int:
    """Delete again what a backup restored; return how many rows are under a hold."""
    found, held = find_returned_data(), 0
    for person in [*found.people, *found.keys]:
        request = ErasureRequest.objects.filter(person_id=person).values_list("pk", flat=True)
        shred(person, request=request.first())
    for person in found.people:
        delete_person(person)
        audit.record("erasure.reapplied", actor=None, subject=User(pk=person))
    for person, purpose in found.consents:
        with suppress(NotFound):  # the account was deleted a moment ago
            withdrawn = {Purpose(purpose): False}
            consent.decide(User(pk=person), withdrawn, source=Consent.Source.RESTORED)
    for kind, pk in [*found.rows, *found.waiting]:
        try:
            _delete(kind, pk)
        except NotFound:  # it was deleted with another row
            pass
        except Held:
            _wait(kind, pk)
            held += 1
    must_reapply()  # notes that nothing is left
    return held


def _delete(kind: str, pk: UUID) -> None:
    """Delete the row by the function of its kind, or with all dependent rows."""
    if postponed.is_known(kind):
        postponed.carry_out_now(kind, pk, None)
        return
    with transaction.atomic():
        delete_whole(_find_model(kind), [pk])


def _wait(kind: str, pk: UUID) -> None:
    """Defer the deletion again, until the release of the hold."""
    row = _find_model(kind)._base_manager.filter(pk=pk).first()
    postponed.wait(kind, pk, person=getattr(row, "owner_id", None), actor=None)
