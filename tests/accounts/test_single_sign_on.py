"""Signing in through a provider: a real server of ours against a real, small one of theirs."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from django.test import Client

from tests.accounts.provider import CLIENT, Provider
from tests.servers import Blueprint, Web
from tests.surroundings import PATIENCE

LOGIN = "/account/oidc/oidc/login/"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.stop()


@pytest.fixture(scope="module")
def start(blueprint: Blueprint, provider: Provider) -> Iterator[Callable[..., Web]]:
    started: list[Web] = []

    def start(**environment: str) -> Web:
        oidc = CLIENT | {"OIDC_SERVER_URL": provider.url, "OIDC_NAME": "Our house"}
        started.append(web := blueprint.copy(**oidc, **environment))
        web.manage("migrate", "--verbosity", "0")
        web.start()
        return web

    yield start
    for web in started:
        web.stop()


@pytest.fixture(scope="module")
def web(start: Callable[..., Web]) -> Web:
    return start(OIDC_SIGNUP="open")


@pytest.fixture
def browser(web: Web) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=web.url, follow_redirects=True, timeout=PATIENCE) as browser:
        yield browser


def come_in(browser: httpx.Client, **query: str) -> httpx.Response:
    """Press the button on the sign-in page; the provider sends the browser back."""
    browser.get("/account/login/")
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    return browser.post(LOGIN, params=query, data=form)


def name_shown(browser: httpx.Client) -> str:
    """Return who is signed in, or nothing."""
    page = browser.get("/account/settings").text
    return page.partition("You are ")[2].partition(".")[0]


def test_a_new_person_gets_an_account(web: Web, browser: httpx.Client, provider: Provider) -> None:
    page = browser.get("/account/login/")
    assert "Sign in with Our house" in page.text
    provider.person = {
        "sub": "17",
        "email": "anna@example.org",
        "email_verified": True,
        "preferred_username": "anna",
    }
    come_in(browser)
    assert name_shown(browser) == "anna"
    assert {"state", "code_challenge"} <= set(provider.asked[-1])
    assert "openid" in provider.asked[-1]["scope"]
    with httpx.Client(base_url=web.url, follow_redirects=True, timeout=PATIENCE) as again:
        come_in(again)
        assert name_shown(again) == "anna"


def test_who_confirmed_the_address_at_both_ends_is_the_same_person(
    web: Web, browser: httpx.Client, provider: Provider
) -> None:
    confirm = """
from allauth.account.models import EmailAddress
from memory.models import User
owner = User.objects.get(username="owner")
EmailAddress.objects.create(user=owner, email=owner.email, primary=True, verified=True)
"""
    web.python(confirm)
    provider.person = {"sub": "18", "email": "owner@example.org", "email_verified": True}
    come_in(browser)
    assert name_shown(browser) == "owner"


@pytest.mark.parametrize(
    ("name", "verified"), [("colleague", True), ("stranger", False)], ids=["ours", "theirs"]
)
def test_an_address_that_one_end_did_not_confirm_opens_nothing(
    web: Web, browser: httpx.Client, provider: Provider, name: str, verified: bool
) -> None:
    made = (
        "from allauth.account.models import EmailAddress; from memory.models import User\n"
        f"user = User.objects.get(username={name!r})\n"
        "EmailAddress.objects.create(user=user, email=user.email, verified=not {})"
    )
    web.python(made.format(verified))
    subject = f"thief of {name}"
    email = f"{name}@example.org"
    provider.person = {"sub": subject, "email": email, "email_verified": verified}
    come_in(browser)
    assert name_shown(browser) != name


def test_a_stolen_browser_of_someone_without_a_password_sets_none(
    web: Web, browser: httpx.Client, provider: Provider
) -> None:
    provider.person = {"sub": "20", "email": "finn@example.org", "email_verified": True}
    come_in(browser)
    assert browser.get("/account/password/set/").url.path == "/account/password/set/"
    age = """
from django.contrib.sessions.models import Session
from memory.people.sign_in.web_sessions import SessionStore
for row in Session.objects.all():
    data = SessionStore().decode(row.session_data)
    for record in data.get("account_authentication_methods", []):
        record["at"] -= 301
    row.session_data = SessionStore().encode(data)
    row.save()
"""
    web.python(age)
    password = {"password1": "a thief's own one", "password2": "a thief's own one"}
    form = password | {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    for path in ("/account/password/set/", "/account/2fa/totp/activate/", "/account/tokens/new"):
        asked = browser.post(path, data=form, follow_redirects=False)
        assert asked.headers["Location"].startswith(LOGIN), path
    # From the provider they come back fresh.
    come_in(browser, next="/account/password/set/")
    assert browser.get("/account/password/set/").url.path == "/account/password/set/"


def test_a_house_may_let_in_only_who_has_an_account(
    start: Callable[..., Web], provider: Provider
) -> None:
    closed = start()
    provider.person = {"sub": "21", "email": "gwen@example.org", "email_verified": True}
    with httpx.Client(base_url=closed.url, follow_redirects=True, timeout=PATIENCE) as browser:
        assert "Sign-up is closed" in come_in(browser).text
        assert name_shown(browser) == ""


@pytest.mark.django_db
def test_without_a_provider_there_is_no_such_door() -> None:
    assert "Sign in with" not in Client().get("/account/login/").content.decode().replace(
        "Sign in with a passkey", ""
    )
    for path in (LOGIN, f"{LOGIN}callback/", "/account/3rdparty/"):
        assert Client().get(path).status_code == 404
