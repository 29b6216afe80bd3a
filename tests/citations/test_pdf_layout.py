"""PDF: what a page shows by places and fonts alone: columns, tables, code, lists, running lines."""

from textwrap import wrap

import pytest

from citations.formats import pdf
from citations.formats.pdf.joining import join_lines
from citations.formats.pdf.words import Style, Word
from citations.formats.reading import FileReading, ReadingLimits, ignore_progress
from tests.citations import files
from tests.citations.files import column, placed

PROSE = [
    "The committee may appoint a member of the public to serve",
    "until the next general meeting, which elects a successor by",
    "a simple majority of the votes that are cast on the day it is",
    "held, and announces the result within a week of the meeting.",
]
OTHER = [
    "Nobody may hold two of the offices at one time, and whoever",
    "is elected to a second one resigns from the first one within",
    "fourteen days, or else the second election is void as though",
    "it had never been held, and the runner-up takes the place.",
]
WORDS = "Zero One Two Three Four Five Six Seven Eight".split()


def read(*pages: list[object], **options: object) -> FileReading:
    drawn = [placed(*pieces) for pieces in pages]  # type: ignore[arg-type]
    return pdf.read(files.pdf(drawn, **options), ReadingLimits(pages=100), ignore_progress)  # type: ignore[arg-type]


def blocks(*pages: list[object]) -> list[tuple[str, str]]:
    return [
        (block.kind, block.text) for section in read(*pages).sections for block in section.blocks
    ]


def row(y: float, *cells: str, look: str = "") -> list[object]:
    """Place cells beside one another, from 50 points on; an empty one is left out."""
    places = [(50 + 150 * at if at else 50, y, cell, look) for at, cell in enumerate(cells)]
    return [place for place in places if place[2]]


# --- Order ----------------------------------------------------------------------------------------

THREE = [" ".join(PROSE), " ".join(OTHER), " ".join(PROSE[2:] + OTHER[2:])]
LISTING = [(20, 100 + 12 * at, f"set register {at} to its own value", "mono") for at in range(30)]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (column(20, 100, PROSE) + column(310, 103, OTHER), THREE[:2]),
        (
            [
                line
                for x, text in zip((20, 215, 410), THREE, strict=True)
                for line in column(x, 100, wrap(text, 38))
            ],
            THREE,
        ),
        (
            [*LISTING, *column(20, 480, PROSE + OTHER), *column(310, 480, OTHER + PROSE)],
            [" ".join(PROSE + OTHER), " ".join(OTHER + PROSE)],
        ),
    ],
    ids=["two", "three", "below a listing"],
)
def test_columns_are_read_one_after_the_other(page: list[object], said: list[str]):
    assert [text for kind, text in blocks(page) if kind == "paragraph"] == said


def test_columns_with_code_among_their_lines_are_columns():
    code = ["run = {", '  "a": 1,', '  "b": 2,', "}"]
    left = column(20, 100, PROSE) + column(20, 160, code, "mono") + column(20, 220, OTHER)
    right = column(310, 105, code, "mono") + column(310, 165, [*PROSE, *OTHER])
    kinds = [kind for kind, _ in blocks(left + right)]
    assert kinds == ["paragraph", "code", "paragraph", "code", "paragraph"]


def test_turned_text_is_read_along_its_lines():
    turned = b"BT /F1 10 Tf 0 1 -1 0 %d 100 Tm %s Tj ET"
    page = b"\n".join(turned % (100 + 12 * at, files.string(line)) for at, line in enumerate(PROSE))
    found = pdf.read(files.pdf([page]), ReadingLimits(pages=1), ignore_progress)
    assert found.sections[0].text == " ".join(PROSE)


# --- Words ----------------------------------------------------------------------------------------


