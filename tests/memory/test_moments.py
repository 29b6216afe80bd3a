"""Moments on pages: near ones by their day, others by their date, the exact one at hand."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memory.templatetags import moments
from memory.templatetags.moments import when

NOW = datetime(2026, 11, 22, 10, 30, tzinfo=UTC)  # a Sunday


@pytest.fixture(autouse=True)
def _on_a_sunday(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments.timezone, "now", lambda: NOW)


def words(written: str) -> str:
    return written.partition(">")[2].removesuffix("</time>")


@pytest.mark.parametrize(
    ("away", "said"),
    [
        (timedelta(), "today, 10:30"),
        (timedelta(hours=-11), "yesterday, 23:30"),
        (timedelta(hours=14), "tomorrow, 00:30"),
        (timedelta(days=-3), "Thursday, 10:30"),
        (timedelta(days=6), "Saturday, 10:30"),
        (timedelta(days=-6), "Monday, 10:30"),
        (timedelta(days=7), "29 November"),
        (timedelta(days=-7), "15 November"),
        (timedelta(days=60), "21 January 2027"),
        (timedelta(days=-400), "18 October 2025"),
    ],
)
def test_the_nearer_a_moment_the_more_it_is_said_by_its_day(away: timedelta, said: str) -> None:
    assert words(when(NOW + away)) == said


def test_the_exact_moment_stands_with_it_for_people_and_programs() -> None:
    with timezone.override("Europe/Berlin"):
        written = when(NOW)
    assert 'datetime="2026-11-22T11:30:00+01:00"' in written
    assert 'title="Sunday, 22 November 2026, 11:30:00 CET"' in written
