"""Two people, every route: nobody reaches anything of another's, nor learns that it is there.

Promises P01 and P02: a route is classed or CI fails; each is knocked at with every method, by
someone unknown, by a colleague with a cookie and with a token, by someone suspended and by staff,
with the owner's ids in path, query, body and headers.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone

from memory import holds
from memory.errors import Held
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention.previews import preview, proposed
from memory.models import ErasureRequest, PurgeFailure, Scope, Session, Tier, User
from memory.people.staff import emergencies
from tests.isolation.belongings import CANARY, KEY, QUESTION, Belongings, belongings_of, digest
from tests.isolation.routes import CLASSES, OWN, PERSON, STAFF, Route, routes
from tests.people import person, token_of

pytestmark = pytest.mark.django_db

METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
# Those who get furthest: signed in, and with a program that may write. Whoever else there is has
# no rights that these lack, and tries all methods in `make deep`; every day, reading and writing.
DISTINCT = ("colleague", "colleague's program")
NOWHERE = {
    "session_id": "01970000-0000-7000-8000-00000000ffff",
    "turn_id": "01970000-0000-7000-8000-00000000fffe",
    "document_id": "01970000-0000-7000-8000-00000000fffd",
    "older_id": "01970000-0000-7000-8000-00000000fffd",
    "citation_id": "01970000-0000-7000-8000-00000000fffc",
    "token_id": "01970000-0000-7000-8000-00000000fffb",
    "entity_id": "01970000-0000-7000-8000-00000000fffa",
    "summary_id": "01970000-0000-7000-8000-00000000ffea",
    "fact_id": "01970000-0000-7000-8000-00000000ffeb",
    "pk": 555_003,
    "device_id": 555_004,
    "package_id": "01970000-0000-7000-8000-00000000fffa",
    "erasure_id": "01970000-0000-7000-8000-00000000fff9",
    "certificate_id": "01970000-0000-7000-8000-00000000fff8",
}
FIXED = {
    "number": 1,
    "form": "json",
    "encoded_id": "MQ",
    "token": "c0ffee-deadbeef",
    "key": "MQ:x:y",
    "uidb36": "1",
    "scope": "account",
}
# Everything that differs between two answers without telling them apart.
NOISE = re.compile(rb"[A-Za-z0-9]{64}|nonce-[^'\"]+|[0-9a-f-]{36}|55500[1-4]")
STATUSES_OF_NOTHING = {301, 302, 303, 400, 401, 403, 404, 405, 415}
Browser = Callable[[], Client]


@pytest.fixture
def belongings(owner: User) -> Belongings:
    return belongings_of(owner)


@pytest.fixture
def others(colleague: User, stranger: User) -> dict[str, Browser]:
    """Everyone who is not the owner, by what lets them in."""
    staff = person("staff", is_staff=True)
    suspended = person("suspended")
    tokens = {
        name: token_of(user, scope)
        for name, user, scope in (
            ("colleague", colleague, Scope.WRITE),
            ("staff", staff, Scope.ADMIN),
            ("suspended", suspended, Scope.WRITE),
        )
    }
    kept = Client()
    kept.force_login(suspended)
    User.objects.filter(pk=suspended.pk).update(is_active=False)

    def with_cookie(user: User) -> Browser:
        def browser() -> Client:
            client = Client(raise_request_exception=False)
            client.force_login(user)
            return client

        return browser

    def with_token(name: str) -> Browser:
        return lambda: Client(
            raise_request_exception=False, headers={"Authorization": f"Bearer {tokens[name]}"}
        )

    return {
        "nobody": lambda: Client(raise_request_exception=False),
        "colleague": with_cookie(colleague),
        "colleague's program": with_token("colleague"),
        "suspended": lambda: kept,
        "suspended person's program": with_token("suspended"),
        "staff": with_cookie(staff),
        "staff's program": with_token("staff"),
    }


def test_p01_every_route_is_classed() -> None:
    unknown = sorted(route.name for route in routes() if route.access is None)
    assert not unknown, f"say in tests/isolation/routes.py who may use {unknown}"


def test_p01_nothing_is_classed_that_is_not_there() -> None:
    assert not set(CLASSES) - {route.name for route in routes()}


def test_p02_no_route_lets_anyone_reach_what_is_anothers(
    belongings: Belongings, others: dict[str, Browser]
) -> None:
    methods = {who: METHODS if who in DISTINCT else ["GET", "POST"] for who in others}
    assert knock_everywhere(belongings, others, methods) >= 2000


@pytest.mark.deep
def test_p02_no_route_lets_anyone_reach_what_is_anothers_by_any_method(
    belongings: Belongings, others: dict[str, Browser]
) -> None:
    assert knock_everywhere(belongings, others, dict.fromkeys(others, METHODS)) >= 4000


def knock_everywhere(
    belongings: Belongings, others: dict[str, Browser], methods: dict[str, list[str]]
) -> int:
    """Let each of the others try every route, and nothing change; return how often they tried."""
    before = digest(belongings.owner)
    attempts: Counter[str] = Counter()
    for route in routes():
        if route.access == STAFF:
            continue
        for who, browser in others.items():
            client = browser()
            for method in methods[who]:
                attempts[route.name] += knock(client, method, route, belongings, who=who)
        assert digest(belongings.owner) == before, f"{route.name} changed something"
    assert min(attempts.values()) > 0
    return attempts.total()


def knock(client: Client, method: str, route: Route, belongings: Belongings, *, who: str) -> int:
    """Try the route with the owner's ids and with ids of nothing; return how often."""
    foreign = send(client, method, route, belongings.ids, belongings)
    assert CANARY.encode() not in body_of(foreign), (who, method, route.name)
    assert foreign.status_code < 500, (who, method, route.name)
    if route.access == PERSON and who in ("nobody", "suspended"):
        assert foreign.status_code in {301, 302, 401, 403, 404, 405}, (who, method, route.name)
    if route.access != OWN:
        return 1
    missing = send(client, method, route, NOWHERE, belongings)
    assert foreign.status_code in STATUSES_OF_NOTHING, (who, method, route.name)
    assert told(foreign) == told(missing), (who, method, route.name)
    return 2


