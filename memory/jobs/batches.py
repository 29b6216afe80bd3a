"""Deletion of many rows without blocking writers.

The ORM's cascade reads every row to be deleted into memory, and holds SQLite's only write lock
meanwhile: 1.3 seconds for 150,000 rows. Here the dependent rows are deleted first, one statement
for each path of foreign keys that leads to them, in any app. The caller keeps each transaction to a
few hundred rows.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import QuerySet
from django.db.models.deletion import CASCADE, SET_NULL, get_candidate_relations_to_delete

from memory.errors import describe_error
from memory.jobs.leases import LostLease, Pulse

log = logging.getLogger(__name__)

Item = TypeVar("Item")


@dataclass(frozen=True)
class CascadeStep:
    """Rows whose foreign key leads to deleted rows: they are deleted too, or the key is cleared."""

    model: type[models.Model]
    field: str
    # The step of the rows that its key leads to, if these aren't the first ones deleted.
    above: "CascadeStep | None" = None
    clears: bool = False

    @property
    def path(self) -> str:
        """The lookup from a row to the first rows deleted."""
        return f"{self.field}__{self.above.path}" if self.above else self.field

    def rows(self, ids: Collection[Any]) -> "QuerySet[Any]":
        """Return the rows that lead to these ids: a subquery, which needs no join."""
        leads_to = self.above.rows(ids).values("pk") if self.above else ids
        return self.model._base_manager.filter(**{f"{self.field}__in": leads_to})


def delete_in_batches(
    rows: "QuerySet[Any]", *, batch: int = 1000, pulse: Pulse = lambda: None
) -> int:
    """Delete the ordered rows, each batch in a transaction of its own; return how many.

    `pulse` is called at the beginning of each; an exception in it ends the deletion.
    """
    gone = 0
    while ids := list(rows.values_list("pk", flat=True)[:batch]):
        with transaction.atomic():
            pulse()
            gone += rows.model._default_manager.filter(pk__in=ids).delete()[0]
    return gone


def run_each_alone(
    work: Callable[[Item], int], items: Iterable[Item], event: str
) -> tuple[int, list[Item]]:
    """Do the work for each item despite failures of others; return the sum and the failures."""
    total, raised = 0, []
    for item in items:
        try:
            total += work(item)
        except LostLease:
            raise
        except Exception as error:  # noqa: BLE001 - the next sweep tries it again
            log.error(event, extra=describe_error(error))
            raised.append(item)
    return total, raised


def delete_whole(model: type[models.Model], ids: Collection[Any]) -> int:
    """Delete the rows with all dependent rows, in the caller's transaction; return how many."""
    if not ids:
        return 0
    for step in get_cascade(model):
        rows = step.rows(ids)
        if step.clears:
            rows.update(**{step.field: None})
        else:
            rows._raw_delete(rows.db)
    rows = model._base_manager.filter(pk__in=ids)
    return int(rows._raw_delete(rows.db))


@cache
def get_cascade(model: type[models.Model]) -> tuple[CascadeStep, ...]:
    """Return the steps that delete a row's dependants, the farthest first."""
    return tuple(_list_cascade_steps(model, None))


def _list_cascade_steps(
    model: type[models.Model], above: CascadeStep | None
) -> Iterator[CascadeStep]:
    relations: Iterable[Any] = get_candidate_relations_to_delete(model._meta)
    for field in (relation.field for relation in relations):
        if field.remote_field.on_delete is SET_NULL:
            yield CascadeStep(field.model, field.name, above, clears=True)
        elif field.remote_field.on_delete is CASCADE:
            step = CascadeStep(field.model, field.name, above)
            yield from _list_cascade_steps(field.model, step)
            yield step
        else:
            raise NotImplementedError(f"{field} is neither deleted nor cleared with its row")
