"""Errors of requests: they have one shape, and nothing is stored."""

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from memory.models import ApiToken, AuditEvent, IdempotencyKey, Session, Turn, User
from tests.api.conftest import Api
from tests.effort import computed_within
from tests.people import PASSWORD, token_of

pytestmark = pytest.mark.django_db

NOT_FOUND = b'{"error":{"code":"not_found","message":"There is nothing here."}}'


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


BAD_BODIES: list[tuple[bytes, str]] = [
    (b"", "query"),
    (b"{}", "query"),
    (b'{"query": null}', "query"),
    (b'{"query": ""}', "query"),
    (b'{"query": " \\t\\n "}', "query"),
    ('{"query": "\u00a0\u200b\ufeff\u2060"}'.encode(), "query"),
    (b'{"query": 17}', "query"),
    (b'{"query": 1.5}', "query"),
    (b'{"query": true}', "query"),
    (b'{"query": ["What?"]}', "query"),
    (b'{"query": {"text": "What?"}}', "query"),
    (b'{"query": "What\\u0000?"}', "query"),
    (b'{"query": "What \\ud800?"}', ""),
    (b'{"query": "What?", "\\udfff": 1}', ""),
    (json.dumps({"query": "x" * (settings.MAX_QUESTION_LENGTH + 1)}).encode(), "query"),
    (b'{"query": ' + nested(500) + b"}", "query"),
    (b'{"query": "What?", "style": "loud"}', "style"),
    (b'{"query": "What?", "style": 1}', "style"),
    (b'{"query": "What?", "style": {}}', "style"),
    (b'{"query": "What?", "style": null}', "style"),
    (b'{"query": "What?", "documents": "all"}', "documents"),
    (b'{"query": "What?", "documents": {"a": 1}}', "documents"),
    (b'{"query": "What?", "documents": [1]}', "documents.0"),
    (b'{"query": "What?", "documents": [null]}', "documents.0"),
    (
        json.dumps(
            {"query": "What?", "documents": ["01890000-0000-7000-8000-000000000000"] * 101}
        ).encode(),
        "documents",
    ),
    (b'{"query": "What?", "user": "me"}', "user"),
    (b'{"query": "What?", "turn_id": "1", "query ": ""}', "turn_id"),
    (b'{"query": "What?", "query": "Who?"}', ""),
    (b'{"query": "What?", "documents": [{"a": 1, "a": 1}]}', ""),
    (b"[]", ""),
    (b'["query"]', ""),
    (b'"query"', ""),
    (b"null", ""),
    (b"17", ""),
    (b"{", ""),
    (b'{"query": "What?"', ""),
    (b"{'query': 'What?'}", ""),
    (b'{"query": "What?",}', ""),
    (b'{"query": NaN}', ""),
    (b'{"query": 1e999}', ""),
    (b'{"query": ' + b"9" * 5000 + b"}", ""),
    (b'{"query": ' + nested(100_000) + b"}", ""),
    (b'{"query": "What\xff?"}', ""),
    ('{"query": "What?"}'.encode("utf-16"), ""),
    (b"\xef\xbb\xbf" + b'{"query": "What?"}', ""),
]


@pytest.mark.parametrize(("body", "field"), BAD_BODIES, ids=lambda value: str(value)[:40])
def test_a_bad_question_is_refused_and_not_stored(api: Api, body: bytes, field: str) -> None:
    path = api.begin()
    before = AuditEvent.objects.count()
    response = api.request("POST", f"{path}/turns", raw=body, Idempotency_Key="once")
    assert response.status_code == 400
    error = response.json()["error"]
    if field:
        assert error["code"] == "invalid_request"
        assert field in error["fields"]
    else:
        assert error["code"] == "parse_error"
    assert not Turn.objects.exists()
    assert not IdempotencyKey.objects.exists()
    assert AuditEvent.objects.count() == before


@pytest.mark.parametrize(
    "body",
    [
        b"{" + b",".join(b'"%d": 1' % number for number in range(90_000)) + b"}",
        b'{"query": "What?", "conversation_context": [' + b",".join([b"1"] * 400_000) + b"]}",
        b'{"query": "What?", "conversation_context": [' + b",".join([b"{}"] * 300_000) + b"]}",
        b'{"query": "What?", "scope": [' + b",".join([b"1"] * 400_000) + b"]}",
    ],
    ids=["names", "messages", "empty messages", "documents"],
)
def test_very_many_mistakes_are_refused_as_soon_as_a_few(api: Api, body: bytes) -> None:
    """One such request took a thread for half a minute."""
    response = computed_within(2, lambda: api.request("POST", "/query", raw=body))
    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_request")


