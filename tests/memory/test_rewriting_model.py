"""The trained model: its trees, its artefact, and what it takes."""

import numpy as np
import pytest

from memory.recall.rewriting import rewrite
from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.selection.candidates import describe
from memory.recall.rewriting.selection.choosing import ARTEFACT, load, select_best_candidates
from memory.recall.rewriting.selection.mentions import ReadConversation
from memory.text.trees import Forest
from tests.effort import computed_within


def test_trees_are_walked_to_their_leaves_and_averaged_over_seeds() -> None:
    # Two trees of one seed: column 0 at most 1.5 is -1, else +1; a leaf alone adds 2.
    forest = Forest(
        column=np.array([0, 0, 0, 0], dtype=np.int16),
        threshold=np.array([1.5, 0, 0, 0], dtype=np.float32),
        left=np.array([1, 1, 2, 3], dtype=np.int32),
        right=np.array([2, 1, 2, 3], dtype=np.int32),
        value=np.array([0, -1, 1, 2], dtype=np.float32),
        roots=np.array([0, 3], dtype=np.int32),
        depth=1,
        seeds=1,
    )
    found = forest.probabilities(np.array([[1.0], [2.0]], dtype=np.float32))
    assert found == pytest.approx(1 / (1 + np.exp([-1.0, -3.0])))


def test_the_artefact_is_small_and_fits_the_columns() -> None:
    assert ARTEFACT.stat().st_size < 1_000_000
    selector, gate, gap = load()
    rows, shared = describe(
        ReadConversation.read(
            ReadQuestion("Is it treatable?"), [Exchange("What is throat cancer?", "It is rare.")]
        )
    )
    assert rows.shape[1] == 112
    assert selector.column.max() < rows.shape[1]
    assert gate.column.max() < len(shared) + 8
    assert gap.column.max() < len(shared) + 8


def test_a_question_that_needs_nothing_takes_nothing() -> None:
    assert select_best_candidates(np.array([0.9, 0.5]), 0.1, refers=True) == []


def test_more_is_taken_the_likelier_it_is_needed() -> None:
    few = select_best_candidates(np.array([0.9, 0.1, 0.05]), 0.95, refers=False)
    many = select_best_candidates(np.array([0.9, 0.8, 0.7]), 0.95, refers=False)
    assert (few, many) == ([0], [0, 1, 2])


def test_a_reference_takes_more_than_a_question_without_one() -> None:
    wanted = np.array([0.5, 0.24, 0.05])
    assert len(select_best_candidates(wanted, 0.95, refers=True)) >= len(
        select_best_candidates(wanted, 0.95, refers=False)
    )


def test_a_long_history_takes_no_longer_than_a_person_waits() -> None:
    """Fifty messages of 4,000 characters, as a client may bring them, took 6.5 seconds."""
    words = "the delegates decide by a vote of the developers on the ballot and its options".split()
    long = [" ".join(words[(at + step) % len(words)] for step in range(820)) for at in range(50)]
    history = [
        Exchange(asked, answered, at)
        for at, (asked, answered) in enumerate(zip(long[::2], long[1::2], strict=True), start=1)
    ]
    computed_within(0.5, lambda: rewrite(ReadQuestion("And when do they decide it?"), history))
