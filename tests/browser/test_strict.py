"""COMPLIANCE=strict in a browser: the second factor first, and out after a while of nothing."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.accounts.codes import code_of
from tests.people import PASSWORD
from tests.servers import Blueprint, Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

TYPED = "What is the Determination Date of"


@pytest.fixture(scope="module")
def web(blueprint: Blueprint) -> Iterator[Web]:
    web = blueprint.copy(COMPLIANCE="strict", IDLE_MINUTES="0.6")
    web.environment["MASTER_KEY"] = (web.data_dir / "master.key").read_text().strip()
    (web.data_dir / "master.key").unlink()
    web.start()
    yield web
    web.stop()


def test_who_comes_in_sets_up_a_factor_and_is_signed_out_when_away(
    page: "Page", web: Web, sign_in: Callable[["Page", str], None]
) -> None:
    sign_in(page, "owner")
    expect(page).to_have_url(f"{web.url}/account/2fa/")
    expect(page.get_by_role("status")).to_have_text(
        "Everybody here needs one. Add a passkey or an app to go on."
    )
    page.goto(f"{web.url}/library")
    expect(page).to_have_url(f"{web.url}/account/2fa/")
    page.get_by_role("link", name="Add an app").click()
    page.get_by_label("Password").fill(PASSWORD)  # a stolen browser adds no factor
    page.get_by_role("button", name="Confirm").click()
    secret = page.get_by_label("Secret").input_value()
    page.get_by_label("Authenticator code").fill(code_of(secret, period=30))
    page.get_by_role("button", name="Add the app").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto(web.url)

    page.get_by_label("Your question").press_sequentially(TYPED)
    warning = page.get_by_role("alertdialog", name="You are about to be signed out")
    expect(warning).to_be_visible(timeout=40_000)
    expect(warning).to_contain_text("What you typed is kept.")
    warning.get_by_role("button", name="Stay signed in").click()
    expect(warning).to_be_hidden()
    expect(warning).to_be_visible(timeout=40_000)
    page.wait_for_url(re.compile(r"/account/login/\?ended=1"), timeout=40_000)
    expect(page.get_by_text("Your session has ended.")).to_be_visible()
    assert [text for text in page.evaluate("Object.values(sessionStorage)") if text == TYPED]
