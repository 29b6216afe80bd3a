"""Chunking: whole blocks where it can be, in pieces that the embedder sees whole."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from citations.formats.blocks import Block, BlockKind
from citations.formats.reading import Section
from citations.index.full_text import add_headings
from citations.ingestion.chunking import Piece, chunk_sections
from citations.ingestion.units import Measure

SENTENCE = "The trustee pays the holders of class A certificates on the distribution date. "
MEASURE = Measure.read_embedder()
# In words, so that a test can count along.
WORDS = Measure(count=lambda text: len(text.split()), most=40)
P, I, C, H, R = BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CODE, BlockKind.HEADER, BlockKind.ROW  # noqa: E741


def chunk_text(text: str, title: str = "Title", headings: list[str] | None = None) -> list[str]:
    section = Section(headings or [], [Block(P, text)])
    return [piece.text for piece in chunk_sections([section], title=title)]


def chunk(*blocks: tuple[BlockKind, str], measure: Measure = WORDS) -> list[Piece]:
    section = Section([], [Block(*block) for block in blocks])
    return list(chunk_sections([section], title="", measure=measure))


def kinds(piece: Piece) -> list[tuple[str, str]]:
    return [(kind, piece.text[start:end]) for start, end, kind in piece.layout]


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


@settings(max_examples=60)
@given(
    st.text(max_size=600),
    st.text(max_size=300),
    st.integers(1, 12),
    st.lists(st.sampled_from(BlockKind), min_size=1, max_size=8),
)
def test_every_piece_fits_with_its_title_and_heading(text, heading, repeats, kinds_):
    blocks = [Block(kind, text * repeats) for kind in kinds_]
    pieces = list(chunk_sections([Section([heading], blocks)], title=heading[::-1]))
    for piece in pieces:
        assert MEASURE.count(add_headings(heading[::-1], piece.heading, piece.text)) <= MEASURE.most
        assert 0 < len(piece.text) <= MEASURE.characters
        at = 0
        for start, end, _kind in piece.layout:
            assert at <= start < end <= len(piece.text)
            assert not piece.text[at:start].strip()
            assert piece.text[start:end] in text * repeats
            at = end
        assert at == len(piece.text)


@pytest.mark.parametrize("letter", ["a", "漢", "한", "😀", "é", "\u0301x", "."])
def test_long_unbroken_text_is_split_and_nothing_is_lost(letter):
    text = letter * (100_000 // len(letter))
    pieces = chunk_text(text)
    assert "".join(pieces) == text
    assert all(MEASURE.count(add_headings("Title", "", piece)) <= MEASURE.most for piece in pieces)
    assert max(map(len, pieces)) <= MEASURE.characters


def test_short_sections_are_one_piece_each_under_their_headings():
    sections = [
        Section(["A"], [Block(P, "One.")]),
        Section(["A", "B"], [Block(P, "Two. Three.")]),
    ]
    pieces = list(chunk_sections(sections, title="T"))
    assert [(piece.heading, piece.text) for piece in pieces] == [
        ("A", "One."),
        ("A › B", "Two. Three."),
    ]


def test_a_cut_inside_a_paragraph_repeats_the_sentence_before_it():
    sentences = [f"Sentence {number} says: {SENTENCE}".strip() for number in range(60)]
    pieces = chunk_text(" ".join(sentences))
    assert len(pieces) > 3
    for before, after in pairwise(pieces):
        assert after.startswith(before.rpartition(" Sentence ")[2].join(["Sentence ", ""]))
    assert all(any(sentence in piece for piece in pieces) for sentence in sentences)


def test_pieces_end_with_a_paragraph_where_they_can():
    paragraph = (SENTENCE * 9).strip()
    blocks = [Block(P, paragraph)] * 4
    pieces = chunk_sections([Section([], blocks)], title="Title")
    assert [piece.text for piece in pieces] == [paragraph] * 4


def test_a_very_long_title_and_heading_leave_room_for_the_text():
    pieces = chunk_text(SENTENCE * 20, title="word " * 500, headings=["deep " * 500, "x" * 5000])
    assert all(len(piece) > len(SENTENCE) for piece in pieces)


def test_the_layout_says_what_each_part_is():
    (piece,) = chunk(
        (P, "Run:"), (C, "a\n  b"), (I, "- one"), (I, "- two"), (H, "k | v"), (R, "1 | 2")
    )
    assert piece.text == "Run:\n\na\n  b\n\n- one\n- two\n\nk | v\n1 | 2"
    assert kinds(piece) == [
        ("paragraph", "Run:"),
        ("code", "a\n  b"),
        ("item", "- one"),
        ("item", "- two"),
        ("header", "k | v"),
        ("row", "1 | 2"),
    ]


def test_each_piece_of_a_table_has_its_caption_and_header_and_whole_rows():
    rows = [(R, f"row{number} | {words(7)}") for number in range(12)]
    pieces = chunk(
        (P, words(30)), (BlockKind.CAPTION, "Table 1: Sales"), (H, "Year | Sales"), *rows
    )
    tables = [piece for piece in pieces if "row" in piece.text]
    assert len(tables) > 2
    for piece in tables:
        parts = kinds(piece)
        assert parts[:2] == [("caption", "Table 1: Sales"), ("header", "Year | Sales")]
        assert all(kind == "row" and text.startswith("row") for kind, text in parts[2:])
        assert len(parts) > 2
    assert pieces[0].text == words(30)
    told = "\n".join(piece.text for piece in pieces)
    assert [told.count(f"row{number} ") for number in range(12)] == [1] * 12


def test_a_list_keeps_its_lead_and_a_short_one_is_repeated():
    items = [(I, f"- item{number} {words(7)}") for number in range(8)]
    pieces = chunk((P, words(25) + ". Bring the following:"), *items)
    assert len(pieces) > 1
    assert pieces[0].text.count("- item") >= 1
    for piece in pieces[1:]:
        assert kinds(piece)[0] == ("paragraph", "Bring the following:")
        assert kinds(piece)[1][1].startswith("- item")


def test_code_stays_with_the_sentence_that_introduces_it_and_is_cut_between_lines():
    lines = [f"  line{number} a b c d e" for number in range(10)]
    pieces = chunk((P, words(20)), (P, "Type this:"), (C, "\n".join(lines)))
    assert pieces[0].text == words(20)
    for piece in pieces[1:]:
        assert kinds(piece)[0] == ("paragraph", "Type this:")
        (kind, code) = kinds(piece)[1]
        assert kind == "code"
        assert set(code.split("\n")) <= set(lines)


def test_of_a_long_header_each_piece_of_a_table_has_the_rows_that_say_most_and_the_last():
    header = [(H, words(12, "group")), (H, words(12, "-")), (H, "kind | 2022 | 2023")]
    rows = [(R, f"{words(9, f'row{number}')} | 1") for number in range(9)]
    _, *pieces = chunk(*header, *rows)
    assert len(pieces) > 2
    for piece in pieces:
        assert [text for kind, text in kinds(piece) if kind == H] == [header[0][1], header[2][1]]


def test_the_rest_of_a_long_row_stands_alone_under_the_names_of_its_columns():
    long = " | ".join(words(9, cell) for cell in "abcdef")
    _, *rest = chunk((H, "A | B | C | D | E | F"), (R, long), (R, "1 | 2"))
    for piece in rest[:-1]:
        (_, names), (_, cells) = kinds(piece)
        assert names[0].lower() == cells[0]
    assert kinds(rest[-1])[0] == ("header", "A | B | C | D | E | F")
    assert len(rest) > 1


def test_an_item_or_a_row_that_fits_is_never_cut():
    long = f"- {words(10)}. {words(10)}. {words(10)}."
    assert [piece.text for piece in chunk((I, long), (I, long))] == [long, long]


def test_a_little_text_does_not_stand_alone_before_a_long_paragraph():
    long = " ".join(f"{words(8)} Number{number}." for number in range(5))
    pieces = chunk((P, "A little."), (P, long.replace(". word", ". Word")))
    assert pieces[0].text.startswith("A little.\n\nword")


def test_tiny_sections_of_one_parent_share_a_passage_under_their_headings():
    def section(name: str, text: str, page: int = 1) -> Section:
        return Section(["Options", name], [Block(P, text)], page)

    tiny = [section("-a", "All of it."), section("-b", "Brief."), section("-c", "Colour.", page=2)]
    pieces = list(chunk_sections([*tiny, section("-d", words(30), page=2)], title=""))
    assert [(piece.heading, piece.page) for piece in pieces] == [
        ("Options", 1),
        ("Options › -c", 2),
        ("Options › -d", 2),
    ]
    assert kinds(pieces[0]) == [
        ("heading", "-a"),
        ("paragraph", "All of it."),
        ("heading", "-b"),
        ("paragraph", "Brief."),
    ]


def test_a_passage_is_of_one_page_but_for_a_lead_and_its_list():
    sections = [
        Section(["A"], [Block(P, "Slide one.")], 1),
        Section(["A"], [Block(P, "Slide two:")], 2),
        Section(["A"], [Block(I, "- an item")], 3),
    ]
    pieces = list(chunk_sections(sections, title="", measure=WORDS))
    assert [(piece.page, piece.text) for piece in pieces] == [
        (1, "Slide one."),
        (2, "Slide two:\n\n- an item"),
    ]


@pytest.mark.parametrize("lead", ["To update, run:", "To update, run", "It takes a name"])
def test_a_sentence_that_just_stops_before_a_command_leads_to_it_over_the_page(lead: str):
    sections = [
        Section(["A"], [Block(P, words(30)), Block(P, lead)], 1),
        Section(["A"], [Block(C, f"update --all {words(12)}")], 2),
    ]
    pieces = list(chunk_sections(sections, title="", measure=WORDS))
    assert [(piece.page, piece.text[:24]) for piece in pieces] == [
        (1, words(30)[:24]),
        (1, f"{lead}\n\nupdate --all"[:24]),
    ]


def test_a_list_that_goes_on_over_the_page_is_whole_if_it_fits_and_ends_the_passage():
    def of(count: int) -> list[tuple[int | None, str]]:
        items = [Block(I, f"- item{number} {words(4)}") for number in range(count)]
        sections = [
            Section(["A"], [Block(P, "Bring this:"), *items[:2]], 1),
            Section(["A"], [*items[2:], Block(P, "It is all.")], 2),
        ]
        return [
            (piece.page, piece.text) for piece in chunk_sections(sections, title="", measure=WORDS)
        ]

    short, long = of(4), of(20)
    assert [page for page, _ in short] == [1, 2]
    assert short[0][1].count("- item") == 4
    assert short[1][1] == "It is all."
    assert long[0][1].count("- item") == 2
    assert (long[1][0], long[1][1][:11]) == (2, "Bring this:")


def test_a_list_keeps_its_title_and_its_lead_above_that():
    items = [(I, f"- item{number} {words(7)}") for number in range(8)]
    pieces = chunk((P, words(25) + ". Bring the following:"), (BlockKind.CAPTION, "Things"), *items)
    assert len(pieces) > 1
    for piece in pieces:
        found = kinds(piece)
        at = found.index(("caption", "Things"))
        assert found[at - 1][1].endswith("Bring the following:")
        assert found[at + 1][1].startswith("- item")
