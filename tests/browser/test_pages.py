"""The page of a PDF beside an answer, in a real browser: marked, turned, enlarged, linked, read."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.citations import files
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
PORT = files.pdf(
    [
        "The harbour of Lindmouth\n\nThe harbour master sells berth passes at the north gate.",
        "Ferries\n\nThe night ferry leaves the old quay at half past nine.",
        "Nothing else is said of it.",
    ]
)
QUESTIONS = ("Where does the harbour master sell berth passes?", "When does the night ferry leave?")


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web]) -> Web:
    web = start_web()
    web.start_worker()
    return web


def ask_about(page: "Page", web: Web, data: bytes, *questions: str, title: str = "Port") -> None:
    """Add a PDF and ask about it alone."""
    page.goto(f"{web.url}/library")
    held = {"name": "port.pdf", "mimeType": "application/pdf", "buffer": data}
    page.get_by_label("Add documents").set_input_files([held])
    link = page.get_by_role("link", name=title, exact=True)
    row = page.locator(".document", has=link)  # the upload's result has a link of that name, too
    expect(row).to_contain_text("Ready", timeout=90_000)
    row.get_by_role("link", name=title, exact=True).click()
    page.get_by_role("link", name="Ask about this document").click()
    for number, question in enumerate(questions, start=1):
        page.get_by_label("Your question").fill(question)
        page.keyboard.press("Enter")
        expect(page.locator(f"#turn-{number} .citation").first).to_be_visible()


def test_a_cited_page_is_marked_turned_enlarged_and_linked(
    page: "Page", web: Web, sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask_about(page, web, PORT, *QUESTIONS)
    page.locator("#turn-1 .citation").first.click()
    panel = page.locator("#beside")
    expect(panel.get_by_role("img", name="Page 1 of")).to_be_visible()
    expect(panel.locator(".page-mark").last).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"source=[0-9a-f-]{36}&page=1$"))

    page.keyboard.press(".")
    expect(panel.get_by_role("img", name="Page 2 of")).to_be_visible()
    expect(page).to_have_url(re.compile("page=2$"))
    page.keyboard.press(",")
    expect(panel.get_by_role("img", name="Page 1 of")).to_be_visible()

    panel.get_by_role("link", name="Next page").click()
    panel.get_by_role("link", name="Next page").click()
    expect(panel.get_by_text("Page 3 of 3")).to_be_visible()
    expect(panel.locator(".page-mark")).to_have_count(0)

    fit = panel.locator("img").bounding_box()
    panel.get_by_role("button", name="200 %").click()
    expect(panel.get_by_role("button", name="200 %")).to_have_attribute("aria-pressed", "true")
    wide = panel.locator("img").bounding_box()
    assert fit is not None
    assert wide is not None
    assert wide["width"] > 1.5 * fit["width"]
    expect(panel.locator("img")).to_have_attribute("src", re.compile("size=large"))

    page.reload()  # the address leads back to the page
    expect(panel.get_by_text("Page 3 of 3")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert "source=" not in page.url
    expect(page.locator("#turn-1 .citation").first).to_be_focused()


def test_the_text_is_read_by_a_button_and_where_no_page_can_be_drawn(
    page: "Page", web: Web, sign_in: SignIn
) -> None:
    sign_in(page, "colleague")
    ask_about(page, web, PORT, QUESTIONS[0])
    page.locator("#turn-1 .citation").first.click()
    panel = page.locator("#beside")
    expect(panel.locator(".page-mark").first).to_be_visible()
    panel.get_by_role("button", name="Text").click()
    expect(panel.locator(".passage-text mark").last).to_be_visible()
    expect(panel.locator("img")).to_be_hidden()
    panel.get_by_role("button", name="Page").click()
    expect(panel.locator(".passage-text")).to_be_hidden()
    page.keyboard.press("Escape")

    web.python(
        "from citations.models import DrawnPage, OriginalFile\n"
        "DrawnPage.objects.all().delete()\n"
        "for each in OriginalFile.objects.all(): each.file = b'%PDF-1.7 nothing'; each.save()"
    )
    page.locator("#turn-1 .citation").first.click()
    expect(panel.get_by_text("This page can’t be drawn")).to_be_visible()
    expect(panel.locator(".passage-text mark").last).to_be_visible()