def deep(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


BAD_SETTINGS: list[tuple[str, Any]] = [
    ("title", 17),
    ("title", None),
    ("title", ["a"]),
    ("title", "x" * 121),
    ("title", "a\0b"),
    ("metadata", "text"),
    ("metadata", ["a"]),
    ("metadata", None),
    ("metadata", {"a": "x" * 16_384}),
    ("metadata", deep(9)),
    ("metadata", {"a": ["\0"]}),
    ("metadata", {"\0": 1}),
    ("context_window", "4096"),
    ("context_window", 4096.0),
    ("context_window", True),
    ("context_window", 511),
    ("context_window", 262_145),
    ("context_window", 10**400),
    ("context_window", None),
    ("max_turns", 101),  # one more than the tier's
    ("max_turns", 0),
    ("max_turns", "50"),
    ("max_turns", 50.5),
    ("strategy", "newest"),
    ("strategy", 1),
    ("strategy", []),
    ("pinned", 1),
    ("pinned", "true"),
    ("archived", None),
    ("archived", {}),
    ("nonsense", 1),
    ("__class__", 1),
    ("", 1),
]


@pytest.mark.parametrize(("field", "value"), BAD_SETTINGS, ids=lambda value: str(value)[:40])
def test_a_bad_setting_is_refused_by_name(api: Api, field: str, value: Any) -> None:
    path = api.begin(title="Kept")
    before = api.get(path).json()
    created = api.post("/sessions", {field: value})
    changed = api.patch(path, {"title": "Lost", field: value})
    for response in (created, changed):
        assert response.status_code == 400
        assert field in response.json()["error"]["fields"]
    assert api.get(path).json() == before
    assert Session.objects.count() == 1


@pytest.mark.parametrize("value", ["true", 1, 0, None, "yes"])
def test_temporary_is_true_or_false(api: Api, value: Any) -> None:
    assert api.post("/sessions", {"temporary": value}).status_code == 400


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rating", 2),
        ("rating", 0),
        ("rating", "1"),
        ("rating", True),
        ("rating", 1.0),
        ("rating", [1]),
        ("feedback", 1),
        ("feedback", None),
        ("feedback", "x" * 2001),
        ("status", "complete"),
        ("response", "Nothing."),
    ],
)
def test_a_bad_rating_is_refused_by_name(api: Api, field: str, value: Any) -> None:
    path = api.begin()
    turn = api.ask(path, "What is the Closing Date?")
    response = api.patch(f"{path}/turns/{turn['turn_id']}", {field: value})
    assert response.status_code == 400
    assert field in response.json()["error"]["fields"]
    assert api.get(f"{path}/turns/{turn['turn_id']}").json() == turn


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.0, "1.0"), ("1", '"1"'), (2, "2"), ("x" * 500, f'"{"x" * 99}…'), ([1], "…")],
)
def test_a_wrong_choice_is_told_with_those_that_there_are(api: Api, value: Any, shown: str) -> None:
    path = api.begin()
    turn = api.ask(path, "What is the Closing Date?")
    response = api.patch(f"{path}/turns/{turn['turn_id']}", {"rating": value})
    said = response.json()["error"]["fields"]["rating"]
    assert said == [f"{shown} is not one of 1, -1, null."]


def test_what_fits_exactly_is_accepted(api: Api) -> None:
    fitting = {"metadata": {"a": "x" * (16_384 - 8)}, "context_window": 262_144, "title": "x" * 120}
    assert api.post("/sessions", fitting).status_code == 201
    assert api.post("/sessions", {"metadata": deep(8), "context_window": 512}).status_code == 201
    assert api.begin(title="  Zoë’s 研究 👩‍🔬  ")


def test_very_many_wrong_fields_are_not_all_named(api: Api) -> None:
    response = api.post("/sessions", {f"{'x' * 500}{n}": n for n in range(1000)})
    assert response.status_code == 400
    assert len(response.content) < 5000


