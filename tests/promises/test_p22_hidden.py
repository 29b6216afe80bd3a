"""P22: what has expired is hidden at that moment on every path, with the sweeper off."""

import json
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone

from memory import holds
from memory.conversations.listing import conversations
from memory.conversations.message_search import Wanted, search_messages
from memory.models import Scope, Session, Turn, User
from memory.recall.index.indexing import embed_missing
from tests.isolation.belongings import CANARY, KEY, QUESTION, Belongings, belongings_of
from tests.isolation.routes import OWN, STAFF, routes
from tests.people import person, token_of

pytestmark = pytest.mark.django_db

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
FIXED = {"form": "json", "encoded_id": "MQ", "token": "c0ffee-deadbeef", "key": "MQ:x:y"}
# These ids are of the conversation; the others name the document, the token and the passkey.
OF_THE_CONVERSATION = {"session_id", "turn_id", "citation_id"}


@pytest.fixture
def expired(owner: User) -> Belongings:
    """The owner's rows, with an expired conversation that is not purged."""
    belongings = belongings_of(owner)
    Session.objects.update(expires_at=timezone.now())
    assert Turn.objects.count() == 1
    return belongings


def test_p22_no_route_shows_or_changes_an_expired_conversation(expired: Belongings) -> None:
    """Its owner, their program and those who run the place ask for it in every way there is."""
    token = token_of(expired.owner, Scope.WRITE)
    staff = person("admin", is_staff=True, is_superuser=True)
    asked = 0
    for route in routes():
        if not OF_THE_CONVERSATION & {*route.parameters} and route.access != STAFF:
            continue
        for client in _clients(route, expired.owner, token, staff):
            for method in METHODS if route.access == OWN else ("GET",):
                answer = _send(client, method, route.path(FIXED | _values(route, expired)))
                _hidden(answer, method, route)
                asked += 1
    assert asked > 150
    row = Session.objects.get()
    assert (row.turn_count, row.pinned, row.archived) == (1, False, False)
    assert Turn.objects.count() == 1


def _values(route: Any, expired: Belongings) -> dict[str, Any]:
    if route.access != STAFF:
        return dict.fromkeys(route.parameters, "x") | expired.ids
    of_model = "turn_id" if "turn" in route.name else "session_id"
    return dict.fromkeys(route.parameters, expired.ids[of_model])


def _clients(route: Any, owner: User, token: str, staff: User) -> list[Client]:
    browser = Client(raise_request_exception=False)
    browser.force_login(staff if route.access == STAFF else owner)
    if not route.name.startswith("api:"):
        return [browser]
    headers = {"Authorization": f"Bearer {token}"}
    return [browser, Client(raise_request_exception=False, headers=headers)]


def _send(client: Client, method: str, path: str) -> HttpResponseBase:
    planted = {"query": QUESTION, "title": "Mine", "how": "pin", "rating": 1, "lifetime": "3600"}
    headers = {"Last-Event-ID": "1:0", "Idempotency-Key": KEY}
    if path.startswith("/api/"):
        body = "" if method in ("GET", "HEAD", "OPTIONS") else json.dumps(planted)
        kind = "application/json"
        return client.generic(method, path, body, content_type=kind, headers=headers)
    if method == "POST":
        return client.post(path, planted, headers=headers)
    return client.generic(method, path, headers=headers)


def _hidden(answer: HttpResponseBase, method: str, route: Any) -> None:
    told = (method, route.name, answer.status_code)
    assert CANARY.encode() not in _told(answer), told
    if route.access == OWN:
        assert answer.status_code in {302, 400, 401, 403, 404, 405, 415}, told
        if method == "GET" and answer.status_code != 405:
            assert answer.status_code == 404, told


def _told(answer: HttpResponseBase) -> bytes:
    content = b"".join(answer) if answer.streaming else answer.content
    return content + repr(dict(answer.headers)).encode()


def test_p22_no_list_search_or_recall_has_it(expired: Belongings) -> None:
    owner = expired.owner
    assert not conversations(owner).sessions
    assert not conversations(owner, words=CANARY).sessions
    assert not search_messages(owner, Wanted(words=CANARY)).hits
    assert not search_messages(owner, Wanted(session=expired.ids["session_id"])).hits
    assert embed_missing() == 0
    token = token_of(owner)
    program = Client(headers={"Authorization": f"Bearer {token}"})
    assert program.get("/api/v1/sessions").json()["sessions"] == []
    assert program.get(f"/api/v1/search?q={CANARY}").json()["results"] == []
    session = expired.ids["session_id"]
    assert program.get(f"/api/v1/search?session={session}").status_code == 404


def test_p22_asking_again_with_the_same_key_gives_no_expired_answer(expired: Belongings) -> None:
    program = Client(headers={"Authorization": f"Bearer {token_of(expired.owner)}"})
    session, kind = expired.ids["session_id"], "application/json"
    asked = json.dumps({"query": QUESTION})
    headers = {"Idempotency-Key": KEY}
    for path, body in (
        (f"/api/v1/sessions/{session}/turns", asked),
        ("/api/v1/query", json.dumps({"query": QUESTION, "session_id": str(session)})),
    ):
        answer = program.post(path, body, content_type=kind, headers=headers)
        assert answer.status_code == 404, answer.content


def test_p22_a_hold_keeps_it_and_shows_it_to_nobody(expired: Belongings) -> None:
    holds.place(Session.objects.get(), reason="A case", author=person("counsel"))
    assert not Session.objects.visible(expired.owner).exists()
    assert not search_messages(expired.owner, Wanted(words=CANARY)).hits
