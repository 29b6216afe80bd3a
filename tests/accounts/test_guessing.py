"""Few guesses an account in five minutes, at whatever door and however many at once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.db import connections
from django.test import Client

from memory.models import Scope, User
from tests.accounts.codes import add_app
from tests.accounts.conftest import prove, sign_in
from tests.people import token_of

pytestmark = pytest.mark.usefixtures("transactional_db")

# From an address, or in a browser; and by who has ever so many addresses.
LIMIT, ANYWHERE, AT_ONCE = 5, 20, 24
Guess = Callable[[int], Any]


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The passwords that were really verified, regardless of the answers."""
    log: list[str] = []

    def spy(owner: type, name: str, what: str) -> None:
        real = getattr(owner, name)

        def noted(self: Any, *arguments: Any) -> Any:
            log.append(what)
            return real(self, *arguments)

        monkeypatch.setattr(owner, name, noted)

    # A guess that waits too long for the counter is refused unread; other tests run meanwhile.
    monkeypatch.setattr("allauth.core.internal.ratelimit.CACHE_LOCK_WAIT_TIMEOUT", 30)
    spy(User, "check_password", "password")
    spy(TOTP, "validate_code", "code")
    spy(RecoveryCodes, "validate_code", "recovery code")
    spy(EmailAwarePasswordResetTokenGenerator, "check_token", "link")
    return log


def at_once(guess: Guess, count: int = 2 * AT_ONCE) -> None:
    """Make all guesses in threads, each from an address that it makes up."""

    def one(number: int) -> None:
        try:
            guess(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(one, range(count)))


def anyone(number: int) -> Client:
    return Client(headers={"X-Forwarded-For": f"10.0.{number // 250}.{number % 250}"})


@pytest.mark.postgresql
@pytest.mark.parametrize(("proxies", "most"), [(0, LIMIT), (1, ANYWHERE)])
def test_p08_a_password_by_any_name_of_its_account(
    owner: User, verified: list[str], settings: Any, proxies: int, most: int
) -> None:
    """With one trusted proxy each made-up address counts as another client."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    names = ("owner", "OWNER", "owner@example.org", "Owner@Example.ORG", " owner ")
    at_once(lambda number: sign_in(anyone(number), names[number % 5], f"guess {number}"))
    assert verified == ["password"] * most
    assert sign_in(Client()).status_code != 302  # not even by the right one


def test_guesses_elsewhere_keep_nobody_away_from_a_browser_of_theirs(
    owner: User, colleague: User, verified: list[str], settings: Any
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    mine, another, its = anyone(0), anyone(0), anyone(0)
    for browser, name in ((mine, "owner"), (its, "colleague")):
        assert sign_in(browser, name).status_code == 302
        browser.post("/account/logout/")
    verified.clear()
    at_once(lambda number: sign_in(anyone(number), "owner", f"guess {number}"))
    assert sign_in(another).status_code != 302
    assert sign_in(its, "owner").status_code != 302, "it is a browser of another's"
    another.cookies["known"] = "made-up:" + mine.cookies["known"].value.partition(":")[2]
    assert sign_in(another).status_code != 302
    assert sign_in(mine).status_code == 302
    mine.post("/account/logout/")
    # Nor may whoever has stolen it guess more often.
    verified.clear()
    at_once(lambda number: sign_in(mine, "owner", f"guess {number}"), count=2 * LIMIT)
    assert verified == ["password"] * LIMIT
    assert sign_in(mine).status_code != 302


def test_a_token_knows_no_browser_and_a_stolen_session_one(owner: User, colleague: User) -> None:
    credential = token_of(owner, scope=Scope.READ)
    browser = Client()
    sign_in(browser, "colleague")
    bearer = {"Authorization": f"Bearer {credential}"}
    for client in (Client(), browser):
        client.cookies.pop("known", None)
        assert client.get("/api/v1/sessions", headers=bearer).status_code == 200
        assert "known" not in client.cookies
    known = set()
    for _time in range(2):
        browser.cookies.pop("known", None)
        browser.get("/")
        known.add(browser.cookies["known"].value)
    assert len(known) == 1


@pytest.mark.deep
def test_p08_a_thousand_passwords_fifty_at_once(
    owner: User, verified: list[str], settings: Any
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    at_once(lambda number: sign_in(anyone(number), "owner", f"guess {number}"), count=1000)
    assert verified == ["password"] * ANYWHERE


def test_p08_a_password_inside_a_stolen_browser(owner: User, verified: list[str]) -> None:
    browser = Client()
    sign_in(browser)
    verified.clear()
    change = {"password1": "x" * 12, "password2": "x" * 12}

    def guess(number: int) -> None:
        thief = anyone(number)
        thief.cookies = browser.cookies
        if number % 2:
            thief.post("/account/reauthenticate/", {"password": f"guess {number}"})
        else:
            form = change | {"oldpassword": f"guess {number}"}
            thief.post("/account/password/change/", form)

    at_once(guess)
    assert verified == ["password"] * LIMIT


def test_p08_a_code_by_app_or_paper(owner: User, verified: list[str]) -> None:
    at_home = Client()
    sign_in(at_home)
    prove(at_home)
    add_app(at_home)
    browsers = [Client() for _ in range(4)]
    for browser in browsers:
        assert sign_in(browser)["Location"] == "/account/2fa/authenticate/"
    verified.clear()

    def guess(number: int) -> None:
        thief = anyone(number)
        thief.cookies = browsers[number % 4].cookies
        code = f"{number:06}" if number % 2 else f"{number:08}"
        thief.post("/account/2fa/authenticate/", {"code": code})

    at_once(guess)
    # Each guess is held against the app and the paper; of the guesses there are five.
    assert sorted(verified) == ["code"] * LIMIT + ["recovery code"] * LIMIT


@pytest.mark.django_db
def test_the_counters_name_nobody(owner: User) -> None:
    browser = Client(REMOTE_ADDR="203.0.113.77")
    sign_in(browser, "owner@example.org", "wrong")
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        keys = [row[0] for row in cursor.fetchall()]
    assert len(keys) >= 2
    assert all(len(key) == 64 and key.isalnum() for key in keys)
