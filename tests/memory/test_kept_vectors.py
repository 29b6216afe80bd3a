"""Vectors are kept within bounds, for whoever holds the text, and a person's for minutes only."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from memory.text.embedding import kept
from memory.text.embedding.kept import AROUND, KeptVectors, embed_kept
from tests.surroundings import wait_until

ONE = 4 * 4 + AROUND


class Engine:
    """Counts what it is asked for; a text's vector depends on the text alone."""

    model = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([[len(text), ord(text[0]), 1, 2] for text in texts], np.float32)


def vector(number: int) -> np.ndarray:
    return np.full(4, number, np.float32)


def test_a_text_is_embedded_once_and_comes_back_bit_by_bit() -> None:
    engine = Engine()
    first = embed_kept(engine, ["one", "two", "one"], [None] * 3)
    again = embed_kept(engine, ["two", "three", "one"], [None] * 3)
    assert engine.asked == ["one", "two", "three"]
    assert first.tobytes() == Engine().embed(["one", "two", "one"]).tobytes()
    assert again.tobytes() == Engine().embed(["two", "three", "one"]).tobytes()


def test_what_is_one_persons_is_found_by_nobody_else_nor_in_another_space() -> None:
    engine = Engine()
    embed_kept(engine, ["mine"], [1])
    embed_kept(engine, ["mine"], [2])
    embed_kept(engine, ["mine"], [None])
    engine.model = "another"
    embed_kept(engine, ["mine"], [1])
    assert engine.asked == ["mine"] * 4
    assert (len(kept.private), len(kept.shared)) == (3, 1)


def test_the_least_lately_used_makes_room_and_bytes_stay_within_the_bound() -> None:
    store = KeptVectors(3 * ONE)
    for number in range(3):
        store.keep(number, vector(number))
    assert store.get(0) is not None
    store.keep(3, vector(3))
    assert [store.get(number) is not None for number in range(4)] == [True, False, True, True]
    assert store.bytes == 3 * ONE


def test_a_persons_are_forgotten_after_their_time_though_nobody_asks_and_used_or_not() -> None:
    store = KeptVectors(3 * ONE, seconds=0.2)
    store.keep("used", vector(1))
    store.keep("unused", vector(2))
    assert store.get("used") is not None
    wait_until(lambda: not len(store), what="the vectors to be forgotten")
    assert store.bytes == 0
    store.keep("later", vector(3))  # the clock is wound up again
    wait_until(lambda: not len(store), what="the vector to be forgotten")


def test_what_is_over_counts_no_more_even_before_it_is_swept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = KeptVectors(3 * ONE, seconds=100)
    store.keep("old", vector(1))
    now = kept.time.monotonic()
    monkeypatch.setattr(kept.time, "monotonic", lambda: now + 101)
    assert store.get("old") is None
    store.clear()


def test_many_threads_at_once_keep_the_books() -> None:
    store = KeptVectors(5 * ONE)

    def use(number: int) -> None:
        for key in range(200):
            store.keep((key * number) % 11, vector(key))
            store.get(key % 11)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(1, 9)))
    assert store.bytes == len(store) * ONE <= 5 * ONE
