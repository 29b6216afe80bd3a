"""When a question begins a new topic."""

import numpy as np
import pytest

from memory.embedding import Embedded, embed_message
from memory.recall.rewriting import Exchange, Rewrite
from memory.recall.topics import changed

pytestmark = pytest.mark.once

DATES = Exchange(
    "What is the Determination Date?",
    "It is the fifteenth day of each calendar month, when the Servicer calculates the payments.",
    position=1,
)
GENES = "Which gene mutations cause breast cancer?"


def is_change(question: str, *before: Exchange, rewrite: str = "", reason: str = "") -> bool:
    """Tell whether the topic changes, with the real vectors of all that was said."""
    vectors = {
        each.position: (embed_message(each.query), embed_message(each.response)) for each in before
    }
    standalone = Rewrite(rewrite or question, reason or "stands_alone")
    vector = Embedded(question).vector
    return changed(question, standalone, before, vector=vector, vectors=lambda _: vectors)


def test_a_question_of_its_own_far_from_what_was_said_is_a_new_topic() -> None:
    assert is_change(GENES, DATES)


def test_a_question_near_to_what_was_said_is_none() -> None:
    assert not is_change("When does the Servicer calculate the monthly payments?", DATES)
    assert not is_change("What is the Distribution Date of the trust?", DATES)


def test_the_first_question_is_none() -> None:
    assert not is_change(GENES)


def test_a_question_that_needed_the_conversation_is_none() -> None:
    assert not is_change("What causes it?", DATES, rewrite="What causes breast cancer?")
    assert is_change(GENES, DATES, rewrite=GENES.upper())


def test_words_that_were_only_guessed_to_be_carried_do_not_keep_a_topic() -> None:
    carried = f"{GENES} Determination Date"
    assert is_change(GENES, DATES, rewrite=carried, reason="topic_carried")
    assert not is_change(GENES, DATES, rewrite=carried, reason="reference_resolved")


def test_a_question_searched_as_it_was_typed_by_wish_tells_nothing() -> None:
    assert not is_change(GENES, DATES, reason="as_typed")


def test_only_the_last_turns_count() -> None:
    genes = Exchange(GENES, "Mutations of BRCA1 do.", position=1)
    later = [Exchange(DATES.query, DATES.response, position) for position in (2, 3, 4)]
    assert is_change("Which genes cause hereditary breast cancer?", genes, *later)
    assert not is_change("Which genes cause hereditary breast cancer?", genes, *later[:2])


def test_without_vectors_no_word_may_be_shared() -> None:
    standalone = Rewrite(GENES, "stands_alone")
    assert changed(GENES, standalone, [DATES])
    shared = "Which gene mutations are found each month?"
    assert not changed(shared, Rewrite(shared, "stands_alone"), [DATES])
    # The newest turn has no vector yet: its words have to do.
    far = {1: (np.zeros(4, np.float32), None)}
    newest = Exchange("And the month?", "Yes.", position=2)
    vector = np.ones(4, np.float32)
    assert not changed(
        shared,
        Rewrite(shared, "stands_alone"),
        [DATES, newest],
        vector=vector,
        vectors=lambda _: far,
    )


def test_a_question_without_words_tells_nothing() -> None:
    assert not is_change("?", DATES)
    assert not is_change("and then", DATES)
