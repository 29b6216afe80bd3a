"""Sessions over the API."""

from datetime import timedelta

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.conversations.asking import create_session
from memory.models import ApiToken, AuditEvent, Session, User
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db


def pages_of(api: Api, limit: int) -> list[list[str]]:
    """Return the ids on each page of the list."""
    pages, cursor = [], ""
    while cursor is not None:
        page = api.get(f"/sessions?limit={limit}&cursor={cursor}").json()
        pages.append([session["session_id"] for session in page["sessions"]])
        cursor = page["next"]
    return pages


def test_a_session_begins_with_what_it_is_given(api: Api) -> None:
    given = {
        "title": "Determination dates",
        "metadata": {"matter": "17", "tags": ["psa", {"year": 2024}], "ü": None},
        "context_window": 8192,
        "max_turns": 50,
        "strategy": "hybrid",
        "user_id": str(api.user.pk),
    }
    response = api.post("/sessions", given)
    assert response.status_code == 201
    session = response.json()
    assert session | given == session
    assert (session["turn_count"], session["context_tokens"]) == (0, 0)
    assert not session["temporary"] | session["pinned"] | session["archived"]
    assert api.get(f"/sessions/{session['session_id']}").json() == session


def test_a_session_needs_nothing(api: Api, settings: object) -> None:
    for body in (b"", b"{}"):
        response = api.request("POST", "/sessions", raw=body)
        assert response.status_code == 201
        assert response.json()["context_window"] == 4096
        assert response.json()["strategy"] == "auto"
        assert (response.json()["title"], response.json()["metadata"]) == ("", {})


def test_a_session_expires_after_its_owners_tiers_time(api: Api) -> None:
    row = Session.objects.get(pk=api.begin().split("/")[-1])
    assert row.expires_at - row.created_at == timedelta(days=1)
    row = Session.objects.get(pk=api.begin(temporary=True).split("/")[-1])
    assert row.expires_at - row.created_at == timedelta(hours=1)


def test_a_session_for_someone_else_is_not_begun(api: Api, stranger: User) -> None:
    for other in (str(stranger.pk), "nobody", "01970000-0000-7000-8000-000000000000"):
        assert api.post("/sessions", {"user_id": other}).status_code == 404
    assert not Session.objects.exists()


