"""Checkpoints of partial answers: those of a process are written together, as they grow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connections, router, transaction
from django.db.models import QuerySet

from memory.models import Attempt
from memory.sealing import UnsealError


@dataclass(frozen=True)
class Grown:
    """A text that has grown, with the attempt's number at that time."""

    attempt: Attempt
    number: int
    text: str


def find_standing_attempts(attempts: Iterable[Attempt]) -> dict[UUID, bool]:
    """Return those attempts that this process still owns, and whether each is to stop."""
    mine = list(attempts)
    holders = {attempt.pk: attempt.holder for attempt in mine}
    rows = Attempt.objects.open().filter(pk__in=holders)
    told = rows.values_list("pk", "holder", "stop_requested")
    return {pk: stop for pk, holder, stop in told if holder == holders[pk]}


def store(texts: Sequence[Grown]) -> set[UUID]:
    """Store the texts in one transaction; return the attempts whose text was stored.

    Locked rows are skipped, to avoid deadlocks.
    """
    sealed = {each.attempt.pk: (value, each) for each in texts if (value := _seal_partial(each))}
    with transaction.atomic():
        writing = [sealed[pk] for pk in _lock_attempts(list(sealed))]
        if writing:
            _write(writing)
    return {each.attempt.pk for _, each in writing}


def _lock_attempts(attempts: list[UUID]) -> QuerySet[Attempt, UUID]:
    rows = Attempt.objects.open().filter(pk__in=attempts).order_by("pk")
    free = rows.select_for_update(skip_locked=True, no_key=True)
    return free.values_list("pk", flat=True)


def _seal_partial(grown: Grown) -> object:
    field = Attempt._meta.get_field("partial")
    try:
        return field.seal_value(grown.attempt, grown.text)
    except UnsealError:  # its person is being erased: the key is gone
        return None


def _write(writing: Iterable[tuple[object, Grown]]) -> None:
    """Update each row by its key, in one call: a CASE statement would test each case."""
    connection = connections[router.db_for_write(Attempt)]
    names = ("partial", "id", "owner", "holder", "number")
    fields: list[Any] = [Attempt._meta.get_field(name) for name in names]
    values = [
        (text, grown.attempt.pk, grown.attempt.owner_id, grown.attempt.holder, grown.number)
        for text, grown in writing
    ]
    rows = [
        [
            field.get_db_prep_save(value, connection)
            for field, value in zip(fields, row, strict=True)
        ]
        for row in values
    ]
    table = connection.ops.quote_name(Attempt._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"UPDATE {table} SET partial = %s "  # noqa: S608
            "WHERE id = %s AND owner_id = %s AND holder = %s AND number = %s "
            "AND finished_at IS NULL",
            rows,
        )
