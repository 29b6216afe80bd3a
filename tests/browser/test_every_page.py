"""Every page as a demanding visitor meets it: accessible, light, within the screen, by itself."""

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from tests.servers import Web

pytestmark = pytest.mark.once

pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

SignIn = Callable[["Page", str], None]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
RUN_AXE = """async () =>
  (await axe.run(document, {resultTypes: ["violations"]})).violations.flatMap((found) =>
    found.nodes.map((node) => `${found.id}: ${node.target} ${node.failureSummary}`))"""
HEAVIEST = 150_000  # bytes of a first visit, as sent
SCREENS = [(1440, 900, "light"), (390, 844, "dark")]
QUESTION = "What is the Determination Date?"

OUTSIDE = [
    "/account/login/",
    "/account/signup/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/no/such/page",
]
INSIDE = [
    "/",
    "/conversations",
    "/conversations?archived=1",
    "/conversations?q=nothing",
    "{session}",
    "{session}/title",
    "{session}/delete",
    "{session}/sources",
    "{session}/memory",
    "{session}/documents",
    "{session}/style",
    "{turn}/context",
    "{citation}",
    "/search?q=determination",
    "/search?q=nothinglikeit",
    "/library",
    "/library?q=nothinglikeit",
    "{document}",
    "{note}",
    "{note}/edit",
    "{note}/delete",
    "/account/settings",
    "/account/email/",
    "/account/password/change/",
    "/account/2fa/",
    "/account/2fa/totp/activate/",
    "/account/2fa/webauthn/",
    "/account/2fa/webauthn/add/",
    "/account/sessions/",
    "/account/tokens",
    "/account/data",
    "/account/data/decisions",
    "/account/data/packages",
    "/account/logout/",
    "/api/examples",
]


@pytest.fixture(scope="module")
def places(web: Web) -> dict[str, str]:
    """The addresses of a conversation with an answer, and of two documents."""
    with web.client("owner") as api:
        session = api.post("/api/v1/sessions", json={}).json()["session_id"]
        turn = api.post(f"/api/v1/sessions/{session}/turns", json={"query": QUESTION}).json()
        note = {"title": "A note of one’s own", "text": "It says very little. " * 40}
        note_id = api.post("/api/v1/documents", json=note).json()["document_id"]
    return {
        "session": f"/conversations/{session}",
        "turn": f"/conversations/{session}/turns/{turn['turn_id']}",
        "citation": f"/citations/{turn['citations'][0]['citation_id']}",
        "document": f"/library/{turn['sources'][0]['document_id']}",
        "note": f"/library/{note_id}",
    }


@pytest.fixture(scope="module")
def pages(browser: "Browser", web: Web) -> dict[str, list["Page"]]:
    """A page on each screen, of someone unknown and of the owner."""
    opened: dict[str, list[Page]] = {"": [], "owner": []}
    for person, listed in opened.items():
        for width, height, scheme in SCREENS:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",  # half faded in, nothing has its contrast
            )
            listed.append(context.new_page())
            if person:
                listed[-1].goto(web.sign_in_link(person))
    return opened


def test_every_page_is_accessible_light_and_within_the_screen(
    web: Web, places: dict[str, str], pages: dict[str, list["Page"]]
) -> None:
    wrong: list[str] = []
    for person, paths in (("", OUTSIDE), ("owner", INSIDE)):
        for path in paths:
            for page in pages[person]:
                place = path.format(**places)
                wrong += [f"{path}: {what}" for what in faults(page, web, place)]
    assert not wrong, "\n\n".join(wrong)


def faults(page: "Page", web: Web, place: str) -> list[str]:
    """Return what is wrong with the page, as it is when it has just been opened."""
    weights: list[int] = []
    elsewhere: list[str] = []

    def note(response: "Response") -> None:
        if not response.url.startswith(web.url):
            elsewhere.append(f"asks {response.url}")

    def weigh(request: object) -> None:
        weights.append(request.sizes()["responseBodySize"])

    page.on("response", note)
    page.on("requestfinished", weigh)
    answered = page.goto(web.url + place, wait_until="networkidle")
    page.remove_listener("response", note)
    page.remove_listener("requestfinished", weigh)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
    heavy = sum(weights) > HEAVIEST
    expected = 404 if place.startswith("/no/") else 200
    return [
        *elsewhere,
        *([f"answers {answered.status}"] if answered.status != expected else []),
        *([f"weighs {sum(weights)} bytes"] if heavy else []),
        *(["is wider than the screen"] if wide else []),
        *violations(page),
    ]


def violations(page: "Page") -> list[str]:
    page.evaluate(AXE)
    return page.evaluate(RUN_AXE)


def test_what_opens_on_a_page_is_accessible(
    web: Web, places: dict[str, str], pages: dict[str, list["Page"]]
) -> None:
    wide, narrow = pages["owner"]
    for page in (wide, narrow):
        page.goto(web.url + places["session"])
        page.locator(".citation").first.click()
        page.locator("#passage mark").wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More about this conversation").click()
        page.locator(".menu:popover-open").wait_for()
        assert violations(page) == []
        page.get_by_role("link", name="All sources").click()
        page.locator("#dialog[open] .bibliography").wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More about this conversation").click()
        page.get_by_role("link", name="What it remembers").click()
        page.locator("#dialog[open] .remembered").wait_for()
        page.get_by_text("Add something").click()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.locator(".saw summary").click()
        page.locator(".saw-tables").wait_for()
        assert violations(page) == []
    wide.locator("body").press("?")
    wide.locator("#dialog[open] .shortcuts").wait_for()
    assert violations(wide) == []
    wide.keyboard.press("Escape")
    narrow.get_by_role("button", name="Conversations").click()
    narrow.locator("#sidebar:popover-open").wait_for()
    assert violations(narrow) == []
