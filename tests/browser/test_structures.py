"""Structured answers on the page: asked for, sorted, on a phone, on paper; the seed's cases."""

import os
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from tests.browser.test_journey import ask
from tests.servers import Web

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

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


# --- The seed's three test cases ------------------------------------------------------------------

SENIORITY = [
    ("Who is the best for Backend?", "How many years of experience does she have?"),
    ("¿Quién es el mejor para Backend?", "¿Cuántos años de experiencia tiene?"),
]
COMPARING = [
    ("Compare Frontend candidates", "Which is better for an enterprise project?"),
    ("Compara los candidatos de Frontend", "¿Cuál es mejor para un proyecto empresarial?"),
]


def rows_of(page: "Page", turn: int) -> "Locator":
    return page.locator(f"#turn-{turn} .is-structured tbody tr")


@pytest.mark.parametrize("questions", SENIORITY)
def test_who_is_best_and_how_long_she_has_worked_without_a_model(
    page: "Page", sign_in: SignIn, questions: tuple[str, str]
) -> None:
    sign_in(page, "owner")
    for each in questions:
        ask(page, each)
    expect(rows_of(page, 1).first).to_contain_text("María García")
    expect(page.locator("#turn-2 .prose")).to_contain_text("seven years of backend experience")


@pytest.mark.parametrize("questions", COMPARING)
def test_candidates_are_compared_and_then_by_the_project_without_a_model(
    page: "Page", sign_in: SignIn, questions: tuple[str, str]
) -> None:
    sign_in(page, "owner")
    for each in questions:
        ask(page, each)
    expect(rows_of(page, 1).filter(has_text="Ana Ribeiro")).to_have_count(1)
    expect(page.locator("#turn-2 .prose")).to_contain_text("enterprise")
    expect(page.locator("#turn-2 .searched")).to_contain_text("Juan Pérez")


def test_a_table_is_whole_on_paper(page: "Page", sign_in: SignIn) -> None:
    sign_in(page, "owner")
    page.get_by_label("Answer as").select_option("comparison")
    ask(page, "Compare the CVs of the frontend engineers")
    page.set_viewport_size({"width": 700, "height": 900})  # of A4
    page.emulate_media(media="print")
    table = page.locator("#turn-1 .is-structured table")
    assert table.evaluate("table => table.scrollWidth <= table.closest('.turn').clientWidth + 1")
    expect(page.locator(".table-actions")).to_be_hidden()
    picture(page, "print")
    text = " ".join(each.extract_text() for each in PdfReader(BytesIO(page.pdf())).pages)
    names = table.locator("tbody td:first-child").all_inner_texts()
    assert len(names) > 1
    assert all(name.split()[0] in text for name in names)
    assert "[1]" in text or "1" in table.locator("a.citation").first.inner_text()
