"""PDF: what a page shows by places and fonts alone: columns, tables, code, notes, running lines."""

from textwrap import wrap

import pytest

from citations.formats import pdf
from citations.formats.pdf.glyphs import Glyph, GlyphStyle, by_code, purposes, without_controls
from citations.formats.pdf.rows import ColumnRow, merged
from citations.formats.pdf.words import ACCENTS, join_lines, words_of_page
from citations.formats.reading import FileReading, ReadingLimits, silent
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
    return pdf.read(files.pdf(drawn, **options), ReadingLimits(pages=100), silent)  # type: ignore[arg-type]


def blocks(*pages: list[object]) -> list[tuple[str, str]]:
    return [
        (block.kind, block.text) for section in read(*pages).sections for block in section.blocks
    ]


def test_columns_are_read_one_after_the_other():
    page = column(20, 100, PROSE) + column(310, 103, OTHER)
    assert blocks(page) == [("paragraph", " ".join(PROSE)), ("paragraph", " ".join(OTHER))]


def test_three_columns_are_read_one_after_the_other_and_are_no_table():
    texts = [" ".join(PROSE), " ".join(OTHER), " ".join(PROSE[2:] + OTHER[2:])]
    page = [
        line
        for x, text in zip((20, 215, 410), texts, strict=True)
        for line in column(x, 100, wrap(text, 38))
    ]
    assert blocks(page) == [("paragraph", text) for text in texts]


def test_a_figure_in_one_column_does_not_tear_the_text_beside_it():
    labels = [(330 + 60 * (at % 3), 100 + 12 * at, f"Box {at}") for at in range(9)]
    page = column(20, 100, PROSE + OTHER + PROSE + OTHER) + labels + column(310, 220, PROSE)
    texts = [text for _kind, text in blocks(page)]
    assert texts[0] == " ".join(PROSE + OTHER + PROSE + OTHER)
    assert texts[-1] == " ".join(PROSE)


def test_columns_below_a_listing_as_wide_as_the_page_are_read_one_after_the_other():
    listing = [
        (20, 100 + 12 * at, f"set the value of register {at} to its own", "mono")
        for at in range(30)
    ]
    page = listing + column(20, 480, PROSE + OTHER) + column(310, 480, OTHER + PROSE)
    assert [text for kind, text in blocks(page) if kind == "paragraph"] == [
        " ".join(PROSE + OTHER),
        " ".join(OTHER + PROSE),
    ]


def test_a_title_over_columns_comes_first_and_large_lines_are_headings():
    page = [(60, 60, "On Committees and Their Members", "large")]
    page += column(20, 100, PROSE) + column(310, 100, OTHER)
    found = read(page)
    (section,) = found.sections
    assert (found.title, section.headings) == ("On Committees and Their Members", [])
    assert len(section.blocks) == 2


def test_raised_and_lowered_characters_keep_their_meaning():
    power = [(50, 100, "It holds 2"), (91, 96, "31", "small"), (104, 100, "values.")]
    water = [(50, 200, "Drink H"), (83.4, 203, "2", "small"), (87, 200, "O daily.")]
    note = [(50, 300, "Net revenue"), (104.3, 296, "1", "small"), (110, 300, "rose.")]
    assert blocks(power + water + note) == [
        ("paragraph", "It holds 2^31 values."),
        ("paragraph", "Drink H_2O daily."),
        ("paragraph", "Net revenue[1] rose."),
    ]


TABLE = [
    *[(300, 100, "Year ended June 30,", "bold")],
    *[(50, 112, "(in millions)"), (300, 112, "2023", "bold"), (400, 112, "2022", "bold")],
    *[(50, 126, "Net sales"), (290, 126, "$"), (300, 126, "14,694"), (400, 126, "14,544")],
    *[(50, 138, "Other income,"), (300, 150, "26"), (400, 150, "33")],
    *[(50, 150, "net of tax")],
    *[(50, 162, "Interest"), (400, 162, "(159)")],
]


def test_cells_below_one_another_are_a_table_with_its_header_rows():
    assert blocks([(50, 80, "Table 2: Income"), *TABLE]) == [
        ("caption", "Table 2: Income"),
        ("header", " | Year ended June 30,"),
        ("header", "(in millions) | 2023 | 2022"),
        ("row", "Net sales | $ 14,694 | 14,544"),
        ("row", "Other income, net of tax | 26 | 33"),
        ("row", "Interest |  | (159)"),
    ]


def test_a_table_that_goes_on_has_its_header_on_the_next_page_too():
    rest = column(50, 60, ["Tax", "Fees", "Rent"]) + column(300, 60, ["1.5", "2.5", "3.5"])
    found = read(TABLE, rest + column(400, 60, ["7.1", "8.1", "9.1"])).sections
    assert [block.kind for block in found[1].blocks] == ["header", "header", "row", "row", "row"]
    assert found[1].blocks[1].text == "(in millions) | 2023 | 2022"


def test_bold_rows_over_words_are_the_header_on_each_page_and_a_wrapped_caption_is_whole():
    caption = "Table 2.1. Summary of what debits do to the balance of the accounts and of"
    head = [(50, 90, "Type", "bold"), (300, 90, "Effect on the Balance", "bold")]
    head += [(250, 104, "Debit", "bold"), (400, 104, "Credit", "bold")]
    first = [*column(50, 20, PROSE[:2]), (50, 60, caption, "bold"), (50, 72, "others", "bold")]
    rows = [
        [(50, 118 + 14 * at, name), (250, 118 + 14 * at, "more"), (400, 118 + 14 * at, "less")]
        for at, name in enumerate(("Assets", "Costs"))
    ]
    above = [piece for row in rows for piece in row]
    found = read([*first, *head, *above], [*head, *above]).sections
    assert [block.kind for block in found[0].blocks] == [
        *("paragraph", "caption", "header", "header", "row", "row")
    ]
    assert found[0].blocks[1].text == f"{caption} others"
    assert [block.kind for block in found[1].blocks] == ["header", "header", "row", "row"]


