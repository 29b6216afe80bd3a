"""Runs: what a change of a policy would delete is counted first, confirmed, and then done."""

import csv
from datetime import timedelta

import pytest
from django.utils import timezone

from memory import holds
from memory.conversations.asking import Question, ask
from memory.errors import MoreWouldGo, NotFound, PolicyChanged, SessionFull
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.previews import (
    build_due,
    preview,
    preview_again,
    proposed,
    read_stored_preview,
    render_csv_rows,
)
from memory.forgetting.retention.runs import run
from memory.forgetting.retention.sweeping import get_policy, sweep
from memory.jobs.queue import run_due
from memory.models import (
    AuditEvent,
    Fact,
    LegalHold,
    RetentionPolicy,
    RetentionRun,
    Session,
    Tier,
    Turn,
    User,
    VectorBlock,
    WaitingDeletion,
)
from memory.recall.facts import ending
from memory.text.vectors import Block
from tests.memory.retained import DAY, aged, session_of, with_vectors
from tests.people import person

pytestmark = pytest.mark.django_db


def confirmed(policy: RetentionPolicy, actor: User, **whose: User) -> RetentionRun:
    """Preview and run the policy to its end."""
    row = run(preview(policy, author=actor, **whose).run.pk, actor=actor)
    run_due()
    row.refresh_from_db()
    return row


# --- Preview --------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_dry_run_counts_what_would_go_and_touches_nothing(
    admin: User, researcher: User, owner: User
) -> None:
    other = person("other", tier=Tier.RESEARCH)
    for days, whose in ((8, researcher), (20, researcher), (9, other), (1, other)):
        aged(whose, days, turns=2)
    held = aged(other, 10, turns=2)
    holds.place(held, reason="A case", author=admin)
    session_of(owner, turns=3)
    before = list(Session.objects.order_by("pk").values())
    found = preview(proposed("research", lifetime=7 * DAY), author=admin)
    assert list(Session.objects.order_by("pk").values()) == before
    assert (found.total.sessions, found.total.people, found.total.turns) == (3, 2, 6)
    assert found.total.held == 1
    assert [counts.tier for counts in found.tiers] == ["research"]
    assert found.headline == "30 days → 7 days: 3 conversations of 2 people would be deleted"
    ages = [
        timezone.now() - moment for moment in (found.total.oldest, found.total.newest) if moment
    ]
    assert [age.days for age in ages] == [20, 8]
    # Questions, answers, quotes, titles: at least the bytes of what was said.
    assert found.total.size > 6 * len("Question 1?Answer 1.So.")
    assert (found.run.status, found.run.sessions, found.run.held) == ("previewed", 3, 1)
    assert AuditEvent.objects.filter(action="retention.previewed", actor_id=admin.pk).exists()


def test_turns_over_a_lowered_cap_are_counted_apart(admin: User, owner: User) -> None:
    session_of(owner, turns=5)
    holds.place(session_of(owner, turns=6), reason="A case", author=admin)
    found = preview(proposed("default", max_turns=3))
    assert (found.run.excess, found.run.excess_sessions, found.total.sessions) == (2, 1, 0)
    assert found.headline == "100 → 3: 2 questions would be deleted from conversations that stay"


def test_counted_again_only_the_change_is_taken_over(admin: User, researcher: User) -> None:
    first = preview(proposed("research", lifetime=7 * DAY)).run
    confirmed(proposed("research", max_turns=50), admin)
    again = preview_again(first).run
    assert (again.terms["lifetime"], again.terms["max_turns"]) == (7 * DAY, 50)
    assert [change.alone for change in read_stored_preview(first).changes] == ["30 days → 7 days"]


def test_the_sessions_that_would_go_can_be_had_as_lines(admin: User, researcher: User) -> None:
    gone = aged(researcher, 8, turns=2)
    holds.place(aged(researcher, 9), reason="A case", author=admin)
    aged(researcher, 1)
    found = preview(proposed("research", lifetime=7 * DAY))
    lines = list(render_csv_rows(build_due(found.run)))
    rows = list(csv.DictReader(lines))
    assert [row["held"] for row in rows] == ["True", "False"]
    assert (rows[1]["session"], rows[1]["turns"]) == (str(gone.pk), "2")
    assert "About dates" not in "".join(lines)


# --- Run ------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_run_does_what_was_previewed(admin: User, researcher: User) -> None:
    old, young = aged(researcher, 8, turns=2), aged(researcher, 1, turns=2)
    held = aged(researcher, 9, turns=2)
    hold = holds.place(held, reason="A case", author=admin)
    row = confirmed(proposed("research", lifetime=7 * DAY), admin)
    assert (row.status, row.sessions_gone, row.turns_gone, row.restamped) == ("done", 1, 2, 3)
    assert row.sessions == row.sessions_gone
    assert not Session.objects.filter(pk=old.pk).exists()
    young.refresh_from_db()
    assert young.expires_at == young.last_activity + timedelta(days=7)
    # Held: hidden, and there.
    assert list(Session.objects.visible(researcher)) == [young]
    assert held.turns.count() == 2
    assert get_policy(researcher).version == 1
    acts = AuditEvent.objects.filter(actor_id=admin.pk).values_list("action", flat=True)
    assert {"policy.changed", "retention.confirmed", "retention.done"} <= set(acts)
    holds.release(hold, actor=admin)
    assert preview().total.sessions == 1


