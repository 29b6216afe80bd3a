"""P46: nothing of one session is used in another without live consent, nor of what is kept apart.

Two people ask, tell of themselves, archive, hide, expire, delete, allow and withdraw, in any order;
after each step what may be recalled is compared with a model of what was said where.
"""

from collections import Counter
from datetime import timedelta
from itertools import count
from typing import ClassVar
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from citations.models import Document, Source
from citations.session_focus.document_scope import filter_same_documents
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.editing import change
from memory.forgetting.deletion import erase_session, erase_turn
from memory.jobs.queue import run_due
from memory.models import Attempt, Consent, Fact, Purpose, Session, Turn, User
from memory.models.conversations import Reach, SessionQuerySet
from memory.personal_data import consent
from memory.personal_data.consent import ConsentNeeded
from memory.recall.earlier.calling import Which
from memory.recall.earlier.recalling import search_earlier_turns, select_reachable_sessions
from memory.recall.earlier.recounting import recount_questions
from memory.recall.earlier.returning import find_returning_topics
from memory.recall.facts import managing
from memory.recall.facts.known import read_known_facts, read_shared_facts
from memory.recall.facts.patterns import find_patterns

pytestmark = pytest.mark.django_db

numbers = count(1)
CITIES = ("Lisbon", "Porto", "Berlin", "Oslo", "Rome")
people = st.integers(0, 1)
picks = st.integers(0, 5)


def _document(number: int) -> Document:
    values = {"authors": [], "media_type": "text/plain", "status": "ready"}
    return Document.objects.create(title=f"Deed {number}", checksum=f"{number:064}", **values)


