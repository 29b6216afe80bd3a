"""A browser that reports what no page of ours may do: complain, or call another host."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.conftest import started_browser
from tests.servers import Web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Said by the browser when a test takes its network or the server away, or a file is refused.
EXPECTED = re.compile(
    "ERR_(INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED)"
    "|status of 4.*(/library/upload|/turns|/conversations/new|/account/settings)"
)


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
def page(page: "Page", web: Web) -> Iterator["Page"]:
    """A page that may not write errors to the console, nor ask any other host for anything."""
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
