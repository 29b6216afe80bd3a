"""Structured answers on the page: asked for, sorted, as cards on a phone."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]
PICTURES = os.environ.get("PICTURES")


def picture(page: "Page", name: str) -> None:
    """Keep a picture for who looks at it, where PICTURES names a folder."""
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


def test_a_comparison_is_asked_for_sorted_and_a_card_for_each_row_on_a_phone(
    page: "Page", sign_in: SignIn, web: Web
) -> None:
    sign_in(page, "owner")
    picture(page, "composer")
    page.get_by_label("Answer as").select_option("comparison")
    page.get_by_label("Your question").fill("Compare the CVs of Ana Ribeiro and Juan Pérez")
    page.keyboard.press("Enter")
    table = page.locator("#turn-1 .is-structured table")
    expect(table.locator("tbody tr").nth(1)).to_be_visible()
    expect(page.get_by_role("link", name="Download CSV")).to_be_visible()
    expect(page.get_by_role("button", name="Copy as Markdown")).to_be_visible()
    expect(table.locator("td a.citation").first).to_be_visible()
    picture(page, "table")

    page.locator("th .sort").first.click()
    up = table.locator("tbody td:first-child").all_inner_texts()
    page.locator("th .sort").first.click()
    down = table.locator("tbody td:first-child").all_inner_texts()
    assert up == sorted(up, key=str.casefold)
    assert down == up[::-1]

    page.set_viewport_size({"width": 390, "height": 844})
    cell = table.locator("tbody tr").first.locator("td").nth(1)
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") not in ("none", '""')
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "cards")
    page.emulate_media(color_scheme="dark")
    picture(page, "cards-dark")
    page.set_viewport_size({"width": 1280, "height": 900})
    picture(page, "table-dark")
