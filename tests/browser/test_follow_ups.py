"""Conversations over the sample library without a language model: questions lean on each other."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_journey import ask

playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SignIn = Callable[["Page", str], None]

# Questions, and the text that each answer must contain.
JOURNEYS = {
    "dates": [
        ("What is the Determination Date?", ["fifteenth day of each calendar month"]),
        ("And what happens if it falls on a weekend?", ["preceding Business Day"]),
        ("Does the same rule apply to the Distribution Date?", ["next Business Day"]),
        ("So which comes first?", ["Determination Date precedes the Distribution Date"]),
    ],
    "advances": [
        ("What are Servicer Advances?", ["Servicer Advance"]),
        ("Who is responsible for that?", ["The Servicer is responsible for making"]),
    ],
    "BRCA1": [
        ("How high is the risk of breast cancer for BRCA1 carriers?", ["BRCA1", "breast"]),
        ("What about in ovarian cancer?", ["BRCA1", "ovarian cancer"]),
    ],
    "PI3K": [
        ("Which genes belong to the PI3K pathway?", ["PIK3CA, PIK3CB"]),
        ("Tell me more about PIK3CA", ["PIK3CA"]),
        ("What are the drugs targeting it?", ["alpelisib", "inavolisib"]),
    ],
    "candidates": [
        ("Who is the best for Backend?", ["María García"]),
        ("How many years of experience does she have?", ["María García has seven years"]),
        ("compare the first two", ["María García", "Tomasz Nowak"]),
        ("Which is better for an enterprise project?", ["María García", "enterprise"]),
    ],
}


@pytest.mark.deep
@pytest.mark.parametrize("journey", JOURNEYS)
def test_each_question_finds_what_it_means(page: "Page", sign_in: SignIn, journey: str) -> None:
    sign_in(page, "owner")
    for number, (question, expected) in enumerate(JOURNEYS[journey], start=1):
        ask(page, question)
        for words in expected:
            expect(page.locator(f"#turn-{number} .prose")).to_contain_text(words)


def test_the_page_says_what_it_searched_for_and_searches_as_typed_on_demand(
    page: "Page", sign_in: SignIn
) -> None:
    sign_in(page, "owner")
    for question, _ in JOURNEYS["dates"][:2]:
        ask(page, question)
    searched = page.locator("#turn-2 .searched")
    expect(searched).to_contain_text("Searched for")
    expect(searched).to_contain_text("Determination Date")
    searched.locator("summary").click()
    searched.get_by_role("button", name="Search exactly what I typed").click()
    expect(page.locator("#turn-3 .question")).to_have_text(JOURNEYS["dates"][1][0])
    expect(page.locator("#turn-3 .prose")).to_be_visible()
    expect(page.locator("#turn-3 .searched")).to_have_count(0)