def test_code_keeps_its_lines_and_indentation():
    page = [*column(50, 100, PROSE), (50, 150, "Type:")]
    page += [(50, 174, "for x in y:", "mono"), (74, 186, "print(x)", "mono")]
    page += [(50, 210, "It prints each of them, and nothing else at all, as was said above.")]
    assert ("code", "for x in y:\n    print(x)") in blocks(page)


def test_tokens_of_code_that_are_spread_over_a_grid_are_not_parted():
    page = [*column(50, 100, PROSE), (50, 150, "Type:")]
    # Letters are six wide; the gaps of two are LaTeX's, that of six is a space.
    pieces = [
        (50, "wget"),
        (76, "-"),
        (84, "1"),
        (92, ".12"),
        (112, "."),
        (120, "deb"),
        (144, "now"),
    ]
    page += [(x, 174, text, "mono") for x, text in pieces]
    page += [(50, 198, "It prints each of them, and nothing else at all, as was said above.")]
    assert ("code", "wget-1.12.deb now") in blocks(page)


def test_a_slide_that_is_shown_step_by_step_is_read_once_and_one_like_it_stays():
    title = [(50, 80, "What the committee does", "large")]
    steps = [[*title, *column(50, 120, PROSE[:count])] for count in (1, 3, 4)]
    other = [*title, *column(50, 120, OTHER)]
    found = read(*steps, other).sections
    assert [section.page for section in found] == [3, 4]
    assert [block.text for section in found for block in section.blocks] == [
        " ".join(PROSE),
        " ".join(OTHER),
    ]


def test_items_have_their_marks_and_their_wrapped_lines():
    page = [(50, 100, "Bring:"), (60, 116, "• a pen that writes and that you can spare for")]
    page += [(68, 128, "an hour or two"), (60, 140, "• paper"), (60, 152, "(a) ink")]
    assert blocks(page) == [
        ("paragraph", "Bring:"),
        ("item", "- a pen that writes and that you can spare for an hour or two"),
        ("item", "- paper"),
        ("item", "(a) ink"),
    ]


def test_items_are_behind_whatever_their_font_calls_its_bullet():
    page = [(60, 100 + 20 * at, mark) for at, mark in enumerate("!!!")]
    page += [(80, 100 + 20 * at, text) for at, text in enumerate(PROSE[:3])]
    assert blocks(page) == [("item", f"- {text}") for text in PROSE[:3]]


def test_a_paragraph_that_goes_on_over_the_page_is_joined_to_its_beginning():
    first = [*column(50, 100, PROSE[:3]), (50, 780, "1 A note below the text.", "small")]
    second = [*column(50, 60, PROSE[3:]), *column(50, 100, OTHER)]
    found = read(first, second).sections
    assert [(part.page, part.text) for part in found] == [
        (1, " ".join(PROSE) + "\n\n1 A note below the text."),
        (2, " ".join(OTHER)),
    ]
    assert found[0].blocks[-1].kind == "footnote"


def test_a_sentence_that_goes_on_over_the_page_with_a_name_is_one_if_its_line_was_full():
    line = "Any account that is closed within the year is to be kept apart by"
    below = "Parliament, in a file of its own. Nobody else may open it at all."
    full = [*column(50, 100, [line, f"{line} the"]), (50, 780, "2 A note below.", "small")]
    short = column(50, 100, [line, "those who were asked by"])
    next_page = [(50, 60, below)]
    assert blocks(full, next_page)[0] == ("paragraph", f"{line} {line} the {below}")
    assert blocks(short, next_page) == [
        ("paragraph", f"{line} those who were asked by"),
        ("paragraph", below),
    ]


def test_a_paragraph_that_fills_a_page_goes_on_with_the_one_after_it():
    lines = ["Whoever is elected to a second office resigns from the first one"] * 30
    first, second, third = lines[:3], [PROSE[1], *lines[:20]], ["within the year."]
    found = read(column(50, 60, first), column(50, 60, second), column(50, 60, third)).sections
    assert [(part.page, part.text) for part in found] == [(1, " ".join([*first, *second, *third]))]


def test_running_lines_that_change_sides_and_carry_chapters_are_left_out():
    pages = []
    for number in range(1, 9):
        chapter = "Of Offices" if number < 5 else "Of Elections"
        head = [(50, 40, f"{number}"), (400, 40, chapter)]
        if number % 2:
            head = [(50, 40, "The Rules of the Society"), (500, 40, f"{number}")]
        pages.append([*head, *column(50, 90, [f"{WORDS[number]} {line}" for line in PROSE])])
    found = read(*pages).sections
    assert [part.page for part in found] == list(range(1, 9))
    for part in found:
        assert part.text == " ".join(f"{WORDS[part.page]} {line}" for line in PROSE)


def test_a_running_line_that_is_wrapped_is_left_out_and_a_paragraph_there_is_text():
    pages = []
    for number in range(1, 9):
        head = [(250, 40, "Of Offices" if number < 4 else "Of Elections")]
        if number == 4:
            head = [(250, 40, "Of the Removal of"), (250, 52, "Members")]
        if number == 5:
            head = column(50, 40, OTHER[:2])
        text = [f"{WORDS[number]} {line}" for line in PROSE]
        pages.append([*head, *column(50, 90, text)])
    found = read(*pages).sections
    for part in found:
        said = " ".join(f"{WORDS[part.page]} {line}" for line in PROSE)
        assert part.text.split("\n\n")[-1] == said
        assert (len(part.blocks) == 1) == (part.page != 5)


def test_what_latex_sets_between_the_parts_of_a_listing_is_left_out():
    first = [*column(50, 60, PROSE), (50, 120, "for x in y:", "mono")]
    first += [(300, 132, "(continues on next page)", "small")]
    rest = [(300, 60, "(continued from previous page)", "small"), (50, 72, "print(x)", "mono")]
    assert [text for _kind, text in blocks(first, [*rest, *column(50, 100, OTHER)])] == [
        " ".join(PROSE),
        "for x in y:",
        "print(x)",
        " ".join(OTHER),
    ]


