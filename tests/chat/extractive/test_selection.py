"""The stretch that is quoted, and how it is written."""

from dataclasses import replace

import pytest

from chat.extractive.markdown import embolden, format_quotation
from chat.extractive.selection import select_stretches
from citations.formats.blocks import BlockKind
from memory.text.words import stem
from tests.chat.extractive.passages import answer, passage_of, scored

PARAGRAPH, ITEM, ROW = BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.ROW
HEADER, CODE, HEADING = BlockKind.HEADER, BlockKind.CODE, BlockKind.HEADING
SENTENCES = "The gate opens at six. It closes at nine. A guard sits there. Boats wait for him."


def test_a_sentence_comes_with_its_neighbours_as_far_as_there_is_room() -> None:
    passage = passage_of((PARAGRAPH, SENTENCES))
    told = answer(passage, best="It closes", words=10)
    assert told.startswith("> It closes at nine. A guard sits there. [1]")
    whole = answer(passage, best="It closes")
    assert whole.startswith("> The gate opens at six. It closes at nine. A guard sits there. Boats")


def test_what_has_no_neighbour_in_its_section_stays_alone() -> None:
    passage = passage_of(
        (PARAGRAPH, "Boats wait at the pier."),
        (HEADING, "Gates"),
        (PARAGRAPH, "The gate opens at six."),
    )
    assert "Boats" not in answer(passage, best="The gate")


def test_an_item_comes_with_the_lead_of_its_list() -> None:
    passage = passage_of(
        (PARAGRAPH, "On board must be:"), (ITEM, "- a horn"), (ITEM, "- a life jacket")
    )
    assert answer(passage, best="- a horn").startswith(
        "> On board must be:\n>\n> - a horn\n> - a life jacket [1]"
    )


def test_a_row_comes_with_its_header_and_without_rows_that_are_less_likely() -> None:
    passage = passage_of(
        (HEADER, "Length | Summer"), (ROW, "up to 8 m | 22 euros"), (ROW, "12 m | 31 euros")
    )
    assert answer(passage, best="12 m").startswith(
        "> | Length | Summer |\n> | --- | --- |\n> | 12 m | 31 euros |\n>\n> [1]"
    )


def test_of_a_wide_table_the_columns_that_are_asked_about_are_shown() -> None:
    head = " | ".join(["Name", "Kind", *(f"C{at}" for at in range(8)), "Price"])
    row = " | ".join(["Ada", "boat", *"12345678", "90"])
    told = answer(passage_of((HEADER, head), (ROW, row)), best="Ada", asked="the price of Ada")
    assert "| Ada | boat | 90 | … |" in told


def test_code_is_fenced_with_the_sentence_that_leads_to_it() -> None:
    passage = passage_of((PARAGRAPH, "Print the timetable:"), (CODE, "harbour crane --week 23"))
    told = answer(passage, best="harbour")
    assert told.startswith("> Print the timetable:\n>\n> ```\n> harbour crane --week 23\n> ```")


def test_a_second_place_is_quoted_only_if_it_is_nearly_as_likely_and_new() -> None:
    one = passage_of((PARAGRAPH, "The gate opens at six."))
    same = passage_of((PARAGRAPH, "The gate opens at six."))
    other = passage_of((PARAGRAPH, "Visitors with a key enter at night."))
    units = [
        *scored(one, {"The gate": 0.9}),
        *scored(same, {"The gate": 0.88}),
        *scored(other, {"Visitors": 0.8}),
    ]
    assert [each.passage for each in select_stretches(units)] == [one, other]
    assert len(select_stretches(units, places=1)) == 1
    units = [*scored(one, {"The gate": 0.9}), *scored(other, {"Visitors": 0.1})]
    assert [each.passage for each in select_stretches(units)] == [one]


def test_it_is_said_where_a_quotation_stands() -> None:
    passage = passage_of((PARAGRAPH, "It opens at six."), heading="Gates and locks", page=3)
    assert answer(passage, best="It").endswith("\n\n*Guide › Gates and locks · p. 3*")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a*b* `c` \\d", "a\\*b\\* \\`c\\` \\\\d"),
        ("see [12] there", "see \\[12\\] there"),
        ("# no heading", "\\# no heading"),
        ("1. no list", "1\\. no list"),
        ("snake_case_name", "snake_case_name"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_stretch_reads_in_markdown_as_it_does_in_its_document(text: str, shown: str) -> None:
    assert format_quotation(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The harbour master is here.", "The **harbour master** is here."),
        ("(harbour), masters", "(**harbour**), **masters**"),
        ("See /harbour/master.html", "See /harbour/master.html"),
    ],
)
def test_the_words_of_the_question_are_in_bold(text: str, shown: str) -> None:
    assert embolden(text, frozenset(map(stem, ("harbour", "master")))) == shown


HEAD = "Store | Spring › Plan | Spring › Actual | Autumn › Plan | Autumn › Actual"
YEARS = "Month | 2024 | 2025"


@pytest.mark.parametrize(
    ("asked", "head", "row", "shown"),
    [
        ("what Turin actually sold in autumn", HEAD, "Turin | 80 | 79 | 85 | 71", "71"),
        ("the plan of Turin for autumn", HEAD, "Turin | 80 | 79 | 85 | 71", "85"),
        ("what Turin sold in autumn", HEAD, "Turin | 80 | 79 | 85 | 71", "85 71"),
        ("how Turin did", HEAD, "Turin | 80 | 79 | 85 | 71", "80 79 85 71"),
        ("the rain of June 2025", YEARS, "June | 77 | 64", "64"),
        ("who owns ticket 5", "No | Ticket | Owner", "5 | late | Kim", "late Kim"),
        ("price by the week", "Boat | Price a day | Price a week", "Elm | 40 | 210", "210"),
    ],
)
def test_of_a_row_the_cells_that_are_asked_about_are_shown(
    asked: str, head: str, row: str, shown: str
) -> None:
    told = answer(passage_of((HEADER, head), (ROW, row)), best=row, asked=asked)
    drawn = next(line for line in told.split("\n") if line.startswith(f"> | {row.split(' ')[0]}"))
    assert drawn.replace("| … ", "").split(" | ", 2)[2].rstrip(" |").replace(" | ", " ") == shown


def test_a_row_that_holds_less_of_the_question_does_not_come_along() -> None:
    passage = passage_of((HEADER, "Town | Fee"), (ROW, "Lund | 20"), (ROW, "Ystad | 31"))
    header, lund, ystad = scored(passage, {"Lund": 0.8, "Ystad": 0.8})
    alike = select_stretches([header, lund, ystad])
    assert [stretch.text for stretch in alike] == [passage.text]
    named = select_stretches([header, lund, replace(ystad, own=0.5, score=0.81)])
    assert [stretch.text for stretch in named] == ["Town | Fee\nYstad | 31"]
