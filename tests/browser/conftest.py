"""A browser that reports what no page of ours may do: complain, or call another host."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import started_browser
from tests.people import PASSWORD
from tests.servers import Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Said by the browser when a test takes its network or the server away, or a file is refused.
EXPECTED = re.compile(
    "ERR_(INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED)"
    "|status of 4.*(/library/upload|/turns|/conversations/new|/account/settings)"
)
FORM = "/account/login/"


@pytest.fixture(scope="package")
def chromium() -> Iterator["Browser"]:
    """One Chromium for all modules here: none has async tests, and each test has a profile."""
    yield from started_browser()


@pytest.fixture(scope="module")
def browser(chromium: "Browser") -> Iterator["Browser"]:
    """That Chromium, left to the next module with no page open."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def page(page: "Page", web: Web, request: pytest.FixtureRequest) -> Iterator["Page"]:
    """A page that may not write errors to the console, nor ask any other host for anything.

    Nothing is animated, which takes a sixth of what the browser computes; but it is in the journey.
    """
    if "test_journey" not in request.node.nodeid:
        page.emulate_media(reduced_motion="reduce")
    complaints: list[str] = []
    elsewhere: list[str] = []
    page.on(
        "console",
        lambda message: (
            message.type in ("error", "warning")
            and complaints.append(f"{message.text} {message.location['url']}")
        ),
    )
    page.on("request", lambda request: elsewhere.append(request.url))
    yield page
    assert not [text for text in complaints if not EXPECTED.search(text)]
    assert not [url for url in elsewhere if not url.startswith(web.url)]


@pytest.fixture(scope="module")
def cookies(web: Web) -> dict[str, list[Any]]:
    """The cookies of the people who have signed in at this module's server, as long as it runs."""
    return {}


@pytest.fixture
def sign_in(web: Web, cookies: dict[str, list[Any]]) -> Callable[["Page", str], None]:
    """Let a page be at home as someone who has signed in before: `sign_in(page, "owner")`.

    A password is slow to check by design, and the form is another page to load.
    """

    def by_cookies(page: "Page", name: str) -> None:
        if name not in cookies:
            cookies[name] = cookies_of(web, name)
        page.context.add_cookies(cookies[name])
        page.goto(web.url)
        if FORM in page.url:  # that session has been ended
            del cookies[name]
            by_cookies(page, name)

    return by_cookies


def cookies_of(web: Web, name: str) -> list[Any]:
    """Return what a browser has when the person has just signed in by the form."""
    with web.client() as other:
        other.get(FORM)
        form = {"login": name, "password": PASSWORD}
        form["csrfmiddlewaretoken"] = other.cookies["csrftoken"]
        assert other.post(FORM, data=form).status_code == 302
        return [
            {"name": cookie.name, "value": str(cookie.value), "url": web.url}
            for cookie in other.cookies.jar
        ]
