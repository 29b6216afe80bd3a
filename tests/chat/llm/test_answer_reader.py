"""A model's output is read the same however it is split, and within bounds."""

import time
import unicodedata

import pytest
from hypothesis import given, settings, strategies as st

from chat.llm.answer_reader import (
    MAX_CHARACTERS,
    MAX_REASONING,
    AnswerReader,
)

TRICKY = [
    "<think>", "</think>", "<THINKING>", "</thinking>", "<", "<thi", "nk>", "`", "\n", "\r\n", "|",
    "a", "é", "e\u0301\u0301", "\u200b", "\u200d", "\u200c", "\u202e", "\x00", "\ue000", "\ufe0f",
    "\ud83d", "\ude00", "😀", "👩\u200d👧", "<|channel|>analysis<|message|>", "<|end|>",
    "<|start|>assistant", "<|channel|>final<|message|>", "K", "ſ", " ", "[1]",
]  # fmt: skip
pieces = st.lists(st.one_of(st.sampled_from(TRICKY), st.text(max_size=4)), max_size=40)


def read(*said: str, tokens: int = 1000, begins_in_thought: bool = False) -> tuple[str, str]:
    reader = AnswerReader(tokens, begins_in_thought=begins_in_thought)
    answer = "".join(map(reader.feed, said)) + reader.close()
    return answer, reader.reasoning


@given(pieces, st.integers(1, 5), st.booleans())
@settings(max_examples=50)  # to draw them takes most of the time
def test_pieces_are_read_as_the_whole_is(said: list[str], tokens: int, begins: bool) -> None:
    whole = "".join(said)
    expected = read(whole, tokens=tokens, begins_in_thought=begins)
    assert read(*said, tokens=tokens, begins_in_thought=begins) == expected
    assert read(*whole, tokens=tokens, begins_in_thought=begins) == expected


@given(pieces)
def test_nothing_unseen_is_left(said: list[str]) -> None:
    answer, reasoning = read(*said)
    for character in answer + reasoning:
        assert character in "\n\t\u200c\u200d" or unicodedata.category(character) not in (
            "Cc", "Co", "Cs",
        )  # fmt: skip
        assert character not in "\u200b\u202e\u2066\ufeff\u00ad"
    answer.encode()


@pytest.mark.parametrize(
    ("said", "answer", "reasoning"),
    [
        ("<think>Hm.</think>\n\nThe 15th [1].", "The 15th [1].", "Hm."),
        ("<thinking>[3]</thinking>Yes [1].", "Yes [1].", "[3]"),
        ("<THINK>so</THINK>It is.", "It is.", "so"),
        ("<think>It never ends [1]", "", "It never ends [1]"),
        ("First. <think>hm</think>Second.", "First. Second.", "hm"),
        ("The tag `<think>` opens a thought.", "The tag `<think>` opens a thought.", ""),
        ("a < b and <b>c</b>", "a < b and <b>c</b>", ""),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
            "Yes.",
            "Hm.",
        ),
        ("pay\u200bpal \u202eevil\x00\ue001", "paypal evil", ""),
        ("می\u200cخواهم", "می\u200cخواهم", ""),
        ("a\u200cb", "ab", ""),
        ("line\r\nline\u2028line", "line\nline\nline", ""),
        ("\ud83d\ude00", "😀", ""),
    ],
)
def test_thoughts_and_what_nobody_sees_are_taken_out(
    said: str, answer: str, reasoning: str
) -> None:
    assert read(said) == (answer, reasoning)


def test_what_begins_in_the_prompt_is_a_thought_until_it_is_closed() -> None:
    assert read("Hm.</think>Yes.", begins_in_thought=True) == ("Yes.", "Hm.")
    reader = AnswerReader(100)
    assert reader.feed("Hm.</think>Yes.") == "Hm.Yes."
    assert reader.closed_unopened


def test_an_answer_is_not_lost_because_a_thought_was_presumed() -> None:
    assert read("The 15th ", "[1].", begins_in_thought=True) == ("The 15th [1].", "")


def test_an_answer_is_cut_at_its_bounds() -> None:
    assert len(read("x" * 10_000_000, tokens=10**9)[0]) == MAX_CHARACTERS
    assert len(read("word " * 1000, tokens=10)[0]) == 80
    assert len(read("<think>" + "x" * 10_000_000)[1]) == MAX_REASONING


def test_thoughts_without_end_are_an_end() -> None:
    reader = AnswerReader(100)
    fed = 0
    while not reader.is_full:
        assert reader.feed("", "thinking " * 100) == ""
        fed += 1
    assert fed < 1000


def test_marks_are_not_piled_on_a_letter() -> None:
    assert len(read("e" + "\u0301" * 50_000, tokens=10**6)[0]) < 50


@pytest.mark.parametrize("text", ["<", "<think", "`<think>", "é\u200d", "|\n", "\ud83d"])
def test_four_times_the_text_takes_at_most_five_times_the_time(text: str) -> None:
    def seconds(times: int) -> float:
        said = [text] * times
        best = 9.0
        for _ in range(3):
            reader = AnswerReader(10**9)
            begun = time.thread_time()
            for piece in said:
                reader.feed(piece)
            reader.close()
            best = min(best, time.thread_time() - begun)
        return best

    # Another process may take the processor's cache away meanwhile.
    assert any(seconds(8_000) <= 5 * seconds(2_000) + 0.005 for _ in range(3))
