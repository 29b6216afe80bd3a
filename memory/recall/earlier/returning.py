"""What a person comes back to: names that several of their sessions remember, with these sessions.

Derived when it is looked at, of sessions that may be recalled and under live consent, so nothing of
it has to go when they do.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from memory.models import Entity, Purpose, Session, User
from memory.personal_data import consent

MOST, MOST_SESSIONS, FEWEST_SESSIONS = 12, 5, 2


@dataclass(frozen=True)
class ReturnedTo:
    """A name, and the sessions that remember it, the latest first."""

    name: str
    sessions: Sequence[Session]
    # How many there are in all.
    count: int


def returned_to(owner: User) -> list[ReturnedTo]:
    """Return what the person comes back to, the most often first: three queries."""
    reachable = Session.objects.owned_by(owner).recallable().filter(consent.allowed(Purpose.RECALL))
    rows = Entity.objects.visible_to(owner).filter(session__in=reachable.values("pk"))
    # Documents and sections are places of answers, not what is talked of.
    rows = rows.exclude(kind__in=[Entity.Kind.DOCUMENT, Entity.Kind.SECTION])
    counted = rows.order_by().values("fingerprint").annotate(count=Count("session", distinct=True))
    often = counted.filter(count__gte=FEWEST_SESSIONS).order_by("-count", "fingerprint")[:MOST]
    counts = {each["fingerprint"]: each["count"] for each in often}
    if not counts:
        return []
    named: dict[str, list[Entity]] = defaultdict(list)
    there = rows.filter(fingerprint__in=counts).select_related("session")
    for row in there.order_by("-session__last_activity", "pk")[: 40 * MOST]:
        named[row.fingerprint].append(row)
    return [_made(named[each], counts[each]) for each in counts if named[each]]


def _made(rows: Sequence[Entity], count: int) -> ReturnedTo:
    sessions: dict[UUID, Session] = {row.session_id: row.session for row in rows}
    return ReturnedTo(rows[0].name, list(sessions.values())[:MOST_SESSIONS], count)
