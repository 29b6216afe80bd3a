"""Search in what was said: one's own turns, by words, days and session."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.conversations import message_search
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from tests.api.conftest import Api, Json
from tests.api.test_errors import NOT_FOUND
from tests.effort import computed_within

pytestmark = pytest.mark.django_db

JANUARY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def store(owner: User, *texts: str, at: datetime = JANUARY, **session: Any) -> Session:
    """Store a session with a turn for each question; each is asked a day after the one before."""
    row = create_session(owner, **session)
    Turn.objects.bulk_create(
        Turn(
            session=row,
            owner=owner,
            position=position,
            status="complete",
            query=text,
            query_tokens=1,
            response=f"An answer to number {position} [1].",
            asked_at=at + timedelta(days=position - 1),
        )
        for position, text in enumerate(texts, start=1)
    )
    return row


def found(api: Api, query: str) -> list[Json]:
    response = api.get(f"/search?{query}")
    assert response.status_code == 200, response.content
    results: list[Json] = response.json()["results"]
    return results


def positions(results: list[Json]) -> list[int]:
    return [result["position"] for result in results]


def test_all_words_have_to_occur_in_question_or_answer(api: Api) -> None:
    session = store(api.user, "The Déterminátion Date", "The closing date", title="Dates")
    (hit,) = found(api, "q=determination+ANSWER")
    assert (hit["session_id"], hit["position"], hit["title"]) == (str(session.pk), 1, "Dates")
    assert hit["timestamp"] == JANUARY.isoformat()
    for side, word in (("query", "Déterminátion"), ("response", "answer")):
        marked = [hit[side]["text"][m["start"] : m["end"]] for m in hit[side]["matches"]]
        assert marked == [word]
    assert "[1]" not in hit["response"]["text"]
    assert positions(found(api, "q=date")) == [2, 1]
    assert found(api, "q=date+nothing") == []


def test_that_nothing_was_found_is_not_searched(api: Api) -> None:
    session = store(api.user, "tell me a joke")
    assert positions(found(api, "q=answer")) == [1]
    Turn.objects.filter(session=session).update(outcome=Turn.Outcome.NOT_READ_YET)
    assert found(api, "q=answer") == []
    assert positions(found(api, "q=joke")) == [1]


def test_a_piece_begins_with_a_whole_word(api: Api) -> None:
    store(api.user, "Nothing " + "at all is as it was before, and " * 2 + "so is needle")
    (hit,) = found(api, "q=needle")
    assert hit["query"]["text"].startswith(("Nothing", "…at ", "…all ", "…is ", "…as "))


def test_a_citations_number_is_not_a_word(api: Api) -> None:
    store(api.user, "One")
    assert found(api, "q=%5B1%5D") == []


def test_days_are_included_and_moments_exact(api: Api) -> None:
    store(api.user, "a", "b", "c")
    assert positions(found(api, "since=2026-01-06")) == [3, 2]
    assert positions(found(api, "until=2026-01-06")) == [2, 1]
    assert positions(found(api, "since=2026-01-06&until=2026-01-06")) == [2]
    noon = quote("2026-01-06T12:00:00+00:00")
    assert positions(found(api, f"since={noon}")) == [3, 2]
    assert positions(found(api, f"until={noon}")) == [1]
    assert positions(found(api, "since=0001-01-01&until=9999-12-31")) == [3, 2, 1]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("since=yesterday", "since"),
        ("until=2026-13-01", "until"),
        ("until=2026-01-05T25:00", "until"),
        ("limit=0", "limit"),
        ("cursor=x", "cursor"),
        (f"q={'x' * 201}", "q"),
    ],
)
def test_what_is_no_search_is_refused_by_field(api: Api, query: str, field: str) -> None:
    response = api.get(f"/search?{query}")
    assert response.status_code == 400
    assert response.json()["error"]["fields"].keys() == {field}


def test_one_session_can_be_searched(api: Api, strangers_api: Api) -> None:
    first, second = store(api.user, "date"), store(api.user, "date")
    (only,) = found(api, f"q=date&session={first.pk}")
    assert only["session_id"] == str(first.pk)
    theirs = store(strangers_api.user, "date")
    for identity in (theirs.pk, "none"):
        response = api.get(f"/search?session={identity}")
        assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert {hit["session_id"] for hit in found(api, "q=date")} == {str(first.pk), str(second.pk)}


def test_what_has_expired_or_is_someone_elses_is_never_found(api: Api, strangers_api: Api) -> None:
    store(strangers_api.user, "date")
    gone = store(api.user, "date")
    assert len(found(api, "q=date")) == 1
    Session.objects.filter(pk=gone.pk).update(expires_at=timezone.now())
    assert found(api, "q=date") == []


def test_pages_never_shift_and_a_search_goes_on_where_it_stopped(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_search, "SCANNED", 4)
    store(api.user, *(f"date {n}" if n % 3 == 0 else "other" for n in range(20)))
    seen, cursor, pages = [], "", 0
    while True:
        page = api.get(f"/search?q=date&limit=1&cursor={cursor}").json()
        seen += positions(page["results"])
        pages += 1
        store(api.user, "date", at=timezone.now())  # newer ones don't move the page
        if not page["next"]:
            break
        cursor = page["next"]
    assert seen == [19, 16, 13, 10, 7, 4, 1]
    assert pages < 15


def test_a_search_takes_the_same_queries_however_much_it_finds(api: Api) -> None:
    def queries() -> int:
        # the token, its last use, the limit of requests, and one for the turns
        with CaptureQueriesContext(connection) as captured:
            assert found(api, "q=date&limit=100")
        return len(captured)

    store(api.user, "date")
    queries()
    few = queries()
    for _ in range(10):
        store(api.user, *["date"] * 5)
    assert queries() == few


def test_a_thousand_turns_are_opened_quickly(owner: User) -> None:
    store(owner, *(f"Question {n} about the Determination Date, é" for n in range(1000)))
    wanted = message_search.Wanted(words="nowhere")
    found = computed_within(2, lambda: message_search.search_messages(owner, wanted))
    assert found.hits == []
