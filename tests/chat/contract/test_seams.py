"""The second piece of an answer goes on where the first was cut, without a doubled word."""

import pytest

from chat.contract.seams import Seam, find_last_word, is_whole


@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("It is the", "fifteenth day.", "It is the fifteenth day."),
        ("It is the", " fifteenth day.", "It is the fifteenth day."),
        ("It is the ", "the fifteenth day.", "It is the  fifteenth day."),
        ("It is the fifteenth day", "the fifteenth day of each month.", None),
        ("It is the fifteenth day", "… day of each month.", None),
        ("It is so", ", as far as it says.", "It is so, as far as it says."),
        ("- one\n- two", "- three", "- one\n- two\n- three"),
        ("One.\n\n", "Two.", "One.\n\nTwo."),
        ("每个日历月的第十五天", "为确定日。", "每个日历月的第十五天为确定日。"),
        ("It is the fifteenth.", "", "It is the fifteenth."),
    ],
)
def test_pieces_are_joined(first: str, second: str, whole: str | None, size: int) -> None:
    seam = Seam(first)
    given = "".join(seam.feed(second[at : at + size]) for at in range(0, len(second), size))
    joined = first + given + seam.close()
    assert " ".join(joined.split(" ")) == joined
    expected = whole or "It is the fifteenth day of each month."
    assert joined.replace("  ", " ") == expected.replace("  ", " ")


def test_an_answer_that_begins_anew_does_not_go_on() -> None:
    first = "The Determination Date is the fifteenth day of each calendar month, as it says in"
    seam = Seam(first)
    assert seam.feed(first + " section two.") + seam.close() == ""
    assert seam.has_begun_anew


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The fee is 12", "12"),
        ("The fee is 12,5", "12,5"),
        ("It is exam", "exam"),
        ("It is so. ", ""),
        ("每个日历月", ""),
        ("x" * 100, ""),
        ("It is so [1]", ""),
    ],
)
def test_the_last_word_of_a_text_may_be_half_a_word(text: str, word: str) -> None:
    assert text[find_last_word(text) :] == word


def test_the_last_word_of_a_sentence_is_whole() -> None:
    assert is_whole("month.")
    assert not is_whole("3.")
    assert not is_whole("mon")
