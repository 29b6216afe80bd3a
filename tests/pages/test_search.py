"""The page that searches what was said."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.shapes.transcript import SHOWN
from memory.conversations import message_search
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from tests.pages.conversations import HTMX, page, text, turn_of
from tests.servers import Web

JANUARY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_without_words_it_says_how_to_search(client: Client) -> None:
    shown = text(client.get(page("search")))
    assert "All words have to occur" in shown
    assert 'name="q"' in shown


def test_what_is_found_is_grouped_and_marked(client: Client, owner: User) -> None:
    for title in ("Dates <1>", "Other"):
        turn_of(create_session(owner, title=title), query="The <b> Determination Date?")
    shown = text(client.get(page("search"), {"q": "determination"}))
    assert shown.count("<section") == 2
    assert "Dates &lt;1&gt;" in shown
    assert "The &lt;b&gt; <mark>Determination</mark> Date?" in shown
    assert "#turn-1" in shown


def test_an_answer_is_found_in_its_words_without_the_signs_of_its_markdown(
    client: Client, session: Session
) -> None:
    turn_of(session, response="The **fifteenth** it is, of 2**31 days**.\n\n> ### Of each month.")
    shown = text(client.get(page("search"), {"q": "fifteenth"}))
    assert "The <mark>fifteenth</mark> it is, of 2**31 days**. Of each month." in shown


def test_a_link_lands_on_its_turn_however_old(client: Client, session: Session) -> None:
    count = 3 * SHOWN
    for _ in range(count):
        turn_of(session, query="other")
    for position in (1, SHOWN, count - SHOWN, count - SHOWN + 1, count):
        turn = Turn.objects.get(position=position)
        turn.query = f"needle{position}end"
        turn.save()
    Session.objects.update(last_position=count)
    for position in (1, SHOWN, count - SHOWN, count - SHOWN + 1, count):
        shown = text(client.get(page("search"), {"q": f"needle{position}end"}))
        link = shown.split('class="found-turn" href="')[1].split('"')[0]
        address, anchor = link.split("#")
        landed = text(client.get(address.replace("&amp;", "&")))
        assert f'id="{anchor}"' in landed
        assert f"needle{position}end" in landed
        assert ("Go to the newest messages" in landed) == (position <= count - SHOWN)


def test_nothing_found_is_said(client: Client, session: Session) -> None:
    turn_of(session)
    assert "No message has all of this" in text(client.get(page("search"), {"q": "xyz"}))


def test_days_narrow_the_search(client: Client, session: Session) -> None:
    turn_of(session, asked_at=JANUARY)
    for since, until, count in (("2026-01-05", "2026-01-05", 1), ("2026-01-06", "", 0)):
        shown = text(client.get(page("search"), {"since": since, "until": until}))
        assert shown.count("found-turn") == count
        assert f'value="{since}"' in shown
    refused = client.get(page("search"), {"since": "tomorrow"})
    assert refused.status_code == 400
    assert "valid date" in text(refused)


def test_where_nothing_is_found_the_search_goes_on_by_itself(
    client: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_search, "SCANNED", 2)
    for number in range(4):
        turn_of(session, query="needle" if number == 0 else "other", asked_at=JANUARY)
    first = text(client.get(page("search"), {"q": "needle"}, headers=HTMX))
    assert 'hx-trigger="load, click"' in first
    assert "<html" not in first
    following = first.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert "<mark>needle</mark>" in text(client.get(following, headers=HTMX))
    assert client.get(page("search"), {"q": "x", "after": "broken"}).status_code == 404


def test_the_page_takes_the_same_queries_however_much_it_finds(
    client: Client, session: Session
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(page("search"), {"q": "date"})
        return len(captured)

    turn_of(session, query="date")
    queries()  # the first read in a quarter of an hour is recorded
    few = queries()
    for _ in range(10):
        turn_of(session, query="date")
    assert queries() == few


def test_what_is_searched_for_stays_out_of_the_logs(web: Web) -> None:
    client = web.client("owner")
    assert client.get("/api/v1/search?q=Canary").status_code == 200
    assert client.get("/api/v1/search?q=Canary&since=x").status_code == 400
    assert client.get("/search?q=Canary&after=x").status_code in (302, 404)
    assert "Canary" not in web.log()
