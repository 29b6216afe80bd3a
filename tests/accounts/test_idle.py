"""A browser whose person does nothing is signed out; nothing that a page does by itself counts."""

import pytest
from django.test import Client
from pytest_django import Settings

from memory.models import AuditEvent, User
from memory.people.credentials import Credential, find_valid_credentials
from memory.people.sign_in.web_lifetimes import ACTED, BEGUN

IDLE = 15 * 60
FOLLOWED = {"headers": {"Sec-Fetch-User": "?1"}}
STREAMED = {"headers": {"Accept": "text/event-stream"}}


@pytest.fixture(autouse=True)
def _idle(settings: Settings) -> None:
    settings.IDLE_MINUTES = IDLE / 60


def let_pass(client: Client, seconds: float, *names: str) -> None:
    """Let so much time have passed since what the session notes."""
    session = client.session
    for name in names or (ACTED, BEGUN):
        session[name] -= seconds
    session.save()


def seconds_left(client: Client) -> int:
    return round(client.get("/account/activity").json()["seconds"], -1)


def test_who_does_nothing_is_signed_out(client: Client, owner: User) -> None:
    credential = Credential(owner.pk, session_key=str(client.session.session_key))
    let_pass(client, IDLE - 5)
    assert client.get("/api/v1/sessions").status_code == 200
    assert find_valid_credentials([credential])
    let_pass(client, 6)
    assert not find_valid_credentials([credential])  # what is being streamed ends as well
    page = client.get("/library?q=dates")
    assert page["Location"] == "/account/login/?next=/library%3Fq%3Ddates"
    assert client.get("/api/v1/sessions").status_code == 401
    assert AuditEvent.objects.filter(action="signed_out", actor_id=owner.pk).exists()


@pytest.mark.parametrize(
    ("method", "path", "options"),
    [("post", "/account/activity", {}), ("get", "/", FOLLOWED), ("post", "/account/settings", {})],
)
def test_an_act_of_the_person_puts_the_end_off(
    client: Client, method: str, path: str, options: dict[str, dict[str, str]]
) -> None:
    let_pass(client, IDLE - 60)
    assert seconds_left(client) == 60
    getattr(client, method)(path, **options)
    assert seconds_left(client) == IDLE


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/account/activity", {}),
        ("/conversations", {"headers": {"HX-Request": "true"}}),
        ("/", {}),
        ("/api/v1/sessions", {}),
        ("/conversations/00000000-0000-0000-0000-000000000000", STREAMED),
    ],
)
def test_what_a_page_asks_for_by_itself_does_not(
    client: Client, path: str, options: dict[str, dict[str, str]]
) -> None:
    let_pass(client, IDLE - 60)
    client.get(path, **options)
    assert seconds_left(client) == 60


def test_a_session_ends_after_twelve_hours_whatever_is_done(
    client: Client, settings: Settings
) -> None:
    settings.SESSION_COOKIE_AGE = 12 * 3600
    let_pass(client, 13 * 3600, BEGUN)
    assert client.get("/account/activity").json()["is_final"] is False
    settings.COMPLIANCE = "strict"
    let_pass(client, -2 * 3600, BEGUN)
    assert client.get("/account/2fa/").status_code == 200
    let_pass(client, 3600, BEGUN)
    assert client.get("/account/2fa/", **FOLLOWED)["Location"].startswith("/account/login/")


def test_browsers_stay_signed_in_where_no_time_is_set(client: Client, settings: Settings) -> None:
    settings.IDLE_MINUTES = 0
    let_pass(client, 7 * 86_400)
    assert client.get("/account/settings").status_code == 200
