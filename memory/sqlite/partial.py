"""Conditions of partial indexes: SQLite uses such an index only where the values are literals."""

from collections.abc import Iterable

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL


def has_status(states: Iterable[str]) -> RawSQL:
    """Return the condition on a row's status, with the same literals as the index."""
    listed = ", ".join(f"'{state}'" for state in states)
    return RawSQL(f"status IN ({listed})", (), output_field=BooleanField())  # noqa: S611 - codes
