"""Deleting many rows without holding up those who write."""

from typing import Any

from django.db.models import QuerySet


def delete_in_batches(rows: "QuerySet[Any]", *, batch: int = 1000) -> int:
    """Delete the ordered rows, each batch in a transaction of its own; return how many went."""
    gone = 0
    while ids := list(rows.values_list("pk", flat=True)[:batch]):
        gone += rows.model._default_manager.filter(pk__in=ids).delete()[0]
    return gone