def test_sessions_are_listed_by_last_activity_each_once(api: Api, owner: User) -> None:
    moment = timezone.now()
    for number in range(11):
        row = create_session(owner, title=f"Number {number}")
        # Equal moments, too: the id decides between them.
        at = moment - timedelta(hours=number // 3)
        Session.objects.filter(pk=row.pk).update(last_activity=at)
    expected = [str(row.pk) for row in Session.objects.order_by("-last_activity", "-id")]
    for limit in (1, 4, 11, 100):
        pages = pages_of(api, limit)
        assert [identity for page in pages for identity in page] == expected
        assert max(map(len, pages)) <= limit


def test_a_session_begun_between_two_pages_moves_nothing(api: Api, owner: User) -> None:
    for _ in range(4):
        create_session(owner)
    first = api.get("/sessions?limit=2").json()
    create_session(owner)
    second = api.get(f"/sessions?limit=2&cursor={first['next']}").json()
    both = [session["session_id"] for page in (first, second) for session in page["sessions"]]
    assert len(set(both)) == 4
    assert second["next"] is None


def test_a_page_of_sessions_costs_the_same_however_many_there_are(api: Api, owner: User) -> None:
    for number in range(60):
        create_session(owner, title=f"Number {number}", metadata={"n": number})
    api.get("/sessions")  # the first request of a token is noted
    counts = set()
    for limit in (1, 50):
        with CaptureQueriesContext(connections["default"]) as queries:
            page = api.get(f"/sessions?limit={limit}").json()
        assert len(page["sessions"]) == limit
        counts.add(len(queries))
    # the token with its person; one more request, in a transaction's beginning and end; the
    # sessions; what they are limited to; whether the read is recorded
    assert counts == {7}


@pytest.mark.parametrize(
    "query",
    [
        "cursor=x",
        "cursor=1.2",
        "cursor=%00",
        "cursor=999999999999999999.01970000-0000-7000-8000-000000000000",
        "cursor=1.------------------------------------",
        "limit=0",
        "limit=101",
        "limit=many",
        "limit=1.5",
        "limit=",
    ],
)
def test_a_page_that_cannot_be_is_400(api: Api, query: str) -> None:
    response = api.get(f"/sessions?{query}")
    assert response.status_code == 400
    assert response.json()["error"]["fields"].keys() == {query.split("=")[0]}


def test_a_page_that_is_too_large_is_told_how_large_it_may_be(api: Api) -> None:
    for limit in ("101", "99999", "9" * 18):
        said = api.get(f"/sessions?limit={limit}").json()["error"]["fields"]["limit"]
        assert said == ["Ensure this value is less than or equal to 100."]


def test_what_is_no_choice_after_the_question_mark_is_told_the_choices(api: Api) -> None:
    wrong = {
        f"{api.begin()}/export?format=odt": (
            '"odt" is not one of "json", "markdown", "html", "docx", "pdf".'
        ),
        f"{api.begin()}/export?turns=3-1": "Give the numbers of turns as in 1-3,5.",
        "/documents?whose=theirs": '"theirs" is not one of "all", "mine", "library".',
    }
    for path, said in wrong.items():
        fields = api.get(path).json()["error"]["fields"]
        assert list(fields.values()) == [[said]]


def test_a_title_turns_no_direction_round(api: Api) -> None:
    path = api.begin(title="\u202egnp.tnemeerga")
    assert api.get(path).json()["title"] == "gnp.tnemeerga"
    assert api.patch(path, {"title": " A\u2067 b\n\u202e c "}).json()["title"] == "A b c"
    assert api.patch(path, {"title": "\u202e"}).json()["title"] == ""


def test_a_session_is_changed_without_moving_its_clock(api: Api) -> None:
    path = api.begin(title="Old")
    before = api.get(path).json()
    changes = {
        "title": "New",
        "metadata": {"a": 1},
        "strategy": "relevance",
        "context_window": 512,
        "max_turns": 100,
        "pinned": True,
        "archived": True,
    }
    response = api.patch(path, changes)
    assert response.status_code == 200
    assert response.json() == before | changes
    assert api.get(path).json() == before | changes
    assert api.patch(path, {}).json() == before | changes
    assert AuditEvent.objects.filter(action="session.changed").count() == 1


@pytest.mark.parametrize("field", ["temporary", "user_id", "expires_at", "turn_count", "owner"])
def test_what_is_settled_cannot_be_changed(api: Api, field: str) -> None:
    path = api.begin()
    before = api.get(path).json()
    response = api.patch(path, {"title": "New", field: True})
    assert response.json()["error"]["fields"].keys() == {field}
    assert response.status_code == 400
    assert api.get(path).json() == before


def test_an_erased_session_is_gone(api: Api) -> None:
    path = api.begin()
    assert api.get(path).status_code == 200
    response = api.delete(path)
    assert (response.status_code, response.content) == (204, b"")
    assert api.get(path).status_code == 404
    assert api.delete(path).status_code == 404
    assert not Session.objects.exists()


def test_history_comes_in_order_and_by_page(api: Api) -> None:
    path = api.begin()
    asked = [api.ask(path, f"What is the Closing Date, number {n}?") for n in range(1, 6)]
    whole = api.get(f"{path}/history").json()
    assert whole["turns"] == asked
    assert (whole["total_turns"], whole["next"]) == (5, None)
    first = api.get(f"{path}/history?limit=2").json()
    assert ([turn["position"] for turn in first["turns"]], first["next"]) == ([1, 2], "2")
    last = api.get(f"{path}/history?limit=3&cursor=2").json()
    assert ([turn["position"] for turn in last["turns"]], last["next"]) == ([3, 4, 5], None)
    assert last["total_turns"] == 5
    beyond = api.get(f"{path}/history?cursor=214748364").json()
    assert (beyond["turns"], beyond["next"]) == ([], None)
    assert api.get(f"{path}/history?cursor=-1").status_code == 400
    old = api.get(f"{path}/history?after=2")
    assert (old.status_code, list(old.json()["error"]["fields"])) == (400, ["after"])
    assert api.get(f"{path}/history?cursor=99999999999999999999").status_code == 400


@pytest.mark.usefixtures("library")
def test_history_costs_the_same_however_many_turns(api: Api) -> None:
    path = api.begin()
    for number in range(6):
        api.ask(path, f"What is the Determination Date, number {number}?")
    counts = set()
    api.get(f"{path}/history")  # the first read in a quarter of an hour is recorded
    for limit in (1, 6):
        ApiToken.objects.update(last_used_at=timezone.now())  # which is noted once a minute
        with CaptureQueriesContext(connections["default"]) as queries:
            page = api.get(f"{path}/history?limit={limit}").json()
        assert all(turn["citations"] for turn in page["turns"])
        counts.add(len(queries))
    # the token with its person; one more request, in a transaction's beginning and end; the
    # session with its owner; the turns; their claims; their citations with source, document and
    # passage; the turns drawn on; the steps of their context records; whether the read is recorded
    assert counts == {13}


@pytest.mark.usefixtures("library")
def test_sources_keep_their_numbers(api: Api) -> None:
    path = api.begin()
    first = api.ask(path, "What is the Determination Date?")
    second = api.ask(path, "What is PIK3CA and which drugs target it?")
    listed = api.get(f"{path}/sources").json()["sources"]
    assert [source["number"] for source in listed] == list(range(1, len(listed) + 1))
    assert len(listed) > 1
    numbers = {source["document_id"]: source["number"] for source in listed}
    for source in first["sources"] + second["sources"]:
        assert numbers[source["document_id"]] == source["number"]


def test_a_session_without_turns_has_empty_lists(api: Api) -> None:
    path = api.begin()
    identity = path.split("/")[-1]
    listed = {"session_id": identity, "style": "apa", "sources": [], "next": None}
    assert api.get(f"{path}/sources").json() == listed
    summary = api.get(f"{path}/summary").json()
    assert (summary["summary"], summary["key_topics"], summary["turn_count"]) == (None, [], 0)
    assert api.get(f"{path}/summaries").json()["summaries"] == []
    assert api.get(f"{path}/topics").json()["topics"] == []
    history = {"session_id": identity, "turns": [], "total_turns": 0, "next": None}
    assert api.get(f"{path}/history").json() == history
