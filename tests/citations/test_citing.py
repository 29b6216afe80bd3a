"""Citations [n] in an answer: their numbers, targets and scores."""

import pytest
from hypothesis import given, strategies as st
from uuid_utils.compat import uuid7

from citations.attribution.offers import Offer
from citations.attribution.statements import Statement, split_clauses, split_statements
from citations.attribution.statements.lines import find_best_sentence
from citations.attribution.streaming import Citing
from citations.models import Passage
from memory.text.citation_markers import strip_markers

FIRST, SECOND = uuid7(), uuid7()


def citing(numbers: dict | None = None) -> Citing:
    """Two passages of the first document under 1 and 2, one of the second under 3."""
    offers = [
        Offer(label, Passage(pk=label), document)
        for label, document in ((1, FIRST), (2, FIRST), (3, SECOND))
    ]
    known = numbers or {}
    return Citing(
        offers={offer.label: offer for offer in offers},
        numbers=dict(known),
        next_number=max(known.values(), default=0) + 1,
    )


def fed(text: str, numbers: dict | None = None, size: int = 1) -> Citing:
    state = citing(numbers)
    given_out = "".join(state.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert given_out + state.close() == state.text
    return state


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("It is the 15th [1].", "It is the 15th [1]."),
        ("It is the 15th[2].", "It is the 15th[1]."),
        ("One [3]. Two [1].", "One [1]. Two [2]."),
        ("Both [1][3].", "Both [1][2]."),
        ("Both [1, 3].", "Both [1][2]."),
        ("Footnote [^1].", "Footnote [1]."),
        ("Unknown [7].", "Unknown."),
        ("One of two [1, 9].", "One of two [1]."),
        ("No marker [a] or [] or [1", "No marker [a] or [] or [1"),
        ("A [link](http://evil.example)", "A [link](http://evil.example)"),
        ("`code[1]` and [1]", "`code[1]` and [1]"),
        ("```\nx[1]\n```\nThen [3].", "```\nx[1]\n```\nThen [1]."),
    ],
)
def test_labels_become_the_numbers_of_the_session(answer: str, shown: str) -> None:
    assert fed(answer).text == shown


def test_a_document_keeps_the_number_it_has() -> None:
    assert fed("New [3], old [1].", {FIRST: 5}).text == "New [6], old [5]."


def test_markers_that_were_not_offered_are_counted() -> None:
    assert fed("A [8]. B [1, 9]. C [1].").removed == 2


def test_each_marker_knows_where_it_stands() -> None:
    state = fed("One [1]. Two [3][2].")
    assert [state.text[m.start :][:3] for m in state.markers] == ["[1]", "[2]", "[1]"]
    assert [m.offer.label for m in state.markers] == [1, 3, 2]


def test_half_a_marker_never_shows() -> None:
    state = citing()
    shown = [state.feed(piece) for piece in ("The date", " [", "1", "]", " is")]
    assert shown == ["The date", "", "", " [1]", " is"]


@given(st.text(alphabet="ab .[]1,39^`\n", max_size=60), st.integers(1, 7))
def test_it_makes_no_difference_how_the_answer_is_cut(text: str, size: int) -> None:
    whole, pieces = fed(text, size=1000), fed(text, size=size)
    assert whole.text == pieces.text
    assert whole.markers == pieces.markers


@given(st.text(alphabet="ab .[]1,39^\n", max_size=60))
def test_every_marker_left_in_the_text_was_offered(text: str) -> None:
    state = fed(text)
    for marker in state.markers:
        assert state.text[marker.start :].startswith(f"[{marker.number}]")


def stated(state: Citing) -> list[Statement]:
    return split_statements(state.text, state.markers, state.asides)


def clauses(state: Citing) -> list[str]:
    """The clause of each marker."""
    return [clause.said for each in stated(state) for clause in split_clauses(state.text, each)]


def test_a_claim_is_the_sentence_that_the_marker_ends() -> None:
    state = fed("The first is long. The second is short [1]. A third [3].")
    assert clauses(state) == ["The second is short", "A third"]


def test_two_markers_in_a_sentence_have_a_clause_each() -> None:
    state = fed("It is the 15th [1], or the day before [3].")
    assert clauses(state) == ["It is the 15th", ", or the day before"]
    assert len(stated(state)) == 1


def test_markers_side_by_side_share_their_claim() -> None:
    state = fed("It is the 15th [1][3].")
    assert clauses(state) == ["It is the 15th"] * 2


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    state = fed("Some start. It is the 15th. [1]")
    assert clauses(state) == ["It is the 15th."]


PASSAGE = "The fee is due monthly. The Determination Date is the 15th day. Nothing else."


def test_the_quote_is_the_sentence_that_says_most_of_the_claim() -> None:
    quote, score = find_best_sentence("The Determination Date is the 15th day", PASSAGE)
    assert quote == "The Determination Date is the 15th day."
    assert score == 1.0


def test_a_claim_that_is_not_in_the_passage_scores_low() -> None:
    assert find_best_sentence("Olaparib lowers the risk of progression", PASSAGE)[1] == 0.0


def test_a_wrong_figure_is_a_wrong_claim() -> None:
    assert find_best_sentence("The Determination Date is the 16th day 2019", PASSAGE)[1] <= 0.3


def test_later_prompts_see_an_answer_without_its_numbers() -> None:
    assert strip_markers("It is the 15th [1][2], or so [3].") == "It is the 15th, or so."


@pytest.mark.parametrize("code", ["`x[0]`", "```\ny = x[1] + x[2]\n```", "> ```\n> a[3]\n> ```"])
def test_what_looks_like_a_marker_in_code_stays(code: str) -> None:
    assert strip_markers(f"As here [1]:\n\n{code}\n\nand there [2].") == (
        f"As here:\n\n{code}\n\nand there."
    )
