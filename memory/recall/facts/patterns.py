"""Patterns in a person's facts: repeated changes, and several facts of one kind.

They are derived on request, from facts that count in other sessions and under current consent.
Nothing is stored, so they disappear with their facts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memory.models import Fact, Purpose, Session, User
from memory.personal_data import consent

# Most facts read, the fewest for a pattern, most patterns, and most facts shown of each.
MOST_FACTS, FEWEST, MOST, MOST_SOURCES = 500, 3, 6, 8
# The subject of written facts without a known kind.
UNKNOWN = "said"


@dataclass(frozen=True)
class Pattern:
    """The common subject of facts, and the newest of them, the oldest first."""

    subject: str
    facts: Sequence[Fact]
    # Number of facts in all.
    count: int


@dataclass(frozen=True)
class Patterns:
    """Facts that changed several times, and facts of one kind."""

    changed: Sequence[Pattern] = ()
    alike: Sequence[Pattern] = ()

    @property
    def facts(self) -> list[Fact]:
        return [fact for pattern in (*self.changed, *self.alike) for fact in pattern.facts]


def find_patterns(owner: User) -> Patterns:
    """Return the patterns over the person's facts: two queries."""
    rows = Fact.objects.visible(owner).filter(
        consent.build_allowed_filter(Purpose.RECALL), is_shared=True
    )
    newest = list(rows.order_by("-valid_from", "-id")[:MOST_FACTS])
    others = {row.session_id for row in newest if row.session_id}
    reachable = Session.objects.owned(owner).recallable().filter(pk__in=others)
    reached = {None, *reachable.values_list("pk", flat=True)} if others else {None}
    facts = [row for row in reversed(newest) if row.session_id in reached]
    current = (fact for fact in facts if fact.valid_until is None and _get_subject_kind(fact))
    return Patterns(_group(facts, lambda fact: fact.subject), _group(current, _get_subject_kind))


def _get_subject_kind(fact: Fact) -> str:
    """Return the kind of a subject such as "uses:python"; nothing if it has none."""
    head, _, thing = fact.subject.partition(":")
    return head if thing and head != UNKNOWN else ""


def _group(facts: Iterable[Fact], name: Callable[[Fact], str]) -> list[Pattern]:
    """Return the patterns of facts of the same name, the latest first."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact.kind, name(fact)].append(fact)
    several = [found for found in groups.values() if len(found) >= FEWEST]
    several.sort(key=lambda found: found[-1].valid_from, reverse=True)
    return [Pattern(name(found[-1]), found[-MOST_SOURCES:], len(found)) for found in several[:MOST]]
