"""Signing in through a provider: a real server of ours against a real, small one of theirs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from django.test import Client

from tests.accounts.provider import CLIENT, Provider
from tests.conftest import started_browser
from tests.people import PASSWORD
from tests.servers import Blueprint, Web
from tests.surroundings import PATIENCE

pytestmark = pytest.mark.once

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


def test_the_second_factor_is_asked_for_all_the_same(
    web: Web, browser: httpx.Client, provider: Provider
) -> None:
    provider.person = {"sub": "19", "email": "eve@example.org", "email_verified": True}
    come_in(browser)
    assert name_shown(browser) == "eve"
    guarded = """
from allauth.mfa.models import Authenticator
from memory.models import User
Authenticator.objects.create(user=User.objects.get(username="eve"), type="totp", data={})
"""
    web.python(guarded)
    with httpx.Client(base_url=web.url, follow_redirects=True, timeout=PATIENCE) as again:
        assert come_in(again).url.path == "/account/2fa/authenticate/"
        assert name_shown(again) == ""


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


def test_only_the_ways_to_the_provider_may_send_forms_there(
    web: Web, browser: httpx.Client, provider: Provider
) -> None:
    policy = "form-action 'self'"
    for path in ("/account/login/", LOGIN, f"{LOGIN}?process=connect"):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert f"{policy} {provider.url}" in answer.headers["Content-Security-Policy"]
    for path in ("/account/password/reset/", "/account/signup/", "/"):
        answer = browser.get(path, follow_redirects=False)
        assert provider.url not in answer.headers["Content-Security-Policy"]


def test_a_person_connects_the_provider_in_a_real_browser(web: Web, provider: Provider) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    provider.person = {"sub": "22", "email": "elsewhere@example.org", "email_verified": True}
    with contextmanager(started_browser)() as chromium:
        page = chromium.new_page(base_url=web.url)
        page.goto("/account/login/")
        page.fill("input[name=login]", "colleague")
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(lambda url: "/account/login" not in url)
        page.goto("/account/3rdparty/")
        page.get_by_role("link", name="Connect Our house").click()
        page.get_by_role("button", name="Continue").click()
        # Where Chromium stays unless the form's page may send forms to the provider, too.
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        playwright.expect(page.get_by_text("Our house signs you in here.")).to_be_visible()


def test_an_answer_that_nobody_asked_for_signs_nobody_in(browser: httpx.Client) -> None:
    for query in ("", "?code=the-code", "?code=the-code&state=x", "?error=access_denied&state=x"):
        answer = browser.get(f"{LOGIN}callback/{query}")
        assert answer.status_code < 500
        assert name_shown(browser) == ""


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
