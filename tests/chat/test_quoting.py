"""The answerer that needs no model picks the sentence that answers."""

import pytest

from chat.quoting import quote
from citations.citing import Offer
from citations.models import Passage
from memory.embedding import embed_query

TEXT = (
    "The Determination Date is set out in the schedule. "
    '"Determination Date" means the fifteenth day of each month. '
    "Nothing is due before the first Determination Date."
)
RISK = (
    "The typical ovarian cancer in BRCA1 carriers is high-grade serous carcinoma. "
    "The cumulative risk of ovarian cancer to age 80 is 44% for women who carry BRCA1."
)


def first_quote(query: str, text: str, *, heading: str = "Dates", meaning: bool = True) -> str:
    offers = [Offer(1, Passage(text=text, heading=heading), None)]  # type: ignore[arg-type]
    return quote(query, offers, vector=embed_query(query) if meaning else None).split("\n\n")[0]


@pytest.mark.parametrize("meaning", [True, False])
def test_a_definition_answers_what_something_is(meaning: bool) -> None:
    found = first_quote("What is the Determination Date?", TEXT, meaning=meaning)
    assert found == "“'Determination Date' means the fifteenth day of each month.” [1]"


def test_a_figure_answers_how_much() -> None:
    found = first_quote("How high is the risk of ovarian cancer for BRCA1 carriers?", RISK)
    assert "44%" in found


def test_a_bibliography_is_never_quoted() -> None:
    answer = first_quote("What is the Determination Date?", TEXT, heading="Notes › Sources")
    assert answer == "The library holds nothing on this question."


def test_a_quoted_text_cannot_pass_for_markdown_or_for_markers() -> None:
    text = "# The **Determination Date** is shown in `table` [2] of the agreement."
    found = first_quote("What is the Determination Date?", text)
    assert found == "“The Determination Date is shown in table (2) of the agreement.” [1]"
