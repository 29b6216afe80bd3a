"""Every page as a demanding visitor meets it: accessible, light, well laid out, by itself."""

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from tests.browser.layout import SIZES, focus_faults, layout_faults
from tests.servers import Web, come_in_by

pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
RUN_AXE = """async (rules) => {
  const chosen = rules.length ? {runOnly: {type: "rule", values: rules}} : {};
  const {violations} = await axe.run(document, {resultTypes: ["violations"], ...chosen});
  return violations.flatMap((found) =>
    found.nodes.map((node) => `${found.id}: ${node.target} ${node.failureSummary}`));
}"""
HEAVIEST = 200_000  # bytes of a first visit, as sent; half of it are fonts
SCHEMES = {1440: "light", 1024: "dark", 390: "dark"}
# axe's rules by width: all of them once, and on a phone, in the other scheme, those that depend on
# size or colours. All rules at each size take three times as long on the same page.
LOOKED_AT = {1440: [], 390: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]}
QUESTION = "What is the Determination Date?"

OUTSIDE = [
    "/account/login/",
    "/account/signup/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/certificates",
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
    "{session}/lifetime",
    "{turn}/delete",
    "{turn}/context",
    "{citation}",
    "{hard}#turn-2",
    "{hard}",
    "{hard}/sources",
    "{numbers}",
    "{many}",
    "{many}?before=31",
    "{long}",
    "{long}?passage=4",
    "{failed}",
    "{waiting}",
    "/search",
    "/search?q=determination",
    "/search?q=end",
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


# Where the keyboard goes through.
BY_KEYBOARD = ["/", "{session}", "{document}", "/library", "/search?q=end", "/account/settings"]


@pytest.fixture(scope="module")
def places(web: Web) -> dict[str, str]:
    """The addresses of a conversation with an answer, of two documents, and of what is hard."""
    with web.client("owner") as api:
        session = api.post("/api/v1/sessions", json={}).json()["session_id"]
        turn = api.post(f"/api/v1/sessions/{session}/turns", json={"query": QUESTION}).json()
        note = {"title": "A note of one’s own", "text": "It says very little. " * 40}
        note_id = api.post("/api/v1/documents", json=note).json()["document_id"]
    hard = web.python("from tests.browser.material import *; print_material('owner')")
    return json.loads(hard.splitlines()[-1]) | {
        "session": f"/conversations/{session}",
        "turn": f"/conversations/{session}/turns/{turn['turn_id']}",
        "citation": f"/citations/{turn['citations'][0]['citation_id']}",
        "document": f"/library/{turn['sources'][0]['document_id']}",
        "note": f"/library/{note_id}",
    }


@pytest.fixture(scope="module")
def complaints() -> list[str]:
    """The pages' messages on the console."""
    return []


@pytest.fixture(scope="module")
def pages(browser: "Browser", web: Web, complaints: list[str]) -> dict[str, "Page"]:
    """A page of someone unknown, and one of the owner."""
    opened = {}
    for person in ("", "owner"):
        # Half faded in, nothing has its contrast.
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.on("console", lambda message: complaints.extend(complaint(message)))
        if person:
            come_in_by(page, web.sign_in_link(person))
        opened[person] = page
    return opened


def complaint(message: "ConsoleMessage") -> list[str]:
    """Return what is wrong if the page complains; a page that isn't there is no complaint."""
    is_one = message.type in ("error", "warning") and "status of 404" not in message.text
    return [f"{message.text} {message.location['url']}"] if is_one else []


@pytest.mark.deep
def test_every_page_is_accessible_light_and_well_laid_out(
    web: Web, places: dict[str, str], pages: dict[str, "Page"], complaints: list[str]
) -> None:
    wrong: list[str] = []
    for person, paths in (("", OUTSIDE), ("owner", INSIDE)):
        for path in paths:
            found = faults(pages[person], web, path.format(**places))
            wrong += [f"{path}: {what}" for what in found]
    assert not wrong, "\n\n".join(wrong)
    assert not complaints


@pytest.mark.deep
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    web: Web, places: dict[str, str], pages: dict[str, "Page"]
) -> None:
    page, wrong = pages["owner"], []
    for path in BY_KEYBOARD:
        for width, height in (SIZES[0], SIZES[-1]):
            resize(page, width, height)
            page.goto(web.url + path.format(**places))
            wrong += [f"{path} at {width}: {what}" for what in focus_faults(page)]
        assert page.locator("[tabindex]:not([tabindex='0'], [tabindex='-1'])").count() == 0
    assert not wrong, "\n".join(wrong)


