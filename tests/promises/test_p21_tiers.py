"""P21: tiers are exact. What is there is what a short model says, whatever is done."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory import holds
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.attempts import Ending, LostAttempt, end_alone
from memory.conversations.editing import change
from memory.errors import Held, NotFound, SessionFull, TurnInProgress
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention import counting, lifetimes, sweeping
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.previews import preview, proposed
from memory.forgetting.retention.purging import purge
from memory.forgetting.retention.runs import run
from memory.jobs.queue import run_due
from memory.models import Attempt, LegalHold, RetentionPolicy, Session, Tier, Turn, User
from tests.memory.retained import expired_session_of
from tests.people import person

RUNS, STEPS = 2000, 50
TEMPORARY, GRACE = 400, 200
TIERS = Tier.values
BEGAN = datetime(2026, 1, 1, tzinfo=timezone.get_default_timezone())


# --- The model ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Terms:
    lifetime: int
    max_turns: int
    pinned: int | None = None
    archived: int | None = None


CLOCKS = st.sampled_from([None, 300, 3000])
TERMS = st.builds(Terms, st.sampled_from([300, 500, 1000, 3000]), st.integers(1, 4), CLOCKS, CLOCKS)


@dataclass
class Expected:
    """A conversation as it should be."""

    temporary: bool
    last: int
    ends: int
    pinned: bool = False
    archived: bool = False
    own: int | None = None
    extended: int = 0
    kept_until: int = 0
    positions: list[int] = field(default_factory=list)
    asked: int = 0
    answering: bool = False
    held: bool = False
    wanted_gone: bool = False
    waits_to_be_trimmed: bool = False


@dataclass
class World:
    """All conversations of one person, in whole seconds since the beginning."""

    terms: dict[str, Terms]
    versions: dict[str, int]
    tier: str = "default"
    own: int | None = None
    now: int = 0
    person_held: bool = False
    there: dict[Any, Expected] = field(default_factory=dict)
    # Confirmed runs that nobody has done yet: tier, version, and whether the person moves there.
    confirmed: list[tuple[str, int, bool]] = field(default_factory=list)

    def lifetime(self, one: Expected) -> int:
        terms = self.terms[self.tier]
        seconds = terms.lifetime
        if one.pinned and terms.pinned:
            seconds = terms.pinned
        elif one.archived and terms.archived:
            seconds = terms.archived
        limits = [TEMPORARY] if one.temporary else []
        return min([seconds, *limits, *(own for own in (one.own, self.own) if own)])

    def clock(self, one: Expected) -> int:
        return max(one.last, one.extended) + self.lifetime(one)

    def ends(self, one: Expected) -> int:
        return max(self.clock(one), one.kept_until, self.now)

    def used(self, one: Expected) -> None:
        one.last, one.ends = self.now, self.now + self.lifetime(one)

    def rearranged(self, one: Expected) -> None:
        grace = min(one.ends, self.now + GRACE)
        one.kept_until = grace if grace > self.clock(one) else 0
        one.ends = max(self.clock(one), grace)

    def chosen(self, one: Expected, seconds: int | None) -> None:
        """Give it the end that its person's new choice leaves it."""
        one.kept_until = one.kept_until if seconds is None else 0
        one.ends = self.ends(one)

    def is_held(self, one: Expected) -> bool:
        return self.person_held or one.held

    def visible(self) -> set[Any]:
        return {key for key, one in self.there.items() if one.ends > self.now}

    def sweep(self) -> None:
        stay = {k: one for k, one in self.there.items() if one.ends > self.now or self.is_held(one)}
        self.there = stay

    def work(self) -> None:
        """Do the runs that were confirmed, but not those whose policy rules no more."""
        for tier, version, moves in self.confirmed:
            rules = version == self.versions[tier] and (self.tier == tier or not moves)
            if rules and self.tier == tier:
                self.restamp()
        self.confirmed = []

    def restamp(self) -> None:
        for key in self.visible():
            self.there[key].ends = self.ends(self.there[key])
        self.sweep()
        for key in self.visible():
            self.trim(key)

    def trim(self, key: Any) -> None:
        one, cap = self.there[key], self.terms[self.tier].max_turns
        if len(one.positions) > cap:
            one.waits_to_be_trimmed = self.is_held(one)
            if not self.is_held(one):
                one.positions, one.answering = one.positions[-cap:], False

    def released(self) -> None:
        for key, one in list(self.there.items()):
            if one.waits_to_be_trimmed:
                self.trim(key)
                one.waits_to_be_trimmed = self.is_held(one)
            if one.wanted_gone and not self.is_held(one):
                del self.there[key]


