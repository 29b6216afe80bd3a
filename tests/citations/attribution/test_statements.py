"""The statements of an answer, and the assignment of markers to them."""

import pytest
from hypothesis import given, strategies as st

from citations.attribution.statements import (
    MOST,
    Statement,
    place_of_number,
    split_clauses,
    split_statements,
)
from citations.attribution.streaming import Citing
from tests.citations.attribution.answers import fed
from tests.citations.attribution.test_markers import PIECES


def stated(citing: Citing) -> list[Statement]:
    return split_statements(citing.text, citing.markers, citing.asides)


def claims(answer: str) -> list[tuple[str, list[int]]]:
    """Return what the answer claims, as a checker is told it, and the labels for it."""
    return [
        (" ".join(each.said.split()), [marker.offer.label for marker in each.markers])
        for each in stated(fed(answer))
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It is so [1]. It is red [2].", [("It is so.", [1]), ("It is red.", [2])]),
        ("It is so. [1] It is red. [2]", [("It is so.", [1]), ("It is red.", [2])]),
        ("[1] It is so. [2] It is red.", [("It is so.", [1]), ("It is red.", [2])]),
        ("[1] It is so.\n[2] It is red.", [("It is so.", [1]), ("It is red.", [2])]),
        ("It is so.\n\n[1]", [("It is so.", [1])]),
        ("It is so [1], or red [2].", [("It is so, or red.", [1, 2])]),
        ("According to passage [2], it is so.", [("it is so.", [2])]),
        ("As stated in passages [1] and [2], it is so.", [("it is so.", [1, 2])]),
        ("Passage [2] says that it is so.", [("it is so.", [2])]),
        ("## The fee [1]\n\nIt is five.", [("It is five.", [1])]),
        ("> It is so. It is red. [1]", [("It is so. It is red.", [1])]),
        ("> It is so.\n> It is red.\n\n*Guide › 2 · p. 4*", [("It is so. It is red.", [])]),
        ("> It is so.\n\n*Guide, 5.2* [1]", [("It is so.", [1])]),
        ("It is so.\n\n> It is red. [2]", [("It is so.", []), ("It is red.", [2])]),
        ("The **fee** is `5` [1].", [("The fee is `5`.", [1])]),
        ("They are:\n- red [1]\n- blue", [("They are: red", [1]), ("They are: blue", [])]),
        ("1. It is so and not red at all, ever.", [("It is so and not red at all, ever.", [])]),
        (
            "| Size | Fee |\n|---|---|\n| 8 m | 22 [1] |\n| 9 m | 31 |",
            [("Size: 8 m; Fee: 22", [1]), ("Size: 9 m; Fee: 31", [])],
        ),
        ("It is so.\n\nSources: [2]", [("It is so.", [])]),
        ("Yes. It is so [1].", [("It is so.", [1])]),
    ],
)
def test_a_statement_has_the_markers_that_stand_with_it(
    answer: str, expected: list[tuple[str, list[int]]]
) -> None:
    assert claims(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "# The fee of the port",
        "**The fee of the port**",
        "Is it so?",
        "¿Es así?",
        "```\nIt is so.\n```",
        "Here is what they say:",
        "The documents don't say when it ends.",
        "The passages do not mention a fee.",
        "None of the passages says nothing else.",
        "I could not find an answer.",
        "There is no information on it.",
        "Die Dokumente sagen nicht, wann es endet.",
        "Los documentos no dicen cuándo termina.",
        "The library holds nothing on this question.",
        "Let me know if you need more.",
        "I hope this helps!",
        "Sure!",
        "Of course.",
        "Yes.",
        "---",
        "| Size | Fee |\n|---|---|",
        "References:\n[1] The Act",
        "1. One [1]\n2. Two [1]",
    ],
)
def test_what_states_nothing_is_no_claim(answer: str) -> None:
    assert claims(answer) == []


def test_a_clause_is_what_a_marker_ends() -> None:
    citing = fed("It is the 15th [1], or the day before [2].")
    said = [each.said for each in split_clauses(citing.text, stated(citing)[0])]
    assert said == ["It is the 15th", ", or the day before"]


@pytest.mark.parametrize(
    ("answer", "before"),
    [
        ("It is so. It is red.", ["It is so", "It is red"]),
        ("It is so [1].", ["It is so [1]"]),
        ("It is so. [1]", ["It is so. [1]"]),
        ("- It is **so.**", ["It is **so.**"]),
        ("| It is | so |\n", ["It is | so"]),
    ],
)
def test_a_number_stands_before_what_ends_the_sentence(answer: str, before: list[str]) -> None:
    text = fed(answer).text
    found = stated(fed(answer))
    assert [text[s.start : place_of_number(text, s.start, s.end)] for s in found] == before


@given(st.lists(st.sampled_from([*PIECES, "| ", "It is so. ", "|---|\n"]), max_size=20))
def test_statements_are_apart_and_each_marker_belongs_to_one_at_most(pieces: list[str]) -> None:
    citing = fed("".join(pieces))
    found = stated(citing)
    ends = [0, *(each.end for each in found)]
    for each, end in zip(found, ends, strict=False):
        assert end <= each.start < each.end <= len(citing.text)
    markers = [marker.start for each in found for marker in each.markers]
    assert len(markers) == len(set(markers))
    assert set(markers) <= {marker.start for marker in citing.markers}


def test_so_many_statements_are_looked_at() -> None:
    assert len(stated(fed("It is so. " * 2000))) == MOST
