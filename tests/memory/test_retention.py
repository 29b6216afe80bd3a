"""Retention: what has expired is hidden at once and purged soon, whatever stands in the way."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from django.apps import apps
from django.db import OperationalError, connection
from django.db.models import Model
from django.utils import timezone

from memory import holds
from memory.forgetting.retention import purging, sweeping
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.lifetimes import limit_all_lifetimes
from memory.forgetting.retention.purging import purge
from memory.forgetting.retention.runs import restamp
from memory.models import (
    Job,
    PurgeFailure,
    RetentionPolicy,
    Session,
    Turn,
    User,
)
from tests.memory.retained import expired_session_of, session_of, with_vectors

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def rows_of_apps() -> dict[type[Model], int]:
    """Count the rows that hang on conversations, of whatever app they are."""
    ours = ("memory", "citations", "chat")
    # The rows that a purge writes.
    records = ("AuditEvent", "RetentionRun")
    models = [
        model
        for model in apps.get_models()
        if model._meta.app_label in ours and model.__name__ not in records
    ]
    return {model: model._base_manager.count() for model in models}


def test_a_purge_leaves_nothing_of_what_has_expired_and_all_of_the_rest(owner: User) -> None:
    kept = session_of(owner, turns=3)
    before = rows_of_apps()
    with_vectors(gone := expired_session_of(owner, turns=4))
    Job.objects.create(kind="embed_turn", subject=gone.turns.all()[0].pk)
    assert rows_of_apps() != before
    purged = purge(Due())
    assert (purged.sessions, purged.turns, purged.skipped) == (1, 4, 0)
    assert rows_of_apps() == before
    assert kept.turns.count() == 3


def test_a_session_of_more_turns_than_a_batch_goes_in_parts(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purging, "TURNS_AT_ONCE", 2)
    sessions = [expired_session_of(owner, turns=turns) for turns in (1, 7, 1, 1)]
    assert (purged := purge(Due())).sessions == len(sessions)
    assert purged.turns == 10
    assert not Turn.objects.exists()


def test_a_sweep_stops_in_time_and_says_that_there_is_more(owner: User) -> None:
    expired_session_of(owner)
    assert sweeping.sweep(seconds=0).is_unfinished
    assert Session.objects.exists()
    assert not sweeping.sweep().is_unfinished
    assert not Session.objects.exists()


def test_each_kind_of_session_has_the_clock_of_its_tiers_policy(owner: User) -> None:
    RetentionPolicy.objects.create(
        tier=owner.tier,
        version=1,
        lifetime=1000,
        max_turns=9,
        temporary_lifetime=100,
        pinned_lifetime=5000,
        archived_lifetime=50,
    )
    now = timezone.now()

    def lives(**values: object) -> float:
        session = session_of(owner, **values)
        return (session.compute_expiry(now) - now).total_seconds()

    assert lives() == 1000
    assert lives(temporary=True) == 100
    assert lives(pinned=True) == 5000
    assert lives(archived=True) == 50
    assert lives(archived=True, temporary=True) == 50
    assert lives(own_lifetime=70) == 70
    owner.own_lifetime = 60
    owner.save()
    assert lives(own_lifetime=70, pinned=True) == 60


def test_the_newest_version_of_a_policy_rules_and_settings_are_version_zero(owner: User) -> None:
    first = sweeping.get_policy(owner)
    assert (first.version, first.lifetime, first.max_turns) == (0, 86_400, 100)
    for version in (2, 1):
        RetentionPolicy.objects.create(
            tier=owner.tier, version=version, lifetime=version, max_turns=version
        )
    assert sweeping.get_policy(owner).version == 2


# --- Rows that can't be deleted ------------------------------------------------------------------


@contextmanager
def undeletable(turn: Turn) -> Iterator[None]:
    """Let the database raise whenever the turn is to be deleted."""
    named = turn.pk.hex if connection.vendor == "sqlite" else str(turn.pk)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "CREATE TRIGGER poison BEFORE DELETE ON memory_turn WHEN old.id = "
                f"'{named}' BEGIN SELECT RAISE(ABORT, 'poison'); END"
            )
        else:
            cursor.execute(
                "CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'poison'; END $$"
            )
            cursor.execute(
                "CREATE TRIGGER poison BEFORE DELETE ON memory_turn FOR EACH ROW WHEN "
                f"(old.id = '{named}') EXECUTE FUNCTION poison()"
            )
    yield
    with connection.cursor() as cursor:
        on = "" if connection.vendor == "sqlite" else " ON memory_turn"
        cursor.execute(f"DROP TRIGGER poison{on}")


@pytest.mark.schema
def test_a_session_that_cannot_be_deleted_stops_no_other(
    owner: User, caplog: pytest.LogCaptureFixture
) -> None:
    poisoned, *others = [expired_session_of(owner, turns=2) for _ in range(5)]
    Session.objects.filter(pk=poisoned.pk).update(expires_at=timezone.now() - timedelta(days=1))
    with undeletable(poisoned.turns.all()[0]):
        purged = purge(Due())
        assert (purged.sessions, purged.skipped) == (len(others), 1)
        assert list(Session.objects.values_list("pk", flat=True)) == [poisoned.pk]
        assert poisoned.turns.count() == 2
        failure = PurgeFailure.objects.get()
        assert (failure.pk, failure.failures) == (poisoned.pk, 1)
        assert any(record.levelname == "ERROR" for record in caplog.records)
        # It waits before it is tried again, and is not counted as late meanwhile.
        assert purge(Due()).skipped == 0
        assert sweeping.compute_lag() == sweeping.Lag(seconds=0, failing=1)
        PurgeFailure.objects.update(retry_at=timezone.now())
        assert purge(Due()).skipped == 1
        assert PurgeFailure.objects.get().failures == 2
    PurgeFailure.objects.update(retry_at=timezone.now())
    assert purge(Due()).sessions == 1
    assert not PurgeFailure.objects.exists()


def test_a_database_that_is_locked_for_a_while_makes_no_session_a_poisoned_one(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [expired_session_of(owner, turns=1) for _ in range(5)]
    tries = []

    def locked(*args: object, **values: object) -> None:
        tries.append(args)
        cause: Exception
        if connection.vendor == "sqlite":
            cause = sqlite3.OperationalError("database is locked")
            cause.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[attr-defined]
        else:
            cause = psycopg.errors.LockNotAvailable("could not obtain lock")
        raise OperationalError("locked") from cause

    with monkeypatch.context() as patched:
        patched.setattr(purging, "delete_whole", locked)
        purged = purge(Due())
    assert (purged.is_unfinished, purged.sessions, purged.skipped, len(tries)) == (True, 0, 0, 1)
    assert not PurgeFailure.objects.exists()
    assert purge(Due()).sessions == len(sessions)


def test_what_ends_now_is_late_from_now_on(owner: User, colleague: User) -> None:
    held, shortened = session_of(owner), session_of(owner, idle=timedelta(hours=20))
    hold = holds.place(held, reason="A case", author=colleague)
    Session.objects.filter(pk=held.pk).update(expires_at=timezone.now() - timedelta(days=100))
    assert sweeping.compute_lag().seconds == 0
    holds.release(hold, actor=colleague)
    assert sweeping.compute_lag().seconds < 5
    limit_all_lifetimes(owner, 3600)
    assert not Session.objects.live().exists()
    assert sweeping.compute_lag().seconds < 5
    policy = RetentionPolicy(tier=colleague.tier, lifetime=60, max_turns=9)
    idle = session_of(colleague, idle=timedelta(hours=23))
    assert restamp([idle], policy, timezone.now()) == 1
    assert sweeping.compute_lag().seconds < 5
    assert purge(Due()).sessions == 3
    assert shortened.pk not in Session.objects.values_list("pk", flat=True)
