"""Patterns over what a person told of themselves: what changed several times, what is of one kind.

Derived when they are looked at, of facts that count in other sessions and under live consent, so
nothing of them is stored, nothing is learned from them, and they go with their facts.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.models import Fact, Purpose, Session, User
from memory.personal_data import consent

# The newest facts are looked at.
MOST_FACTS = 500
# Values that a subject had, one after the other; and facts of one kind.
FEWEST_VALUES, FEWEST_ALIKE = 3, 3
MOST, MOST_SOURCES = 6, 8
# What people wrote down in words that are of no known kind.
UNKNOWN = "said"


@dataclass(frozen=True)
class Pattern:
    """What the facts have in common, and the facts: the newest of many, the oldest first."""

    subject: str
    facts: Sequence[Fact]
    # How many there are in all.
    count: int


@dataclass(frozen=True)
class Patterns:
    """What changed several times, and what is told of one kind."""

    changed: Sequence[Pattern] = ()
    alike: Sequence[Pattern] = ()

    @property
    def facts(self) -> list[Fact]:
        return [fact for pattern in (*self.changed, *self.alike) for fact in pattern.facts]


def patterns_of(owner: User) -> Patterns:
    """Return the patterns over the person's facts: two queries."""
    rows = Fact.objects.visible_to(owner).filter(consent.allowed(Purpose.RECALL), is_shared=True)
    newest = list(rows.order_by("-valid_from", "-id")[:MOST_FACTS])
    others = {row.session_id for row in newest if row.session_id}
    reachable = Session.objects.owned_by(owner).recallable().filter(pk__in=others)
    reached = {None, *reachable.values_list("pk", flat=True)} if others else {None}
    facts = [row for row in reversed(newest) if row.session_id in reached]
    return Patterns(_changed(facts), _alike(facts))


def _changed(facts: Iterable[Fact]) -> list[Pattern]:
    """Return the subjects that had several values, the latest changed first."""
    values: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        values[fact.kind, fact.subject].append(fact)
    several = [found for found in values.values() if len(found) >= FEWEST_VALUES]
    several.sort(key=lambda found: found[-1].valid_from, reverse=True)
    return [_pattern(found[-1].subject, found) for found in several[:MOST]]


def _alike(facts: Iterable[Fact]) -> list[Pattern]:
    """Return the kinds of which several things are so now, those of most things first."""
    things: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        head, _, thing = fact.subject.partition(":")
        if thing and head != UNKNOWN and fact.valid_until is None:
            things[fact.kind, head].append(fact)
    several = [found for found in things.values() if len(found) >= FEWEST_ALIKE]
    several.sort(key=len, reverse=True)
    return [_pattern(found[-1].subject.partition(":")[0], found) for found in several[:MOST]]


def _pattern(subject: str, facts: Sequence[Fact]) -> Pattern:
    return Pattern(subject, facts[-MOST_SOURCES:], len(facts))
