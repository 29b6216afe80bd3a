"""An answer that takes its time: streamed, stopped, reloaded, read in two tabs, tried again."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest

from tests.model_server import ModelServer
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SignIn = Callable[["Page", str], None]
WORDS = [f"word{number}" for number in range(40)]
# A page is told that it was scrolled with the next picture.
SEEN = "() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"
SLOW = " ".join(WORDS[:20]) + " [1]. " + " ".join(WORDS[20:]) + "."


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    """A web server whose language model the tests command."""
    return start_web(**model_server.environment)


def ask(page: "Page", question: str = "What is the Determination Date?") -> None:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def test_words_appear_one_after_the_other(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply(SLOW, hold_after=20)
    sign_in(page, "owner")
    ask(page)
    streaming = page.locator(".streaming")
    expect(streaming).to_contain_text("word2")
    expect(streaming).not_to_contain_text("word39")
    expect(page.get_by_role("button", name="Stop the answer")).to_be_visible()
    model_server.go_on()
    expect(page.locator(".prose")).to_contain_text("word39")
    expect(page.locator(".prose .citation")).to_have_text(["1"])
    expect(page.get_by_role("button", name="Stop the answer")).to_be_hidden()


@pytest.mark.deep
def test_a_long_answer_is_shown_from_its_question_on(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    long = "\n\n".join(f"Paragraph {number} of many." for number in range(60))
    model_server.reply(long, hold_after=120)
    sign_in(page, "owner")
    ask(page)
    question, main = page.locator(".question").last, page.locator("main")
    expect(page.locator(".streaming")).to_contain_text("Paragraph 29")
    expect(question).to_be_in_viewport(ratio=1)
    model_server.go_on()
    expect(page.locator(".prose")).to_contain_text("Paragraph 59")
    expect(question).to_be_in_viewport(ratio=1)
    page.reload()
    expect(question).to_be_in_viewport(ratio=1)
    model_server.reset()
    model_server.reply(long, hold_after=120)
    ask(page, "And the Distribution Date?")
    expect(page.locator(".streaming")).to_contain_text("Paragraph 29")  # the last before it is held
    main.evaluate("main => main.scrollTop = main.scrollHeight")
    main.evaluate(SEEN)
    model_server.go_on()
    expect(page.locator(".prose")).to_have_count(2)
    expect(page.locator(".composer-dock")).to_be_in_viewport()
    assert main.evaluate("main => main.scrollHeight - main.scrollTop - main.clientHeight") < 8


@pytest.mark.deep
def test_what_is_asked_meanwhile_comes_next_unless_it_is_changed(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply(SLOW, hold_after=20)
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("word2")
    ask(page, "And the Distribution Date?")
    said = page.locator(".composer-later")
    expect(said).to_contain_text("as soon as the answer is there")
    page.get_by_label("Your question").press("End")
    page.get_by_label("Your question").press("Backspace")
    expect(said).to_be_hidden()
    page.keyboard.press("Enter")
    expect(said).to_be_visible()
    model_server.go_on()
    expect(page.locator(".question").nth(1)).to_have_text("And the Distribution Date")
    expect(page.get_by_label("Your question")).to_be_empty()
    expect(page.locator(".prose")).to_have_count(2)


def test_a_reload_in_the_middle_goes_on_reading(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply(SLOW, hold_after=20)
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("word3")
    page.reload()
    expect(page.locator(".streaming")).to_contain_text("word3")
    model_server.go_on()
    expect(page.locator(".prose")).to_contain_text("word0 word1 word2")
    expect(page.locator(".prose")).to_contain_text("word39")
    expect(page.locator(".turn")).to_have_count(1)
    assert len(model_server.requests) == 1


def test_a_second_tab_reads_along(page: "Page", sign_in: SignIn, model_server: ModelServer) -> None:
    model_server.reply(SLOW, hold_after=20)
    sign_in(page, "owner")
    ask(page)
    page.wait_for_url("**/conversations/*")
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator(".streaming")).to_contain_text("word5")
    model_server.go_on()
    for tab in (page, second):
        expect(tab.locator(".prose")).to_contain_text("word39")
    assert len(model_server.requests) == 1


@pytest.mark.deep
def test_what_is_asked_in_one_tab_comes_into_the_other(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    sign_in(page, "owner")
    ask(page)
    expect(page.locator("#turn-1 .prose")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    ask(other, "And the Distribution Date?")
    expect(page.locator("#turn-2 .prose")).to_be_visible()
    expect(page.locator("#turn-2 .question")).to_have_text("And the Distribution Date?")
    ask(page, "And the Closing Date?")
    expect(other.locator("#turn-3 .prose")).to_be_visible()
    expect(other.locator(".turn")).to_have_count(3)
    expect(page.locator(".turn")).to_have_count(3)


@pytest.mark.deep
def test_what_was_asked_elsewhere_comes_in_when_one_asks_on(
    page: "Page", browser: "Browser", sign_in: SignIn, model_server: ModelServer
) -> None:
    sign_in(page, "owner")
    ask(page)
    expect(page.locator("#turn-1 .prose")).to_be_visible()
    elsewhere = browser.new_page()
    sign_in(elsewhere, "owner")
    elsewhere.goto(page.url)
    ask(elsewhere, "And the Distribution Date?")
    expect(elsewhere.locator("#turn-2 .prose")).to_be_visible()
    expect(page.locator(".turn")).to_have_count(1)
    ask(page, "And the Closing Date?")
    expect(page.locator(".turn")).to_have_count(3)
    numbers = page.locator(".turn").evaluate_all("turns => turns.map(turn => turn.id)")
    assert numbers == ["turn-1", "turn-2", "turn-3"]


@pytest.mark.deep
def test_a_conversation_that_is_deleted_elsewhere_while_it_answers_says_so(
    page: "Page", browser: "Browser", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply("Before.")
    model_server.reply(SLOW * 50, delay=0.05)
    sign_in(page, "owner")
    ask(page)
    expect(page.locator("#turn-1 .prose")).to_be_visible()
    ask(page, "And the Distribution Date?")
    expect(page.locator(".streaming")).to_contain_text("word3")
    elsewhere = browser.new_page()
    sign_in(elsewhere, "owner")
    elsewhere.goto(f"{page.url.split('#')[0]}/delete")
    elsewhere.get_by_role("button", name="Delete", exact=True).click()
    elsewhere.wait_for_url("**/")
    expect(page.get_by_text("has expired or was deleted")).to_be_visible()
    expect(page.locator(".streaming")).to_have_count(0)


def test_stop_keeps_what_is_written_and_offers_another_try(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply(SLOW, hold_after=20)
    model_server.reply("The fifteenth day [1].")
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("word3")
    page.get_by_role("button", name="Stop the answer").click()
    expect(page.get_by_text("You stopped this answer.")).to_be_visible()
    expect(page.locator(".prose")).to_contain_text("word3")
    expect(page.locator(".prose")).not_to_contain_text("word39")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".prose")).to_contain_text("The fifteenth day")
    expect(page.locator(".turn")).to_have_count(1)


def test_a_failure_is_said_in_words(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.fail(401)
    sign_in(page, "owner")
    ask(page)
    expect(page.get_by_text("The language model refused its key.")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_cut_answer_is_continued_by_a_button(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply("It is the fifteenth day [1]. On a", finish="length")
    model_server.reply("", finish="length")
    model_server.reply("a weekend it is the day before [1].", delay=0.1)
    sign_in(page, "owner")
    ask(page)
    expect(page.get_by_text("Cut off.")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    prose = page.locator(".prose")
    expect(prose).to_contain_text("On a weekend it is the day before")
    expect(prose).to_contain_text("It is the fifteenth day")
    expect(prose.locator(".citation")).to_have_text(["1", "1"])
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(1)


@pytest.mark.deep
def test_what_was_streamed_is_replaced_by_what_is_better(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    loop = "It is the fifteenth day of the month, as the agreement says. "
    model_server.reply(loop * 30, hold_after=20)
    model_server.reply("The fifteenth day [1].")
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("as the agreement says")
    model_server.go_on()
    prose = page.locator(".prose")
    expect(prose).to_contain_text("The fifteenth day")
    expect(prose).not_to_contain_text("as the agreement says")


def test_markdown_that_leads_elsewhere_is_only_text(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    evil = "https://evil.example/x"
    model_server.reply(
        f"![a]({evil}) [b]({evil}) <img src='{evil}'> <script>alert(1)</script> **bold** [1]"
    )
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".prose strong")).to_have_text("bold")
    expect(page.locator(".prose img, .prose script")).to_have_count(0)
    expect(page.locator(".prose a:not(.citation)")).to_have_count(0)


@pytest.mark.deep
def test_the_web_server_may_be_killed_while_it_answers(
    page: "Page", sign_in: SignIn, web: Web, model_server: ModelServer
) -> None:
    model_server.reply(SLOW, hold_after=20)
    sign_in(page, "owner")
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("word3")
    web.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    model_server.go_on()
    web.start()
    # It is begun once more by itself.
    expect(page.get_by_text("The answer is complete.")).to_be_attached()
    expect(page.locator(".prose")).to_contain_text("word3")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(1)


# --- At the door ----------------------------------------------------------------------------------

WAITING = 'event: waiting\ndata: {"before":3}\n\n'
SENT_AWAY = (
    'event: error\ndata: {"code":"overloaded","message":"Ask again.","turn":null,"status":503}\n\n'
)


@pytest.mark.deep
def test_who_waits_at_the_door_sees_how_many_are_before_and_asks_on_with_the_same_key(
    page: "Page", sign_in: SignIn, model_server: ModelServer
) -> None:
    model_server.reply("It is the fifteenth day [1].")
    sign_in(page, "owner")
    keys: list[str] = []

    def told(route: "Route") -> None:
        keys.append(parse_qs(route.request.post_data or "")["idempotency_key"][0])
        if len(keys) > 2:
            route.continue_()
        else:  # its process ends before the question is taken
            route.fulfill(status=200, content_type="text/event-stream", body=WAITING)

    page.route("**/conversations/new", told)
    ask(page)
    expect(page.locator(".step")).to_have_text("Waiting: 3 questions are before yours")
    expect(page.locator(".prose")).to_contain_text("It is the fifteenth day")
    assert len(keys) == 3
    assert len(set(keys)) == 1


@pytest.mark.deep
def test_who_is_sent_away_in_the_stream_has_the_question_again(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    page.route(
        "**/conversations/new",
        lambda route: route.fulfill(
            status=200, content_type="text/event-stream", body=WAITING + SENT_AWAY
        ),
    )
    ask(page)
    expect(page.locator("#toasts")).to_contain_text("Ask again.")
    expect(page.get_by_label("Your question")).to_have_value("What is the Determination Date?")
    expect(page.locator(".turn")).to_have_count(0)
