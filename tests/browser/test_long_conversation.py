"""A conversation of sixty turns: its summary is seen, opened, edited, and goes with a turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.layout import layout_faults
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
TOLD = """
from memory.models import User
from tests.memory.summaries.told import condensed, told
session = told(User.objects.get(username="owner"), 60)
condensed(session)
print(session.pk)
"""
WORK = "from tests.memory.summaries.told import work; work()"
AGREEMENT = "What did we say about the deposit of the Fernhill agreement?"
MINE = "The deposit rises with each clause."


@pytest.mark.deep
def test_its_summary_is_seen_opened_edited_and_goes_with_a_turn(
    web: Web, page: "Page", sign_in: SignIn
) -> None:
    session = web.python(TOLD).strip()
    sign_in(page, "owner")
    page.goto(f"{web.url}/conversations/{session}")
    line = page.get_by_text("In prompts as a summary: turns ")
    expect(line).to_have_count(0)
    box = page.get_by_label("Your question")
    box.fill(AGREEMENT)
    box.press("Enter")
    # It comes with the answer, without the page being loaded again.
    expect(line).to_be_visible()
    line.click()
    assert not layout_faults(page)
    page.locator("#in-short").get_by_role("link", name="Summary and topics").click()
    expect(page.get_by_role("heading", name="Turns 1 to 60 in short")).to_be_visible()
    assert not layout_faults(page)

    # Down to a turn itself, level by level.
    for part in ("Turns 1 to 25", "Turns 6 to 10", "Turn 7"):
        page.get_by_role("link", name=part, exact=True).click()
    page.get_by_role("link", name="Read the turn itself").click()
    expect(page.locator("#turn-7")).to_be_in_viewport()

    # In the person's words, which the conversation opens to from then on.
    page.goto(f"{web.url}/conversations/{session}/summary")
    page.get_by_role("link", name="Edit it").click()
    page.get_by_role("textbox").fill(MINE)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("In your words.")).to_be_visible()
    page.goto(f"{web.url}/conversations/{session}")
    line.click()
    expect(page.locator("#in-short").get_by_text(MINE)).to_be_visible()

    # With a turn goes all that was made of it, of which the person is told; the rest is made anew.
    page.goto(f"{web.url}/conversations/{session}?before=8")
    page.locator("#turn-7").hover()
    page.locator("#turn-7").get_by_title("Delete this question").click()
    expect(page.get_by_text("A summary that you edited covers it")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#turn-7")).to_have_count(0)
    page.goto(f"{web.url}/conversations/{session}/summary")
    expect(page.get_by_text("The summary is being made.")).to_be_visible()
    web.python(WORK)
    page.reload()
    expect(page.get_by_role("heading", name="Turns 1 to 60 in short")).to_be_visible()
    expect(page.get_by_text(MINE)).to_have_count(0)
    for part in ("Turns 1 to 25", "Turns 6 to 10"):
        page.get_by_role("link", name=part, exact=True).click()
    expect(page.get_by_role("link", name="Turn 6", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Turn 7", exact=True)).to_have_count(0)