def test_contents_are_left_out_with_and_without_leaders():
    leaders = [(50, 60, "Contents", "bold")]
    leaders += column(50, 80, [f"Chapter {n} {'. ' * 30} {n * 7}" for n in range(1, 7)])
    bare = [(50, 60, "TABLE OF CONTENTS")]
    for n in range(1, 7):
        bare += [(50, 80 + 12 * n, f"Item {n}. Business"), (500, 80 + 12 * n, str(n * 7))]
    for page in (leaders, bare):
        assert blocks(page, column(50, 100, PROSE)) == [("paragraph", " ".join(PROSE))]


def test_a_bold_line_of_its_own_is_a_heading_and_a_bold_word_is_not():
    page = [(50, 80, "Highly Inflationary Accounting", "bold"), *column(50, 104, PROSE)]
    page += [(50, 170, "Note", "bold"), (76, 170, "that this is no heading, because it goes on.")]
    found = read(page).sections
    assert [(part.headings, len(part.blocks)) for part in found] == [
        (["Highly Inflationary Accounting"], 2)
    ]


def test_words_broken_at_the_end_of_a_line_are_made_whole_but_for_their_own_hyphens():
    lines = ["They were well-known for the high quality of the well-", "known goods that they pro-"]
    page = [*column(50, 100, [*lines, "duced in 1999."])]
    (found,) = blocks(page)
    assert found[1].endswith("quality of the well-known goods that they produced in 1999.")


def test_words_in_capitals_are_made_whole_if_they_are_known_without_the_hyphen():
    lines = ["THE DOCUMENTATION IS GIVEN AS IT IS, AND THIS DOCU-", "MENTATION IS NOT FREE OF NON-"]
    (found,) = blocks(column(50, 100, [*lines, "CONFORMING PARTS, WHICH ARE NOT TOLD HERE."]))
    assert found[1] == (
        "THE DOCUMENTATION IS GIVEN AS IT IS, AND THIS DOCUMENTATION IS NOT FREE OF"
        " NON-CONFORMING PARTS, WHICH ARE NOT TOLD HERE."
    )


def test_a_heading_goes_on_with_what_is_left_of_its_last_word():
    page = [
        (50, 80, "Keeping the Accounts of the Society (How-", "large"),
        (50, 102, "To)", "large"),
    ]
    assert read([*page, *column(50, 130, PROSE)]).title == (
        "Keeping the Accounts of the Society (How-To)"
    )


def test_a_bold_question_over_two_lines_is_one_heading_though_its_first_sentence_ends():
    page = [(50, 80, "1. I know that no two times may be the same, but mine are.", "bold")]
    page += [(50, 92, "What do I do?", "bold"), *column(50, 120, PROSE)]
    assert [part.headings for part in read(page).sections] == [
        ["1. I know that no two times may be the same, but mine are. What do I do?"]
    ]


def test_a_line_of_code_in_the_middle_of_a_sentence_belongs_to_it():
    page = [*column(50, 100, PROSE[:3]), (50, 136, "crond.pid.", "mono")]
    assert [kind for kind, _ in blocks(page)] == ["paragraph"]


def test_a_term_in_code_stands_with_the_indented_text_that_says_what_it_is():
    page = [*column(50, 100, PROSE), (50, 160, "HISTSIZE", "mono"), (50, 172, "$HIST", "mono")]
    page += [
        (86, 184, "The number of commands that are kept, which"),
        (86, 196, "is 500 at first."),
    ]
    page += [(50, 208, "HISTFILE", "mono"), (86, 220, "The file that they are in.")]
    page += [*column(50, 232, OTHER)]
    assert blocks(page)[1:3] == [
        ("item", "- HISTSIZE, $HIST: The number of commands that are kept, which is 500 at first."),
        ("item", "- HISTFILE: The file that they are in."),
    ]


def test_short_lines_above_indented_text_are_terms_of_a_list_and_its_title_is_a_caption():
    page = [*column(50, 60, PROSE), (50, 120, "There are three kinds of members:")]
    page += [(50, 146, "Kinds", "bold")]
    for at, term in enumerate(("Ordinary", "Honorary (for life)", "Supporting")):
        page += [(50, 170 + 44 * at, term), (68, 192 + 44 * at, f"They pay {at} a month.")]
    page += column(50, 310, OTHER)
    assert blocks(page)[1:] == [
        ("paragraph", "There are three kinds of members:"),
        ("caption", "Kinds"),
        ("item", "- Ordinary: They pay 0 a month."),
        ("item", "- Honorary (for life): They pay 1 a month."),
        ("item", "- Supporting: They pay 2 a month."),
        ("paragraph", " ".join(OTHER)),
    ]


def test_one_short_line_above_indented_text_and_lines_in_the_middle_are_no_list():
    alone = [*column(50, 60, PROSE), (50, 140, "Ordinary"), (68, 162, "They pay a month.")]
    middle = [*column(50, 60, PROSE), (200, 140, "The Society"), (215, 152, "of Boats")]
    middle += [(190, 174, "Its Yearbook"), (220, 186, "in Full")]
    cells = [*column(50, 60, PROSE), (50, 140, "UTF-8"), (90, 146, "of today")]
    cells += [(90, 158, "of the west"), (50, 164, "CP850"), (90, 170, "of an old system")]
    for page in (alone, middle, cells):
        assert "item" not in [kind for kind, _ in blocks(page)]


def test_a_name_of_a_program_beside_its_text_is_the_term_of_an_item():
    page = [*column(50, 100, PROSE), (50, 160, "HISTSIZE", "mono")]
    page += [(112, 160, "The number of commands that are kept, which"), (86, 172, "is 500.")]
    assert blocks(page)[1] == (
        "item",
        "- HISTSIZE: The number of commands that are kept, which is 500.",
    )


def test_a_bar_in_a_cell_is_no_border():
    page = [(50, 80, "Formula"), (200, 80, "Meaning"), (50, 92, "(1 | g)"), (200, 92, "One each")]
    assert ("row", "(1|g) | One each") in blocks([*page, (50, 104, "x"), (200, 104, "A slope")])


def test_code_above_a_paragraph_whose_first_line_is_indented_is_no_term():
    page = [*column(50, 100, OTHER), (50, 160, "make install", "mono"), (65, 172, PROSE[0])]
    page += column(50, 184, PROSE[1:])
    assert ("code", "make install") in blocks(page)


