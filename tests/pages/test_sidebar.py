"""The list of conversations: by page, and searched."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memory.conversations.asking import create_session
from memory.conversations.listing import PAGE
from memory.models import Session, User
from tests.pages.conversations import HTMX, MISSING, page, text


@pytest.fixture
def many(owner: User) -> list[Session]:
    """More conversations than a page holds, the latest first."""
    now = timezone.now()
    rows = [create_session(owner, title=f"Talk {number}") for number in range(PAGE + 5)]
    for age, row in enumerate(rows):
        Session.objects.filter(pk=row.pk).update(last_activity=now - timedelta(minutes=age))
    return rows


def test_conversations_are_listed_latest_first_and_by_page(
    client: Client, many: list[Session]
) -> None:
    shown = client.get(page("conversations"))
    listed = shown.context["listed"]
    assert [row.pk for row in listed.sessions] == [row.pk for row in many[:PAGE]]
    older = client.get(page("conversations"), {"after": listed.next}, headers=HTMX)
    rest = older.context["conversations"]
    assert [row.pk for row in rest.sessions] == [row.pk for row in many[PAGE:]]
    assert rest.next == ""


@pytest.mark.usefixtures("many")
def test_titles_are_searched_by_all_words(client: Client) -> None:
    found = client.get(page("conversations"), {"q": "TALK 34"}).context["listed"]
    assert [row.title for row in found.sessions] == ["Talk 34"]
    assert "No title with “xyz”" in text(client.get(page("conversations"), {"q": "xyz"}))


@pytest.mark.usefixtures("many")
def test_a_search_goes_on_where_it_stopped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.conversations.listing.SCANNED", 10)
    titles, after = [], ""
    for _ in range(5):
        query = {"q": "talk", "after": after}
        found = client.get(page("conversations"), query).context["listed"]
        titles += [row.title for row in found.sessions]
        after = found.next
        if not after:
            break
    assert titles == [f"Talk {number}" for number in range(PAGE + 5)]


@pytest.mark.parametrize("after", ["x", "x_y", "2026-01-01_" + MISSING[:8]])
def test_a_broken_cursor_is_not_found(client: Client, after: str) -> None:
    assert client.get(page("conversations"), {"after": after}).status_code == 404