def test_raised_and_lowered_characters_keep_their_meaning():
    power = [(50, 100, "It holds 2"), (91, 96, "31", "small"), (104, 100, "values.")]
    water = [(50, 200, "Drink H"), (83.4, 203, "2", "small"), (87, 200, "O daily.")]
    note = [(50, 300, "Net revenue"), (104.3, 296, "1", "small"), (110, 300, "rose.")]
    high = [(50, 400, "It holds 2"), (91, 392, "31", "small"), (104, 400, "grams.")]
    assert blocks(power + water + note + high) == [
        ("paragraph", "It holds 2^31 values."),
        ("paragraph", "Drink H_2O daily."),
        ("paragraph", "Net revenue[1] rose."),
        ("paragraph", "It holds 2^31 grams."),
    ]


@pytest.mark.parametrize(
    ("lines", "known", "whole"),
    [
        (["a con-", "tinued line"], "", "a continued line"),
        (["a well-", "known one"], "well-known", "a well-known one"),
        (["the NON-", "CONFORMING part"], "", "the NON-CONFORMING part"),
        (["this DOCU-", "MENTATION is"], "documentation", "this DOCUMENTATION is"),
        (["a self-", "evident rule"], "", "a self-evident rule"),
        (["read/", "write access"], "", "read/write access"),
        (["in 2020-", "2021 only"], "", "in 2020-2021 only"),
    ],
)
def test_a_hyphen_stays_where_the_document_has_the_word_with_it(
    lines: list[str], known: str, whole: str
):
    assert join_lines(lines, {known}) == whole


# --- Blocks ---------------------------------------------------------------------------------------

BRING = [(50, 100, "Bring:"), (60, 116, "• a pen that writes and that you can spare for")]
BRING += [(68, 128, "an hour or two"), (60, 140, "• paper"), (60, 152, "(a) ink")]
CODE = [*column(50, 100, PROSE), (50, 174, "for x in y:", "mono"), (74, 186, "print(x)", "mono")]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (
            BRING,
            [
                ("paragraph", "Bring:"),
                ("item", "- a pen that writes and that you can spare for an hour or two"),
                ("item", "- paper"),
                ("item", "(a) ink"),
            ],
        ),
        (CODE, [("paragraph", " ".join(PROSE)), ("code", "for x in y:\n    print(x)")]),
        (
            [*column(50, 100, PROSE), (50, 780, "1 A note below the text.", "small")],
            [("paragraph", " ".join(PROSE)), ("footnote", "1 A note below the text.")],
        ),
        (
            column(20, 100, [*PROSE[:2], "12. March of the year is its day"]),
            [("paragraph", " ".join([*PROSE[:2], "12. March of the year is its day"]))],
        ),
        (
            column(20, 100, [f"{at}. {line[:-3]}" for at, line in enumerate(PROSE, 1)]),
            [("item", f"{at}. {line[:-3]}") for at, line in enumerate(PROSE, 1)],
        ),
    ],
    ids=["items", "code", "footnote", "number in a sentence", "full items"],
)  # fmt: skip
def test_blocks_are_told_by_their_marks_fonts_and_places(
    page: list[object], said: list[tuple[str, str]]
):
    assert blocks(page) == said


BOLD = [(50, 80, "Highly Inflationary Accounting", "bold"), *column(50, 104, PROSE)]


@pytest.mark.parametrize(
    ("page", "headings"),
    [
        (BOLD, ["Highly Inflationary Accounting"]),
        ([(50, 80, "Note", "bold"), (76, 80, "that it goes on."), *column(50, 104, PROSE)], []),
        ([(50, 60, "Nobody is a member", "bold"), *column(50, 90, PROSE * 2, "bold")], []),
        ([(50, 60 + 24 * at, line, "large") for at, line in enumerate(PROSE * 2)]
         + column(50, 300, PROSE * 6), []),
    ],
    ids=["bold line", "bold word", "bold document", "large prose"],
)  # fmt: skip
def test_headings_are_told_by_size_and_weight(page: list[object], headings: list[str]):
    assert [section.headings for section in read(page).sections] == [headings]


