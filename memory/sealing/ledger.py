"""The ledger: the ids of erased rows, noted in the keys database as the rows are deleted.

After a restore of the content it lists the rows that must not return
(memory.forgetting.erasure.restoring). Each entry gives a new random mark to both databases, so that
a start need not read all of it. While the two marks are equal, neither database was restored
without the other. The ledger is written before the content commits, so a crash in between leaves
them unequal, and the ledger is read. A process that notes an entry locks the content's mark until
its commit: entries and their rows become visible in one order.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid4

from django.db import models, transaction

from memory.sealing.models import ErasedPerson, ErasedRow, LedgerEcho, LedgerMark, WithdrawnConsent
from memory.sealing.routers import KEYS

if TYPE_CHECKING:
    from memory.models import Consent


class Marks(NamedTuple):
    """The mark of the ledger, and the one that the content last knew."""

    ledger: UUID | None
    content: UUID | None

    @property
    def agree(self) -> bool:
        return self.ledger == self.content


# --- Entries --------------------------------------------------------------------------------------


def note(row: models.Model) -> None:
    """Note that the row is erased, as the last act of the transaction that deletes it."""
    note_all(row._meta.model_name or "", [row.pk])


def note_all(kind: str, ids: Iterable[UUID]) -> None:
    """Note that these rows of one kind are erased."""
    new = set(ids)
    with entering():
        new -= find_erased_ids(new)
        ErasedRow.objects.bulk_create(ErasedRow(row_id=pk, kind=kind) for pk in new)


def note_person(person: UUID, *, request: UUID | None) -> None:
    """Note that the person is erased, inside `entering`."""
    ErasedPerson.objects.get_or_create(pk=person, defaults={"request_id": request})


def note_withdrawals(decisions: "Iterable[Consent]") -> None:
    """Note that these decisions withdrew a consent, as the last act of their transaction."""
    rows = [
        WithdrawnConsent(
            consent_id=decision.pk,
            person_id=decision.owner_id,
            purpose=decision.purpose,
            at=decision.at,
        )
        for decision in decisions
    ]
    if rows:
        with entering():
            WithdrawnConsent.objects.bulk_create(rows)


def find_erased_ids(ids: Iterable[UUID]) -> set[UUID]:
    """Return the ids among these of erased rows."""
    return set(ErasedRow.objects.filter(pk__in=ids).values_list("pk", flat=True))


@contextmanager
def entering() -> Iterator[None]:
    """Open a transaction in both databases, the ledger's in the content's, and move the marks.

    A content that was behind stays behind: settling it needs a read of the whole ledger.
    """
    with transaction.atomic():
        echo, _is_new = LedgerEcho.objects.select_for_update().get_or_create(pk=1)
        with transaction.atomic(using=KEYS):
            mark, _is_new = LedgerMark.objects.select_for_update().get_or_create(pk=1)
            was = Marks(mark.value, echo.value)
            yield
            value = uuid4()
            LedgerMark.objects.filter(pk=1).update(value=value)
        if was.agree:
            LedgerEcho.objects.filter(pk=1).update(value=value)


# --- Marks ----------------------------------------------------------------------------------------


def read_marks() -> Marks:
    """Return both marks: one query in each database."""
    ledger = LedgerMark.objects.values_list("value", flat=True).first()
    return Marks(ledger, LedgerEcho.objects.values_list("value", flat=True).first())


def settle(seen: Marks) -> None:
    """Note that the content has no erased rows as of the ledger with these marks."""
    with transaction.atomic():
        LedgerEcho.objects.select_for_update().get_or_create(pk=1)
        if read_marks() == seen:  # otherwise the next start checks again
            LedgerEcho.objects.filter(pk=1).update(value=seen.ledger)
