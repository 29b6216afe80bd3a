"""A text that goes in circles is told while it comes; one that only has a rhythm is not."""

import pytest

from chat.contract.looping import Repetition, cut_repetition

SENTENCE = "The fifteenth day of each calendar month is the Determination Date [1]. "
TABLE = "| Length | Summer | Winter |\n| --- | --- | --- |\n" + "".join(
    f"| up to {metres} m | {metres * 3} euros | {metres * 2} euros |\n" for metres in range(5, 40)
)
LIST = "".join(
    f"{number}. The harbour has {number * 7} berths of kind {chr(96 + number)}, all of them free.\n"
    for number in range(1, 15)
)


def fed(text: str, size: int = 7) -> Repetition:
    """Watch the text come in pieces, and no longer than it has to be."""
    watch = Repetition()
    for at in range(0, len(text), size):
        if watch.feed(text[at : at + size]):
            break
    return watch


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    "stretch",
    [
        SENTENCE,
        "no, ",
        "It is Monday. It is not Monday. ",
        "合同规定每个日历月的第十五天为确定日。",
        "Each day has its own rules, and each of them is listed in the annex to this. " + SENTENCE,
        "aaaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_what_is_said_again_and_again_ends_after_the_first_time(stretch: str, size: int) -> None:
    start = "As far as the agreement says, here is the answer. "
    text = start + stretch * 60
    watch = fed(text, size)
    assert watch.begins is not None
    kept = cut_repetition(text, watch.begins)
    assert kept.startswith(start.strip())
    assert len(kept) <= len(start + stretch) + 120  # a word without an end is cut anywhere


def test_items_that_only_differ_in_their_number_are_the_same() -> None:
    text = "".join(f"{number}. Pay the deposit of fifty euros.\n" for number in range(1, 40))
    watch = fed(text)
    assert watch.begins is not None
    assert cut_repetition(text, watch.begins) == "1. Pay the deposit of fifty euros."


def test_a_sentence_that_comes_back_between_others_is_a_circle_too() -> None:
    text = "".join(f"Number {n} of them is {n * n} wide. {SENTENCE}" for n in range(20))
    assert fed(text).begins is not None


def test_signs_without_a_word_come_to_an_end() -> None:
    watch = fed("It is so. " + "\n\n - " * 2_000)
    assert watch.begins is not None
    assert watch.begins < 20


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        LIST,
        SENTENCE * 2 + "On a weekend it is the preceding Business Day [2].",
        "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z",
        "```\n" + "".join(f"row{n} = make({n})\n" for n in range(50)) + "```",
        " ".join(f"word{n}" for n in range(500)),
        "- yes\n- no\n- yes\n- no\n- yes\n- yes\n- no\n",
    ],
)
def test_what_has_a_rhythm_is_no_circle(text: str) -> None:
    assert fed(text).begins is None
