"""Plain text: what lines are, told by how they are typed, in any encoding."""

import pytest

from citations.formats import plain
from citations.formats.kinds import PLAIN, detect_kind
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, ReadingLimits, ignore_progress

LIMITS = ReadingLimits(pages=10)
WRAPPED = """\
The committee may appoint a member of the public to serve until the
next general meeting, which elects a successor by a simple majority."""
JOINED = WRAPPED.replace("\n", " ")


def read(text: str) -> FileReading:
    return plain.read(text.encode(), LIMITS, ignore_progress)


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for part in read(text).sections for block in part.blocks]


def headings(text: str) -> list[list[str]]:
    return [section.headings for section in read(text).sections]


def test_wrapped_lines_are_joined_and_long_ones_are_paragraphs_of_their_own():
    assert blocks(WRAPPED) == [("paragraph", JOINED)]
    long = "A sentence that goes on and on. " * 8
    assert blocks(f"{long}\n{long}") == [("paragraph", long.strip())] * 2


def test_a_hyphen_of_a_word_stays_and_one_of_a_line_break_goes():
    text = f"{WRAPPED} It is well-\nknown that the term be\u2010\ngins in May."
    assert blocks(text)[0][1].endswith("It is well-known that the term begins in May.")


@pytest.mark.parametrize(
    "line",
    [
        "Title\n=====",
        "ALL IN CAPITALS",
        "2.3 How to Vote",
        "How is it done?",
        "Chapter IV Of Votes",
        "Artikel 15",
        "§ 16 Fristen",
        "4. Termination of Rights.",
        "Rules of the House",
    ],
)
def test_a_line_that_stands_alone_as_headings_do_is_one(line):
    assert headings(f"{WRAPPED}\n\n{line}\n\n{WRAPPED}")[1:] == [[line.split("\n")[0]]]


@pytest.mark.parametrize(
    "line", ["1. one\n\n2. two", "Only this.", "Dear all,", "as said:", '"MARTA!"', "I.\n\n-----"]
)
def test_a_line_that_stands_alone_otherwise_is_none(line):
    assert headings(f"{WRAPPED}\n\n{line}\n\n{WRAPPED}") == [[]]


def test_levels_come_from_names_numbers_and_the_signs_below_a_line():
    text = "A\n===\n\nText.\n\nB\n---\n\nText.\n\nC\n===\n\nText.\n"
    assert headings(f"Text.\n\n{text}")[1:] == [["A"], ["A", "B"], ["C"]]
    text = f"Chapter 2\n\n{WRAPPED}\n\nSection 1\n\n{WRAPPED}\n\nChapter 3\n\n{WRAPPED}\n"
    assert headings(text) == [["Chapter 2"], ["Chapter 2", "Section 1"], ["Chapter 3"]]
    text = f"5. Leaders\n\nText.\n\n5.1. Powers\n\n{WRAPPED}\n\n6. Votes\n\n{WRAPPED}\n"
    assert headings(text) == [["5. Leaders"], ["5. Leaders", "5.1. Powers"], ["6. Votes"]]


def test_items_keep_their_marks_and_stand_below_the_items_that_they_belong_to():
    text = f"{WRAPPED}\n\nTake:\n\n- one\n  that goes on\n  1. half of it\n- two\n\n[1] A note.\n"
    assert blocks(text)[1:] == [
        ("paragraph", "Take:"),
        ("item", "- one that goes on"),
        ("item", "  1. half of it"),
        ("item", "- two"),
        ("item", "[1] A note."),
    ]


