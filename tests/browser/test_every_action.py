"""Actions on the pages: nothing jumps, hides or covers anything, and each step is announced."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.layout import SIZES, layout_faults
from tests.model_server import ModelServer
from tests.servers import Web, come_in_by
from tests.surroundings import PATIENCE

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Locator, Page, Route

QUESTION = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"
ANSWER = """The **fifteenth day** of each month [1].

> It is the fifteenth day [1].

Agreement › 1.1 Dates

And so it goes on, line after line: with what is due before it, what is due after it, and what is
to be done if nobody is there to do it. All of that stands further below, in other sections."""
SALT = {"name": "salt.txt", "mimeType": "text/plain", "buffer": b"Salt is kept in the cellar."}


# Where the size of the screen doesn't matter.
on_a_phone = pytest.mark.parametrize("page", [SIZES[-1]], indirect=True)


@pytest.fixture(scope="module")
def web(start_web: "Callable[..., Web]", model_server: ModelServer) -> Web:
    return start_web(**model_server.environment)


@pytest.fixture(scope="module")
def owners(browser: "Browser", web: Web) -> "Page":
    """One page of the owner for all tests, who go through them in any order."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    come_in_by(page, web.sign_in_link("owner"))
    return page


@pytest.fixture(params=SIZES, ids=lambda size: str(size[0]))
def page(owners: "Page", web: Web, request: pytest.FixtureRequest) -> Iterator["Page"]:
    """The owner's page on each screen, without complaints, and well laid out at the end."""
    complaints: list[str] = []

    def note(message: Any) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    width, height = request.param
    owners.set_viewport_size({"width": width, "height": height})
    owners.emulate_media(color_scheme="dark" if width == 1024 else "light")
    owners.on("console", note)
    yield owners
    owners.unroute_all()
    assert layout_faults(owners) == []
    owners.remove_listener("console", note)
    assert not complaints


def asked(page: "Page", question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Your question").press("Enter")


def top(element: "Locator") -> float:
    box = element.bounding_box()
    assert box
    return box["y"]


def hold(page: "Page", address: str) -> list["Route"]:
    """Keep what is posted there from the server, until it is let go."""
    held: list[Route] = []

    def keep(route: "Route") -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile(address), keep)
    return held


def first(page: "Page", held: list["Route"]) -> "Route":
    """Return what was held first, once the page has posted it."""
    for _ in range(20 * PATIENCE):
        if held:
            break
        page.wait_for_timeout(50)
    return held[0]


@pytest.mark.deep
def test_a_question_stands_there_before_the_server_has_heard_of_it(
    page: "Page", web: Web, model_server: ModelServer
) -> None:
    model_server.reply(ANSWER, hold_after=30)
    page.goto(web.url)
    held = hold(page, "/conversations/new$")
    asked(page, QUESTION)
    question, step = page.locator(".question"), page.locator(".step")
    expect(question).to_have_text(QUESTION)
    expect(step).to_have_text("Searching the library")
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_hidden()
    assert layout_faults(page) == []
    place = top(question)
    first(page, held).continue_()
    page.wait_for_url("**/conversations/0*")
    expect(step).to_have_text("Writing")
    assert top(question) == pytest.approx(place, abs=2)
    expect(page.locator(".streaming strong")).to_have_text("fifteenth day")
    expect(page.locator(".streaming blockquote")).to_be_visible()
    assert layout_faults(page) == []
    model_server.go_on()
    expect(page.locator(".prose")).to_contain_text("line after line")


@pytest.mark.deep
def test_an_answer_comes_in_below_its_question_and_moves_nothing(
    page: "Page", web: Web, model_server: ModelServer
) -> None:
    model_server.reply(
        "It is the **fifteenth** [1].\n\n> So it is [1].\n\nAgreement · p. 4", delay=0.04
    )
    page.goto(web.url)
    asked(page, QUESTION)
    expect(page.locator(".prose")).to_be_visible()
    held = hold(page, "/turns$")
    asked(page, FOLLOW_UP)
    newest = page.locator(".turn").last
    expect(newest.locator(".question")).to_have_text(FOLLOW_UP)
    place = top(newest.locator(".question"))
    steps = seen_steps(page)
    first(page, held).continue_()
    expect(newest.locator(".prose")).to_be_visible()
    assert top(newest.locator(".question")) == pytest.approx(place, abs=2)
    assert "Writing" in steps()
    line = newest.locator(".prose > p").first
    asked_again = page.evaluate("document.querySelector('main').scrollTop")
    assert asked_again > 0
    assert top(line) > place


def seen_steps(page: "Page") -> "Callable[[], list[str]]":
    """Return what gives the steps that have been said since now."""
    page.evaluate(
        """() => {
          const said = () => [...document.querySelectorAll(".step")].at(-1)?.textContent;
          window.steps = [];
          new MutationObserver(() => window.steps.push(said()))
            .observe(document.body, {childList: true, characterData: true, subtree: true});
        }"""
    )
    return lambda: page.evaluate("window.steps")


@pytest.mark.deep
@on_a_phone
def test_a_refused_question_gives_the_page_back_as_it_was(page: "Page", web: Web) -> None:
    page.goto(web.url)
    held = hold(page, "/conversations/new$")
    asked(page, QUESTION)
    expect(page.locator(".question")).to_be_visible()
    error = '{"error": {"code": "rate_limited", "message": "Too many questions."}}'
    first(page, held).fulfill(status=200, body=error, content_type="application/json")
    expect(page.get_by_role("alert")).to_contain_text("Too many questions.")
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    expect(page.locator(".turn")).to_have_count(0)


