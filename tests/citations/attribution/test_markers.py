"""A marker in any form becomes the session's number, however the answer is cut."""

import pytest
from hypothesis import given, strategies as st

from citations.attribution.streaming import MOST_MARKERS
from memory.text.citation_markers import Code, find_stored_markers
from tests.citations.attribution.answers import fed, offered

# Passages 1 and 3 are of one document, 2 and 4 of another.
FORMS = [
    ("It is so [2].", "It is so [1].", [2]),
    ("It is so [1][2].", "It is so [1][2].", [1, 2]),
    ("It is so [1, 2].", "It is so [1][2].", [1, 2]),
    ("It is so [1; 2].", "It is so [1][2].", [1, 2]),
    ("It is so [1-2].", "It is so [1][2].", [1, 2]),
    ("It is so [1–2].", "It is so [1][2].", [1, 2]),
    ("It is so [1 and 2].", "It is so [1][2].", [1, 2]),
    ("It is so [^2].", "It is so [1].", [2]),
    ("It is so [ 2 ].", "It is so [1].", [2]),
    ("It is so 【2】.", "It is so [1].", [2]),
    ("It is so 【2†source】.", "It is so [1].", [2]),
    ("It is so【2†L1-L9】.", "It is so[1].", [2]),
    ("It is so ［2］.", "It is so [1].", [2]),
    ("It is so [Passage 2].", "It is so [1].", [2]),
    ("It is so [passage 1, 2].", "It is so [1][2].", [1, 2]),
    ("It is so [Passage 1, Passage 2].", "It is so [1][2].", [1, 2]),
    ("It is so [source 2].", "It is so [1].", [2]),
    ("It is so [doc 2].", "It is so [1].", [2]),
    ("It is so [Quelle 2].", "It is so [1].", [2]),
    ("It is so [2, p. 4].", "It is so [1].", [2]),
    ("It is so (Passage 2).", "It is so [1].", [2]),
    ("It is so (see passages 1 and 2).", "It is so [1][2].", [1, 2]),
    ("According to passage [2], it is so.", "According to passage [1], it is so.", [2]),
    ("[2] It is so.", "[1] It is so.", [2]),
]


@pytest.mark.parametrize(("answer", "stored", "labels"), FORMS)
def test_every_form_of_marker_is_read(answer: str, stored: str, labels: list[int]) -> None:
    citing = fed(answer)
    assert citing.text == stored
    assert [marker.offer.label for marker in citing.markers] == labels
    assert citing.removed == 0


@pytest.mark.parametrize(
    "answer",
    [
        "Under section (2).",
        "There are (1) ropes and (2) horns.",
        "In code `[2]` and `(Passage 2)`.",
        "```\nfees[2] = 【2】\n```",
        "> A quotation of [Passage 2] and (2).",
        "A [link] and [2024] and [x2] and []",
        "An array [1:2] of",
        "Half a marker [2",
        "Half a marker 【2†sou",
    ],
)
def test_what_is_no_marker_stays_as_it_was_written(answer: str) -> None:
    citing = fed(answer)
    assert citing.text == answer
    assert citing.markers == []


@pytest.mark.parametrize(
    ("answer", "stored", "removed"),
    [
        ("It is so [9].", "It is so.", 1),
        ("It is so [8, 9].", "It is so.", 2),
        ("It is so [1, 9].", "It is so [1].", 1),
        ("It is so [7-9].", "It is so.", 1),
        ("It is so [4-900].", "It is so [1].", 0),
        ("It is so 【9†source】.", "It is so.", 1),
        ("It is so [Passage 9].", "It is so.", 1),
        ("It is so (Passage 9).", "It is so.", 1),
        ("One.\n[9] Two.", "One.\n Two.", 1),
    ],
)
def test_what_was_not_offered_is_taken_out_and_counted(
    answer: str, stored: str, removed: int
) -> None:
    citing = fed(answer)
    assert (citing.text, citing.removed) == (stored, removed)