def faults(page: "Page", web: Web, place: str) -> list[str]:
    """Return what is wrong with the page, as it is when it has just been opened."""
    weights: list[int] = []
    elsewhere: list[str] = []

    def note(response: "Response") -> None:
        if not response.url.startswith(web.url):
            elsewhere.append(f"asks {response.url}")

    def weigh(request: "Request") -> None:
        weights.append(request.sizes()["responseBodySize"])

    page.on("response", note)
    page.on("requestfinished", weigh)
    resize(page, *SIZES[0])
    answered = page.goto(web.url + place)
    page.evaluate("document.fonts.ready")
    page.remove_listener("response", note)
    page.remove_listener("requestfinished", weigh)
    expected = 404 if place.startswith("/no/") else 200
    status = answered.status if answered else 200  # none where only the fragment is another
    return [
        *elsewhere,
        *([f"answers {status}"] if status != expected else []),
        *([f"weighs {sum(weights)} bytes"] if sum(weights) > HEAVIEST else []),
        *(what for size in SIZES for what in faults_at(page, *size)),
    ]


def faults_at(page: "Page", width: int, height: int) -> list[str]:
    resize(page, width, height)
    found = layout_faults(page)
    if width in LOOKED_AT:
        found += violations(page, LOOKED_AT[width])
    return [f"at {width}: {what}" for what in found]


def resize(page: "Page", width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=SCHEMES[width])


def violations(page: "Page", rules: Sequence[str] = ()) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN_AXE, list(rules))
    return found


@pytest.mark.deep
def test_what_opens_on_a_page_is_accessible_and_well_laid_out(
    web: Web, places: dict[str, str], pages: dict[str, "Page"], complaints: list[str]
) -> None:
    page, wrong = pages["owner"], []
    for width, height in SIZES:
        resize(page, width, height)
        page.goto(web.url + places["session"])
        for opened in opening(page, narrow=width < 500):
            found = layout_faults(page)
            if opened == "the drawer":
                found += violations(page)
            elif width in LOOKED_AT:
                found += violations(page, LOOKED_AT[width])
            wrong += [f"{opened} at {width}: {what}" for what in found]
    assert not wrong, "\n\n".join(wrong)
    assert not complaints


def opening(page: "Page", *, narrow: bool) -> Iterator[str]:
    """Open one after the other what the page of a conversation has to open."""
    page.locator(".citation").first.click()
    page.locator("#beside mark").wait_for()
    yield "the passage"
    page.keyboard.press("Escape")
    page.get_by_role("link", name="How this answer was made").click()
    page.locator("#beside .saw").wait_for()
    yield "how it was made"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More about this conversation").click()
    page.locator(".menu:popover-open").wait_for()
    yield "the menu"
    for name in ("All sources", "What it remembers", "Citation style", "How long it is kept"):
        page.locator(".menu").get_by_role("link", name=name).click()
        page.locator("#dialog[open]").wait_for()
        yield name
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More about this conversation").click()
    page.locator(".menu").get_by_role("link", name="Delete").click()
    page.locator("#dialog[open]").wait_for()
    yield "the deletion"
    page.keyboard.press("Escape")
    if narrow:
        page.get_by_role("button", name="Conversations").click()
        page.locator("#sidebar:popover-open").wait_for()
        yield "the drawer"
    else:
        page.locator("h1").click()
        page.keyboard.press("?")
        page.locator("#dialog[open] .shortcuts").wait_for()
        yield "the shortcuts"
    page.keyboard.press("Escape")