def test_a_definition_beside_its_term_is_whole_though_its_lines_are_many():
    page = [(50, 100, "-a"), (100, 100, "Each variable is marked for the export.")]
    page += [(50, 112, "-e"), (100, 112, "Leave at once if one of the pipelines (see page")]
    page += column(100, 124, ["10), or a list of commands, or a compound com-", "mand fails."])
    assert blocks(page)[-1] == (
        "row",
        "-e | Leave at once if one of the pipelines (see page 10), or a list of commands, or a"
        " compound command fails.",
    )


def test_short_numbered_lines_above_text_that_count_on_are_headings():
    page = []
    for at, name in enumerate(("Introduction", "Methods", "Results")):
        page += [(50, 60 + 150 * at, f"{at + 1}. {name}")]
        page += column(50, 90 + 150 * at, PROSE)
    assert [section.headings for section in read(page).sections] == [
        ["1. Introduction"],
        ["2. Methods"],
        ["3. Results"],
    ]
    listed = [(50, 60 + 12 * at, f"{at + 1}. {name}") for at, name in enumerate(WORDS[:3])]
    assert {kind for kind, _ in blocks(listed + column(50, 120, PROSE))} == {"item", "paragraph"}


def test_in_a_document_set_in_bold_a_bold_line_is_no_heading():
    lines = [*PROSE, *OTHER]
    page = [(50, 60, "Nobody is a member twice", "bold"), *column(50, 90, lines, "bold")]
    assert blocks(page)[1] == ("paragraph", " ".join(lines))
    assert all(kind == "paragraph" for kind, _ in blocks(page))


def test_text_in_large_type_is_text():
    large = [(50, 60 + 24 * at, line, "large") for at, line in enumerate([*PROSE, *OTHER])]
    page = large + [(50, 300 + 12 * at, line) for at, line in enumerate([*PROSE, *OTHER] * 3)]
    assert all(kind == "paragraph" for kind, _ in blocks(page))


def test_a_line_has_the_size_of_most_of_it():
    words = [(50, 120, "synchronize", "large"), (160, 120, "is what it does in a few short words")]
    page = column(50, 60, PROSE) + words + column(50, 132, ["and it leaves the rest to others."])
    said = "synchronize is what it does in a few short words and it leaves the rest to others."
    assert blocks(page)[-1] == ("paragraph", said)


def test_contents_are_left_out_though_their_leaders_touch_the_numbers():
    entries = [
        (50, 80 + 14 * at, f"{at + 1}. {name}" + " ." * 40 + str(at + 2))
        for at, name in enumerate(WORDS)
    ]
    assert all("Seven" not in text for _, text in blocks(entries, column(50, 60, PROSE)))


def test_in_a_release_whose_tables_are_small_its_text_is_text_and_its_bold_lines_are_headings():
    figures = [
        (x, 60 + 8 * at, f"{at}{x} 00", "small") for at in range(60) for x in (50, 120, 190, 260)
    ]
    page = [*column(50, 60, PROSE), (50, 120, "What It Costs", "bold"), *column(50, 140, OTHER)]
    found = blocks(page, figures)
    assert found[0] == ("paragraph", " ".join(PROSE))
    assert ("paragraph", " ".join(OTHER)) in found
    assert ["What It Costs"] in [section.headings for section in read(page, figures).sections]


@pytest.mark.parametrize(
    ("shown", "read_as"),
    [
        ("P❡♥❛❧✐③❡❞ ❧❡❛st sq✉❛r❡s, ✜tt❡❞", "Penalized least squares, fitted"),
        ("✓ yes ✗ no ✦ new ★ good ♥ ♦ ♠ ♣", "✓ yes ✗ no ✦ new ★ good ♥ ♦ ♠ ♣"),
    ],
)
def test_glyphs_that_are_named_by_their_code_are_letters(shown: str, read_as: str):
    style = GlyphStyle(10.0)
    sheet = [Glyph(char, at, 0, at + 1, style) for at, char in enumerate(shown)]
    assert "".join(glyph.char for glyph in by_code(sheet)) == read_as


def test_a_formula_over_several_lines_is_no_table():
    formula = [
        *[(120, 120, "n"), (240, 120, "k")],
        *[(50, 132, "q ="), (118, 132, "S"), (160, 132, "x ="), (238, 132, "S"), (400, 132, "(5)")],
        *[(120, 144, "i=1"), (240, 144, "j=1")],
    ]
    found = blocks([*column(50, 60, PROSE), *formula, *column(50, 170, OTHER)])
    assert [kind for kind, _ in found] == ["paragraph", "formula", "paragraph"]


@pytest.mark.parametrize("begins", ["12. March of the year", "(2) of the statute", "z. B. in May"])
def test_a_number_at_the_beginning_of_a_line_belongs_to_the_sentence_above_it(begins: str) -> None:
    lines = [*PROSE[:2], f"{begins} which the members may move by a vote", "to another day."]
    assert blocks(column(20, 100, lines)) == [("paragraph", " ".join(lines))]


def test_a_decimal_fraction_whose_digits_stand_apart_is_no_number_of_a_list() -> None:
    lines = ["Leave a gap.", "0. 5 mm is enough for the door to open in all weather there is."]
    assert [kind for kind, _ in blocks(column(20, 100, lines))][-1] == "paragraph"


def test_items_of_a_list_begin_though_the_line_above_them_is_full() -> None:
    lines = [f"1. {PROSE[0][:-3]}", f"2. {PROSE[1][:-3]}", f"3. {PROSE[2][:-3]}"]
    assert [kind for kind, _ in blocks(column(20, 100, lines))] == ["item"] * 3


def test_lines_that_end_in_a_share_are_one_each() -> None:
    lines = ["North of the river, all districts 12%", "South of the river, all districts 13 %"]
    page = column(20, 100, PROSE) + column(20, 200, lines)
    assert [text for _, text in blocks(page)][1:] == lines