def test_so_many_markers_an_answer_may_have() -> None:
    citing = fed("It is so [1]. " * 1500)
    assert len(citing.markers) == MOST_MARKERS
    assert citing.removed == 1500 - MOST_MARKERS
    assert citing.text.count("[1]") == MOST_MARKERS


# --- Lines of sources -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Sources: [2]",
        "Source: [Passage 2].",
        "**Sources:** [2], [2]",
        "References: 【2†source】",
        "Sources: 2",
        "Sources: Passage 2",
        "Quellen: [2]",
        "Fuentes: [2]",
        "References:\n[2]",
        "## References\n\n- [2]",
        "Sources used: [2]",
    ],
)
def test_a_line_of_sources_is_taken_out_and_noted(line: str) -> None:
    citing = fed(f"It is so.\n\n{line}")
    assert citing.text == "It is so."
    assert {offer.label for offer in citing.hints} == {2}
    assert citing.markers == []


def test_a_list_of_sources_keeps_its_words_and_loses_its_markers() -> None:
    citing = fed("It is so.\n\nReferences:\n[1] The Act\n[2] The Code\n\nAnd so on [1].")
    assert citing.text == "It is so.\n\nReferences:\nThe Act\nThe Code\n\nAnd so on [1]."
    assert [citing.text[slice(*aside)] for aside in citing.asides] == [
        "References:",
        "The Act",
        "The Code",
    ]
    assert [offer.label for offer in citing.hints] == [1, 2]


@pytest.mark.parametrize(
    "answer",
    [
        "Sources of income are fees.",
        "Sources: the ground is wet.",
        "References:\nThey are needed.",
        "`Sources: [1]`",
    ],
)
def test_other_words_that_begin_so_stay(answer: str) -> None:
    assert fed(answer).text == answer


# --- Pieces ---------------------------------------------------------------------------------------

PIECES = [
    "word ", "Two.", " [1]", "[2]", "[1, 2]", "[1-3]", "[^1]", "[9]", "[", "]", "1", "[12", "(3)",
    "[1 [9]]", "[[9]1]", "`", "```", "\n", "\n\n", " ", "(", "Passage 3", ")", "【3†s】", "(3),",
    "References:\n", "**", "# ", "- ", "> ", "\\", "(see passage 2)", ", ", ".", "[Passage",
    "Sources:", "Source",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.data())
def test_it_makes_no_difference_where_the_answer_is_cut(
    pieces: list[str], data: st.DataObject
) -> None:
    answer = "".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, len(answer)), max_size=8))
    whole, cut, letters = fed(answer), fed(answer, cuts=cuts), fed(answer, cuts=range(len(answer)))
    for other in (cut, letters):
        assert other.text == whole.text
        assert other.markers == whole.markers
        assert (other.hints, other.asides) == (whole.hints, whole.asides)
        assert other.removed == whole.removed


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_the_markers_in_the_text_are_the_offered_ones_and_nothing_else_is(
    pieces: list[str],
) -> None:
    citing = fed("".join(pieces))
    stored = [(found.start(1) - 1, int(found[1])) for found in find_stored_markers(citing.text)]
    assert stored == [(marker.start, marker.number) for marker in citing.markers]
    assert {marker.offer.label for marker in citing.markers} <= set(citing.offers)


def test_half_a_marker_never_shows() -> None:
    citing = offered()
    pieces = (
        "The date",
        " [Pass",
        "age 2",
        "]",
        " is",
        " 【2",
        "†source】",
        " so (",
        "2",
        ")",
        ".",
    )
    shown = [citing.feed(piece) for piece in pieces]
    assert shown[:5] == ["The date", "", "", " [1]", " is"]
    assert "".join([*shown, citing.close()]) == "The date [1] is [1] so (2)."


@given(st.lists(st.sampled_from(["`", "```", "\\", "a", "\n", " "]), max_size=12), st.data())
def test_code_is_known_wherever_the_text_is_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cut = data.draw(st.integers(0, len(text)))
    whole, halves = Code(), Code()
    whole.feed(text)
    halves.feed(text[:cut])
    halves.feed(text[cut:])
    assert whole.is_open == halves.is_open