def send(
    client: Client, method: str, route: Route, ids: dict[str, Any], belongings: Belongings
) -> HttpResponseBase:
    given = {name: str(value) for name, value in belongings.ids.items()}
    planted = {
        **given,
        "user_id": str(belongings.owner.pk),
        "owner": str(belongings.owner.pk),
        "documents": [given["document_id"]],
        "document_context": [given["document_id"]],
        "scope": [given["document_id"]],
        "session": given["session_id"],
        "after": f"1900000000000000.{given['session_id']}",
        "query": "What is the fee?",
        "title": "Mine now",
        "how": "archive",
        "rating": 1,
    }
    headers = {"Last-Event-ID": "1:0", "Idempotency-Key": KEY, "HX-Request": "false"}
    path = route.path(FIXED | ids)
    if method in ("GET", "HEAD", "OPTIONS"):
        asked = {name: value for name, value in planted.items() if name not in ("query", "scope")}
        return client.generic(method, path, headers=headers, query_params=asked)
    if route.name.startswith("api:"):
        data, kind = json.dumps(planted), "application/json"
        return client.generic(method, path, data, content_type=kind, headers=headers)
    return getattr(client, method.lower())(
        path, planted if method == "POST" else "", headers=headers
    )


def body_of(response: HttpResponseBase) -> bytes:
    content = b"".join(response) if response.streaming else response.content
    return content + repr(dict(response.headers)).encode()


def told(response: HttpResponseBase) -> tuple[int, bytes, str]:
    """Return what an answer tells, without what differs from one to the next by itself."""
    content = b"" if response.streaming else response.content
    place = NOISE.sub(b"", response.headers.get("Location", "").encode()).decode()
    return response.status_code, NOISE.sub(b"", content), place


# --- Second-order: attaching what one can't read, then asking (P03) ------------------------------


def test_p03_nothing_can_be_attached_or_retrieved_that_may_not_be_read(
    belongings: Belongings, colleague: User
) -> None:
    document, session = str(belongings.ids["document_id"]), str(belongings.ids["session_id"])
    program = Client(headers={"Authorization": f"Bearer {token_of(colleague)}"})
    browser = Client()
    browser.force_login(colleague)

    def post(path: str, body: dict[str, Any], method: str = "POST") -> HttpResponseBase:
        data = json.dumps(body)
        kind = "application/json"
        return program.generic(method, f"/api/v1{path}", data, content_type=kind)

    mine = post("/documents", {"title": "Mine", "text": "My own note about fees."})
    own = mine.json()["document_id"]
    begun = post("/sessions", {}).json()["session_id"]
    for listed in ([document], [own, document], [document, own], [document] * 3):
        for answer in (
            post("/sessions", {"document_context": listed}),
            post(f"/sessions/{begun}", {"document_context": listed}, "PATCH"),
            post(f"/sessions/{begun}/turns", {"query": QUESTION, "documents": listed}),
            post("/query", {"query": QUESTION, "scope": listed}),
            post("/query", {"query": QUESTION, "session_id": session}),
            # The form comes back with what was typed: not the canary.
            browser.post("/conversations/new", {"query": "Which fee?", "documents": listed}),
            browser.post(f"/conversations/{begun}/documents", {"documents": listed}),
        ):
            assert answer.status_code == 404, answer.content
            assert CANARY.encode() not in body_of(answer)
    asked = post(f"/sessions/{begun}/turns", {"query": "What is the termination fee?"}).json()
    assert "4711 guilders" not in json.dumps(asked)
    seen = program.get(f"/api/v1/sessions/{begun}/turns/{asked['turn_id']}/context").json()
    assert document not in json.dumps(seen)