# --- The product beside it ------------------------------------------------------------------------


class Clock:
    """The time that the product is told, moved by hand."""

    seconds = 0

    def __call__(self) -> datetime:
        return BEGAN + timedelta(seconds=self.seconds)


class Retention(RuleBasedStateMachine):
    """Do the same to both, and compare."""

    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        self.before = transaction.savepoint()
        self.clock.seconds = 0
        self.admin = User.objects.get(username="admin")
        self.owner = User.objects.get(username="owner")
        terms = {
            tier: Terms(1000 * (number + 1), 2 + number, pinned=4000, archived=300)
            for number, tier in enumerate(TIERS)
        }
        self.world = World(terms, dict.fromkeys(TIERS, 1))
        RetentionPolicy.objects.bulk_create(
            RetentionPolicy(
                tier=tier,
                version=1,
                lifetime=one.lifetime,
                max_turns=one.max_turns,
                temporary_lifetime=TEMPORARY,
                pinned_lifetime=one.pinned,
                archived_lifetime=one.archived,
            )
            for tier, one in terms.items()
        )
        self.holds: list[tuple[LegalHold, Any]] = []
        self.attempts: dict[Any, Attempt] = {}
        # Some to begin with, so that little is done in vain.
        for flags in ({}, {}, {"pinned": True}):
            self.store(**flags)

    def teardown(self) -> None:
        transaction.savepoint_rollback(self.before)

    def chosen(self, number: int) -> Any:
        return sorted(self.world.there)[number % len(self.world.there)]

    def row(self, key: Any) -> Session:
        return Session.objects.select_related("owner").get(pk=key)

    def work(self) -> None:
        """Do the runs; what has expired by its own time is left by them to the next sweep."""
        run_due()
        self.world.work()
        self.sweep()

    @rule(temporary=st.booleans())
    def begin(self, temporary: bool) -> None:
        self.store(temporary=temporary)

    def store(self, *, temporary: bool = False, pinned: bool = False) -> None:
        owner = User.objects.get(pk=self.owner.pk)
        session = create_session(owner, temporary=temporary, pinned=pinned)
        one = Expected(temporary, self.world.now, 0, pinned=pinned)
        self.world.there[session.pk] = one
        self.world.used(one)

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9), times=st.integers(1, 2))
    def ask(self, number: int, times: int) -> None:
        for _ in range(times):
            self.ask_once(self.chosen(number), is_answered=True)

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9))
    def ask_and_let_it_be_answered_later(self, number: int) -> None:
        self.ask_once(self.chosen(number), is_answered=False)

    def ask_once(self, key: Any, *, is_answered: bool) -> None:
        session, one = self.row(key), self.world.there[key]
        error: type[Exception] | None = None
        if key not in self.world.visible():
            error = NotFound
        elif one.answering:
            error = TurnInProgress
        elif len(one.positions) >= self.world.terms[self.world.tier].max_turns:
            error = SessionFull
        if error:
            with pytest.raises(error):
                ask(session, Question("Why?"), patience=0)
            return
        attempt = ask(session, Question("Why?"), patience=0).attempt
        assert attempt
        one.asked += 1
        one.positions.append(one.asked)
        self.world.used(one)
        one.answering = not is_answered
        self.attempts[key] = attempt
        if is_answered:
            end_alone(attempt, Ending(status="complete", text="So."))

    @precondition(lambda self: self.attempts)
    @rule(number=st.integers(0, 9))
    def answer(self, number: int) -> None:
        key = sorted(self.attempts)[number % len(self.attempts)]
        attempt, one = self.attempts.pop(key), self.world.there.get(key)
        if one is None or not one.answering:
            with pytest.raises(LostAttempt):
                end_alone(attempt, Ending(status="complete", text="So."))
            return
        end_alone(attempt, Ending(status="complete", text="So."))
        one.answering = False
        if key in self.world.visible():
            self.world.used(one)

    @rule(seconds=st.sampled_from([1, 100, 199, 200, 299, 300, 500, 999]))
    def tick(self, seconds: int) -> None:
        self.pass_by(seconds)

    def pass_by(self, seconds: int) -> None:
        self.world.now += seconds
        self.clock.seconds += seconds

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9), flag=st.sampled_from(["pinned", "archived"]), on=st.booleans())
    def pin_or_archive_one(self, number: int, flag: str, on: bool) -> None:
        self.pin_or_archive(self.chosen(number), flag, on=on)

    def pin_or_archive(self, key: Any, flag: str, *, on: bool) -> None:
        def act(session: Session, one: Expected) -> None:
            change(session, **{flag: on})
            setattr(one, flag, on)
            self.world.rearranged(one)

        self.change_one(key, act)

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9))
    def extend(self, number: int) -> None:
        def act(session: Session, one: Expected) -> None:
            lifetimes.extend(session)
            one.extended = self.world.now
            one.ends = self.world.ends(one)

        self.change_one(self.chosen(number), act)

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9), seconds=st.sampled_from([None, 100, 250]))
    def limit_lifetime(self, number: int, seconds: int | None) -> None:
        def act(session: Session, one: Expected) -> None:
            lifetimes.limit_lifetime(session, seconds)
            one.own = seconds
            self.world.chosen(one, seconds)

        self.change_one(self.chosen(number), act)

    def change_one(self, key: Any, act: Callable[[Session, Expected], None]) -> None:
        session, one = self.row(key), self.world.there[key]
        if key in self.world.visible():
            act(session, one)
            return
        with pytest.raises(NotFound):
            act(session, replace(one))

    @precondition(lambda self: self.world.visible())
    @rule(seconds=st.sampled_from([None, 100, 280]))
    def limit_all_lifetimes(self, seconds: int | None) -> None:
        world, before = self.world, self.world.visible()
        ended = lifetimes.limit_all_lifetimes(User.objects.get(pk=self.owner.pk), seconds)
        world.own = seconds
        for key in before:
            world.chosen(world.there[key], seconds)
        assert ended == len(before - world.visible())

    @rule(terms=TERMS, at_once=st.booleans())
    def change_the_policy(self, terms: Terms, *, at_once: bool) -> None:
        self.bring(terms, at_once=at_once)

    @precondition(lambda self: self.world.visible())
    @rule(mistake=TERMS, terms=TERMS)
    def mend_a_mistake(self, mistake: Terms, terms: Terms) -> None:
        self.pass_by(299)
        self.store()
        self.pass_by(299)
        self.bring(mistake, at_once=False)
        self.bring(terms, at_once=True)

    @precondition(lambda self: any(one.pinned for one in self.world.there.values()))
    @rule(terms=TERMS)
    def unpin_and_change_the_policy(self, terms: Terms) -> None:
        key = next(key for key, one in self.world.there.items() if one.pinned)
        self.pass_by(299)
        self.pin_or_archive(key, "pinned", on=False)
        self.bring(terms, at_once=True)

    def bring(self, terms: Terms, *, at_once: bool) -> None:
        world, tier = self.world, self.world.tier
        world.terms[tier] = terms
        world.versions[tier] += 1
        clocks = {"pinned_lifetime": terms.pinned, "archived_lifetime": terms.archived}
        usual = {"lifetime": terms.lifetime, "max_turns": terms.max_turns}
        found = preview(proposed(tier, **usual, **clocks))
        would_go = {k for k in world.visible() if world.ends(world.there[k]) <= world.now}
        held = {key for key in would_go if world.is_held(world.there[key])}
        assert (found.total.sessions, found.total.held) == (len(would_go - held), len(held))
        self.confirm(found.run.pk, (tier, world.versions[tier], False), at_once=at_once)

    @rule(tier=st.sampled_from(TIERS), at_once=st.booleans())
    def change_the_tier(self, tier: str, *, at_once: bool) -> None:
        found = preview(
            RetentionPolicy.objects.ruling(tier), person=User.objects.get(pk=self.owner.pk)
        )
        self.world.tier = tier
        self.confirm(found.run.pk, (tier, self.world.versions[tier], True), at_once=at_once)

    def confirm(self, run_id: Any, run_of: tuple[str, int, bool], *, at_once: bool) -> None:
        run(run_id, actor=self.admin)
        self.world.confirmed.append(run_of)
        if at_once:
            self.work()

    @precondition(lambda self: self.world.confirmed)
    @rule()
    def do_what_was_confirmed(self) -> None:
        self.work()

    @precondition(lambda self: self.world.there and len(self.holds) < 4)
    @rule(number=st.integers(0, 9))
    def hold_a_session(self, number: int) -> None:
        key = self.chosen(number)
        session = Session.objects.get(pk=key)
        if self.world.there[key].held:
            with pytest.raises(holds.HeldAlready):
                holds.place(session, reason="A case", author=self.admin)
            return
        row = holds.place(session, reason="A case", author=self.admin)
        self.holds.append((row, key))
        self.world.there[key].held = True

    @precondition(lambda self: self.world.there and not self.world.person_held)
    @rule()
    def hold_the_person(self) -> None:
        row = holds.place(self.owner, reason="A case", author=self.admin)
        self.holds.append((row, None))
        self.world.person_held = True

    @precondition(lambda self: self.holds)
    @rule(number=st.integers(0, 9))
    def release(self, number: int) -> None:
        self.work()
        row, key = self.holds.pop(number % len(self.holds))
        holds.release(row, actor=self.admin)
        run_due()
        left = [other for _, other in self.holds]
        self.world.person_held = None in left
        if key in self.world.there:
            self.world.there[key].held = key in left
        self.world.released()

    @precondition(lambda self: self.world.visible())
    @rule(number=st.integers(0, 9))
    def delete(self, number: int) -> None:
        visible = sorted(self.world.visible())
        key = visible[number % len(visible)]
        one, session = self.world.there[key], Session.objects.get(pk=key)
        if self.world.is_held(one):
            with pytest.raises(Held):
                erase_session(session, actor=self.owner)
            one.wanted_gone = True
        else:
            erase_session(session, actor=self.owner)
            del self.world.there[key]

    @rule()
    def sweep(self) -> None:
        sweeping.sweep()
        self.world.sweep()

    @invariant()
    def what_is_there_is_what_should_be(self) -> None:
        stored: dict[Any, list[int]] = {}
        rows = Session.objects.order_by("turns__position").values_list("pk", "turns__position")
        for key, position in rows:
            stored.setdefault(key, []).extend([position] if position else [])
        assert stored == {key: one.positions for key, one in self.world.there.items()}
        seen = Session.objects.visible(self.owner).values_list("pk", flat=True)
        assert set(seen) == self.world.visible()