def test_a_heading_over_two_lines_is_one_and_the_outline_gives_its_level():
    page = [
        (50, 80, "Keeping the Accounts of the Society (How-", "large"),
        (50, 102, "To)", "large"),
    ]
    assert read([*page, *column(50, 130, PROSE)]).title == (
        "Keeping the Accounts of the Society (How-To)"
    )
    found = read(column(50, 90, ["2. Methods", *PROSE]), outline=["Methods"]).sections
    assert [(section.headings, section.text) for section in found] == [
        (["2. Methods"], " ".join(PROSE))
    ]


def test_the_title_is_the_longest_large_line_with_letters_on_the_first_page():
    page = [(50, 40, "296664039561", "large"), (50, 60, "Society Letters", "large")]
    page += [(50, 80, "published by nobody"), (50, 110, "On Committees and Members", "large")]
    assert read([*page, *column(50, 140, PROSE)]).title == "On Committees and Members"


# --- Tables ---------------------------------------------------------------------------------------

INCOME = [
    *[(300, 100, "Year ended June 30,", "bold")],
    *[(50, 112, "(in millions)"), (300, 112, "2023", "bold"), (400, 112, "2022", "bold")],
    *[(50, 126, "Net sales"), (290, 126, "$"), (300, 126, "14,694"), (400, 126, "14,544")],
    *[(50, 138, "Other income,"), (300, 150, "26"), (400, 150, "33")],
    *[(50, 150, "net of tax")],
    *[(50, 162, "Interest"), (400, 162, "(159)")],
]
NAMES = "(in millions) | Year ended June 30, › 2023 | Year ended June 30, › 2022"
FULL = ("Debit", "of all accounts"), ("Credit", "of the bank")
GROUPS = [(220, 60, "Sales"), (460, 60, "Costs")]
GROUPS += [(150 + 80 * at, 72, str(2020 + at % 3)) for at in range(6)]
GROUPS += [
    (x, y, text)
    for y, cells in ((84, ["North", *"123456"]), (96, ["South", *"789012"]))
    for x, text in zip((20, *range(155, 600, 80)), cells, strict=True)
]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (
            [(50, 80, "Table 2: Income"), *INCOME],
            [
                ("caption", "Table 2: Income"),
                ("header", NAMES),
                ("row", "Net sales | $ 14,694 | 14,544"),
                ("row", "Other income, net of tax | 26 | 33"),
                ("row", "Interest |  | (159)"),
            ],
        ),
        (
            row(100, "Type", "Effect", look="bold") + row(114, *FULL[0]) + row(128, *FULL[1]),
            [("header", "Type | Effect"), *(("row", " | ".join(cells)) for cells in FULL)],
        ),
        (
            row(100, "Pay", "in cash") + row(114, "Terms", "14 days net") + row(128, "Due", "21"),
            [("row", "Pay | in cash"), ("row", "Terms | 14 days net"), ("row", "Due | 21")],
        ),
        (
            GROUPS,
            [
                ("header", " | " + " | ".join(f"{name} › {year}" for name in ("Sales", "Costs")
                                              for year in (2020, 2021, 2022))),
                ("row", "North | 1 | 2 | 3 | 4 | 5 | 6"),
                ("row", "South | 7 | 8 | 9 | 0 | 1 | 2"),
            ],
        ),
    ],
    ids=["spanning name", "words", "form", "groups"],
)  # fmt: skip
def test_cells_below_one_another_are_a_table_under_its_names(
    page: list[object], said: list[tuple[str, str]]
):
    assert blocks(page) == said


def test_a_table_that_goes_on_has_its_header_on_the_next_page_too():
    rest = column(50, 60, ["Tax", "Fees", "Rent"]) + column(300, 60, ["1.5", "2.5", "3.5"])
    found = read(INCOME, rest + column(400, 60, ["7.1", "8.1", "9.1"])).sections
    assert [(block.kind, block.text) for block in found[1].blocks][:2] == [
        ("header", NAMES),
        ("row", "Tax | 1.5 | 7.1"),
    ]


