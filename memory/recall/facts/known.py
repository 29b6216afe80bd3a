"""What is known of a person for a question: what counts in its session now."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from memory.models import Fact, FactKind, Purpose, Session, User
from memory.models.conversations import Reach
from memory.personal_data import consent
from memory.recall.facts.bearing import bears
from memory.recall.facts.extraction import learned

# So many wishes stand in each prompt, and so many facts with a question that they bear on.
MOST_WISHES, MOST_FACTS = 8, 6
LONGEST_WISH = 200


@dataclass(frozen=True)
class KnownFacts:
    """What counts of a person: one row for each subject, the oldest first."""

    facts: Sequence[Fact] = ()

    @property
    def wishes(self) -> list[Fact]:
        """How they want to be answered: the same in each prompt until they say otherwise."""
        return [row for row in self.facts if row.kind == FactKind.WISH][-MOST_WISHES:]

    def bearing_on(self, question: str) -> list[Fact]:
        """Return what else bears on the question, the newest of too much."""
        about = (row for row in self.facts if row.kind != FactKind.WISH)
        return [row for row in about if bears(row.text, row.subject, question)][-MOST_FACTS:]

    def wished(self, aspect: str) -> str:
        """Return the value that the person wishes for an aspect of answers, or an empty text."""
        for row in reversed(self.wishes):
            for each in learned(row.text):
                if each.subject == aspect and not each.ends:
                    return each.value
        return ""

    def on(self, subject: str) -> Fact | None:
        """Return what is known on the subject."""
        return next((row for row in self.facts if row.subject == subject), None)


NOTHING_KNOWN = KnownFacts()


def known_in(session: Session) -> KnownFacts:
    """Return what counts in the session: two queries, and one for those of whom nothing is known.

    What was said in other sessions counts while its person allows that, and neither session keeps
    to itself.
    """
    if not Fact.objects.filter(owner=session.owner_id).exists():
        return NOTHING_KNOWN  # most people; to compose what follows takes ten times as long
    rows = Fact.objects.visible_to(session.owner).current().filter(_within(session))
    newest: dict[tuple[str, str], Fact] = {}
    for row in rows.order_by("valid_from", "id"):
        newest[row.kind, row.subject] = row
    return KnownFacts(sorted(newest.values(), key=lambda row: (row.valid_from, row.pk)))


def known_anywhere(owner: User) -> KnownFacts:
    """Return what counts in any session of the person's that recalls others: one query."""
    rows = Fact.objects.visible_to(owner).current().filter(consent.allowed(Purpose.RECALL))
    rows = rows.filter(is_shared=True).order_by("valid_from", "id")
    newest = {(row.kind, row.subject): row for row in rows}
    return KnownFacts(sorted(newest.values(), key=lambda row: (row.valid_from, row.pk)))


def _within(session: Session) -> Q:
    own, shared = Q(session=session.pk), Q(is_shared=True) & consent.allowed(Purpose.RECALL)
    if not session.recalls:
        return own & (Q(is_shared=False) | shared)
    others = Q(session=None)
    if session.reach == Reach.EVERYTHING:
        reachable = Session.objects.owned_by(session.owner).recallable()
        others |= Q(session__in=reachable.values("pk"))
    return own & Q(is_shared=False) | shared & (own | others)