@pytest.mark.deep
def test_going_to_a_turn_moves_its_pane_and_nothing_else(page: "Page", web: Web) -> None:
    many = conversation(web)
    for address in (f"{web.url}{many}#turn-41", f"{web.url}/search?q=needle"):
        page.goto(address)
        if "search" in address:
            page.locator(".found-turn").last.click()
        expect(page.locator("#turn-41 .question")).to_be_in_viewport()
        stands_below_the_bar(page, "#turn-41")
    for key, turn in (("j", "#turn-42"), ("j", "#turn-43"), ("k", "#turn-42")):
        page.keyboard.press(key)
        expect(page.locator(turn)).to_be_focused()
        stands_below_the_bar(page, turn)
    assert layout_faults(page) == []


def conversation(web: Web) -> str:
    """Make one of sixty turns, and return its address."""
    made = web.python(
        "from tests.browser.material import *;"
        "print_turns('owner', 60, lambda n: f'Needle {n}' if n == 41 else f'Question {n}')"
    )
    return made.splitlines()[-1]


def stands_below_the_bar(page: "Page", turn: str) -> None:
    bar = page.locator(".topbar").bounding_box()
    assert bar
    assert bar["y"] == 0
    assert bar["height"] - 1 <= top(page.locator(turn)) <= bar["height"] + 40


@pytest.mark.deep
def test_what_is_known_of_an_answer_opens_beside_it_and_closes_again(
    page: "Page", web: Web, model_server: ModelServer
) -> None:
    model_server.reply("It is the fifteenth day [1].")
    page.goto(web.url)
    asked(page, QUESTION)
    turn, beside = page.locator("#turn-1"), page.locator("#beside")
    expect(turn.locator(".prose")).to_be_visible()
    for opener in (
        turn.locator(".citation").first,
        turn.locator(".source").first,
        turn.get_by_role("link", name="What the model saw"),
    ):
        opener.click()
        expect(beside).to_be_focused()
        expect(beside.locator("mark, .saw").first).to_be_visible()
        assert layout_faults(page) == []
        page.keyboard.press("Escape")
        expect(beside).to_be_hidden()
        expect(opener).to_be_focused()


@pytest.mark.deep
@on_a_phone
def test_what_takes_long_to_open_says_so(page: "Page", web: Web, model_server: ModelServer) -> None:
    model_server.reply("It is the fifteenth day of each month [1].")
    page.goto(web.url)
    asked(page, QUESTION)
    expect(page.locator(".prose .citation").first).to_be_visible()
    held: list[Route] = []
    page.route(re.compile("/citations/"), lambda route: held.append(route))
    page.locator(".prose .citation").first.click()
    panel = page.locator("#beside")
    expect(panel).to_have_text("Opening …")
    first(page, held).continue_()
    expect(panel.locator("mark").first).to_be_visible()
    expect(panel).not_to_contain_text("Opening …")


@pytest.mark.deep
def test_code_is_copied_as_it_stands(page: "Page", web: Web, model_server: ModelServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=web.url)
    model_server.reply("So [1]:\n\n```sh\napt-get install it\n```\n")
    page.goto(web.url)
    asked(page, QUESTION)
    page.get_by_role("button", name="Copy the code").click()
    expect(page.locator("#status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "apt-get install it"


@pytest.mark.deep
def test_a_file_that_is_there_already_is_said_to_be_with_the_way_to_it(
    page: "Page", web: Web
) -> None:
    page.goto(f"{web.url}/library")
    chosen = page.get_by_label("Add documents")
    # On the second screen it is there before: only the answer says that the file has come.
    with page.expect_response("**/library/upload"):
        chosen.set_input_files([SALT])
    expect(page.locator(".document", has_text="Salt")).to_be_visible()
    with page.expect_response("**/library/upload"):
        chosen.set_input_files([SALT | {"name": "cellar.txt"}])
    said = page.locator(".outcome", has_text="cellar.txt")
    expect(said).to_contain_text("It is in the library already: Salt")
    expect(page.locator("#status")).to_contain_text("already")
    assert layout_faults(page) == []
    said.get_by_role("link", name="Salt").click()
    expect(page.get_by_role("heading", name="Salt", level=1)).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("page", [SIZES[0]], indirect=True)
def test_what_an_answer_offers_shows_when_one_looks_at_it(
    page: "Page", web: Web, model_server: ModelServer
) -> None:
    model_server.reply("It is the fifteenth day [1].")
    page.goto(web.url)
    for number, question in enumerate((QUESTION, FOLLOW_UP), start=1):
        asked(page, question)
        expect(page.locator(".prose")).to_have_count(number)
    first, newest = (turn.locator(".answer-actions") for turn in page.locator(".turn").all())
    page.mouse.move(0, 0)
    expect(newest).to_have_css("opacity", "1")
    expect(first).to_have_css("opacity", "0")
    page.locator("#turn-1 .prose").hover()
    expect(first).to_have_css("opacity", "1")
    page.mouse.move(0, 0)
    page.locator("#turn-1 .source").focus()
    expect(first).to_have_css("opacity", "1")
    # Opened, and never more than a line before.
    searched = page.locator("#turn-2 .searched")
    expect(searched.get_by_role("button")).to_be_hidden()
    searched.locator("summary").click()
    expect(searched.get_by_role("button", name="Search exactly what I typed")).to_be_visible()
