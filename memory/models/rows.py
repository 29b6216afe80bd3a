"""Helpers that read rows."""

from typing import Any, TypeVar

from django.db import connection, models

Row = TypeVar("Row", bound=models.Model)
Rows = TypeVar("Rows", bound="models.QuerySet[Any]")


def get_row_or_none(rows: models.QuerySet[Row]) -> Row | None:
    """Return the row with the key, or None.

    `first()` would add an ordering, and composing that is a third of a wide row's query.
    """
    return next(iter(rows.order_by()), None)


def lock_rows(rows: Rows) -> Rows:
    """Lock the rows, and return the query that reads them afterwards.

    After waiting for a lock, only another statement reads the changes committed meanwhile. SQLite's
    transactions write alone from their beginning, so there is nothing to lock.
    """
    if connection.features.has_select_for_update:
        list(rows.select_for_update())
    return rows
