"""P21: tiers are exact. What is there is what forty lines of a model say, whatever is done."""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory.answers import Ending, end_alone
from memory.asking import Question, ask, create_session
from memory.errors import Held, NotFound, SessionFull
from memory.forgetting import holds, retention
from memory.forgetting.due import Due
from memory.forgetting.erasure import erase_session
from memory.forgetting.previews import preview, proposed
from memory.forgetting.purging import purge
from memory.forgetting.runs import run
from memory.jobs import run_due
from memory.models import (
    Job,
    LegalHold,
    RetentionPolicy,
    Session,
    Tier,
    Turn,
    User,
    WaitingDeletion,
)
from tests.memory.retained import expired_session_of
from tests.people import person

RUNS, STEPS = 2000, 50
TEMPORARY = 400
TIERS = Tier.values
BEGAN = datetime(2026, 1, 1, tzinfo=timezone.get_default_timezone())


# --- The model ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Terms:
    lifetime: int
    max_turns: int


@dataclass
class Expected:
    """A conversation as it should be."""

    temporary: bool
    last: int
    ends: int
    positions: list[int] = field(default_factory=list)
    asked: int = 0
    held: bool = False
    wanted_gone: bool = False
    waits_to_be_trimmed: bool = False


@dataclass
class World:
    """All conversations of one person, in whole seconds since the beginning."""

    terms: dict[str, Terms]
    tier: str = "default"
    now: int = 0
    person_held: bool = False
    there: dict[Any, Expected] = field(default_factory=dict)

    def ends(self, one: Expected) -> int:
        terms = self.terms[self.tier]
        return one.last + (min(terms.lifetime, TEMPORARY) if one.temporary else terms.lifetime)

    def is_held(self, one: Expected) -> bool:
        return self.person_held or one.held

    def visible(self) -> set[Any]:
        return {key for key, one in self.there.items() if one.ends > self.now}

    def sweep(self) -> None:
        stay = {k: one for k, one in self.there.items() if one.ends > self.now or self.is_held(one)}
        self.there = stay

    def restamp(self) -> None:
        """Bring everything under what rules now, as a confirmed run does."""
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
                one.positions = one.positions[-cap:]

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
        for model in (Session, LegalHold, RetentionPolicy, WaitingDeletion, Job):
            model.objects.all().delete()
        self.clock.seconds = 0
        self.admin = User.objects.get(username="admin")
        self.owner = User.objects.get(username="owner")
        User.objects.filter(pk=self.owner.pk).update(tier="default")
        self.world = World(
            {tier: Terms(1000 * (number + 1), 2 + number) for number, tier in enumerate(TIERS)}
        )
        for tier, terms in self.world.terms.items():
            values = {"lifetime": terms.lifetime, "max_turns": terms.max_turns}
            RetentionPolicy.objects.create(
                tier=tier, version=1, temporary_lifetime=TEMPORARY, **values
            )
        self.holds: list[tuple[LegalHold, Any]] = []

    def chosen(self, number: int) -> Any:
        return sorted(self.world.there)[number % len(self.world.there)]

    @rule(temporary=st.booleans())
    def begin(self, temporary: bool) -> None:
        owner = User.objects.get(pk=self.owner.pk)
        session = create_session(owner, temporary=temporary)
        one = Expected(temporary, self.world.now, 0)
        one.ends = self.world.ends(one)
        self.world.there[session.pk] = one

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9), times=st.integers(1, 3))
    def ask(self, number: int, times: int) -> None:
        key = self.chosen(number)
        one = self.world.there[key]
        for _ in range(times):
            self.ask_once(key, one)

    def ask_once(self, key: Any, one: Expected) -> None:
        session = Session.objects.select_related("owner").get(pk=key)
        terms = self.world.terms[self.world.tier]
        if key not in self.world.visible():
            with pytest.raises(NotFound):
                ask(session, Question("Why?"))
        elif len(one.positions) >= terms.max_turns:
            with pytest.raises(SessionFull):
                ask(session, Question("Why?"))
        else:
            attempt = ask(session, Question("Why?")).attempt
            assert attempt
            end_alone(attempt, Ending(status="complete", text="So."))
            one.asked += 1
            one.positions.append(one.asked)
            one.last = self.world.now
            one.ends = self.world.ends(one)

    @rule(seconds=st.sampled_from([1, 100, 499, 500, 999, 1000, 1001, 2000]))
    def tick(self, seconds: int) -> None:
        self.world.now += seconds
        self.clock.seconds += seconds

    @rule(lifetime=st.sampled_from([300, 500, 1000, 3000]), turns=st.integers(1, 4))
    def change_the_policy(self, lifetime: int, turns: int) -> None:
        world = self.world
        before = world.there
        world.terms[world.tier] = Terms(lifetime, turns)
        found = preview(proposed(world.tier, lifetime=lifetime, max_turns=turns))
        would_go = {key for key in world.visible() if world.ends(before[key]) <= world.now}
        held = {key for key in would_go if world.is_held(before[key])}
        assert (found.total.sessions, found.total.held) == (len(would_go - held), len(held))
        self.confirm(found.run.pk)

    @rule(tier=st.sampled_from(TIERS))
    def change_the_tier(self, tier: str) -> None:
        self.world.tier = tier
        policy = RetentionPolicy.objects.ruling(tier)
        self.confirm(preview(policy, person=User.objects.get(pk=self.owner.pk)).run.pk)

    def confirm(self, run_id: Any) -> None:
        run(run_id, actor=self.admin)
        run_due()
        self.world.restamp()

    @precondition(lambda self: self.world.there)
    @rule(number=st.integers(0, 9))
    def hold_a_session(self, number: int) -> None:
        key = self.chosen(number)
        row = holds.place(Session.objects.get(pk=key), reason="A case", author=self.admin)
        self.holds.append((row, key))
        self.world.there[key].held = True

    @rule()
    def hold_the_person(self) -> None:
        row = holds.place(self.owner, reason="A case", author=self.admin)
        self.holds.append((row, None))
        self.world.person_held = True

    @precondition(lambda self: self.holds)
    @rule(number=st.integers(0, 9))
    def release(self, number: int) -> None:
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
        retention.sweep()
        self.world.sweep()

    @invariant()
    def what_is_there_is_what_should_be(self) -> None:
        stored: dict[Any, list[int]] = {
            pk: [] for pk in Session.objects.values_list("pk", flat=True)
        }
        turns = Turn.objects.order_by("position").values_list("session_id", "position")
        for session_id, position in turns:
            stored[session_id].append(position)
        assert stored == {key: one.positions for key, one in self.world.there.items()}
        seen = Session.objects.visible_to(self.owner).values_list("pk", flat=True)
        assert set(seen) == self.world.visible()


def compare(monkeypatch: pytest.MonkeyPatch, runs: int, steps: int) -> None:
    Retention.clock = Clock()
    person("owner")
    person("admin", is_staff=True)
    monkeypatch.setattr("django.utils.timezone.now", Retention.clock)
    run_state_machine_as_test(
        Retention,
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.django_db
def test_p21_what_is_kept_is_what_the_tiers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(monkeypatch, RUNS // 50, STEPS)


@pytest.mark.deep
@pytest.mark.django_db
def test_p21_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(monkeypatch, RUNS, STEPS)


# --- Two sweepers at once -------------------------------------------------------------------------


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