def typeset(text: str, *, is_behind: bool) -> list[Glyph]:
    """Return the glyphs as old LaTeX draws them: an accent above the middle of its letter, drawn
    before it or behind.
    """
    glyphs, x, style = list[Glyph](), 100.0, GlyphStyle(10.0)
    for before, char in zip(f" {text}", text, strict=False):
        if char in ACCENTS:
            continue
        width = 2.8 if char == "ı" else 5.5
        letter = Glyph(char, x, 700.0, x + width, style)
        left = x + (width - 5) / 2
        accent = [Glyph(before, left, 700.0, left + 5, style)] if before in ACCENTS else []
        glyphs += [letter, *accent] if is_behind else [*accent, letter]
        x += width
    return glyphs


@pytest.mark.parametrize("is_behind", [False, True])
@pytest.mark.parametrize(
    ("drawn", "read_as"),
    [
        *[("M¨uller", "Müller"), ("Garc´ıa", "García"), ("na¨ıve", "naïve"), ("Haˇsek", "Hašek")],
        *[("Erd˝os", "Erdős"), ("Dvoˇr´ak", "Dvořák"), ("´Etude", "Étude"), ("`a", "à")],
    ],
)
def test_an_accent_of_old_latex_stands_on_the_letter_under_it(
    drawn: str, read_as: str, is_behind: bool
) -> None:
    assert [word.text for word in words_of_page(typeset(drawn, is_behind=is_behind))] == [read_as]


def test_a_quotation_mark_before_a_letter_is_no_accent() -> None:
    style = GlyphStyle(10.0)
    quoted = [Glyph("`", 100.0, 700.0, 102.8, style), Glyph("a", 102.8, 700.0, 107.8, style)]
    assert [word.text for word in words_of_page(quoted)] == ["`a"]


def test_a_table_with_leaders_is_no_list_of_contents_and_its_labels_have_no_dots() -> None:
    prices = {"Espresso": "3", "Latte": "4.50", "Mocha": "2", "Tea": "1"}
    menu = [
        (50, 80 + 14 * at, f"{name} {'. ' * 30}", "small") for at, name in enumerate([*prices] * 2)
    ]
    menu += [(300, 80 + 14 * at, price) for at, price in enumerate([*prices.values()] * 2)]
    assert blocks(menu) == [("row", f"{name} | {price}") for name, price in [*prices.items()] * 2]
    counts = [f"{name} {'. ' * 30} {9 - at % 3} 1,{at}00" for at, name in enumerate(WORDS)]
    assert all(name in dict(blocks(column(50, 80, counts)))["paragraph"] for name in WORDS[:3])


def test_lines_below_a_cell_that_say_more_belong_to_its_row() -> None:
    page = []
    for at, name in enumerate(WORDS[:4]):
        y = 100 + 56 * at
        page += [(50, y, str(at + 1)), (90, y, f"Service {name}"), (400, y, f"{at},90")]
        page += [(90, y + 14, "Fee for each unit"), (90, y + 28, f"Account: {name}_x")]
        page += [(90, y + 42, "01.05.14-31.05.14")]
    assert blocks(page) == [
        ("row", f"{at + 1} | Service {name} Fee for each unit Account: {name}_x "
                f"01.05.14-31.05.14 | {at},90")
        for at, name in enumerate(WORDS[:4])
    ]  # fmt: skip


def test_a_raised_number_over_a_label_is_its_note() -> None:
    lines = [
        ColumnRow({0: "Gambling . .", 1: "8.2"}, 112, 8, is_bold=False),
        ColumnRow({0: "1"}, 103, 5, is_bold=False),
        ColumnRow({0: "Stolen property .", 1: "84.3"}, 100, 8, is_bold=False),
    ]
    assert [row.text(0) for row in merged(lines, ())] == ["Gambling", "Stolen property[1]"]


def test_lines_over_a_table_that_can_be_no_part_of_it_are_not_lost() -> None:
    rows = [(x, y, f"{x} of {y}") for y in (200, 236) for x in (50, 210, 400)]
    over = column(215, 164, ["First said", "Then this", "And that"])
    said = " ".join(text for _, text in blocks([*over, *rows, *column(53, 212, ["One", "Two"])]))
    assert all(words in said for words in ("First said", "Then this", "And that"))


def test_labels_with_words_and_figures_beside_them_are_no_header() -> None:
    form = [("Payment", "by transfer"), ("Terms", "14 days net"), ("Due in", "21")]
    page = [(x, 100 + 14 * at, text) for at, row in enumerate(form) for x, text in
            zip((50, 200), row, strict=True)]  # fmt: skip
    assert blocks(page) == [("row", " | ".join(row)) for row in form]


def test_fonts_of_latex_that_say_nothing_of_their_codes_have_ligatures_for_controls() -> None:
    style = GlyphStyle(10.0)
    shown = "di\x1berent, speci\x1ced \x1cgures, 1986\x151989"
    glyphs = [Glyph(char, 5 * at, 0, 5 * at + 5, style) for at, char in enumerate(shown)]
    words = [word.text for word in words_of_page(without_controls(glyphs))]
    assert words == ["different,", "specified", "figures,", "1986–1989"]
    chart = [Glyph(char, 5 * at, 0, 5 * at + 5, style) for at, char in enumerate("\x10 \x1b\x1c 4")]
    assert without_controls(chart) == chart


def test_blocks_beside_one_another_in_a_letter_are_read_one_after_the_other() -> None:
    address = ["Account number:", "296664039561", "Bill to: Ada Limited", "5 Bay Road", "Oxley"]
    dates = [
        "About your bill, see the page",
        "Invoice: 42183017",
        "Dated August third",
        "Due: 4.11",
    ]
    page = column(50, 106, address) + column(300, 100, dates) + column(50, 220, PROSE)
    texts = [text for _, text in blocks(page)]
    assert " ".join(texts) == " ".join([*address, *dates, *PROSE])
    assert all("Bill to" not in text for text in texts if "About" in text)


def test_cells_of_a_header_that_stand_at_other_heights_are_not_torn_apart() -> None:
    label = ["Location of the", "Condensed", "Statements"]
    names = ["Three Months to the", "End of December", "Unaudited"]
    title = [(40, 60, "Recognised in income for derivatives that are designated as hedging of it")]
    lines = [text for _, text in blocks(title + column(50, 106, label) + column(300, 100, names))]
    said = " ".join(lines)
    assert said.index("Three Months") < said.index("Location") < said.index("Unaudited")


