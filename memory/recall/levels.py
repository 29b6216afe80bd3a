"""Counts of the levels of memory, as shown to a person.

Working is the window of one session; episodic are sessions; semantic are facts; derived are
recurring topics; profile are preferences and wishes. The page uses plain words, the API these.
"""

from dataclasses import dataclass

from django.db.models import Count, Q

from memory.models import Fact, FactKind, Purpose, Session, User
from memory.personal_data import consent


@dataclass(frozen=True)
class Levels:
    """The counts of each level."""

    # Whether sessions may currently be recalled in others.
    is_allowed: bool
    sessions: int
    recallable: int
    facts: int
    preferences: int
    wishes: int
    confirmed: int


def count_levels(owner: User) -> Levels:
    """Count the person's memories at each level."""
    is_allowed = consent.allows(owner.pk, Purpose.RECALL)
    mine = Session.objects.visible(owner)
    current = Fact.objects.visible(owner).current()
    kinds = {kind: Count("pk", filter=Q(kind=kind)) for kind in FactKind.values}
    confirmed = Count("pk", filter=Q(state=Fact.State.CONFIRMED))
    counted = current.aggregate(**kinds, confirmed=confirmed)
    return Levels(
        is_allowed=is_allowed,
        sessions=mine.filter(temporary=False).count(),
        recallable=mine.recallable().count() if is_allowed else 0,
        facts=counted[FactKind.FACT],
        preferences=counted[FactKind.PREFERENCE],
        wishes=counted[FactKind.WISH],
        confirmed=counted["confirmed"],
    )
