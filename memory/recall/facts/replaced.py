"""What a fact has replaced: the values before it, back to the first."""

from collections.abc import Sequence
from uuid import UUID

from memory.models import Fact

# Of a long past so much is read, the newest first: values, and steps back.
MOST_PAST = 20


def last_before(facts: Sequence[Fact]) -> dict[UUID, Fact]:
    """Return what each of one person's facts has replaced last, by the fact's id."""
    if not facts:
        return {}
    rows = Fact.objects.visible_to(facts[0].owner).filter(replaced_by__in=facts)
    return {row.replaced_by_id: row for row in rows.order_by("valid_from") if row.replaced_by_id}


def past_of(fact: Fact) -> list[Fact]:
    """Return what the fact has replaced, and what that had, the newest first.

    Reads once for each step back.
    """
    found: dict[UUID, Fact] = {}
    newest = [fact]
    while newest and len(found) < MOST_PAST:
        rows = Fact.objects.visible_to(fact.owner).filter(replaced_by__in=newest)
        newest = [row for row in rows.order_by("-valid_from") if row.pk not in found]
        found |= {row.pk: row for row in newest}
    return sorted(found.values(), key=lambda row: row.valid_from, reverse=True)[:MOST_PAST]