def test_indented_lines_are_code_unless_they_are_sentences():
    said = "The note is set farther in, but it is made of words all the same."
    text = f"{WRAPPED} Type:\n\n    $ git stash\n    $ git  pull --rebase\n\n        {said}\n"
    assert blocks(text)[1:] == [
        ("code", "$ git stash\n$ git  pull --rebase"),
        ("paragraph", said),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Name      Share   Rank\nalpha     12.5    1\nbeta      3.0     2\n",
        "+-------+-------+------+\n| Name  | Share | Rank |\n+-------+-------+------+\n"
        "| alpha | 12.5  | 1    |\n| beta  | 3.0   | 2    |\n+-------+-------+------+\n",
        "│Name │Share│Rank│\n├─────┼─────┼────┤\n│alpha│12.5 │1   │\n│beta │3.0  │2   │\n",
    ],
)
def test_columns_of_cells_and_bars_are_tables(text):
    assert blocks(text) == [
        ("header", "Name | Share | Rank"),
        ("row", "alpha | 12.5 | 1"),
        ("row", "beta | 3.0 | 2"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("On Notes\n\nText.", "On Notes"),
        ("On Notes\n========\nText.", "On Notes"),
        ("A sentence.\n\nText.", ""),
        ("Only a line", ""),
        ("First line\nsecond line\n\nText.", ""),
        ("- item\n\nText.", ""),
        ("Copyright (c) 2020 Ada Calder\n\nText.", ""),
    ],
)
def test_the_title_is_a_first_line_that_stands_alone(text, title):
    assert plain.inspect(text.encode(), LIMITS, ignore_progress).title == title
    assert not any(title and title in said for _, said in blocks(text))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", [WRAPPED, "Мы — члены общества.\nИ будем ими.\n" * 9, "日本語の文。\n" * 9]
)
def test_utf_16_without_a_mark_is_read(encoding: str, text: str):
    assert decode_text(text.encode(encoding)) == text
    assert detect_kind(text.encode(encoding), "a.txt") == PLAIN


@pytest.mark.parametrize(
    "data", [b"text\x00mores", bytes(range(256)) * 8, b"\x01\x00\x00\x00" * 99]
)
def test_bytes_that_are_no_text_are_refused(data):
    with pytest.raises(BadFile, match="binary"):
        detect_kind(data, "a.txt")


@pytest.mark.parametrize(
    ("said", "encodings"),
    [
        (
            "Die Kündigung ist binnen 14 Tagen möglich – „schriftlich“ und für 5 € je Café.",
            "utf-8 utf-8-sig utf-16 utf-32 windows-1252",
        ),
        ("Les élèves ont reçu leurs clés à Orléans.", "iso-8859-1"),
        ("Wszyscy pracownicy mają prawo do urlopu, który jest płatny.", "windows-1250 iso-8859-2"),
        ("Çalışanların izin hakkı vardır ve bu hak devredilemez.", "windows-1254"),
        ("Каждый работник имеет право на отпуск.", "windows-1251 koi8-r"),
        ("Κάθε εργαζόμενος έχει δικαίωμα άδειας.", "windows-1253"),
        ("לכל עובד יש זכות לחופשה שנתית בתשלום.", "windows-1255"),
        ("لكل موظف الحق في إجازة سنوية مدفوعة.", "windows-1256"),
        ("每个员工每年都有十二天的带薪假期。", "gb2312 gb18030"),
        ("每個員工每年都有十二天的帶薪假期。", "big5"),
        ("すべての社員には年間十二日の有給休暇がある。", "shift_jis euc-jp"),
        ("儿童免费入场。讲解在正门旁边开始。", "gb18030"),
        ("모든 직원은 매년 십이 일의 유급 휴가를 가진다.", "euc-kr"),
    ],
)
def test_text_is_read_in_the_encodings_of_its_language(said: str, encodings: str):
    for encoding in encodings.split():
        assert decode_text(said.encode(encoding)).removeprefix("\ufeff") == said


def test_a_byte_that_is_no_utf_8_spoils_no_text():
    said = "Schlüssel gibt es bei Frau Groß, geöffnet täglich."
    assert decode_text(said.encode() + b" Alt: \xfc") == f"{said} Alt: \ufffd"


def test_bytes_that_no_alphabet_explains_are_refused():
    with pytest.raises(BadFile, match="not_utf8"):
        decode_text(bytes(range(128, 256)) * 3)


def test_a_word_of_many_letters_is_read_whole():
    word = "x" * 38_000
    assert blocks(f"Said by Lindqvist: {word} and more.")[0][1].endswith("and more.")
