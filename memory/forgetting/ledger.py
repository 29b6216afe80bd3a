"""The ledger: what a person erases is noted by id in the keys database as it goes in the content.

After a restore of the content it is what must not come back (memory.forgetting.restoring).
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import models

from memory.models import ErasedRow


def note(row: models.Model) -> None:
    """Note that the row is erased: as the last act of the transaction that deletes it."""
    note_all(row._meta.model_name or "", [row.pk])


def note_all(kind: str, ids: Iterable[UUID]) -> None:
    """Note that these rows of one kind are erased."""
    rows = [ErasedRow(row_id=pk, kind=kind) for pk in ids]
    ErasedRow.objects.bulk_create(rows, ignore_conflicts=True)
