"""Comfort of the pages, and their messages when something is in the way."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_journey import QUESTION, ask, choose
from tests.servers import Web, come_in_by

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SignIn = Callable[["Page", str], None]


@pytest.mark.deep
def test_a_first_visit_explains_itself_with_a_question_and_a_follow_up(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "stranger")
    expect(page.locator(".steps li")).to_have_count(3)
    expect(page.locator(".suggestion")).to_have_count(3)
    page.get_by_role("button", name=QUESTION).click()
    expect(page.locator("#turn-1 .prose")).to_contain_text("fifteenth day")
    page.locator(".follow-up").click()
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")
    expect(page.locator(".follow-up")).to_have_count(0)
    page.goto(page.url.split("/conversations")[0])
    expect(page.locator(".steps")).to_have_count(0)


@pytest.mark.flaky(reruns=0)  # no letter may be lost
def test_what_is_typed_while_the_first_answer_comes_stays_in_the_field(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    page.evaluate("window.isTheSame = true")
    field = page.get_by_label("Your question")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.keyboard.type("And what happens")
    page.wait_for_url("**/conversations/0*")
    assert page.evaluate("window.isTheSame"), "another page misses what is typed as it comes"
    expect(field).to_be_focused()
    expect(field).to_have_value("And what happens")
    expect(page.locator(".topbar-title h1")).to_have_text(QUESTION)
    page.keyboard.type(" if it falls on a weekend?")
    expect(page.locator("#turn-1 .prose")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")
    expect(field).to_be_focused()
    page.go_back()
    expect(page.locator(".welcome")).to_be_visible()
    page.go_forward()
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")


@pytest.mark.deep
@pytest.mark.flaky(reruns=0)
def test_a_second_question_sent_at_once_comes_after_the_first(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.keyboard.type("And what happens if it falls on a weekend?")
    page.keyboard.press("Enter")
    expect(page.locator("#turn-1 .prose")).to_contain_text("fifteenth day")
    expect(page.locator("#turn-2 .prose")).to_contain_text("preceding Business Day")
    expect(page.get_by_label("Your question")).to_be_empty()


@pytest.mark.deep
def test_single_keys_work_outside_text_fields_and_can_be_switched_off(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    ask(page, "And what happens if it falls on a weekend?")
    body = page.locator("body")
    page.locator("h1").first.click()
    body.press("k")
    expect(page.locator("#turn-1, #turn-2").and_(page.locator(":focus"))).to_have_count(1)
    body.press("/")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("n?")
    expect(page.get_by_label("Your question")).to_have_value("n?")
    page.get_by_label("Your question").fill("")
    page.locator("h1").first.click()
    body.press("s")
    expect(page.get_by_role("searchbox").first).to_be_focused()
    page.locator("h1").first.click()
    body.press("?")
    page.get_by_label("Single keys work outside text fields").uncheck()
    page.keyboard.press("Escape")
    body.press("/")
    expect(page.get_by_label("Your question")).not_to_be_focused()
    body.press("?")
    page.get_by_label("Single keys work outside text fields").check()
    page.keyboard.press("Escape")
    body.press("n")
    page.wait_for_url(re.compile("/$"))


@pytest.mark.deep
def test_an_earlier_conversation_is_asked_on_at_once_where_there_is_a_keyboard(
    page: "Page", sign_in: SignIn, browser: "Browser"
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    asked = page.url.split("#")[0]
    page.goto(asked)
    field = page.get_by_label("Your question")
    expect(field).to_be_focused()
    page.keyboard.type("s")
    expect(field).to_have_value("s")
    page.goto(f"{asked}#turn-1")
    page.reload()
    expect(field).not_to_be_focused()
    state = page.context.storage_state()
    touching = browser.new_context(storage_state=state, has_touch=True, is_mobile=True)
    phone = touching.new_page()
    phone.goto(asked)
    expect(phone.locator("#turn-1 .prose")).to_be_visible()
    expect(phone.get_by_label("Your question")).not_to_be_focused()
    touching.close()


@pytest.mark.deep
def test_a_question_is_taken_up_again_to_be_put_in_other_words(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, "What is the Determinaton Date")
    ask(page, "Which drugs target PIK3CA?")
    field = page.get_by_label("Your question")
    field.press("ArrowUp")
    expect(field).to_have_value("Which drugs target PIK3CA?")
    page.keyboard.press("Control+z")
    expect(field).to_have_value("")
    first = page.locator("#turn-1")
    first.hover()
    first.get_by_role("button", name="Edit the question and ask it again", exact=False).click()
    expect(field).to_be_focused()
    expect(field).to_have_value("What is the Determinaton Date")
    page.keyboard.type("?")
    page.keyboard.press("Enter")
    expect(page.locator("#turn-3 .question")).to_have_text("What is the Determinaton Date?")


@pytest.mark.deep
def test_a_menu_is_gone_through_with_the_arrows(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    page.get_by_role("button", name="More about this conversation").press("Enter")
    items = page.locator("#conversation-menu").get_by_role("link")
    rename, delete = items.first, items.last
    gone_through = {"ArrowDown": rename, "ArrowUp": delete, "Home": rename, "End": delete}
    for key, item in gone_through.items():
        page.keyboard.press(key)
        expect(item).to_be_focused()
    page.keyboard.press("Escape")
    expect(delete).to_be_hidden()


@pytest.mark.deep
def test_archiving_can_be_undone_from_the_message_that_says_so(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, "Which drugs target PIK3CA?")
    choose(page, "Pin")
    expect(page.locator("#conversations .age").first).to_have_text("Pinned")
    choose(page, "Archive")
    expect(page.get_by_role("alert")).to_contain_text("in the archive")
    listed = page.locator("#conversations").get_by_role("link", name="Which drugs", exact=False)
    expect(listed).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(listed.first).to_be_visible()
    expect(page.locator("#turn-1 .prose")).to_contain_text("alpelisib")


@pytest.mark.deep
def test_a_conversation_deleted_elsewhere_gives_the_question_back_for_a_new_one(
    page: "Page", sign_in: SignIn, web: Web
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    with web.client("owner") as api:
        assert api.delete("/api/v1/sessions/" + page.url.split("/")[-1][:36]).status_code == 204
    page.get_by_label("Your question").fill("And the Closing Date?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("expired or was deleted")
    page.get_by_role("link", name="Ask it in a new conversation").click()
    expect(page.get_by_label("Your question")).to_have_value("And the Closing Date?")


@pytest.mark.deep
def test_who_was_signed_out_elsewhere_finds_the_question_again(
    page: "Page", sign_in: SignIn, sign_in_by_form: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    conversation = page.url
    page.context.clear_cookies()
    page.get_by_label("Your question").fill("And the Closing Date?")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/account/login"))
    sign_in_by_form(page, "owner")
    page.goto(conversation)
    expect(page.get_by_label("Your question")).to_have_value("And the Closing Date?")


@pytest.mark.deep
def test_a_form_that_is_too_old_says_so(page: "Page", sign_in: SignIn, web: Web) -> None:
    sign_in(page, "owner")
    page.goto(f"{web.url}/account/settings")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="This page is too old")).to_be_visible()


def test_the_limit_and_a_full_conversation_are_told_and_nothing_typed_is_lost(
    browser: "Browser", start_web: Callable[..., Web]
) -> None:
    web = start_web(TURNS_PER_HOUR="2", MAX_TURNS_PER_SESSION="1", DEFAULT_TIER="default")
    page = browser.new_page()
    come_in_by(page, web.sign_in_link("owner"))
    ask(page, QUESTION)
    page.reload()
    expect(page.get_by_text("This conversation is full.")).to_be_visible()
    page.get_by_role("link", name="Continue in a new conversation").click()
    ask(page, "Which drugs target PIK3CA?")
    page.get_by_role("link", name="New conversation").first.click()
    page.get_by_label("Your question").fill("And what else?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("as many as your account may")
    expect(page.get_by_label("Your question")).to_have_value("And what else?")


@pytest.mark.deep
def test_a_printed_conversation_is_questions_answers_and_sources_alone(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    ask(page, QUESTION)
    page.emulate_media(media="print")
    expect(page.locator(".question")).to_be_visible()
    expect(page.locator(".sources")).to_be_visible()
    for hidden in (".sidebar", ".composer-dock", ".answer-actions", ".menu", ".toasts"):
        expect(page.locator(hidden).first).to_be_hidden()