def test_tables_below_one_another_have_headers_of_their_own():
    second = [(x, y + 90, *rest) for x, y, *rest in INCOME]
    assert [kind for kind, _ in blocks(INCOME + second)] == ["header", *["row"] * 3] * 2


# --- Edges ----------------------------------------------------------------------------------------


def test_running_lines_that_change_sides_are_read_once_and_numbers_of_pages_never():
    pages = []
    for number in range(1, 9):
        head = [(50, 40, f"{number}"), (400, 40, "Of Offices")]
        if number % 2:
            head = [(50, 40, "The Rules of the Society"), (500, 40, f"{number}")]
        pages.append([*head, *column(50, 90, [f"{WORDS[number]} {line}" for line in PROSE])])
    found = read(*pages)
    texts = [" ".join(f"{WORDS[number]} {line}" for line in PROSE) for number in range(1, 9)]
    texts[0] += "\n\nThe Rules of the Society"
    texts[1] += "\n\nOf Offices"
    assert [(part.page, part.text) for part in found.sections] == list(enumerate(texts, 1))
    assert [(part.kind, part.number) for part in found.parts] == [("page", 8), ("header", 2)]


def test_contents_are_left_out_with_and_without_leaders():
    leaders = [(50, 60, "Contents", "bold")]
    leaders += column(50, 80, [f"Chapter {n} {'. ' * 30} {n * 7}" for n in range(1, 7)])
    bare = [(50, 60, "TABLE OF CONTENTS")]
    for n in range(1, 7):
        bare += [(50, 80 + 12 * n, f"Item {n}. Business"), (500, 80 + 12 * n, str(n * 7))]
    for page in (leaders, bare):
        assert blocks(page, column(50, 100, PROSE)) == [("paragraph", " ".join(PROSE))]


def test_a_table_with_leaders_is_no_list_of_contents_and_its_labels_have_no_dots():
    prices = {"Espresso": "3", "Latte": "4.50", "Mocha": "2", "Tea": "1"}
    menu = [(50, 80 + 14 * at, f"{name} {'. ' * 30}") for at, name in enumerate([*prices] * 2)]
    menu += [(400, 80 + 14 * at, price) for at, price in enumerate([*prices.values()] * 2)]
    assert blocks(menu) == [("row", f"{name} | {price}") for name, price in [*prices.items()] * 2]


@pytest.mark.parametrize("drawn", ["حتفي", "يفتح"], ids=["from the left", "from the right"])
def test_rightward_words_are_read_from_the_right_however_they_are_drawn(drawn: str):
    style = Style(10.0, is_bold=False, is_mono=False, is_hidden=False, quarter=0)
    step = 6 if drawn.startswith("ح") else -6
    letters = [
        Word(letter, 100 + step * at, 106 + step * at, 0, style, run=at, is_apart=False)
        for at, letter in enumerate(drawn)
    ]
    assert all(letters[0].add(other) for other in letters[1:])
    assert letters[0].text == "يفتح"


def test_cells_of_a_narrow_table_are_parted_where_the_columns_are():
    narrow = [(100.0, 88, "Bus"), (120.0, 88, "Tram"), (146.0, 88, "Ferry")]
    numbers = [(50.0, 100, "Elm"), (100.0, 100, "21"), (120.0, 100, "32"), (146.0, 100, "43")]
    wide = [(46.0, 112, "Harbourtow"), (105.5, 112, "5"), (120.0, 112, "16"), (146.0, 112, "7")]
    assert blocks([*narrow, *numbers, *wide]) == [
        ("header", " | Bus | Tram | Ferry"),
        ("row", "Elm | 21 | 32 | 43"),
        ("row", "Harbourtow | 5 | 16 | 7"),
    ]
