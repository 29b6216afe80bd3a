"""Taking one's data along, and taking back what one allows, as a person does it."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from tests.people import PASSWORD
from tests.servers import Web
from tests.surroundings import wait_until

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
QUESTION = "What is the Determination Date?"
WORK = "from memory.jobs import run_due; run_due()"
SECONDS_LEFT = """
from django.utils import timezone
from memory.models import Session
session = Session.objects.filter(temporary=True).latest("created_at")
print(round((session.expires_at - timezone.now()).total_seconds()))
"""


def seconds_left(web: Web) -> int:
    """Return for how long the temporary conversation still lives."""
    return int(web.python(SECONDS_LEFT).splitlines()[-1])


def test_a_person_takes_their_data_and_then_withdraws_that_it_is_kept(
    web: Web, page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    page.goto(f"{web.url}/")
    page.fill("#query", QUESTION)
    page.press("#query", "Enter")
    page.locator(".sources").first.wait_for()
    page.goto(f"{web.url}/account/data")
    page.get_by_role("link", name="Make a package").click()
    page.fill("input[name=password]", PASSWORD)  # who asks for all of it proves who they are
    page.press("input[name=password]", "Enter")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", name="Your package is being made")).to_be_visible()
    web.python(WORK)
    # By itself: the page follows.
    expect(page.get_by_role("heading", name="Your package is ready")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    with ZipFile(download.value.path()) as archive:
        assert b"Determination Date" in archive.read("data.json")
    assert page.request.get(download.value.url).status == 404
    expect(page.get_by_role("heading", name="You have fetched your package")).to_be_visible()
    expect(page.get_by_role("button", name="Download")).to_have_count(0)

    page.get_by_role("button", name="Withdraw Keep my conversations").click()
    expect(page.get_by_text("Your decision is recorded")).to_be_visible()
    page.goto(f"{web.url}/")
    expect(page.get_by_text("this one will be temporary")).to_be_visible()
    page.get_by_role("button", name="Keep my conversations").click()
    expect(page.get_by_text("this one will be temporary")).to_be_hidden()


def test_a_temporary_conversation_goes_when_it_is_closed(
    web: Web, page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "colleague")
    page.goto(f"{web.url}/")
    page.get_by_label("Temporary").check()
    page.fill("#query", QUESTION)
    page.press("#query", "Enter")
    expect(page.get_by_text("Temporary: erased when you close it")).to_be_visible()
    page.locator(".sources").first.wait_for()
    place = page.url

    # A reload, and what it cites, keep it; so does a second tab that is still open.
    with page.expect_response("**/reopen"):
        page.reload()
    assert seconds_left(web) > 3000
    other = page.context.new_page()
    with other.expect_response("**/reopen"):
        other.goto(place)
    page.locator("a.source").first.click()
    page.get_by_role("link", name="Open in the document").click()
    page.wait_for_url("**/library/**")
    with page.expect_response("**/reopen"):
        page.go_back()
    with page.expect_response("**/reopen"):
        other.close(run_before_unload=True)
    assert seconds_left(web) > 3000

    page.goto(f"{web.url}/")
    wait_until(lambda: 0 < seconds_left(web) <= 60, what="the end of what is temporary")