class Walk(RuleBasedStateMachine):
    """Two people, a few sessions each, and everything that decides what one may use in another."""

    steps = 0
    # Looks at what there was something to see of.
    seen: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.documents = [_document(next(numbers)) for _ in range(2)]
        self.taken = 0  # by this walk; `steps` are those of all
        self.people = []
        for _ in range(2):
            someone = User(username=f"recaller{next(numbers)}")
            someone.presumes_consent = False
            someone.save()
            consent.decide(someone, {Purpose.STORE: True}, source=Consent.Source.API)
            self.people.append(someone)
        # One of them begins with what another session may draw on.
        consent.decide(self.people[0], {Purpose.RECALL: True}, source=Consent.Source.API)
        for city in CITIES[:2]:
            self._tell(create_session(self.people[0]), city)

    def sessions(self, who: int) -> list[Session]:
        rows = Session.objects.filter(owner=self.people[who]).select_related("owner")
        return list(rows.order_by("created_at", "pk"))

    def picked(self, who: int, pick: int) -> Session | None:
        rows = [row for row in self.sessions(who) if row.expires_at > timezone.now()]
        return rows[pick % len(rows)] if rows else None

    # --- What people do ---------------------------------------------------------------------------

    @rule(who=people, temporary=st.booleans())
    def begin(self, who: int, temporary: bool) -> None:
        if len(self.sessions(who)) < 5:
            create_session(self.people[who], temporary=temporary)

    @rule(who=people, pick=picks, city=st.sampled_from(CITIES))
    def tell(self, who: int, pick: int, city: str) -> None:
        session = self.picked(who, pick)
        if session and session.turn_count < 30:
            self._tell(session, city)
            # Each person's sessions are of days of their own, so that topics are returned to.
            asked_at = timezone.now() - timedelta(days=self.sessions(who).index(session))
            Turn.objects.filter(session=session).update(asked_at=asked_at)

    @staticmethod
    def _tell(session: Session, city: str) -> None:
        ask(session, Question(f"I live in {city}. What is the security deposit?"), patience=0)
        Turn.objects.filter(session=session).update(status="complete", outcome="answered")
        Attempt.objects.filter(turn__session=session).update(finished_at=timezone.now())

    @rule(who=people, given=st.booleans())
    def decide(self, who: int, given: bool) -> None:
        consent.decide(self.people[who], {Purpose.RECALL: given}, source=Consent.Source.API)

    @rule(who=people, pick=picks, archived=st.booleans())
    def archive(self, who: int, pick: int, archived: bool) -> None:
        if session := self.picked(who, pick):
            change(session, archived=archived)

    @rule(who=people, pick=picks, reach=st.sampled_from(Reach.values))
    def set_reach(self, who: int, pick: int, reach: str) -> None:
        if session := self.picked(who, pick):
            change(session, reach=reach)

    @rule(who=people, pick=picks, document=st.integers(0, 1))
    def cite(self, who: int, pick: int, document: int) -> None:
        if session := self.picked(who, pick):
            number = session.sources.count() + 1
            cited = {"number": number, "owner_id": session.owner_id}
            session.sources.get_or_create(document=self.documents[document], defaults=cited)

    @rule(who=people, pick=picks)
    def expire(self, who: int, pick: int) -> None:
        if session := self.picked(who, pick):
            past = timezone.now() - timedelta(seconds=1)
            Session.objects.filter(pk=session.pk).update(expires_at=past)

    @rule(who=people, pick=picks)
    def delete_one(self, who: int, pick: int) -> None:
        if session := self.picked(who, pick):
            erase_session(session, actor=session.owner)

    @rule(who=people, pick=picks)
    def delete_the_newest_turn(self, who: int, pick: int) -> None:
        session = self.picked(who, pick)
        if session and (turn := session.turns.order_by("-position").first()):
            erase_turn(turn, actor=session.owner)

    @rule(who=people)
    def keep_the_newest(self, who: int) -> None:
        owner = self.people[who]
        fact = Fact.objects.visible(owner).filter(state="found").order_by("-valid_from").first()
        if fact and consent.allows(owner.pk, Purpose.RECALL):
            managing.confirm(fact)

    @precondition(lambda self: self.taken % 3 == 0)
    @rule()
    def let_jobs_run(self) -> None:
        run_due()
        for someone in self.people:
            if not consent.allows(someone.pk, Purpose.RECALL):
                left = Fact.objects.filter(owner=someone, is_shared=True, state="found")
                assert not left.exists()

    # --- What is always so ------------------------------------------------------------------------

    @invariant()
    def nothing_is_recalled_that_may_not_be(self) -> None:
        type(self).steps += 1
        self.taken += 1
        now = timezone.now()
        for who, someone in enumerate(self.people):
            allowed = consent.allows(someone.pk, Purpose.RECALL)
            mine = self.sessions(who)
            open_to_others = {row.pk for row in mine if self._gives(row) and row.expires_at > now}
            for session in mine:
                goes_on = allowed and not session.temporary and session.reach != Reach.SESSION
                may = open_to_others - {session.pk} if goes_on else set()
                if session.reach == Reach.DOCUMENTS:
                    may = {pk for pk in may if self._cited(pk) & self._cited(session.pk)}
                self._look_at_turns(session, may)
                self._look_at_facts(session, someone.pk, allowed, goes_on, open_to_others)
            self._look_at_patterns(someone, allowed, open_to_others)
            self._look_everywhere(someone, allowed, open_to_others)

    @staticmethod
    def _cited(session: UUID) -> set[int | None]:
        return set(Source.objects.filter(session=session).values_list("document", flat=True))

    def _look_at_turns(self, session: Session, may: set[UUID]) -> None:
        """Look at which sessions may be drawn on, and at what is told of them by when."""

        def near(rows: SessionQuerySet) -> SessionQuerySet:
            return filter_same_documents(rows, session)

        assert set(select_reachable_sessions(session, near).values_list("pk", flat=True)) == may
        if session.reach == Reach.DOCUMENTS:
            assert not select_reachable_sessions(session).exists()
            self.seen["documents"] += bool(may)
        when = list(Which)[self.taken % len(Which)]
        told = {each.turn for each in recount_questions(session, when, near).turns}
        assert {turn.session_id for turn in told} <= may
        assert {turn.owner_id for turn in told} <= {session.owner_id}
        self.seen["recounted"] += bool(told)

    def _look_everywhere(self, someone: User, allowed: bool, open_to_others: set[UUID]) -> None:
        """Look at what is told of all sessions: facts, and, now and then, turns by meaning."""
        for fact in read_shared_facts(someone).facts:
            assert allowed
            assert fact.owner_id == someone.pk
            assert fact.is_shared
            assert fact.deleted_at is None
        if self.taken % 10:
            return
        try:
            found = search_earlier_turns(someone, "the security deposit", limit=5).turns
        except ConsentNeeded:
            assert not allowed
        else:
            assert allowed
            assert {each.turn.session_id for each in found} <= open_to_others
            assert {each.turn.owner_id for each in found} <= {someone.pk}
            self.seen["recollected"] += bool(found)

    @staticmethod
    def _gives(session: Session) -> bool:
        return not (session.temporary or session.archived or session.reach == Reach.SESSION)

    @staticmethod
    def _look_at_facts(
        session: Session, owner: UUID, allowed: bool, goes_on: bool, open_to_others: set[UUID]
    ) -> None:
        subjects = set()
        for fact in read_known_facts(session).facts:
            assert fact.owner_id == owner
            assert fact.valid_until is None
            assert fact.subject not in subjects
            subjects.add(fact.subject)
            assert allowed or not fact.is_shared
            if fact.session_id != session.pk:
                assert goes_on
                assert fact.is_shared
                assert fact.session_id is None or fact.session_id in open_to_others

    @staticmethod
    def _look_at_patterns(someone: User, allowed: bool, open_to_others: set[UUID]) -> None:
        for fact in find_patterns(someone).facts:
            assert allowed
            assert fact.owner_id == someone.pk
            assert fact.is_shared
            assert fact.deleted_at is None
            assert fact.session_id is None or fact.session_id in open_to_others
        for returned in find_returning_topics(someone):
            assert allowed
            assert {turn.owner_id for turn in returned.turns} == {someone.pk}
            assert {turn.session_id for turn in returned.turns} <= open_to_others


def walk(steps: int) -> None:
    Walk.steps, each = 0, 50
    Walk.seen.clear()
    while Walk.steps < steps:  # those of a walk are fifty at most
        run_state_machine_as_test(
            Walk,
            settings=settings(
                max_examples=max((steps - Walk.steps) // each, 1),
                stateful_step_count=each,
                suppress_health_check=list(HealthCheck),
            ),
        )
    assert Walk.seen["recounted"], "there was something to be told"


def test_p46_nothing_is_recalled_without_live_consent_or_from_what_is_kept_apart() -> None:
    walk(250 if connection.vendor == "sqlite" else 150)


@pytest.mark.deep
def test_p46_nothing_is_recalled_in_ten_thousand_steps() -> None:
    walk(10_000)
