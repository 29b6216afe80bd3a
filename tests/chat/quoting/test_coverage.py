"""Which of a question's words stand where it is answered best, and which nowhere."""

import pytest

from chat.turns.grounding.coverage import asked_words, forms_of, shares
from memory.text.words import words
from tests.effort import computed_within

PASSAGES = [
    "rsync copies files over a remote shell, and removes what isn't there any more.",
    "rsync asks for a password if the other side runs a daemon.",
    "The interface of rsync is a command line.",
]
HELD = [set(words(passage)) for passage in PASSAGES]
THERE = set().union(*HELD)


def covered(question: str, passage: str = "", unit: str = "") -> tuple[float, float, float]:
    forms = forms_of(asked_words(question, {"en"}), THERE)
    found = shares(forms, set(words(passage)), set(words(unit)), HELD)
    return round(found.passage, 2), round(found.unit, 2), round(found.nowhere, 2)


def test_what_the_passage_holds_is_covered() -> None:
    assert covered("does rsync copy files", PASSAGES[0]) == (1.0, 0.0, 0.0)


def test_a_unit_of_it_may_hold_less() -> None:
    passage, unit, _ = covered("does rsync copy files", PASSAGES[0], "It copies them.")
    assert 0 < unit < passage


def test_what_every_passage_says_counts_little_and_what_none_says_much() -> None:
    passage, _, nowhere = covered("can rsync play music", PASSAGES[0])
    assert passage < 0.4
    assert nowhere > 0.6


def test_what_stands_elsewhere_is_not_covered_but_it_is_somewhere() -> None:
    passage, _, nowhere = covered("rsync interface", PASSAGES[0])
    assert passage < 0.6
    assert nowhere == 0.0


def test_what_is_written_in_signs_is_a_word_and_a_mark_is_none() -> None:
    assert asked_words("what does @daily mean ?", {"en"}) == ["daily", "mean", "@daily"]
    assert covered("rsync @copies", PASSAGES[0])[2] > 0.4


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("copied", "copies"),
        ("installieren", "installiert"),
        ("urlaub", "urlaubstage"),
        ("bremse", "scheibenbremse"),
        ("paqetes", "paquetes"),
        ("passwort", "passwords"),
    ],
)
def test_a_word_stands_there_in_another_form(asked: str, there: str) -> None:
    assert forms_of([asked], {there, "something"}) == {asked: {there}}


def test_two_words_stand_there_as_one() -> None:
    assert forms_of(["data", "types"], {"datatypes"})["data"] == {"datatypes"}


@pytest.mark.parametrize("other", ["information", "forms", "wharf"])
def test_another_word_is_no_form_of_it(other: str) -> None:
    assert forms_of(["format"], {other}) == {"format": set()}


def test_small_words_of_either_language_are_not_asked_for() -> None:
    assert asked_words("wie teile ich the window", {"en", "de"}) == ["teile", "window"]
    assert asked_words("what is it", {"en"}) == ["what", "is", "it"]


def test_long_questions_over_many_words_take_no_time() -> None:
    there = {f"w{number}x" * 8 for number in range(3_000)}
    asked = [f"w{number}y" * 8 for number in range(200)]
    computed_within(5, lambda: forms_of(asked, there))
