"""The main job in a real browser, with no language model: ask, read, follow up, come back."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SignIn = Callable[["Page", str], None]
QUESTION = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"


def ask(page: "Page", question: str) -> None:
    """Ask the question with the keyboard and wait for its whole answer."""
    page.get_by_label("Your question").fill(question)
    turns = page.locator(".turn").count()  # now that the page is there
    page.keyboard.press("Enter")
    expect(page.locator(".turn .prose")).to_have_count(turns + 1)


def choose(page: "Page", item: str) -> None:
    """Choose an item of the open conversation's menu."""
    page.get_by_role("button", name="More about this conversation").click()
    page.locator(".menu").get_by_text(item, exact=True).click()


def test_the_main_job(page: "Page", sign_in_by_form: SignIn) -> None:
    sign_in_by_form(page, "owner")
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()

    ask(page, QUESTION)
    answer = page.locator("#turn-1")
    expect(answer.locator(".prose")).to_contain_text("fifteenth day of each calendar month")
    answer.locator(".citation").first.click()
    passage = page.get_by_role("complementary", name="Source")
    expect(passage.locator("mark").filter(has_text="fifteenth day")).to_be_visible()
    expect(passage).to_contain_text("Model Pooling and Servicing Agreement")
    page.keyboard.press("Escape")
    expect(passage).to_be_hidden()
    expect(answer.locator(".citation").first).to_be_focused()

    ask(page, FOLLOW_UP)
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")
    expect(page.locator("#turn-2 .searched")).to_contain_text("Determination Date")

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/account/login"))
    sign_in_by_form(page, "owner")
    page.get_by_role("navigation").get_by_role("link", name=QUESTION, exact=True).click()
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")


def test_the_keyboard_alone_is_enough(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("Which drugs target PIK3CA?")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Name them.")
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_have_text("Which drugs target PIK3CA?\nName them.")
    expect(page.locator(".prose")).to_contain_text("alpelisib")
    page.locator(".citation").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#beside")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="How this answer was made").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Passages found")).to_be_visible()


def test_an_answer_is_rated_with_a_comment(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    ask(page, "What is the Closing Date?")
    page.get_by_role("button", name="Helpful", exact=True).click()
    page.get_by_label("Comment").fill("Just right")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Comment")).to_have_value("Just right")
    pressed = page.get_by_role("button", name="Helpful", exact=True)
    expect(pressed).to_have_attribute("aria-pressed", "true")


def test_a_conversation_is_renamed_found_and_deleted(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "colleague")
    ask(page, "What is TP53?")
    choose(page, "Rename")
    page.get_by_role("textbox", name="Title", exact=True).fill("The guardian")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The guardian")).to_be_visible()

    page.get_by_role("searchbox").fill("guard")
    listed = page.get_by_role("navigation").locator(".conversation-link")
    expect(listed).to_have_text(["The guardian"])
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_role("navigation")).to_contain_text("No title with")

    choose(page, "Delete")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The guardian")
    dialog.get_by_text("Keep it").click()
    expect(dialog).to_be_hidden()
    choose(page, "Delete")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    expect(page.get_by_role("navigation")).not_to_contain_text("The guardian")


@pytest.mark.deep
def test_a_suggestion_is_asked_with_one_click(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    page.get_by_role("button", name=QUESTION).click()
    expect(page.locator(".prose")).to_contain_text("fifteenth day")


def test_a_draft_survives_a_reload(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    page.get_by_label("Your question").fill("Half a thou")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("Half a thou")


@pytest.mark.deep
def test_a_question_over_the_limit_is_not_sent(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    page.get_by_label("Your question").fill("x" * 8001)
    expect(page.get_by_text("8001 of 8000 characters")).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_disabled()


def test_offline_is_said_and_the_question_is_kept(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    page.get_by_label("Your question").fill(FOLLOW_UP)
    page.keyboard.press("Enter")
    page.wait_for_timeout(700)
    page.context.set_offline(False)
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")
    expect(page.locator(".turn")).to_have_count(2)


def test_a_phone_shows_everything_without_scrolling_sideways(page: "Page", sign_in: SignIn) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, "owner")
    ask(page, QUESTION)

    def width() -> int:
        return int(page.evaluate("document.documentElement.scrollWidth"))

    assert width() == 390
    page.locator(".citation").first.click()
    expect(page.locator("#beside mark").first).to_be_visible()
    assert width() == 390
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Conversations").click()
    expect(page.get_by_role("searchbox")).to_be_visible()
    page.get_by_role("link", name="New conversation").first.click()
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()


def test_everything_works_without_javascript(
    browser: "Browser", web: Web, sign_in_by_form: SignIn
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in_by_form(page, "stranger")
    page.fill("#query", QUESTION)
    page.click(".send")
    expect(page.locator("#turn-1 .prose")).to_contain_text("fifteenth day")
    page.locator(".citation").first.click()
    expect(page.locator("mark").filter(has_text="fifteenth day")).to_be_visible()
    page.click("text=Back to the answer")
    page.locator(".feedback button").first.click()
    expect(page.locator(".feedback button").first).to_have_attribute("aria-pressed", "true")
    choose(page, "Rename")
    page.fill(".sheet input[name=title]", "By hand")
    page.click(".sheet .rename button")
    expect(page.locator("h1")).to_have_text("By hand")
    choose(page, "Delete")
    page.click(".sheet button:has-text('Delete')")
    expect(page.locator(".conversations")).not_to_contain_text("By hand")
    context.close()


def test_nobody_reaches_the_conversation_of_another(
    page: "Page", browser: "Browser", web: Web, sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    other = browser.new_context()
    theirs = other.new_page()
    sign_in(theirs, "stranger")
    assert theirs.goto(page.url).status == 404  # type: ignore[union-attr]
    citation = page.locator(".citation").first.get_attribute("href")
    assert theirs.goto(web.url + str(citation)).status == 404  # type: ignore[union-attr]
    other.close()