def test_confirmed_facts_get_their_ends_under_the_policy_and_go_at_them(
    admin: User, researcher: User, owner: User
) -> None:
    def fact_of(whose: User, days: float, **given: object) -> Fact:
        then = timezone.now() - timedelta(days=days)
        facts = {"kind": "fact", "subject": "home", "state": "confirmed", "confirmed_at": then}
        return Fact.objects.create(owner=whose, text="I live in Porto", **facts, **given)

    old, young, other = fact_of(researcher, 40), fact_of(researcher, 1), fact_of(owner, 40)
    ended = fact_of(researcher, 2, expires_at=timezone.now() - timedelta(seconds=9))
    noticed = Fact.objects.create(owner=researcher, kind="fact", subject="diet", text="I am vegan")
    previewed = preview(proposed("research", fact_lifetime=30 * DAY))
    assert [str(each) for each in previewed.changes] == ["facts kept → 30 days"]
    assert previewed.run.facts == 1  # the old one, which has not ended yet
    assert preview(proposed("research", fact_lifetime=30 * DAY), person=owner).run.facts == 1
    hold = holds.place(researcher, reason="A case", author=admin)
    assert preview(proposed("research", fact_lifetime=30 * DAY)).run.facts == 0
    holds.release(hold, actor=admin)
    confirmed(proposed("research", fact_lifetime=30 * DAY), admin)
    ends = dict(Fact.objects.values_list("pk", "expires_at"))
    assert young.confirmed_at
    assert ends[young.pk] == young.confirmed_at + timedelta(days=30)
    assert (ends[other.pk], ends[noticed.pk]) == (None, None)
    assert set(Fact.objects.expired()) == {old, ended}
    confirmed(proposed("research", fact_lifetime=None), admin)
    assert set(Fact.objects.expired()) == {old, ended}, "what has expired stays expired"
    assert ending.purge_expired() == 2
    young.refresh_from_db()
    assert young.expires_at is None


def test_a_run_leaves_other_tiers_and_shorter_times_of_their_own(
    admin: User, owner: User, researcher: User
) -> None:
    other = aged(owner, 0.5)
    own = session_of(researcher, own_lifetime=3600)
    confirmed(proposed("research", lifetime=2 * 3600), admin)
    for session in (other, own):
        before = session.expires_at
        session.refresh_from_db()
        assert session.expires_at == before


def test_a_run_refuses_when_the_policy_changed_since_its_preview(
    admin: User, researcher: User
) -> None:
    session = aged(researcher, 8)
    first = preview(proposed("research", lifetime=7 * DAY))
    second = preview(proposed("research", lifetime=9 * DAY))
    run(second.run.pk, actor=admin)
    with pytest.raises(PolicyChanged):
        run(first.run.pk, actor=admin)
    run_due()
    assert Session.objects.filter(pk=session.pk).exists()
    assert RetentionRun.objects.get(pk=first.run.pk).status == "previewed"


def test_a_run_is_done_once_and_soon_after_its_preview(admin: User, owner: User) -> None:
    found = preview(proposed("default", lifetime=3600))
    run(found.run.pk, actor=admin)
    with pytest.raises(PolicyChanged):
        run(found.run.pk, actor=admin)
    stale = preview(proposed("default", lifetime=7200))
    RetentionRun.objects.filter(pk=stale.run.pk).update(
        created_at=timezone.now() - timedelta(hours=2)
    )
    with pytest.raises(PolicyChanged):
        run(stale.run.pk, actor=admin)
    with pytest.raises(NotFound):
        run(Session(owner=owner).pk, actor=admin)


def test_a_run_refuses_when_more_would_go_than_was_shown(admin: User, researcher: User) -> None:
    old, later = aged(researcher, 8), aged(researcher, 6)
    found = preview(proposed("research", lifetime=7 * DAY))
    Session.objects.filter(pk=later.pk).update(last_activity=timezone.now() - timedelta(days=9))
    with pytest.raises(MoreWouldGo):
        run(found.run.pk, actor=admin)
    run_due()
    assert Session.objects.live().filter(pk__in=[old.pk, later.pk]).count() == 2
    assert RetentionPolicy.objects.ruling("research").version == 0
    again = preview_again(found.run)
    assert (found.total.sessions, again.total.sessions) == (1, 2)
    assert run(again.run.pk, actor=admin).status == "running"


