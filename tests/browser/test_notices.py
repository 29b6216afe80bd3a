"""Notices of pages: the reason for signing in, and the result of an action."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_journey import QUESTION, ask, choose
from tests.people import PASSWORD
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]


def test_who_is_sent_to_sign_in_is_told_why_and_comes_back(page: "Page", web: Web) -> None:
    page.goto(f"{web.url}/account/login/")
    expect(page.locator(".notice")).to_have_count(0)
    page.goto(f"{web.url}/library")
    expect(page.get_by_role("status")).to_contain_text("Sign in to go on where you were")
    page.fill("input[name=login]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"{web.url}/library")


@pytest.mark.deep
def test_a_message_of_the_page_is_said_once_and_can_be_dismissed(
    page: "Page", sign_in: SignIn, web: Web
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    choose(page, "Archive")
    toast = page.locator(".toast")
    expect(toast).to_have_count(1)
    toast.get_by_role("button").last.click()
    expect(toast).to_have_count(0)
    page.reload()
    expect(toast).to_have_count(0)


@pytest.mark.deep
def test_what_cannot_be_reached_is_said_as_an_alert(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    expect(page.get_by_label("Your question")).to_be_visible()
    page.evaluate("document.body.dispatchEvent(new CustomEvent('htmx:sendError'))")
    alert = page.locator(".toast[role=alert]")
    expect(alert).to_contain_text("can’t be reached")
    alert.get_by_role("button").click()
    expect(alert).to_have_count(0)
