"""Words, counted: what comes out of the bytes is what went in."""

import numpy as np
from hypothesis import given, settings, strategies as st

from memory.text.word_counts import MOST_COUNTED, WordCounts

texts = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=30), max_size=12)


def held(counts: WordCounts) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {number: {} for number in counts.numbers.tolist()}
    for term in "abcdefgh":
        for row, often in zip(*counts.entries(term), strict=True):
            found[int(counts.numbers[row])][term] = int(often)
    return found


def expected(texts: list[list[str]]) -> dict[int, dict[str, int]]:
    return {
        number: {term: words.count(term) for term in words}
        for number, words in enumerate(texts, start=100)
    }


@settings(max_examples=50)
@given(texts, st.integers(0, 12))
def test_counts_survive_packing_joining_and_choosing(words: list[list[str]], half: int) -> None:
    numbers = list(range(100, 100 + len(words)))
    blocks = [
        WordCounts.count(numbers[:half], words[:half]),
        WordCounts.count(numbers[half:], words[half:]),
    ]
    joined = WordCounts.joined([WordCounts.unpacked(block.packed()) for block in blocks])
    assert held(WordCounts.unpacked(joined.packed())) == expected(words)
    assert joined.lengths.tolist() == [len(text) for text in words]
    backwards = joined.taken(np.arange(len(words))[::-1][: len(words) // 2])
    kept = numbers[::-1][: len(words) // 2]
    assert backwards.numbers.tolist() == kept
    assert held(backwards) == {number: expected(words)[number] for number in kept}


def test_many_blocks_are_counted_as_one() -> None:
    blocks = [WordCounts.count([*range(at, at + 200)], [["a"]] * 200) for at in range(0, 1000, 200)]
    joined = WordCounts.joined(blocks)
    assert joined.count_texts("a") == 1000
    assert sorted(joined.entries("a")[0].tolist()) == [*range(1000)]


def test_what_stands_there_very_often_counts_as_often_as_can_be_kept() -> None:
    assert held(WordCounts.count([7], [["a"] * 1000])) == {7: {"a": MOST_COUNTED}}


def test_a_count_takes_six_bytes() -> None:
    words = [[f"{row}-{term}" for term in range(50)] for row in range(200)]
    assert len(WordCounts.count([*range(200)], words).packed()) <= 6 * 50 * 200 + 12 * 200 + 16