def test_labels_that_stand_halfway_beside_their_lines_keep_their_places() -> None:
    labels = [(50, 106 + 24 * at, f"Label {name}") for at, name in enumerate(WORDS[:5])]
    texts = column(200, 100, [f"Said of it in line {at} here" for at in range(10)])
    said = " ".join(text for _, text in blocks([*labels, *texts]))
    assert said.index("Label One") < said.index("line 4")


def test_a_heading_of_the_outline_that_is_a_cell_or_counts_pages_is_none() -> None:
    table = [(x, 100 + 14 * at, text) for at, row in enumerate(
        [("Check in", "Rooms"), ("Monday", "1"), ("Friday", "2")])
        for x, text in zip((50, 200), row, strict=True)]  # fmt: skip
    found = read([*table, *column(50, 200, PROSE)], outline=["Slide 1"]).sections
    assert [section.headings for section in found] == [[]]
    found = read([*table, *column(50, 200, PROSE)], outline=["Check in"]).sections
    assert [section.headings for section in found] == [[]]


def test_a_number_in_the_type_of_the_title_is_no_part_of_it() -> None:
    page = [(50, 60, "296664039561", "large"), (50, 100, "A Bay Invoice", "large")]
    assert read([*page, *column(50, 140, PROSE)]).title == "A Bay Invoice"


def test_a_label_stands_with_what_is_set_below_it_in_larger_type() -> None:
    page = [(50, 60, "Account number:", "small"), (50, 78, "296664039561", "large")]
    assert blocks([*page, *column(50, 120, PROSE)])[0] == (
        "paragraph",
        "Account number: 296664039561",
    )


# --- In the margin, and at half the height --------------------------------------------------------

NOTE = [
    "a committee without a member of the public may",
    "not decide on money, and asks the board",
    "first.",
]


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_the_label_of_a_remark_beside_it_stands_before_it(lines: int):
    page = [*column(50, 100, PROSE), (60, 180 + 6 * (lines - 1), "Important")]
    page += [*column(150, 180, NOTE[:lines]), *column(50, 240, OTHER)]
    assert blocks(page) == [
        ("paragraph", " ".join(PROSE)),
        ("paragraph", "Important: " + " ".join(NOTE[:lines])),
        ("paragraph", " ".join(OTHER)),
    ]


def test_a_cell_at_half_the_height_of_the_one_beside_it_is_of_its_row():
    page = [(50, 100, "Seat"), (150, 100, "Held by whoever is elected")]
    page += [(50, 136, "Term"), *column(150, 130, NOTE[:2])]
    page += [(50, 172, "Vote"), *column(150, 160, NOTE)]
    assert blocks(page) == [
        ("row", "Seat | Held by whoever is elected"),
        ("row", "Term | " + " ".join(NOTE[:2])),
        ("row", "Vote | " + " ".join(NOTE)),
    ]


def test_an_abstract_beside_short_lines_is_read_after_them():
    about = ["History:", "Received May 1", "Accepted May 9", "Keywords:", "vote", "member", "seat"]
    page = [(50, 60, "On Committees", "large"), (50, 80, "A. Member, The Public University")]
    page += [*column(50, 110, about), *column(200, 113, PROSE + OTHER)]
    said = " ".join(text for _, text in blocks(page))
    assert " ".join(PROSE + OTHER) in said
    assert said.index("seat") < said.index(PROSE[0])


def test_the_rest_of_a_row_below_a_repeated_header_is_not_of_the_header():
    head = [(50, 60, "Field", "bold"), (150, 60, "Meaning", "bold")]
    page = [*head, (150, 74, "has gone, but is still held by whoever was")]
    page += [(50, 100, "Seat"), (150, 100, "Held by whoever is elected")]
    page += [(50, 126, "Term"), (150, 126, "Two years from the vote on")]
    assert blocks(page)[:2] == [
        ("header", "Field | Meaning"),
        ("row", " | has gone, but is still held by whoever was"),
    ]


def test_the_end_of_a_text_over_the_second_column_is_no_header_of_the_table_below():
    said = ["Tells that the committee asks for the names,", "and may look them up in the list."]
    page = [*column(50, 60, PROSE), (50, 130, "filenames", "mono"), *column(150, 142, said)]
    page += [(50, 172, "noquote", "mono"), (150, 172, "Tells not to quote the names")]
    page += [(50, 190, "nosort", "mono"), (150, 190, "Tells not to sort the names")]
    assert blocks(page)[1:] == [
        ("item", "- filenames: " + " ".join(said)),
        ("row", "noquote | Tells not to quote the names"),
        ("row", "nosort | Tells not to sort the names"),
    ]


def test_the_title_is_longer_than_the_name_of_the_journal_that_is_as_large():
    page = [(50, 60, "Society Letters", "large"), (50, 80, "published by nobody")]
    page += [(50, 110, "On Committees and Their Members", "large"), *column(50, 140, PROSE)]
    assert read(page).title == "On Committees and Their Members"


def test_a_heading_that_the_outline_knows_may_have_four_lines():
    title = (
        "Whether a committee may appoint a member of the public to serve until the next election"
    )
    title += (
        " if that member was elected before to one of the offices and has resigned from it since"
    )
    title += " then, or was voted out of it?"
    lines = wrap(title, 60)
    found = read(
        [*column(50, 100, lines, "bold"), *column(50, 170, PROSE)], outline=[title]
    ).sections
    assert [section.headings for section in found] == [[title]]
    assert len(lines) == 4


def test_a_word_between_two_blocks_of_code_is_no_label():
    page = [*column(50, 100, PROSE), (80, 160, "print(1+1)", "mono"), (50, 172, "or")]
    page += [(80, 184, "print(2)", "mono"), *column(50, 210, OTHER)]
    kinds = [kind for kind, _ in blocks(page)]
    assert kinds == ["paragraph", "code", "paragraph", "code", "paragraph"]


