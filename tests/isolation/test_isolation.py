"""Two people, every route: nobody reaches anything of another's, nor learns that it is there.

Promises P01 and P02: a route is classed or CI fails; each is knocked at with every method, by
someone unknown, by a colleague with a cookie and with tokens, by someone suspended, by staff, by a
superuser and by a token that has ended, with the owner's ids in path, query, body and headers.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone

from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from memory import holds
from memory.conversations.asking import Question, create_session
from memory.errors import Held
from memory.forgetting.deletion import erase_session
from memory.forgetting.retention.previews import preview, proposed
from memory.models import ApiToken, ErasureRequest, PurgeFailure, Scope, Session, Tier, User
from memory.people.staff import emergencies
from tests.isolation.belongings import CANARY, KEY, QUESTION, Belongings, belongings_of, digest
from tests.isolation.routes import CLASSES, OWN, PERSON, STAFF, Route, routes
from tests.people import person, token_of

pytestmark = pytest.mark.django_db

METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
# Those who get furthest: signed in, and with a program that may write. Whoever else there is has
# no rights that these lack, and tries all methods in `make deep`; every day, reading and writing.
LOCKED_OUT = ("nobody", "suspended", "owner's ended program")
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
# Names that routes might look for in an address, each with something of the owner's.
PLANTED = {
    "session": "session_id",
    "documents": "document_id",
    "document": "document_id",
    "ids": "document_id",
    "user_id": "owner",
    "owner": "owner",
}
# Everything that differs between two answers without telling them apart.
NOISE = re.compile(rb"[A-Za-z0-9]{64}|nonce-[^'\"]+|[0-9a-f-]{36}|55500[1-4]")
STATUSES_OF_NOTHING = {301, 302, 303, 400, 401, 403, 404, 405, 415}
Browser = Callable[[], Client]


@pytest.fixture
def belongings(owner: User) -> Belongings:
    return belongings_of(owner)


@pytest.fixture
def others(owner: User, colleague: User, stranger: User) -> dict[str, Browser]:
    """Everyone who is not the owner, by what lets them in."""
    staff = person("staff", is_staff=True)
    superuser = person("superuser", is_staff=True, is_superuser=True)
    suspended = person("suspended")
    tokens = {
        name: token_of(user, scope)
        for name, user, scope in (
            ("colleague", colleague, Scope.WRITE),
            ("reader", colleague, Scope.READ),
            ("owner", owner, Scope.WRITE),
            ("superuser", superuser, Scope.ADMIN),
            ("staff", staff, Scope.ADMIN),
            ("suspended", suspended, Scope.WRITE),
        )
    }
    ApiToken.objects.filter(user=owner).delete()
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
        "colleague's reading program": with_token("reader"),
        "superuser": with_cookie(superuser),
        "superuser's program": with_token("superuser"),
        "owner's ended program": with_token("owner"),
    }


@pytest.fixture
def own_ids(colleague: User) -> dict[str, Any]:
    """The colleague's ids, in place of the owner's."""
    session = create_session(colleague)
    attempt = take_turn(session, Question("What is a fee?")).attempt
    assert attempt
    answer_now(attempt)
    document = add_document(b"A note about fees.", file_name="fees.txt", owner=colleague)
    return {"session_id": session.pk, "turn_id": attempt.turn_id, "document_id": document.pk}


def test_p01_every_route_is_classed() -> None:
    unknown = sorted(route.name for route in routes() if route.access is None)
    assert not unknown, f"say in tests/isolation/routes.py who may use {unknown}"


def test_p01_nothing_is_classed_that_is_not_there() -> None:
    assert not set(CLASSES) - {route.name for route in routes()}


def test_p02_no_route_lets_anyone_reach_what_is_anothers(
    belongings: Belongings, others: dict[str, Browser]
) -> None:
    daily = list(others)[:7]
    methods = {who: METHODS if who in DISTINCT else ["GET", "POST"] for who in daily}
    assert knock_everywhere(belongings, others, methods) >= 6_600


@pytest.mark.deep
def test_p02_no_route_lets_anyone_reach_what_is_anothers_by_any_method(
    belongings: Belongings, others: dict[str, Browser]
) -> None:
    assert knock_everywhere(belongings, others, dict.fromkeys(others, METHODS)) >= 20_000


@pytest.mark.deep
def test_p02_an_id_of_ones_own_or_a_name_in_the_address_opens_nothing_of_anothers(
    belongings: Belongings, others: dict[str, Browser], own_ids: dict[str, Any]
) -> None:
    before, tries = digest(belongings.owner), 0
    planted = {name: given(belongings)[of] for name, of in PLANTED.items()}
    for route, who in product([each for each in routes() if each.access != STAFF], DISTINCT):
        client = others[who]()
        places = set(route.parameters) & belongings.ids.keys()
        for name in places & own_ids.keys() if len(places) > 1 else ():
            own = {name: own_ids[name]}
            for method in METHODS:
                tries += knock(client, method, route, belongings, who=who, own=own)
        path = route.path(FIXED | NOWHERE | own_ids)
        for name, value in planted.items():
            answer = client.get(path, {name: value})
            assert CANARY.encode() not in body_of(answer), (who, route.name, name)
            assert answer.status_code < 500, (who, route.name, name)
            tries += 1
    assert digest(belongings.owner) == before
    assert tries >= 3_000


def knock_everywhere(
    belongings: Belongings, others: dict[str, Browser], methods: dict[str, list[str]]
) -> int:
    """Let each of the others try every route, and nothing change; return how often they tried."""
    before = digest(belongings.owner)
    attempts: Counter[str] = Counter()
    for route in routes():
        if route.access == STAFF:
            continue
        for who in methods:
            client = others[who]()
            for method in methods[who]:
                attempts[route.name] += knock(client, method, route, belongings, who=who)
        assert digest(belongings.owner) == before, f"{route.name} changed something"
    assert min(attempts.values()) > 0
    return attempts.total()


def knock(
    client: Client,
    method: str,
    route: Route,
    belongings: Belongings,
    *,
    who: str,
    own: dict[str, Any] | None = None,
) -> int:
    """Try the route with the owner's ids and with ids of nothing; return how often.

    Those in `own` are the knocker's in both.
    """
    own = own or {}
    foreign = send(client, method, route, belongings.ids | own, belongings)
    assert CANARY.encode() not in body_of(foreign), (who, method, route.name)
    assert foreign.status_code < 500, (who, method, route.name)
    if route.access == PERSON and who in LOCKED_OUT:
        assert foreign.status_code in {301, 302, 401, 403, 404, 405}, (who, method, route.name)
    if route.access != OWN:
        return 1
    missing = send(client, method, route, NOWHERE | own, belongings)
    assert foreign.status_code in STATUSES_OF_NOTHING, (who, method, route.name)
    assert told(foreign) == told(missing), (who, method, route.name)
    return 2


def send(
    client: Client, method: str, route: Route, ids: dict[str, Any], belongings: Belongings
) -> HttpResponseBase:
    owned = given(belongings)
    planted = {
        **owned,
        "user_id": owned["owner"],
        "documents": [owned["document_id"]],
        "document_context": [owned["document_id"]],
        "scope": [owned["document_id"]],
        "session": owned["session_id"],
        "after": f"1900000000000000.{owned['session_id']}",
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


def given(belongings: Belongings) -> dict[str, str]:
    """Return the ids as text, the owner's own among them."""
    return {name: str(value) for name, value in belongings.ids.items()} | {
        "owner": str(belongings.owner.pk)
    }


