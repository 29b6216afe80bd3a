"""The admin as those who run the place meet it: by eye, by ear, by keyboard, on a phone."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_every_page import violations
from tests.servers import Web, come_in_by

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = [(1440, 900, "light"), (390, 844, "dark")]
FURNISH = """
from citations.models import Document
from memory import holds
from memory.forgetting.erasure import requests
from memory.models import User
from memory.people.staff import emergencies
from memory.people.sign_in.links import link_path
from tests.memory.retained import session_of
from tests.people import person
boss, someone = person("boss", is_staff=True, is_superuser=True), person("someone")
session = session_of(someone, turns=2)
hold = holds.place(session, reason="A case", author=boss)
requests.confirm(requests.ask(someone, "account", actor=boss.pk), actor=boss.pk)
opening = emergencies.open_conversations(someone, operator=boss, reason="They don't answer")
print(someone.pk, session.pk, hold.pk, opening.pk, Document.objects.first().pk, link_path(boss))
"""
PAGES = """
    / /memory/user/ /memory/user/{person}/change/ /memory/user/{person}/link/
    /memory/session/?q=someone /memory/session/{session}/change/ /memory/session/{session}/erase/
    /memory/legalhold/ /memory/legalhold/{hold}/change/ /memory/legalhold/{hold}/release/
    /memory/waitingdeletion/ /memory/erasurerequest/queue/ /memory/auditevent/ /memory/consent/
    /memory/emergencyaccess/ /memory/emergencyaccess/{opening}/read/
    /memory/emergencyaccess/{opening}/read/{session}/ /memory/pendingact/
    /memory/retentionpolicy/ /citations/document/{document}/change/ /memory/certificate/
""".split()


@pytest.fixture(scope="module")
def web(start_web: Callable[..., Web]) -> Web:
    return start_web()


@pytest.fixture(scope="module")
def places(web: Web) -> dict[str, str]:
    names = ("person", "session", "hold", "opening", "document", "link")
    return dict(zip(names, web.python(FURNISH).splitlines()[-1].split(), strict=False))


@pytest.fixture(scope="module")
def pages(browser: "Browser", web: Web, places: dict[str, str]) -> list["Page"]:
    """The admin on a wide light screen and on a narrow dark one."""
    first = browser.new_context()
    come_in_by(first.new_page(), web.url + places["link"])
    opened = []
    for width, height, scheme in SCREENS:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            storage_state=first.storage_state(),
        )
        opened.append(context.new_page())
    return opened


@pytest.mark.deep
def test_every_page_is_accessible_and_within_the_screen(
    web: Web, places: dict[str, str], pages: list["Page"]
) -> None:
    wrong: list[str] = []
    for path in PAGES:
        for page in pages:
            place = path.format(**places)
            answered = page.goto(f"{web.url}/admin{place}", wait_until="networkidle")
            assert answered is not None
            assert answered.status == 200, place
            if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
                wrong.append(f"{place}: is wider than the screen")
            # That its frame has no landmarks is django-unfold's.
            found = [one for one in violations(page) if not one.startswith(("region", "landmark"))]
            wrong += [f"{place}: {what}" for what in found]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.deep
def test_the_keyboard_gets_past_the_navigation_and_icons_are_not_read(
    web: Web, pages: list["Page"]
) -> None:
    page = pages[0]
    page.goto(f"{web.url}/admin/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.wait_for_url("**#content")
    page.keyboard.press("Tab")
    assert page.evaluate("document.getElementById('content').contains(document.activeElement)")
    expect(page.get_by_role("link", name="Legal holds", exact=True).first).to_be_visible()
    expect(page.get_by_role("img", name="Legal holds, by days since they began")).to_be_visible()
