"""Policies in the admin: a change is looked at first, confirmed, done; an old look is refused."""

import csv
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from memory import holds
from memory.forgetting.retention.previews import get_terms, proposed
from memory.jobs.queue import run_due
from memory.models import AuditEvent, RetentionPolicy, RetentionRun, Session, Tier, User
from tests.admin.conftest import words
from tests.memory.retained import DAY, expired_session_of, session_of
from tests.people import person

pytestmark = pytest.mark.django_db
PROPOSE = reverse("admin:memory_retentionpolicy_propose", args=["research"])
UNITS = (DAY, 3600, 60, 1)


@pytest.fixture
def researcher() -> User:
    return person("researcher", tier=Tier.RESEARCH)


def form_of(policy: RetentionPolicy) -> dict[str, Any]:
    """Return what the browser sends to propose these terms."""
    sent: dict[str, Any] = {}
    for name, value in get_terms(policy).items():
        unit = next(unit for unit in UNITS if (value or 0) % unit == 0)
        if name == "max_turns":
            sent[name] = value
        else:
            sent |= {f"{name}_0": value // unit if value else "", f"{name}_1": unit}
    return sent


def preview_of(at_admin: Client, **terms: int | None) -> RetentionRun:
    answer = at_admin.post(PROPOSE, form_of(proposed("research", **terms)))
    run = RetentionRun.objects.latest("created_at")
    assert answer.headers["Location"] == place_of(run), answer.content
    return run


def place_of(run: RetentionRun, act: str = "change") -> str:
    return reverse(f"admin:memory_retentionrun_{act}", args=[run.pk])


def confirm(at_admin: Client, run: RetentionRun) -> HttpResponseBase:
    return at_admin.post(place_of(run, "confirm"), follow=True)


def test_the_page_of_policies_says_what_rules_each_tier(at_admin: Client) -> None:
    said = words(at_admin.get(reverse("admin:memory_retentionpolicy_changelist")))
    assert "Conversations 30 days Turns of a conversation 5,000" in said
    assert "Nothing has been changed yet: all rules are the initial ones." in said
    assert "0 policies" not in said
    proposed("research", lifetime=14 * DAY).save()
    changed = words(at_admin.get(reverse("admin:memory_retentionpolicy_changelist")))
    assert "1 version" in changed
    assert "Nothing has been changed yet" not in changed
    assert "Conversations 7 days Turns of a conversation 1,000" in said
    assert "Conversations 1 day Turns of a conversation 100" in said


def test_a_change_shows_what_would_go_and_does_nothing_by_that(
    at_admin: Client, researcher: User
) -> None:
    old = session_of(researcher, turns=2, idle=timedelta(days=8))
    kept = session_of(researcher, turns=2, idle=timedelta(days=9))
    holds.place(kept, reason="A case", author=researcher)
    session_of(researcher, turns=1, idle=timedelta(days=6))
    run = preview_of(at_admin, lifetime=7 * DAY)
    said = words(at_admin.get(place_of(run)))
    assert "30 days → 7 days: 1 conversation of 1 person would be deleted" in said
    assert "Research 1 1 2" in said
    assert Session.objects.live().filter(pk=old.pk).exists()
    assert RetentionPolicy.objects.count() == 0
    rows = at_admin.get(place_of(run, "csv"))
    found = list(csv.DictReader(b"".join(rows).decode().splitlines()))
    assert {(row["session"], row["held"]) for row in found} == {
        (str(old.pk), "False"),
        (str(kept.pk), "True"),
    }
    assert "About dates" not in str(found)


def test_a_confirmed_change_is_done_with_its_progress_and_result(
    at_admin: Client, boss: User, researcher: User
) -> None:
    old = session_of(researcher, turns=2, idle=timedelta(days=8))
    held = session_of(researcher, turns=2, idle=timedelta(days=9))
    holds.place(held, reason="A case", author=boss)
    run = preview_of(at_admin, lifetime=7 * DAY)
    running = confirm(at_admin, run)
    assert "Confirmed." in words(running)
    assert "Running" in words(running)
    assert 'http-equiv="refresh"' in running.content.decode()
    run_due()
    said = words(at_admin.get(place_of(run)))
    assert "Done" in said
    assert "Deleted conversations 1 1" in said
    assert not Session.objects.filter(pk=old.pk).exists()
    assert Session.objects.filter(pk=held.pk).exists()
    assert not Session.objects.live().filter(pk=held.pk).exists()
    ruling = RetentionPolicy.objects.ruling("research")
    assert (ruling.version, ruling.lifetime, ruling.author_id) == (1, 7 * DAY, boss.pk)
    acts = AuditEvent.objects.filter(actor_id=boss.pk).values_list("action", flat=True)
    assert {"retention.previewed", "retention.confirmed", "policy.changed"} <= set(acts)


def test_a_run_that_is_under_way_can_be_stopped(
    at_admin: Client, boss: User, researcher: User
) -> None:
    old = session_of(researcher, turns=2, idle=timedelta(days=8))
    run = preview_of(at_admin, lifetime=7 * DAY)
    assert 'stop/"' in confirm(at_admin, run).content.decode()
    said = words(at_admin.post(place_of(run, "stop"), follow=True))
    assert "Stopped" in said
    run_due()
    assert Session.objects.live().filter(pk=old.pk).exists()
    run.refresh_from_db()
    assert (run.status, run.sessions_gone) == ("stopped", 0)
    assert AuditEvent.objects.filter(action="retention.stopped", actor_id=boss.pk).exists()
    assert "There is nothing here." in words(at_admin.post(place_of(run, "stop"), follow=True))


def test_more_than_was_shown_is_shown_and_asked_again(at_admin: Client, researcher: User) -> None:
    session_of(researcher, turns=2, idle=timedelta(days=8))
    run = preview_of(at_admin, lifetime=7 * DAY)
    session_of(researcher, turns=3, idle=timedelta(days=9))
    said = words(confirm(at_admin, run))
    assert "More would be deleted than was shown, so nothing was done." in said
    assert "30 days → 7 days: 2 conversations of 1 person would be deleted" in said
    assert "Research 1 2 5" in said
    assert "Confirm: do it now" in said
    assert RetentionPolicy.objects.count() == 0
    again = RetentionRun.objects.latest("created_at")
    assert again.pk != run.pk
    confirm(at_admin, again)
    run_due()
    assert "Deleted conversations 2 2" in words(at_admin.get(place_of(again)))


def test_a_purge_can_be_counted_by_tier_before_it_runs(
    at_admin: Client, owner: User, researcher: User
) -> None:
    for whose in (owner, researcher, researcher):
        expired_session_of(whose, turns=1)
    page = at_admin.get(reverse("admin:memory_retentionpolicy_preview_purge"))
    assert "Nothing is deleted." in words(page)
    answer = at_admin.post(reverse("admin:memory_retentionpolicy_preview_purge"), follow=True)
    said = words(answer)
    assert "Default 1 1 1" in said
    assert "Research 1 2 2" in said
    assert "Together 2 3 3" in said
    run = RetentionRun.objects.latest("created_at")
    confirm(at_admin, run)
    run_due()
    assert "Deleted conversations 3 3" in words(at_admin.get(place_of(run)))
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("lifetime_0", "", "This field is required."),
        ("lifetime_0", "-3", "greater than or equal to 1"),
        ("lifetime_0", "99999999999999", "between 1 minute and 3650 days"),
        ("audit_lifetime_0", "89", "between 90 days and"),
        ("export_lifetime_0", "8", "between 1 minute and 7 days"),
        ("lifetime_1", "7", "Select a valid choice"),
        ("temporary_lifetime_0", "x", "Enter a whole number."),
        ("max_turns", "0", "greater than or equal to 1"),
        ("archived_lifetime_0", "", "Nothing is changed."),
    ],
)
def test_wrong_terms_come_back_with_the_form(
    at_admin: Client, field: str, value: str, says: str
) -> None:
    answer = at_admin.post(PROPOSE, form_of(proposed("research")) | {field: value})
    assert answer.status_code == 400
    assert says in words(answer)
    assert RetentionRun.objects.count() == 0
