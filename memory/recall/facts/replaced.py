"""What a fact has replaced: the values before it, back to the first."""

from collections.abc import Sequence
from uuid import UUID

from memory.models import Fact

# Of a long past so much is read, the newest first: values, and steps back.
MOST_PAST = 20


def find_replaced(facts: Sequence[Fact]) -> dict[UUID, Fact]:
    """Return the fact that each of one person's facts has replaced last, by the fact's id."""
    if not facts:
        return {}
    rows = Fact.objects.visible(facts[0].owner).filter(replaced_by__in=facts)
    return {row.replaced_by_id: row for row in rows.order_by("valid_from") if row.replaced_by_id}


def read_past(fact: Fact) -> list[Fact]:
    """Return the facts that the fact has replaced, step by step, the newest first.

    Reads once for each step back.
    """
    found: dict[UUID, Fact] = {}
    newest = [fact]
    while newest and len(found) < MOST_PAST:
        rows = Fact.objects.visible(fact.owner).filter(replaced_by__in=newest)
        newest = [row for row in rows.order_by("-valid_from") if row.pk not in found]
        found |= {row.pk: row for row in newest}
    return sorted(found.values(), key=lambda row: row.valid_from, reverse=True)[:MOST_PAST]
