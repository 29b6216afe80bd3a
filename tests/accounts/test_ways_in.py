"""Passkey, app, paper, devices and tokens in a real browser, under the strict policy."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.accounts.codes import code_of
from tests.people import PASSWORD
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def place(web: Web) -> str:
    """The server by a name: browsers have no passkeys for bare addresses."""
    return f"http://localhost:{web.port}"


@pytest.fixture
def page(page: "Page") -> Iterator["Page"]:
    """A page with a passkey device, that may not complain."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: message.type in ("error", "warning") and complaints.append(message.text),
    )
    page.set_default_timeout(15_000)
    yield page
    assert not complaints


def give_password(page: "Page", place: str, name: str = "owner") -> None:
    page.goto(f"{place}/account/login/")
    page.get_by_label("User name or e-mail").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: "Page", place: str) -> None:
    page.goto(f"{place}/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/account/login"))


def test_passkey_app_and_paper(page: "Page", place: str) -> None:
    give_password(page, place)
    page.get_by_role("link", name="owner").click()
    account = page.get_by_role("navigation", name="Account")
    account.get_by_role("link", name="Two-factor").click()

    page.get_by_role("link", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name", exact=True).fill("Fingerprint")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    codes = page.locator(".codes li").all_inner_texts()
    assert len(codes) == 10

    sign_out(page, place)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()

    page.goto(f"{place}/account/2fa/")
    page.get_by_role("link", name="Add an app").click()
    # The password proves nothing any more.
    expect(page.get_by_label("Password")).to_have_count(0)
    page.get_by_role("link", name="Use a security key").click()
    page.get_by_role("button", name="Use a passkey").click()
    secret = page.get_by_label("Secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret, period=30))
    page.get_by_role("button", name="Add the app").click()
    expect(page.get_by_role("link", name="Remove the app")).to_be_visible()

    sign_out(page, place)
    give_password(page, place)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()

    sign_out(page, place)
    give_password(page, place)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    page.goto(f"{place}/account/2fa/webauthn/")
    expect(page.locator(".list-row")).to_contain_text("Fingerprint")


def test_devices_and_tokens(page: "Page", browser: "Browser", place: str) -> None:
    give_password(page, place, "colleague")
    other = browser.new_context()
    elsewhere = other.new_page()
    give_password(elsewhere, place, "colleague")
    page.goto(f"{place}/account/sessions/")
    expect(page.locator(".list-row")).to_have_count(2)
    page.get_by_role("button", name="Sign out Chrome on Linux").click()
    expect(page.locator(".list-row")).to_have_count(1)
    elsewhere.goto(f"{place}/account/settings")
    expect(elsewhere).to_have_url(re.compile("/account/login"))
    other.close()

    page.get_by_role("link", name="API tokens").click()
    page.get_by_role("link", name="Make a token").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("Nightly report")
    page.get_by_label("It may").select_option("write")
    page.get_by_role("button", name="Make it").click()
    token = page.get_by_label("Token").input_value()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == token
    headers = {"Authorization": f"Bearer {token}"}
    assert page.request.get(f"{place}/api/v1/sessions", headers=headers).status == 200
    page.get_by_role("link", name="To your tokens").click()
    page.get_by_role("link", name="Revoke Nightly report").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The token has been revoked.")).to_be_visible()
    expect(page.locator(".list")).not_to_contain_text("Nightly report")
    assert page.request.get(f"{place}/api/v1/sessions", headers=headers).status == 401