def test_a_body_of_another_type_is_415(api: Api) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "", "nonsense"):
        response = api.client.post(
            "/api/v1/sessions", b"title=x", content_type=media_type, headers=api.headers
        )
        assert response.status_code == 415
        assert response.json()["error"]["code"] == "unsupported_media_type"
    assert not Session.objects.exists()


def test_a_body_over_the_limit_is_413(api: Api) -> None:
    path = api.begin()
    body = b'{"query": "' + b"x" * settings.MAX_BODY_BYTES + b'"}'
    response = api.request("POST", f"{path}/turns", raw=body)
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "body_too_large"


def test_a_method_that_is_not_there_is_405(api: Api) -> None:
    path = api.begin()
    for method, place in [
        ("PUT", "/sessions"),
        ("DELETE", "/sessions"),
        ("PUT", path),
        ("OPTIONS", path),
        ("GET", f"{path}/turns"),
        ("POST", f"{path}/history"),
    ]:
        response = api.request(method, place)
        assert response.status_code == 405
        assert response.json()["error"]["code"] == "method_not_allowed"
        assert method not in response["Allow"].split(", ")


def test_no_accept_header_is_too_strange(api: Api) -> None:
    for accept in ("text/html", "image/png", "application/xml;q=0.9", "nonsense", "*/*", ",;"):
        response = api.get("/sessions", Accept=accept)
        assert response.status_code == 200
        assert response["Content-Type"] == "application/json"
    missing = api.get("/sessions/none", Accept="text/event-stream")
    assert (missing.status_code, missing.content) == (404, NOT_FOUND)


@pytest.mark.parametrize(
    "path",
    ["/api/v1/nothing", "/api/v1/sessions/", "/api/v1", "/api/", "/api/v2/sessions", "/api/x?y=1"],
)
def test_an_unknown_address_is_404_in_the_same_shape(client: Client, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        response = client.generic(method, path, b"{}", content_type="application/json")
        assert (response.status_code, response.content) == (404, NOT_FOUND)
        assert response["Content-Type"] == "application/json"


# --- Credentials ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "credential",
    [
        "",
        "Bearer",
        "Bearer nonsense",
        "Bearer two words",
        "Bearer \xff\xfe",
        "Bearer " + "a" * 64,
        "Bearer " + "a" * 5000,
        "Token " + "a" * 64,
        "Basic b3duZXI6cGFzc3dvcmQ=",
    ],
)
def test_without_a_good_credential_every_door_is_401(client: Client, credential: str) -> None:
    for method, path in [("GET", "/sessions"), ("POST", "/sessions"), ("GET", "/sessions/x")]:
        headers = {"Authorization": credential} if credential else {}
        response = client.generic(method, f"/api/v1{path}", b"{", headers=headers)
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == "Bearer"
        assert response.json()["error"].keys() == {"code", "message"}


def test_a_token_that_was_taken_back_or_has_expired_is_401(api: Api, owner: User) -> None:
    assert api.get("/sessions").status_code == 200
    from django.utils import timezone

    ApiToken.objects.filter(user=owner).update(expiry=timezone.now())
    assert api.get("/sessions").status_code == 401
    api = Api(owner)
    ApiToken.objects.filter(user=owner).delete()
    assert api.get("/sessions").status_code == 401


def test_a_person_who_was_shut_out_is_401(owner: User, client: Client) -> None:
    token = {"Authorization": f"Bearer {token_of(owner)}"}
    client.force_login(owner)
    assert client.get("/api/v1/sessions").status_code == 200
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert client.get("/api/v1/sessions").status_code == 401
    assert Client().get("/api/v1/sessions", headers=token).status_code == 401


def test_signed_in_by_cookie_a_write_needs_the_csrf_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.login(username="owner", password=PASSWORD)
    assert client.get("/api/v1/sessions").status_code == 200
    response = client.post("/api/v1/sessions", {}, content_type="application/json")
    assert response.status_code == 403
    assert response.json()["error"]["code"] == "permission_denied"
    assert not Session.objects.exists()
    client.cookies["csrftoken"] = secret = "a" * 32
    headers = {"X-CSRFToken": secret}
    response = client.post("/api/v1/sessions", {}, "application/json", headers=headers)
    assert response.status_code == 201


def test_an_unforeseen_error_is_500_in_the_same_shape(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.api.sessions.read_newest_page", lambda *_, **__: 1 / 0)
    response = api.client.get("/api/v1/sessions", headers=api.headers)
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "internal_error"
    assert b"Zero" not in response.content
