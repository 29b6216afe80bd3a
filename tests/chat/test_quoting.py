"""The answerer that needs no model picks the sentence that answers."""

from uuid import uuid4

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


def quoted(query: str, *texts: str, heading: str = "Dates", meaning: bool = True) -> str:
    passages = [Passage(text=text, heading=heading) for text in texts]
    offers = [Offer(label, passage, uuid4()) for label, passage in enumerate(passages, start=1)]
    return quote(query, offers, vector=embed_query(query) if meaning else None)


def first_quote(query: str, text: str, *, heading: str = "Dates", meaning: bool = True) -> str:
    return quoted(query, text, heading=heading, meaning=meaning).split("\n\n")[0]


@pytest.mark.parametrize("meaning", [True, False])
def test_a_definition_answers_what_something_is(meaning: bool) -> None:
    found = first_quote("What is the Determination Date?", TEXT, meaning=meaning)
    assert found == "“'Determination Date' means the fifteenth day of each month.” [1]"


def test_a_figure_answers_how_much() -> None:
    found = first_quote("How high is the risk of ovarian cancer for BRCA1 carriers?", RISK)
    assert "44%" in found


def test_a_name_answers_who() -> None:
    text = (
        "The best backend candidate meets every requirement. "
        "The work that María García did on the backend was among the best."
    )
    assert "María García" in quoted("Who is the best for the backend?", text)


def test_a_comparison_quotes_each_document_once() -> None:
    first = "Ann Lee has nine years of enterprise experience. Ann Lee likes enterprise experience."
    second = "Bo Kim has seven months of enterprise experience."
    answer = quoted("Which has more enterprise experience, compared?", first, second)
    assert [answer.count(name) for name in ("Ann Lee", "Bo Kim")] == [1, 1]


def test_a_document_with_much_to_say_does_not_crowd_out_the_other_of_a_comparison() -> None:
    first = " ".join(
        f"Ann Lee did project number {number} of an enterprise." for number in range(20)
    )
    answer = quoted("compare Ann Lee and Bo Kim", first, "Bo Kim did a project of an enterprise.")
    assert [answer.count(name) for name in ("Ann Lee", "Bo Kim")] == [1, 1]


def test_whoever_asks_for_more_gets_what_was_not_quoted_before() -> None:
    vector = embed_query("What is the Determination Date?")
    offers = [Offer(1, Passage(text=TEXT, heading="Dates"), uuid4())]
    said: list[str] = []
    for _ in range(4):
        asked = "What is the Determination Date?"
        said.append(quote(asked, offers, vector=vector, typed="show me more", said=said))
    quotes = [line for answer in said for line in answer.split("\n\n")]
    assert quotes[-1] == "The library holds nothing more on this question."
    kept = [line for line in quotes if line != quotes[-1]]
    assert len(kept) == len(set(kept)) == 3


def test_a_reason_answers_why() -> None:
    text = (
        "The payment is due on the Distribution Date of each month. "
        "The payment is due then because the collections must clear before the payment."
    )
    assert quoted("Why is the payment due?", text).startswith("“The payment is due then because")


def test_a_bibliography_is_never_quoted() -> None:
    answer = first_quote("What is the Determination Date?", TEXT, heading="Notes › Sources")
    assert answer == "The library holds nothing on this question."


def test_a_quoted_text_cannot_pass_for_markdown_or_for_markers() -> None:
    text = "# The **Determination Date** is shown in `table` [2] of the agreement."
    found = first_quote("What is the Determination Date?", text)
    assert found == "“The Determination Date is shown in table (2) of the agreement.” [1]"
