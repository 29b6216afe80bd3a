"""What is known of a person for a question: what counts in its session now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.models import Fact, FactKind, Purpose, Session, User
from memory.models.conversations import Reach
from memory.personal_data import consent
from memory.recall.facts.extraction import learned
from memory.text.embedding import Embedded, Vectors, embed_message, embedder

# So many wishes stand in each prompt, and so many facts with a question that they bear on.
MOST_WISHES, MOST_FACTS = 8, 6
# A fact this near a question bears on it. Of 70 questions over 14 facts 11 of 21 that need one are
# given it, and 5 of 49 that need none are.
BEARS = 0.33


@dataclass(frozen=True)
class KnownFacts:
    """What counts of a person: one row for each subject, the oldest first."""

    facts: Sequence[Fact] = ()

    @property
    def wishes(self) -> list[Fact]:
        """How they want to be answered: the same in each prompt until they say otherwise."""
        return [row for row in self.facts if row.kind == FactKind.WISH][-MOST_WISHES:]

    def bearing_on(self, asked: Embedded) -> list[Fact]:
        """Return the facts that bear on the question, the nearest first."""
        return self.near(asked, at_least=BEARS)[:MOST_FACTS]

    def near(self, asked: Embedded, *, at_least: float) -> list[Fact]:
        """Return the facts, but for wishes, at least so near the question, the nearest first."""
        engine, vector = embedder(), asked.vector
        facts = [row for row in self.facts if row.kind != FactKind.WISH]
        if engine is None or vector is None or not facts:
            return []
        vectors = [_vector_of(row.text) for row in facts]
        scores = [0.0 if each is None else float(each @ vector) / engine.spread for each in vectors]
        ranked = sorted(zip(scores, facts, strict=True), key=lambda pair: pair[0], reverse=True)
        return [row for score, row in ranked if score >= at_least]

    def wished(self, aspect: str) -> str:
        """Return the value that the person wishes for an aspect of answers, or an empty text."""
        for row in reversed(self.wishes):
            for each in learned(row.text):
                if each.subject == aspect and not each.ends:
                    return each.value
        return ""


NOTHING_KNOWN = KnownFacts()


def known_in(session: Session) -> KnownFacts:
    """Return the facts that count in the session: three plain queries, one if nothing is known.

    What was said in other sessions counts while its person allows that, and neither session keeps
    to itself. Asked for in one statement it takes three times as long to compose.
    """
    rows = list(_said(session.owner_id, session.pk))
    if not rows:
        return NOTHING_KNOWN
    # After the rows: a withdrawal that comes between them counts.
    shared = [row for row in rows if row.is_shared]
    is_allowed = bool(shared) and consent.allows(session.owner_id, Purpose.RECALL)
    reached = _reached(session, shared) if is_allowed and session.recalls else frozenset()

    def counts(row: Fact) -> bool:
        if row.is_shared and not is_allowed:
            return False
        return row.session_id == session.pk or row.session_id in reached

    return _newest(row for row in rows if counts(row))


def _said(owner: UUID, session: UUID) -> QuerySet[Fact]:
    said = Q(session=session) | Q(is_shared=True)
    return Fact.objects.live(User(pk=owner)).current().filter(said)


def _reached(session: Session, shared: Sequence[Fact]) -> frozenset[UUID | None]:
    """Return the other sessions whose facts count in this one; None stands for no session."""
    others = {row.session_id for row in shared if row.session_id} - {session.pk}
    if not others or session.reach != Reach.EVERYTHING:
        return frozenset([None])
    reachable = Session.objects.owned(session.owner).recallable().filter(pk__in=others)
    return frozenset([None, *reachable.values_list("pk", flat=True)])


def _newest(rows: Iterable[Fact]) -> KnownFacts:
    """Return one row for each subject, the oldest first."""
    in_order = sorted(rows, key=lambda row: (row.valid_from, row.pk))
    newest = {(row.kind, row.subject): row for row in in_order}
    return KnownFacts(sorted(newest.values(), key=lambda row: (row.valid_from, row.pk)))


def known_anywhere(owner: User) -> KnownFacts:
    """Return the facts that count in every session that recalls others: one query."""
    rows = Fact.objects.visible(owner).current().filter(consent.allowed(Purpose.RECALL))
    return _newest(rows.filter(is_shared=True))


@lru_cache(maxsize=2_000)
def _vector_of(text: str) -> Vectors | None:
    return embed_message(text)
