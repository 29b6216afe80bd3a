"""The dashboard: what is stored, what will go, how far behind anything is, and what waits."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memory import holds
from memory.admin.dashboard import figures
from memory.admin.dashboard.figures import Plot
from memory.admin.dashboard.plots import draw_plot
from memory.admin.requests.erasures import ANSWER_WITHIN, queue
from memory.forgetting.erasure import requests
from memory.models import (
    ErasureRequest,
    ExportPackage,
    Session,
    Tier,
    User,
)
from memory.personal_data.packages import ask_for_package
from tests.admin.conftest import words
from tests.memory.retained import expired_session_of, session_of
from tests.people import person

pytestmark = pytest.mark.django_db


def test_stored_conversations_are_counted_by_tier_and_age(owner: User) -> None:
    researcher = person("researcher", tier=Tier.RESEARCH)
    session_of(owner)
    expired_session_of(owner)
    for days in (0.5, 3, 12, 12):
        session_of(researcher, idle=timedelta(days=days))
    plot = figures.plot_stored()
    assert plot.labels == ["< 1", "1–7", "7–30", "> 30"]
    assert plot.series == [
        ("Default", [1, 0, 0, 0]),
        ("Enterprise", [0, 0, 0, 0]),
        ("Research", [1, 1, 2, 0]),
    ]


@pytest.mark.postgresql
def test_what_expires_this_week_is_counted_by_day_and_the_held_apart(
    owner: User, boss: User
) -> None:
    noon = timezone.localtime().replace(hour=12, minute=0)
    ends = {1: 2, 3: 1, 9: 1}
    for days, number in ends.items():
        for _number in range(number):
            session = session_of(owner)
            at = noon + timedelta(days=days)
            Session.objects.filter(pk=session.pk).update(expires_at=at)
    holds.place(
        Session.objects.filter(expires_at=noon + timedelta(days=3))[0], reason="x", author=boss
    )
    plot = figures.plot_expiring()
    assert plot.series == [
        ("will go", [0, 2, 0, 0, 0, 0, 0, 0]),
        ("held", [0, 0, 0, 1, 0, 0, 0, 0]),
    ]


def test_a_purge_that_is_far_behind_stands_out(at_admin: Client, owner: User) -> None:
    session = expired_session_of(owner)
    assert not figures.purge_lag().is_late
    assert 'class="warning"' not in at_admin.get(reverse("admin:index")).content.decode()
    late = timezone.now() - timedelta(hours=2)
    Session.objects.filter(pk=session.pk).update(expires_at=late)
    assert figures.purge_lag().is_late
    page = at_admin.get(reverse("admin:index"))
    assert 'class="warning"' in page.content.decode()
    assert "Behind by 2 hours Expired and still stored 1" in words(page)


def test_requests_stand_in_the_order_in_which_they_are_due(
    at_admin: Client, owner: User, colleague: User
) -> None:
    ask_for_package(owner)
    asked = requests.ask(colleague, ErasureRequest.Scope.ACCOUNT, actor=colleague.pk)
    requests.confirm(asked, actor=colleague.pk)
    long_ago = timezone.now() - ANSWER_WITHIN - timedelta(hours=1)
    ErasureRequest.objects.filter(pk=asked.pk).update(requested_at=long_ago)
    first, second = queue()
    assert (first.kind, first.is_late, first.person_id) == ("Erasure", True, colleague.pk)
    assert (second.kind, second.is_late) == ("Access", False)
    said = words(at_admin.get(reverse("admin:memory_erasurerequest_queue")))
    assert "late" in said
    assert "1 is late" in words(at_admin.get(reverse("admin:index")))
    requests.cancel(ErasureRequest.objects.get(), actor=colleague.pk)
    ExportPackage.objects.update(status=ExportPackage.Status.FETCHED)
    assert queue() == []


def test_the_dashboard_asks_as_little_for_many_rows_as_for_one(
    at_admin: Client, owner: User, boss: User
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert at_admin.get(reverse("admin:index")).status_code == 200
        return len(queries)

    holds.place(session_of(owner), reason="A case", author=boss)
    asked()
    few = asked()
    for number in range(4):
        someone = person(f"person{number}")
        session = session_of(someone, turns=1)
        holds.place(session, reason="A case", author=boss)
        ask_for_package(someone)
    assert asked() == few
    # Session and account 2, tiles 6, plots 5, lag 2, waiting 1, purged 1, lags 1, runs 1,
    # requests 2, holds 3, acts 2, faults 1, what became of own acts 1,
    # the record of the read and its address 2.
    assert few <= 31


def test_the_dashboard_counts_so_far_and_says_that_there_are_more(
    at_admin: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hours in (1, 2, 3):
        session_of(owner, turns=2, idle=timedelta(hours=hours))
        expired_session_of(owner)
    page = words(at_admin.get(reverse("admin:index")))
    assert "3 Conversations 6 Questions" in page
    assert "newest" not in page
    monkeypatch.setattr(figures, "MOST", 2)
    page = words(at_admin.get(reverse("admin:index")))
    assert "over 2 Conversations over 4 Questions" in page
    assert "Expired and still stored over 2" in page
    assert "Stored conversations, by days since the last question (the newest 2)" in page
    assert "Expiring this week (the first 2)" in page
    assert (figures.plot_stored().total, figures.plot_expiring().total) == (2, 2)


def test_what_there_is_nothing_of_is_said_in_words(at_admin: Client, boss: User) -> None:
    said = words(at_admin.get(reverse("admin:index")))
    for empty in ("Nothing is stored.", "Nothing expires within a week."):
        assert empty in said
    assert "Nothing in two weeks." in said
    assert "Nothing waits for an answer." in said


def test_bars_are_as_high_as_their_numbers_and_say_them() -> None:
    svg = draw_plot(Plot("Things <by> day", ["one", "two"], [("a", [10, 0]), ("b", [10, 5])]))
    assert svg.count("<rect") == 3
    assert "<title>b: 5</title>" in svg
    assert 'aria-label="Things &lt;by&gt; day"' in svg
    heights = [float(part.split('"')[1]) for part in svg.split("height=")[1:]]
    assert heights[0] == heights[1] == 2 * heights[2]
    assert ">20</text>" in svg
