"""Runs that something comes between: another policy, a kill, a poisoned row, others' work."""

import pytest
from django.utils import timezone

from memory import tasks
from memory.forgetting.retention import runs, sweeping, trimming
from memory.forgetting.retention.previews import preview, proposed
from memory.forgetting.retention.runs import run, stop
from memory.jobs.queue import Lease, run_due
from memory.models import (
    Job,
    PurgeFailure,
    RetentionPolicy,
    RetentionRun,
    Session,
    Turn,
    User,
    WaitingDeletion,
)
from tests.memory.retained import DAY, aged, session_of

pytestmark = pytest.mark.django_db


def begun(policy: RetentionPolicy, actor: User) -> RetentionRun:
    return run(preview(policy, author=actor).run.pk, actor=actor)


def all_done() -> None:
    while Job.objects.filter(finished_at=None).exists():
        Job.objects.filter(finished_at=None).update(due_at=timezone.now())
        run_due()


# --- Another policy -------------------------------------------------------------------------------


def test_another_policy_ends_a_run_between_two_batches(
    admin: User, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "AT_ONCE", 2)
    for _ in range(6):
        aged(researcher, 10)
    first = begun(proposed("research", lifetime=7 * DAY), admin)
    hold = Lease.pulse

    def changing(lease: Lease, **values: int) -> None:
        hold(lease, **values)
        proposed("research", lifetime=30 * DAY).save()

    monkeypatch.setattr(Lease, "pulse", changing)
    run_due()
    first.refresh_from_db()
    assert (first.status, first.restamped) == ("superseded", 2)
    assert Session.objects.live().count() == 4


def test_a_stopped_run_stays_where_it_was(admin: User, researcher: User) -> None:
    session = aged(researcher, 10)
    row = begun(proposed("research", lifetime=7 * DAY), admin)
    stop(row.pk, actor=admin)
    all_done()
    row.refresh_from_db()
    assert row.status == "stopped"
    assert Session.objects.live().filter(pk=session.pk).exists()


# --- Pieces and kills -----------------------------------------------------------------------------


def test_a_run_works_in_pieces_and_others_come_in_between(
    admin: User, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "AT_ONCE", 2)
    monkeypatch.setattr(runs, "PIECE_SECONDS", 0)
    for _ in range(5):
        aged(researcher, 1, turns=3)
    row = begun(proposed("research", lifetime=7 * DAY, max_turns=1), admin)
    pieces = 0
    while run_due(limit=1):
        pieces += 1
        row.refresh_from_db()
    # Two batches of ends, then each conversation by itself.
    assert pieces >= 7
    assert (row.status, row.restamped, row.trimmed) == ("done", 5, 10)
    assert Job.objects.filter(kind=runs.RUN, finished_at=None).count() == 0


def test_a_run_that_was_killed_counts_what_went_before(
    admin: User, researcher: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(120):
        aged(researcher, 10)
    row = begun(proposed("research", lifetime=7 * DAY), admin)
    hold, batches = Lease.pulse, []

    def killed(lease: Lease, **values: int) -> None:
        batches.append(lease)
        if len(batches) == 2:
            raise KeyboardInterrupt
        hold(lease, **values)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Lease, "pulse", killed)
        run_due()
    # Meanwhile the periodic sweep comes along.
    monkeypatch.setattr("memory.forgetting.retention.purging.SESSIONS_AT_ONCE", 10)
    sweeping.sweep(seconds=0.02)
    all_done()
    row.refresh_from_db()
    assert (row.status, row.sessions, row.sessions_gone) == ("done", 120, 120)


# --- Poison ---------------------------------------------------------------------------------------


def test_a_conversation_that_cannot_be_trimmed_stops_no_other(
    admin: User, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned, healthy = session_of(owner, turns=5), session_of(owner, turns=5)
    delete_turns = trimming.delete_turns

    def raising(session: Session, turns: list[Turn]) -> None:
        if session.pk == poisoned.pk:
            raise ValueError
        delete_turns(session, turns)

    with monkeypatch.context() as patched:
        patched.setattr(trimming, "delete_turns", raising)
        row = begun(proposed("default", max_turns=2), admin)
        all_done()
    row.refresh_from_db()
    assert (row.status, row.trimmed, row.skipped) == ("done", 3, 1)
    assert healthy.turns.count() == 2
    assert poisoned.turns.count() == 5
    assert PurgeFailure.objects.get().pk == poisoned.pk
    # It is tried again until it works.
    tasks.clean_up()
    all_done()
    assert poisoned.turns.count() == 2
    assert not PurgeFailure.objects.exists()
    assert not WaitingDeletion.objects.open().exists()


# --- Days of grace --------------------------------------------------------------------------------
