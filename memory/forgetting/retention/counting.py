"""Counts of what a purge would delete: people, sessions, turns, bytes, ages and holds, by tier."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import reduce
from operator import add
from typing import Any

from django.db.models import BigIntegerField, Count, F, Max, Min, Model, Sum
from django.db.models.functions import Coalesce, Length
from django.utils.dateparse import parse_datetime

from memory.fields import SealedTextField
from memory.forgetting.retention.due import Due
from memory.jobs.batches import get_cascade
from memory.models import Session, Tier

MOMENTS = ("oldest", "newest")


@dataclass(frozen=True)
class Counts:
    """Counts of the rows that a purge would delete, of a tier or in all; sizes in sealed bytes."""

    tier: str = ""
    people: int = 0
    sessions: int = 0
    turns: int = 0
    size: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None
    # Due sessions under a hold, which stay; they are in no other number.
    held: int = 0

    def stored(self) -> dict[str, Any]:
        """Return the counts as JSON has them."""
        moments = {
            name: moment.isoformat() if (moment := getattr(self, name)) else None
            for name in MOMENTS
        }
        return asdict(self) | moments

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> "Counts":
        """Return the counts from `serialize`'s form."""
        moments = {name: parse_datetime(stored[name] or "") for name in MOMENTS}
        return cls(**{**stored, **moments})


def count_due(due: Due) -> list[Counts]:
    """Return the counts of due sessions by tier, for tiers with any."""
    by_tier = due.free().order_by("owner__tier").values_list("owner__tier")
    counted = by_tier.annotate(
        Count("owner", distinct=True),
        Count("pk"),
        turns_going=Coalesce(Sum("turn_count"), 0),
        oldest=Min("last_activity"),
        newest=Max("last_activity"),
    )
    sizes = _compute_sizes(due)
    going = {
        tier: Counts(tier, people, sessions, turns, sizes.get(tier, 0), oldest, newest)
        for tier, people, sessions, turns, oldest, newest in counted
    }
    held = due.held().order_by("owner__tier").values_list("owner__tier")
    staying = dict(held.annotate(Count("pk")))
    return [
        replace(going.get(tier, Counts(tier)), held=staying.get(tier, 0))
        for tier in Tier.values
        if tier in going or tier in staying
    ]


def _compute_sizes(due: Due) -> dict[str, int]:
    """Return the bytes of sealed values in the sessions that would be deleted, by tier."""
    sizes: dict[str, int] = {}
    leading: dict[type[Model], str] = {
        step.model: step.path for step in get_cascade(Session) if not step.clears
    }
    for model, path in (leading | {Session: ""}).items():
        prefix = f"{path}__" if path else ""
        sealed = [field.name for field in model._meta.fields if isinstance(field, SealedTextField)]
        if not sealed:
            continue
        size = reduce(add, (Coalesce(Length(name), 0) for name in sealed))
        rows = model._base_manager.filter(**{f"{prefix}pk__in": due.free().values("pk")})
        by_tier = rows.values_list(F(f"{prefix}owner__tier"))
        summed = by_tier.annotate(size=Sum(size, output_field=BigIntegerField()))
        for tier, number in summed:
            sizes[tier] = sizes.get(tier, 0) + number
    return sizes


def sum_counts(counts: Sequence[Counts]) -> Counts:
    """Return the sum of the counts of all tiers."""
    names = ("people", "sessions", "turns", "size", "held")
    sums = {name: sum(getattr(each, name) for each in counts) for name in names}
    oldest = min((each.oldest for each in counts if each.oldest), default=None)
    newest = max((each.newest for each in counts if each.newest), default=None)
    return Counts(**sums, oldest=oldest, newest=newest)
