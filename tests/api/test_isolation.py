"""Two people: neither finds anything of the other, by any door, and nobody can tell what exists."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from memory.models import Session
from tests.api.conftest import Api, Json
from tests.api.test_errors import NOT_FOUND

pytestmark = pytest.mark.django_db

UNKNOWN = "01970000-0000-7000-8000-00000000ffff"
MALFORMED = [
    "none",
    "1",
    "01970000",
    "{01970000-0000-7000-8000-00000000ffff}",
    "0197000000007000800000000000ffff",
    "urn:uuid:01970000-0000-7000-8000-00000000ffff",
    "٠١٩٧٠٠٠٠-0000-7000-8000-00000000ffff",
    "%00",
    "a%2Fb",
    "%ff",
    "..%2f..",
    "x" * 3000,
]
SESSION_DOORS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("PATCH", "", {"title": "Mine now"}),
    ("PATCH", "", {"nonsense": 1}),
    ("DELETE", "", None),
    ("GET", "/history", None),
    ("GET", "/history?limit=0", None),
    ("GET", "/summary", None),
    ("GET", "/summaries", None),
    ("GET", "/summaries?kind=nonsense", None),
    ("GET", "/topics", None),
    ("GET", "/sources", None),
    ("GET", "/memory", None),
    ("POST", "/memory/entities", {"name": "Mine now"}),
    ("POST", "/memory/entities", {"nonsense": 1}),
    ("GET", "/export", None),
    ("GET", "/export?format=markdown", None),
    ("GET", "/export?format=pdf", None),
    ("POST", "/turns", {"query": "What did they ask?"}),
    ("POST", "/turns", {}),
]
TURN_DOORS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("PATCH", "", {"rating": -1, "feedback": "Mine now"}),
    ("PATCH", "", {"rating": 5}),
    ("GET", "/events", None),
    ("POST", "/stop", None),
    ("POST", "/retry", None),
    ("POST", "/retry", {"nonsense": 1}),
    ("GET", "/context", None),
]


def all_rows() -> str:
    """Return a digest of every row of our apps, sealed fields as they are stored."""
    digest = hashlib.sha256()
    for app in ("memory", "citations", "chat"):
        for model in apps.get_app_config(app).get_models():
            # Counts and records of requests are no one's content.
            if model.__name__ in (
                "ApiToken",
                "AuditAddress",
                "AuditDetail",
                "AuditEvent",
                "DataKey",
                "Usage",
            ):
                continue
            for row in model._default_manager.order_by("pk").values_list():
                digest.update(repr(row).encode())
    return digest.hexdigest()


def assert_closed(api: Api, session: str, turn: str) -> None:
    """Assert that each door of the session and of the turn answers as if there were nothing."""
    doors = [(method, f"/sessions/{session}{end}", body) for method, end, body in SESSION_DOORS]
    place = f"/sessions/{session}/turns/{turn}"
    doors += [(method, f"{place}{end}", body) for method, end, body in TURN_DOORS]
    for method, path, body in doors:
        for accept in ("application/json", "text/event-stream"):
            headers = {"Accept": accept, "Idempotency-Key": "the owner's key"}
            response = api.request(method, path, body, **headers)
            assert (response.status_code, response.content) == (404, NOT_FOUND), (method, path)
            assert response["Content-Type"] == "application/json"


@pytest.fixture
def turn(api: Api) -> Json:
    """A turn of the owner's, asked with a key."""
    path = api.begin(title="Private")
    body = {"query": "What is the Determination Date?"}
    return api.post(f"{path}/turns", body, Idempotency_Key="the owner's key").json()


@pytest.mark.parametrize("identity", MALFORMED, ids=lambda text: text[:20])
def test_a_malformed_id_is_an_unknown_one(api: Api, turn: Json, identity: str) -> None:
    before = all_rows()
    assert_closed_for_malformed(api, f"/sessions/{identity}", SESSION_DOORS)
    place = f"/sessions/{turn['session_id']}/turns/{identity}"
    assert_closed_for_malformed(api, place, TURN_DOORS)
    assert all_rows() == before


def assert_closed_for_malformed(api: Api, place: str, doors: list[tuple[str, str, Any]]) -> None:
    for method, end, body in doors:
        response = api.client.generic(
            method,
            f"/api/v1{place}{end}",
            b"" if body is None else b"{}",
            content_type="application/json",
            headers=api.headers,
        )
        assert (response.status_code, response.content) == (404, NOT_FOUND), (method, place, end)


def test_a_turn_is_only_in_its_own_session(api: Api, turn: Json) -> None:
    other = api.begin()
    for method, end, body in TURN_DOORS:
        response = api.request(method, f"{other}/turns/{turn['turn_id']}{end}", body)
        assert (response.status_code, response.content) == (404, NOT_FOUND)


def test_an_expired_session_is_gone_before_it_is_purged(api: Api, turn: Json) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Session.objects.update(expires_at=past)
    before = all_rows()
    assert_closed(api, turn["session_id"], turn["turn_id"])
    assert api.get("/sessions").json() == {"sessions": [], "next": None}
    assert all_rows() == before


def test_the_same_key_of_two_people_is_two_keys(api: Api, strangers_api: Api, turn: Json) -> None:
    path = strangers_api.begin()
    body = {"query": "What is the Determination Date?"}
    mine = strangers_api.post(f"{path}/turns", body, Idempotency_Key="the owner's key")
    assert mine.status_code == 201
    assert mine.json()["turn_id"] != turn["turn_id"]


def test_a_private_document_of_the_owner_limits_no_one_elses_search(
    api: Api, strangers_api: Api
) -> None:
    from citations.models import Document

    document = Document.objects.create(
        owner=api.user, title="Mine", authors=[], checksum="0" * 64, media_type="text/plain"
    )
    path = strangers_api.begin()
    before = all_rows()
    for identity in (str(document.pk), UNKNOWN, "none"):
        response = strangers_api.post(f"{path}/turns", {"query": "?a", "documents": [identity]})
        assert (response.status_code, response.content) == (404, NOT_FOUND)
    assert all_rows() == before