def test_the_title_over_a_table_is_no_row_of_it_and_a_caption_ends_with_its_line():
    page = [(180, 80, "Table 1. Seats"), (60, 100, "Field", "bold"), (150, 100, "Meaning", "bold")]
    page += [(50, 116, "Seat"), (150, 116, "Held by whoever is elected")]
    page += [(50, 132, "Term"), (150, 132, "Two years from the vote")]
    page += [(50, 180, "Figure 2. Terms"), *column(50, 198, ["and the board " + PROSE[0], *OTHER])]
    assert [(kind, text[:28]) for kind, text in blocks(page)] == [
        ("caption", "Table 1. Seats"),
        ("header", "Field | Meaning"),
        ("row", "Seat | Held by whoever is el"),
        ("row", "Term | Two years from the vo"),
        ("caption", "Figure 2. Terms"),
        ("paragraph", "and the board The committee "),
    ]


# --- What goes on ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "rest", "said"),
    [
        ("and all that was decided since is at https://votes.example.", "org/lists.", "org/lists."),
        ("and all that was decided since the vote is in the folder /usr/", "share/it.", "/usr/"),
        ("and what was decided since is told by", "the.list_of_all_votes().", "by the.list"),
    ],
)
def test_what_a_line_has_no_room_for_is_no_code_though_it_is_typewritten(
    above: str, rest: str, said: str
):
    page = [*column(50, 100, PROSE), (62, 160, above), (50, 172, rest, "mono")]
    page += column(50, 200, OTHER)
    assert [kind for kind, _ in blocks(page)] == ["paragraph"] * 3
    assert said in blocks(page)[1][1]


def test_an_address_is_made_whole_and_keeps_its_hyphens():
    assert join_lines(["at https://www.", "example.org/ and"]) == "at https://www.example.org/ and"
    assert join_lines(["(https://", "E.org/)"]) == "(https://E.org/)"
    assert join_lines(["to R-windows@R-", "project.org."]) == "to R-windows@R-project.org."
    assert join_lines(["see https://example.org.", "The"]) == "see https://example.org. The"


def test_the_title_of_a_section_beside_that_of_its_chapter_is_no_heading():
    def page(at: int) -> list[object]:
        head = [(50, 40, "CHAPTER 2. ON THE COMMITTEE"), (400, 40, f"ON THE {WORDS[at].upper()}")]
        return [*head, *column(50, 90, PROSE if at % 2 else OTHER), (300, 800, str(at))]

    found = read(*map(page, range(1, 7)))
    assert not any("CHAPTER" in repr(section) for section in found.sections)
    assert not any(section.headings for section in found.sections)


def test_a_note_whose_raised_number_is_a_letter_of_its_font_is_a_note():
    page = [*column(50, 100, PROSE), (50, 780, "7The vote is taken by show of hands.", "small")]
    page += [(50, 788, "8Whoever is away may send a letter.", "small")]
    assert blocks(page)[1:] == [
        ("footnote", "[7] The vote is taken by show of hands."),
        ("footnote", "[8] Whoever is away may send a letter."),
    ]


def test_a_line_that_was_stretched_to_the_width_of_its_column_has_no_cells():
    words = "Chapman Hall Boca Raton FL ISBN".split()
    places = (50, 99, 127, 156, 193, 211)
    stretched = [(x, y, word) for y in (148, 160) for x, word in zip(places, words, strict=True)]
    page = [*column(50, 100, PROSE), *stretched, (50, 172, "held and so on to its end.")]
    assert [kind for kind, _ in blocks(page)] == ["paragraph"]


@pytest.mark.parametrize("font", ["CMSLTT10", "ABCDEF+CMITT10", "SFST1000", "ECIT1095", "CMTT9"])
def test_slanted_typewriters_are_typewriters(font: str):
    assert purposes(font)[2]


def test_other_slanted_fonts_are_none():
    assert not any(purposes(font)[2] for font in ("CMSL10", "SFSL1000", "CMTI10", "ECTI1000"))


def test_columns_of_a_card_that_have_headings_of_their_own_are_read_one_after_the_other():
    def part(x: float, y: float, name: str, rows: list[tuple[str, str]]) -> list[object]:
        cells = [
            (x + across, y + 18 + 12 * at, said)
            for at, row in enumerate(rows)
            for across, said in ((0, row[0]), (90, row[1]))
        ]
        return [(x, y, name, "large"), *cells]

    keys = [("Up", "one line up"), ("Down", "one line down"), ("Home", "to the first")]
    left = part(40, 60, "Moving", keys) + part(40, 150, "Marking", keys)
    right = part(320, 60, "Files", keys[:2]) + part(320, 124, "Searching", keys)
    found = read([*left, *right]).sections
    assert [section.headings[-1] for section in found] == [
        "Moving",
        "Marking",
        "Files",
        "Searching",
    ]
    assert [block.text for block in found[0].blocks] == [" | ".join(row) for row in keys]


def test_bold_labels_and_totals_of_one_table_do_not_make_columns_of_it():
    rows = [("Assets", ""), ("Cash at bank", "12"), ("Stock in hand", "30"), ("Total assets", "42")]
    page = [
        (x, 60 + 40 * part + 12 * at, text, *["bold"][: at in (0, 3)])
        for part in range(3)
        for at, row in enumerate(rows)
        for x, text in zip((40, 320), row, strict=True)
        if text
    ]
    assert ("row", "Cash at bank | 12") in blocks(page)


def test_a_line_in_larger_type_ends_the_table_above_it():
    first, second = (
        [
            (x, y + 12 * at, f"{name} {at}")
            for at in range(3)
            for x, name in ((40, "Cell"), (220, "Said"))
        ]
        for y in (80, 160)
    )
    names = [(40, 50, "One matter", "large"), (40, 140, "Another matter", "large")]
    found = read([*names, *first, *second], title="Matters").sections
    assert [section.headings for section in found] == [["One matter"], ["Another matter"]]
    assert [block.kind for section in found for block in section.blocks] == ["row"] * 6


