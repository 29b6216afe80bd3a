"""Cutting: pieces the embedder sees whole, in the document's own words."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citations.cutting import MAX_CHARACTERS, MAX_PIECES, cut, in_full
from citations.readers import Section
from memory.embedding import count_pieces

pytestmark = pytest.mark.once

SENTENCE = "The trustee pays the holders of class A certificates on the distribution date. "


def cut_text(text: str, title: str = "Title", headings: list[str] | None = None) -> list[str]:
    return [piece.text for piece in cut([Section(headings or [], text)], title=title)]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=600), st.text(max_size=300), st.integers(1, 12))
def test_every_piece_fits_with_its_title_and_heading(text, heading, repeats):
    pieces = list(cut([Section([heading], text * repeats)], title=heading[::-1]))
    for piece in pieces:
        assert count_pieces(in_full(heading[::-1], piece.heading, piece.text)) <= MAX_PIECES
        assert 0 < len(piece.text) <= MAX_CHARACTERS
        assert piece.text in text * repeats


@pytest.mark.parametrize("letter", ["a", "漢", "한", "😀", "é", "\u0301x", "."])
def test_long_unbroken_text_is_split_and_nothing_is_lost(letter):
    text = letter * (100_000 // len(letter))
    pieces = cut_text(text)
    assert "".join(pieces) == text
    assert all(count_pieces(in_full("Title", "", piece)) <= MAX_PIECES for piece in pieces)
    assert max(map(len, pieces)) <= MAX_CHARACTERS


def test_short_sections_are_one_piece_each_under_their_headings():
    sections = [Section(["A"], "One."), Section(["A", "B"], "Two. Three."), Section([], " ")]
    pieces = list(cut(sections, title="T"))
    assert [(piece.heading, piece.text) for piece in pieces] == [
        ("A", "One."),
        ("A › B", "Two. Three."),
    ]


def test_a_cut_inside_a_paragraph_repeats_the_sentence_before_it():
    sentences = [f"Sentence {number} says: {SENTENCE}".strip() for number in range(60)]
    pieces = cut_text(" ".join(sentences))
    assert len(pieces) > 3
    for before, after in pairwise(pieces):
        assert after.startswith(before.rpartition(" Sentence ")[2].join(["Sentence ", ""]))
    assert all(any(sentence in piece for piece in pieces) for sentence in sentences)


def test_pieces_end_with_a_paragraph_where_they_can():
    paragraph = (SENTENCE * 9).strip()
    pieces = cut_text("\n\n".join([paragraph] * 4))
    assert pieces == [paragraph] * 4


def test_a_very_long_title_and_heading_leave_room_for_the_text():
    pieces = cut_text(SENTENCE * 20, title="word " * 500, headings=["deep " * 500, "x" * 5000])
    assert all(len(piece) > len(SENTENCE) for piece in pieces)
