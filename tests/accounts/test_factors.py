"""Second factors: a code works once, and a factor changes only for who has a fresh one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.mfa.models import Authenticator
from django.db import connections
from django.test import Client

from memory.models import AuditEvent, User
from tests.accounts.codes import add_app, code_of, recovery_codes
from tests.accounts.conftest import is_signed_in, sign_in

# Rows of allauth by its own queries; each page answers on either engine in tests/migrations.

FULLWIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def half_in(login: str = "owner") -> Client:
    """Return a browser that has given the password and is asked for the second factor."""
    browser = Client()
    assert sign_in(browser, login)["Location"] == "/account/2fa/authenticate/"
    assert not is_signed_in(browser)
    return browser


def answer(browser: Client, code: str) -> bool:
    browser.post("/account/2fa/authenticate/", {"code": code})
    return is_signed_in(browser)


def forget_used_codes() -> None:
    """Let the app's code of this moment work again, as half a minute would."""
    from django.core.cache import cache

    cache.clear()


def test_the_password_alone_is_not_enough_any_more(client: Client) -> None:
    secret = add_app(client)
    forget_used_codes()
    browser = half_in()
    assert not answer(browser, "000000")
    assert answer(browser, code_of(secret))
    actions = list(AuditEvent.objects.filter(action="factor.added").values_list("action"))
    assert len(actions) == 2  # the app, and the recovery codes that come with it


def test_p10_a_code_of_the_app_works_once(client: Client) -> None:
    secret = add_app(client)
    code = code_of(secret)
    # Not even the one that proved the app.
    for typed in (code, f"{code[:3]} {code[3:]}", f" {code} ", code.translate(FULLWIDTH)):
        assert not answer(half_in(), typed)
    forget_used_codes()
    code = code_of(secret)
    assert answer(half_in(), code)
    for typed in (code, f"{code[:3]}-{code[3:]}", code.translate(FULLWIDTH)):
        assert not answer(half_in(), typed)


def test_p10_a_recovery_code_works_once(client: Client, owner: User) -> None:
    add_app(client)
    first, second = recovery_codes(owner)[:2]
    assert answer(half_in(), first)
    for typed in (first, f"{first[:4]} {first[4:]}", first.translate(FULLWIDTH)):
        assert not answer(half_in(), typed)
    assert answer(half_in(), second)
    assert len(recovery_codes(owner)) == 8


@pytest.mark.postgresql
@pytest.mark.usefixtures("transactional_db")
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_p10_of_two_uses_at_once_one_signs_in(owner: User, kind: str) -> None:
    client = Client()
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": "correct horse battery staple"})
    secret = add_app(client)
    forget_used_codes()
    browsers = [half_in() for _ in range(4)]
    code = code_of(secret) if kind == "app" else recovery_codes(owner)[0]

    def use(browser: Client) -> bool:
        try:
            answer = browser.post("/account/2fa/authenticate/", {"code": code})
            return answer.status_code == 302
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(use, browsers)) == 1


def test_the_secrets_are_sealed_in_the_database(client: Client, owner: User) -> None:
    secret = add_app(client)
    rows = str(list(Authenticator.objects.values()))
    assert secret not in rows
    assert not any(code in rows for code in recovery_codes(owner))


CHANGES = [
    "totp/activate/",
    "totp/deactivate/",
    "recovery-codes/",
    "recovery-codes/generate/",
    "recovery-codes/download/",
    "webauthn/add/",
]


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_p10_a_stolen_browser_changes_no_factor(
    client: Client, owner: User, path: str, method: str
) -> None:
    secret = add_app(client)
    forget_used_codes()
    stolen = half_in()
    assert answer(stolen, code_of(secret))
    before = list(Authenticator.objects.order_by("pk").values())
    got = getattr(stolen, method)(f"/account/2fa/{path}", {"code": "123456"})
    if got.status_code != 405:
        # The password isn't enough where there is a second factor.
        assert got.status_code == 302
        assert got["Location"].startswith("/account/2fa/")
    stolen.post("/account/reauthenticate/", {"password": "correct horse battery staple"})
    getattr(stolen, method)(f"/account/2fa/{path}", {"code": "123456"})
    after = list(Authenticator.objects.order_by("pk").values())
    assert [row["data"] for row in after] == [row["data"] for row in before]