# --- Those who run the place see states and counts, never text (P07) ----------------------------


def test_p07_no_page_of_the_admin_shows_anyones_words(belongings: Belongings) -> None:
    boss = person("boss", is_staff=True, is_superuser=True)
    run_the_place(boss, belongings)
    before = digest(belongings.owner)
    for someone in (person("clerk", is_staff=True), boss):
        client = Client()
        client.force_login(someone)
        shown = crawl(client)
        assert shown > 50 if someone is boss else shown < 50, shown
    assert digest(belongings.owner) == before, "looking changed something"
    outsider = Client()
    outsider.force_login(belongings.owner)
    for route in routes():
        if route.access == STAFF and not route.parameters and "login" not in route.name:
            assert outsider.get(route.path({})).status_code in (301, 302, 403, 404), route.name


def run_the_place(boss: User, belongings: Belongings) -> None:
    """Give every page of the admin a row: holds, runs, samples of requests, what waits."""
    owner = belongings.owner
    session = Session.objects.get(pk=belongings.ids["session_id"])
    holds.place(session, reason="A case", author=boss)
    with pytest.raises(Held):
        erase_session(session, actor=owner)
    preview(proposed(owner.tier, lifetime=3600), author=boss)
    PurgeFailure.objects.create(session_id=session.pk, error="Error", retry_at=timezone.now())
    for request in ErasureRequest.objects.all():
        request.samples = [CANARY]
        request.save()
    proposed(owner.tier, max_turns=50).save()
    # What one admin has opened in an emergency opens nothing to another.
    other = person("second", is_staff=True, is_superuser=True)
    emergencies.open_conversations(owner, operator=other, reason="They don't answer.")


def crawl(client: Client) -> int:
    """Open each page of the admin, with rows that there are; return how many were shown."""
    shown = 0
    for route in routes():
        if route.access != STAFF or "logout" in route.name:
            continue
        for identity in identities(route):
            filled = dict.fromkeys(route.parameters, identity)
            for query in ({}, {"q": "clause"}) if "changelist" in route.name else ({},):
                answer = client.get(route.path(filled), query, follow=True)
                assert answer.status_code < 500, route.name
                assert CANARY.encode() not in body_of(answer), answer.request["PATH_INFO"]
                shown += answer.status_code == 200
    return shown


def identities(route: Route) -> list[Any]:
    """Return ids of rows that a page of the admin is about, and one of nothing."""
    if not route.parameters:
        return [1]
    if "tier" in route.parameters:
        return [*Tier.values, "gold"]
    # "admin:memory_session_change", or without a name "admin:admin/memory/session/<id>/".
    names = re.split(r"[_/]", route.name.removeprefix("admin:").removeprefix("admin/"))
    known = {model._meta.label_lower: model for model in apps.get_models()}
    model = known.get(".".join(names[:2]))
    if model is None:
        return [NOWHERE["session_id"]]
    rows = model._base_manager.order_by("-pk").values_list("pk", flat=True)[:2]
    return [*rows, NOWHERE["session_id"]]


# --- What every answer carries (P45) -----------------------------------------------------------


def test_every_answer_to_the_owner_is_private_and_under_a_strict_policy(
    belongings: Belongings,
) -> None:
    client = Client()
    client.force_login(belongings.owner)
    for route in routes():
        if "logout" in route.name:
            continue
        values = dict.fromkeys(route.parameters, 1) | FIXED | belongings.ids
        headers = client.get(route.path(values)).headers
        assert headers["X-Content-Type-Options"] == "nosniff", route.name
        assert headers["X-Frame-Options"] == "DENY", route.name
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, route.name
        assert "frame-ancestors 'none'" in policy, route.name
        if not route.name.startswith(("admin:", "docs", "api/docs")):
            assert "unsafe" not in policy, route.name
        if route.access in (OWN, PERSON, STAFF):
            assert "no-store" in headers["Cache-Control"], route.name
