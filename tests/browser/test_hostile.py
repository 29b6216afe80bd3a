"""P42 in a real browser: whatever a model, a file or a name says, nothing is fetched or runs.

The page of these tests fails by itself where anything is asked of another host, or where the
browser has to hold something back by the page's policy.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_streaming import ask
from tests.chat.payloads import PAYLOADS
from tests.model_server import ModelServer
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SignIn = Callable[["Page", str], None]
FEW, TURNS, STREAMS = 12, 25, 8
RUNS = "<img src=data:x onerror=alert(1)>"
# Elements of the parsed page that would run, lead elsewhere or be fetched.
LOOK = """() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    for (const {name, value} of element.attributes) {
      if (/^on/i.test(name)) found.push(`${element.tagName} ${name}`);
      if (!/^(href|src|srcset|action|formaction|data|poster|background)$/i.test(name)) continue;
      if (new URL(value, document.baseURI).origin !== location.origin)
        found.push(`${element.tagName} ${name}=${value}`);
    }
  }
  for (const link of document.querySelectorAll(".prose a"))
    if (!link.pathname.startsWith("/citations/")) found.push(`a link to ${link.href}`);
  const foreign = ".prose :is(img, svg:not(.icon), style, script, iframe, form, base, object)";
  for (const element of document.querySelectorAll(foreign)) found.push(element.outerHTML);
  return found;
}"""


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web], model_server: ModelServer) -> Web:
    return start_web(**model_server.environment)


@pytest.fixture
def ran(page: "Page") -> list[str]:
    """The messages of injected scripts: each payload that runs opens a dialog."""
    said: list[str] = []

    def note(dialog: playwright.Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    return said


def looked_at(page: "Page", web: Web, first: int, last: int, most: int | None = None) -> int:
    """Open the pages that show these payloads, and return how many were in order."""
    code = f"from tests.browser import hostile; hostile.print_places('owner', {first}, {last})"
    places = json.loads(web.python(code).splitlines()[-1])[:most]
    for place in places:
        page.goto(web.url + place)
        assert page.evaluate(LOOK) == [], place
    page.goto(web.url + places[0])
    expect(page.locator(".prose")).to_have_count(last - first)
    return len(places)


def streams(page: "Page", web: Web, model_server: ModelServer, payloads: list[str]) -> None:
    """Look at an answer of all these while it is written, and when it is whole."""
    said = "It is said:\n\n" + "\n\n".join(payloads) + "\n\nThat is all."
    model_server.reset()
    model_server.reply(said, hold_after=len(said.split(" ")) - 2)
    page.goto(web.url)
    ask(page)
    expect(page.locator(".streaming")).to_contain_text("It is")
    assert page.evaluate(LOOK) == []
    model_server.go_on()
    expect(page.locator(".prose"), said).to_contain_text("That is all")
    assert page.evaluate(LOOK) == []


@pytest.mark.deep
def test_the_look_finds_what_would_run(browser: "Browser") -> None:
    context = browser.new_context()
    page, said = context.new_page(), []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.set_content(f"<base href=https://x.example><p class=prose>{RUNS}<a href=/admin/>x</a>")
    page.wait_for_timeout(200)
    assert said == ["1"]
    assert len(page.evaluate(LOOK)) >= 3
    context.close()


def test_p42_no_page_runs_or_fetches_what_it_shows(
    page: "Page", sign_in: SignIn, web: Web, model_server: ModelServer, ran: list[str]
) -> None:
    sign_in(page, "owner")
    looked_at(page, web, len(PAYLOADS) - FEW, len(PAYLOADS), most=8)
    streams(page, web, model_server, PAYLOADS[::STREAMS])
    assert ran == []


@pytest.mark.deep
def test_p42_in_full(
    page: "Page", sign_in: SignIn, web: Web, model_server: ModelServer, ran: list[str]
) -> None:
    sign_in(page, "owner")
    pages = 0
    for first in range(0, len(PAYLOADS), TURNS):
        pages += looked_at(page, web, first, min(first + TURNS, len(PAYLOADS)))
    for first in range(STREAMS):
        streams(page, web, model_server, PAYLOADS[first::STREAMS])
    print(f"{len(PAYLOADS)} payloads on {pages} pages and in {STREAMS} streams")
    assert ran == []