def compare(monkeypatch: pytest.MonkeyPatch, runs: int, steps: int) -> None:
    Retention.clock = Clock()
    person("owner")
    person("admin", is_staff=True)
    monkeypatch.setattr("django.utils.timezone.now", Retention.clock)
    monkeypatch.setattr(lifetimes, "GRACE", timedelta(seconds=GRACE))
    # How many bytes would go is nothing that the model knows.
    monkeypatch.setattr(counting, "_compute_sizes", lambda due: {})
    # P25 is about the lag.
    monkeypatch.setattr(sweeping, "compute_lag", lambda: sweeping.Lag(0, 0))
    run_state_machine_as_test(
        Retention,
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.django_db
def test_p21_what_is_kept_is_what_the_tiers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(monkeypatch, RUNS // 100 if connection.vendor == "sqlite" else RUNS // 200, STEPS)


@pytest.mark.deep
@pytest.mark.django_db
def test_p21_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(monkeypatch, RUNS, STEPS)


# --- Two sweepers at once -------------------------------------------------------------------------


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_p21_two_sweepers_and_whoever_places_holds_are_in_nobodys_way() -> None:
    owner, counsel = person("owner"), person("counsel")
    expired = [expired_session_of(owner, turns=2) for _ in range(40)]
    purged, kept, errors = [], [], []

    def together(act: Any) -> threading.Thread:
        def acting() -> None:
            try:
                act()
            except Exception as error:  # noqa: BLE001 - whatever it is, the test is to tell
                errors.append(error)
            finally:
                connections.close_all()

        return threading.Thread(target=acting)

    def place() -> None:
        for session in expired[-20::2]:
            try:
                holds.place(session, reason="A case", author=counsel)
                kept.append(session.pk)
            except NotFound:
                pass

    acts = [lambda: purged.append(purge(Due())), lambda: purged.append(purge(Due())), place]
    threads = [together(act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    # A hold that was placed holds: nothing of its session is gone.
    left = set(Session.objects.values_list("pk", flat=True))
    assert left == set(kept)
    assert Turn.objects.count() == 2 * len(kept)
    assert sum(one.sessions for one in purged) == len(expired) - len(kept)
    assert sum(one.skipped for one in purged) == 0
