"""Tokens: shown once, hashed, scoped, and dead the moment they are revoked."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.models import ApiToken, AuditEvent, Scope, User
from memory.people.api_tokens import issue
from tests.accounts.conftest import sign_in
from tests.api.conftest import api_schema, hold_against_schema
from tests.api.test_isolation import UNKNOWN, all_rows
from tests.people import person, token_of

SESSIONS = "/api/v1/sessions"
FORM = {"name": "Nightly report", "scope": "read", "days": "30"}


def ask(token: str, method: str = "get", path: str = SESSIONS, **options: Any) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    options = {"content_type": "application/json", **options} if method != "get" else options
    return getattr(Client(), method)(path, headers=headers, **options)


def operations() -> list[tuple[str, str]]:
    """Return every method and path of the API, for something that doesn't exist."""
    return [
        (method.upper(), re.sub(r"{\w+}", UNKNOWN, path))
        for path, methods in api_schema()["paths"].items()
        for method in methods
    ]


def made(browser: Client, **changes: str) -> str:
    shown = browser.post("/account/tokens/new", FORM | changes)
    assert shown.status_code == 201, shown.content
    return re.findall(r'id="token" class="secret" value="(\w{64})"', shown.content.decode())[0]


def test_p11_a_token_is_shown_once_and_only_its_hash_is_kept(client: Client, owner: User) -> None:
    token = made(client)
    row = ApiToken.objects.get()
    assert (row.name, row.scope, row.user) == ("Nightly report", "read", owner)
    assert timedelta(days=29) < row.expiry - timezone.now() < timedelta(days=30)
    listed = client.get("/account/tokens").content.decode()
    assert "Nightly report" in listed
    assert token not in listed
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            stored = str(cursor.fetchall())
            assert token not in stored, table
            assert "Nightly report" not in stored, table
    assert ask(token).status_code == 200


def test_making_a_token_takes_a_fresh_proof(owner: User) -> None:
    browser = Client()
    sign_in(browser)
    answer = browser.post("/account/tokens/new", FORM)
    assert answer["Location"].startswith("/account/reauthenticate/")
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [{"name": ""}, {"name": "x" * 81}, {"scope": "admin"}, {"scope": "all"}, {"days": "10000"}],
)
def test_a_token_that_is_asked_for_wrongly_is_not_made(
    client: Client, changes: dict[str, str]
) -> None:
    assert client.post("/account/tokens/new", FORM | changes).status_code == 400
    assert not ApiToken.objects.exists()


def test_p11_a_revoked_token_is_dead_at_once(client: Client) -> None:
    token = made(client)
    row = ApiToken.objects.get()
    page = f"/account/tokens/{row.pk}/revoke"
    assert "can’t be undone" in client.get(page).content.decode()
    assert ask(token).status_code == 200
    client.post(page)
    assert ask(token).status_code == 401
    actions = list(AuditEvent.objects.order_by("id").values_list("action", flat=True))
    assert [action for action in actions if action in ("token.made", "token.revoked")] == [
        "token.made",
        "token.revoked",
    ]


def test_nobody_sees_or_revokes_the_token_of_another(client: Client, owner: User) -> None:
    stranger = person("stranger")
    row, token = issue(stranger, lifetime=None, name="Theirs")
    assert "Theirs" not in client.get("/account/tokens").content.decode()
    for method in ("get", "post"):
        assert getattr(client, method)(f"/account/tokens/{row.pk}/revoke").status_code == 404
    assert ask(token).status_code == 200


def test_p11_a_read_token_only_reads(owner: User) -> None:
    token = token_of(owner, Scope.READ)
    for method in ("get", "head", "options"):
        assert ask(token, method).status_code in (200, 405)
    before = all_rows()
    for method, path in operations():
        if method == "GET":
            continue
        answer = ask(token, method.lower(), path, data="{}")
        assert answer.status_code == 403, (method, path)
        hold_against_schema(method, path, answer)
        error = answer.json()["error"]
        assert error["code"] == "insufficient_scope"
        assert "write" in error["message"]
    assert all_rows() == before


@pytest.mark.parametrize(
    ("scope", "is_staff", "reaches"),
    [
        (Scope.READ, True, {Scope.READ}),
        (Scope.WRITE, True, {Scope.READ, Scope.WRITE}),
        (Scope.ADMIN, True, set(Scope)),
        (Scope.ADMIN, False, {Scope.READ, Scope.WRITE}),
        (None, True, set(Scope)),
        (None, False, {Scope.READ, Scope.WRITE}),
    ],
)
def test_a_scope_reaches_as_far_as_its_person(
    owner: User, scope: Scope | None, is_staff: bool, reaches: set[Scope]
) -> None:
    from types import SimpleNamespace

    from chat.protocol.credentials import has_scope

    owner.is_staff = owner.is_superuser = is_staff
    token = issue(owner, lifetime=None, scope=scope)[0] if scope else None
    request = SimpleNamespace(user=owner, auth=token)
    assert {scope for scope in Scope if has_scope(request, scope)} == reaches  # type: ignore[arg-type]


def test_use_is_noted_at_most_once_a_minute(owner: User) -> None:
    token = token_of(owner, Scope.READ)
    ask(token)
    first = ApiToken.objects.get().last_used_at
    assert first
    with CaptureQueriesContext(connection) as queries:
        ask(token)
    assert not [query for query in queries if "last_used_at" in query["sql"].partition("SET")[2]]
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    ask(token)
    assert ApiToken.objects.get().last_used_at >= first


def test_tokens_are_listed_by_page_in_one_query(client: Client, owner: User) -> None:
    for number in range(45):
        issue(owner, lifetime=None, name=f"Number {number:02}")
    pages, url = [], "/account/tokens"
    client.get(url)  # the first read in a quarter of an hour is recorded
    while url:
        with CaptureQueriesContext(connection) as queries:
            shown = client.get(url).content.decode()
        # The cookie's session, the person, an erasure that waits, emergency accesses that they have
        # not seen, the tokens, the audit.
        assert len(queries) == 6
        pages.append(re.findall(r"Number (\d\d) ", shown))
        after = re.findall(r'href="(\?after=[\w-]+)"', shown)
        url = f"/account/tokens{after[0]}" if after else ""
    assert [len(page) for page in pages] == [20, 20, 5]
    assert [int(name) for page in pages for name in page] == list(range(44, -1, -1))