def test_columns_are_read_one_after_the_other_though_there_is_code_in_them():
    code = ["run = {", '  "a": 1,', '  "b": 2,', "}"]
    left = column(20, 100, PROSE) + column(20, 160, code, "mono") + column(20, 220, OTHER)
    right = column(310, 105, code, "mono") + column(310, 165, [*PROSE, *OTHER])
    page = [kind for kind, _ in blocks(left + right)]
    assert page == ["paragraph", "code", "paragraph", "code", "paragraph"]


def test_rows_that_stand_far_apart_are_one_table_if_their_cells_begin_at_the_same_places():
    page = [
        piece
        for at, name in enumerate(("Harbour seal", "Otter", "Grey heron"))
        for piece in [(40, 60 + 90 * at, name), *column(160, 60 + 90 * at, PROSE)]
    ]
    names = ("Harbour seal", "Otter", "Grey heron")
    assert blocks(page) == [("row", f"{name} | {' '.join(PROSE)}") for name in names]


def test_a_sentence_that_leads_in_in_larger_type_is_no_heading():
    large = b"BT /F1 12 Tf 40 %d Td %s Tj ET"
    lead = [
        "Whoever rents a garden of ours from one year to the next one",
        "pays for it in March, and whoever comes later for the rest.",
    ]
    drawn = [large % (770 - 15 * at, files.string(line)) for at, line in enumerate(lead)]
    page = b"\n".join([*drawn, placed(*column(40, 120, [*PROSE, *OTHER]))])
    found = pdf.read(files.pdf([page]), ReadingLimits(pages=1), silent).sections
    assert [section.headings for section in found] == [[]]
    assert found[0].blocks[0].text == " ".join(lead)


def test_labels_of_a_form_are_rows_of_their_own_and_a_number_in_bold_is_no_heading():
    rows = [("Order no.:", "20251478"), ("Placed on:", "4 May"), ("Carrier:", "by ship")]
    far = [("Warehouse", "North"), ("Gate", "East")]
    page = [
        (x, y, text)
        for y, row in [*zip((60, 72, 84), rows, strict=True), *zip((108, 132), far, strict=True)]
        for x, text in zip((40, 200), row, strict=True)
    ]
    page += [(40, 180, "Order no.: 20251478", "bold"), *column(40, 200, PROSE)]
    found = blocks(page)  # type: ignore[arg-type]
    assert [text for kind, text in found if kind == "row"] == [
        " | ".join(row) for row in rows + far
    ]
    assert "heading" not in [kind for kind, _ in found]


def test_what_stands_side_by_side_in_a_form_with_its_label_is_one_item_each():
    rows = [
        ("Order no.: 2478", "Carrier: by ship"),
        ("Paid by: bank", ""),
        ("On: 4 May", "Weight: 3 kg"),
    ]
    page = [
        (x, 60 + 14 * at, text)
        for at, row in enumerate(rows)
        for x, text in zip((40, 300), row, strict=True)
        if text
    ]
    said = [text for _, text in blocks(page)]  # type: ignore[arg-type]
    assert said == [f"- {text}" for row in rows for text in row if text]


def test_numbers_of_sections_beside_their_names_are_no_cells():
    page = [
        piece
        for at, name in enumerate(("Options", "Commands"))
        for piece in [
            (40, 60 + 160 * at, str(at + 2), "large"),
            (70, 60 + 160 * at, name, "large"),
            *column(70, 90 + 160 * at, [*PROSE, *OTHER]),
        ]
    ]
    assert "row" not in [kind for kind, _ in blocks(page)]


def test_a_label_with_its_number_in_larger_type_is_no_heading_and_ends_no_table():
    rows = [(50, 100, "Title", "bold"), (250, 100, "Qty", "bold"), (400, 100, "Total", "bold")]
    rows += [(50, 115, "Memory card"), (250, 115, "1"), (400, 115, "319.00")]
    rows += [(50, 130, "of 16 GB", "small"), (250, 130, "new", "small")]
    rows += [(50, 145, "WID: VM72516")]
    rows += [(50, 162, "Grand total"), (400, 162, "319.00")]
    found = blocks([*column(50, 40, PROSE[:3]), *rows, (50, 260, "Total EUR 34,73", "large")])
    assert [kind for kind, _ in found] == ["paragraph", "header", *["row"] * 4, "paragraph"]
    assert ("row", "Grand total |  | 319.00") in found


def test_a_bold_line_of_words_below_rows_is_the_header_of_the_rows_under_it():
    page = [(50, 100, "Hotel", "bold"), (250, 100, "Check in", "bold")]
    page += [(50, 112, "At the lake"), (250, 112, "31/12/2017")]
    page += [(50, 124, "Booking", "bold"), (250, 124, "Payment", "bold")]
    page += [(50, 136, "IBZY2087"), (250, 136, "Cash")]
    assert blocks(page) == [
        ("header", "Hotel | Check in"),
        ("row", "At the lake | 31/12/2017"),
        ("header", "Booking | Payment"),
        ("row", "IBZY2087 | Cash"),
    ]


def test_rows_far_apart_are_one_table_if_they_begin_and_end_at_the_same_places():
    page = [(50, 100, "Room"), (300, 100, "1 night"), (450, 100, "Rs 1939")]
    page += [(50, 140, "Grand total"), (450, 140, "Rs 1939")]
    page += [(50, 180, "Paid"), (280, 180, "in cash"), (450, 180, "Rs 1939")]
    assert blocks(page) == [
        ("row", "Room | 1 night | Rs 1939"),
        ("row", "Grand total |  | Rs 1939"),
        ("row", "Paid | in cash | Rs 1939"),
    ]


def test_a_bold_line_is_a_heading_however_long_if_text_begins_below_it():
    asked = "I started a job and decided that I did not want it, is there"
    (section,) = read([(20, 80, asked, "bold"), *column(20, 92, PROSE)]).sections
    assert (section.headings, section.text) == ([asked], " ".join(PROSE))


def test_names_of_columns_in_capitals_are_no_heading():
    page = [*column(50, 40, PROSE), (50, 200, "DESCRIPTION"), (250, 200, "RATE")]
    assert blocks(page)[-1] == ("paragraph", "DESCRIPTION RATE")