def body_of(response: HttpResponseBase) -> bytes:
    content = b"".join(response) if response.streaming else response.content
    return content + repr(dict(response.headers)).encode()


def told(response: HttpResponseBase) -> tuple[int, bytes, str]:
    """Return what an answer tells, without what differs from one to the next by itself."""
    content = b"" if response.streaming else response.content
    place = NOISE.sub(b"", response.headers.get("Location", "").encode()).decode()
    return response.status_code, NOISE.sub(b"", content), place


# --- Second-order: attaching what one can't read, then asking (P03) ------------------------------


def spell(identity: str) -> list[str]:
    """Return the spellings of an id that Python reads as the same."""
    return [identity, identity.upper(), identity.replace("-", "")]


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
    lists = [
        [own, document],
        [document, own],
        [document] * 3,
        *([each] for each in spell(document)),
    ]
    refused, silent = [], []
    for listed in lists:
        chosen = {"documents": listed}
        refused += [
            post("/sessions", {"document_context": listed}),
            post(f"/sessions/{begun}", {"document_context": listed}, "PATCH"),
            post(f"/sessions/{begun}/turns", {"query": QUESTION, **chosen}),
            post("/query", {"query": QUESTION, "scope": listed}),
            post("/verify", {"text": "The fee is 4711 guilders.", **chosen}),
            program.get("/api/v1/passages", {"q": QUESTION, "documents": ",".join(listed)}),
            program.get("/api/v1/documents/sources", {"ids": ",".join(listed)}),
            # The form comes back with what was typed: not the canary.
            browser.post("/conversations/new", {"query": "Which fee?", **chosen}),
            browser.post(f"/conversations/{begun}/documents", chosen),
        ]
        silent += [browser.get(f"/library/{page}", chosen) for page in ("rows", "choices")]
    for each in spell(session):
        file = SimpleUploadedFile("fees.txt", b"A note about fees.")
        refused += [
            post("/query", {"query": QUESTION, "session_id": each}),
            browser.post("/library/upload", {"session": each, "file": file}),
        ]
        silent.append(program.get("/api/v1/search", {"session": each}))
    for each in spell(document):
        standing = {"standing": "boosted"}
        refused += [
            post("/documents", {"title": "New", "text": "A newer note.", "supersedes": each}),
            post(f"/documents/{own}", {"supersedes": each}, "PATCH"),
            post(f"/sessions/{begun}/memory/documents/{each}", standing, "PUT"),
            browser.post(f"/conversations/{begun}/memory/documents/{each}", standing),
            browser.post(f"/library/{own}/replaces/{each}"),
            browser.post(f"/library/{each}/replaces/{own}"),
        ]
    for answer in refused:
        assert answer.status_code == 404, (answer.request["PATH_INFO"], answer.content)
    assert not [each for each in refused + silent if CANARY.encode() in body_of(each)]
    assert len(refused + silent) == 93
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
    # An emergency opens conversations to the admin who declared it, and to no other.
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