@pytest.mark.parametrize("terms", [{"max_turns": 2}, {"fact_lifetime": DAY}])
def test_questions_over_the_cap_and_facts_that_came_due_are_shown_first_too(
    admin: User, researcher: User, terms: dict[str, int]
) -> None:
    session = session_of(researcher, turns=2)
    said = {"kind": "fact", "subject": "home", "text": "I live in Porto"}
    fact = Fact.objects.create(owner=researcher, confirmed_at=timezone.now(), **said)
    found = preview(proposed("research", **terms))
    Session.objects.filter(pk=session.pk).update(turn_count=3)
    Fact.objects.filter(pk=fact.pk).update(confirmed_at=timezone.now() - timedelta(days=2))
    with pytest.raises(MoreWouldGo):
        run(found.run.pk, actor=admin)


def test_a_person_who_moves_to_another_tier_is_counted_and_restamped(
    admin: User, researcher: User
) -> None:
    old, young = aged(researcher, 2, turns=3), session_of(researcher, turns=3)
    lower = RetentionPolicy.objects.ruling("default")
    found = preview(lower, person=researcher, author=admin)
    assert found.total.sessions == 1
    assert found.headline.endswith("5,000 → 100: 1 conversation of 1 person would be deleted")
    run(found.run.pk, actor=admin)
    run_due()
    researcher.refresh_from_db()
    assert researcher.tier == "default"
    assert list(Session.objects.all()) == [young]
    young.refresh_from_db()
    assert young.expires_at == young.last_activity + timedelta(days=1)
    assert not Session.objects.filter(pk=old.pk).exists()


# --- Trimming -------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_turns_over_a_lowered_cap_leave_oldest_first_and_keep_their_positions(
    admin: User, owner: User
) -> None:
    session = session_of(owner, turns=5, title="")
    Session.objects.filter(pk=session.pk).update(
        title=Session._meta.get_field("title").seal_value(session, "Question 1?")
    )
    with_vectors(session)
    row = confirmed(proposed("default", max_turns=2), admin)
    assert (row.trimmed, row.excess, row.sessions_gone) == (3, 3, 0)
    session.refresh_from_db()
    assert [turn.position for turn in session.turns.order_by("position")] == [4, 5]
    assert (session.turn_count, session.last_position, session.context_tokens) == (2, 5, 10)
    # Their derived data: vectors, queries of later questions, the title.
    assert Block.unpacked(VectorBlock.objects.get().payload).numbers[:, 0].tolist() == [4, 4, 5, 5]
    assert set(session.turns.values_list("standalone_query", flat=True)) == {None}
    assert session.title == "Question 4?"
    with pytest.raises(SessionFull):
        ask(session, Question("One more?"))


def test_without_a_run_nothing_is_trimmed(owner: User, settings: object) -> None:
    session = session_of(owner, turns=5)
    settings.MAX_TURNS_PER_SESSION = 2  # type: ignore[attr-defined]
    RetentionPolicy.objects.create(tier="enterprise", version=1, lifetime=DAY, max_turns=2)

    sweep()
    assert session.turns.count() == 5


def test_a_held_session_is_trimmed_when_its_hold_is_released(admin: User, owner: User) -> None:
    session = session_of(owner, turns=5)
    hold: LegalHold = holds.place(session, reason="A case", author=admin)
    row = confirmed(proposed("default", max_turns=2), admin)
    assert (row.status, row.trimmed) == ("done", 0)
    assert Turn.objects.count() == 5
    assert WaitingDeletion.objects.get().kind == "trim"
    holds.release(hold, actor=admin)
    run_due()
    assert [turn.position for turn in Turn.objects.order_by("position")] == [4, 5]


@pytest.mark.postgresql
def test_due_under_a_policy_is_what_the_policys_own_stamps_say(owner: User) -> None:
    policy = RetentionPolicy(
        tier="default",
        lifetime=1000,
        max_turns=9,
        temporary_lifetime=400,
        pinned_lifetime=5000,
        archived_lifetime=500,
    )
    now = timezone.now()
    for idle in (300, 450, 700, 1500, 6000):
        for flags in ({}, {"pinned": True}, {"archived": True}, {"temporary": True}):
            row = session_of(owner, idle=timedelta(seconds=idle), **flags)
            Session.objects.filter(pk=row.pk).update(expires_at=now + timedelta(days=1))
        extended = session_of(owner, idle=timedelta(seconds=idle))
        Session.objects.filter(pk=extended.pk).update(
            expires_at=now + timedelta(days=1), extended_at=now - timedelta(seconds=idle / 2)
        )
    due = Due(tier="default", policy=policy, at=now)
    counted = set(due.sessions().values_list("pk", flat=True))
    rows = Session.objects.select_related("owner")
    stamped = {row.pk for row in rows if row.compute_expiry(row.clock_began, policy) <= now}
    assert counted == stamped
    assert 0 < len(counted) < Session.objects.count()
