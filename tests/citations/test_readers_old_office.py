"""Old Office: files of Word 97 and Excel 5.0 to 2003, as those programs wrote them."""

import gzip
import struct

import pytest

from citations.formats.kinds import DOC, HTML, PLAIN, RTF, XLS
from citations.formats.office.doc.paragraphs import MOST_STYLES, seen, styles_of
from citations.readers import FileReading, Unreadable, inspect_file, read_file
from tests.citations.files import old_office, old_word
from tests.effort import computed_within

pytestmark = pytest.mark.once

CELL, ROW = struct.pack("<HB", 0x2416, 1), struct.pack("<HBHB", 0x2416, 1, 0x2417, 1)


def packed(data: bytes) -> bytes:
    """Return the data packed by gzip, the same at any time."""
    return gzip.compress(data, mtime=0)


def read(data: bytes, name: str) -> FileReading:
    return read_file(data, inspect_file(data, name).media_type)


def blocks(found: FileReading) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for each in found.sections for block in each.blocks]


def test_a_workbook_of_old_is_rows_under_the_names_of_its_sheets_as_they_are_shown():
    found = read(old_office("clippy.xls"), "clippy.xls")
    assert [each.headings for each in found.sections] == [["list-column"], ["two-row-header"]]
    assert ("row", "Approx date of death | 2007-01-01") in blocks(found)
    assert ("row", "Weight in grams | 0.9") in blocks(found)


def test_lines_around_a_table_of_old_are_no_rows():
    found = blocks(read(old_office("deaths.xls"), "deaths.xls"))
    assert ("header", "Name | Profession | Age | Has kids | Date of birth | Date of death") in found
    assert ("row", "Prince | musician | 57 | TRUE | 1958-06-07 | 2016-04-21") in found
    assert found[-1][0] == "paragraph"


def test_a_text_of_old_is_its_paragraphs_under_its_title():
    found = read(old_office("harmless-clean.doc"), "harmless.doc")
    assert found.title == "Test"
    assert blocks(found)[0] == ("paragraph", "This is a harmless test document.")
    assert "ünicöde-ßtringß" in blocks(found)[-1][1]


def test_of_a_field_its_result_is_read_and_its_code_is_not():
    text = "\n".join(text for _, text in blocks(read(old_office("fields.doc"), "fields.doc")))
    assert "Fehler! Kein Thema angegeben." in text
    assert "DDE" not in text.replace("dde", "")


def test_headings_items_and_tables_of_old_are_told_by_styles_and_marks():
    found = read(
        old_word(
            ("On Boats\r", 3, b""),
            ("Sails\r", 1, b""),
            ("A sail \x13 HYPERLINK x \x14catches\x15 wind.\r", 0, b""),
            ("Masts\r", 2, b""),
            ("of wood\r", 4, b""),
            ("Mast\x07", 0, CELL),
            ("Height\x07", 0, CELL),
            ("\x07", 0, ROW),
            ("Main\x07", 0, CELL),
            ("12.5\x07", 0, CELL),
            ("\x07", 0, ROW),
            ("The end.\r", 0, b""),
        ),
        "boats.doc",
    )
    assert found.title == "On Boats"
    assert [each.headings for each in found.sections] == [["Sails"], ["Sails", "Masts"]]
    assert blocks(found) == [
        ("paragraph", "A sail catches wind."),
        ("item", "- of wood"),
        ("header", "Mast | Height"),
        ("row", "Main | 12.5"),
        ("paragraph", "The end."),
    ]


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (old_office("encrypted.doc"), "a.doc", "encrypted"),
        (old_office("encrypted.xls"), "a.xls", "encrypted"),
        (old_office("clippy.xls")[:9000], "a.xls", "broken"),
        (old_office("harmless-clean.doc")[:2000], "a.doc", "broken unsupported"),
        (old_word(("A\r", 0, b""), version=0x65), "a.doc", "unsupported"),
    ],
)
def test_what_of_old_cannot_be_read_is_refused(data: bytes, name: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, name)
    assert refusal.value.code in code.split()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (old_office("clippy.xls"), "a.doc", XLS),
        (old_office("fields.doc"), "a", DOC),
        (b"<html><table><tr><td>A sale</table>", "a.xls", HTML),
        (b"{\\rtf1 A sale.}", "a.doc", RTF),
        (b"A sale.", "a.doc", PLAIN),
    ],
)
def test_what_is_called_a_file_of_old_office_is_told_by_its_content(
    data: bytes, name: str, kind: str
) -> None:
    assert inspect_file(data, name).media_type == kind


def test_a_packed_file_is_read_as_the_file_in_it_and_named_after_that() -> None:
    packed = gzip.compress(b"# Boats\n\nThey float.")
    found = inspect_file(packed, "readme.md.gz")
    assert (found.media_type, found.about.title) == ("text/markdown", "Boats")
    assert read_file(packed, found.media_type).sections[0].text == "They float."
    assert (
        inspect_file(gzip.compress(b"They float."), "boat-news.txt.gz").about.title == "Boat news"
    )


@pytest.mark.parametrize(
    ("packed", "code"),
    [
        (packed(bytes(21_000_000)), "unpacks_too_large"),
        (packed(b"They float." * 99)[:-20], "broken"),
        (b"\x1f\x8b\x08" + bytes(99), "broken"),
        (packed(packed(b"They float.")), "unsupported"),
        (packed(b" "), "empty"),
        (packed(b"They float.") + b"garbage", "broken"),
        (packed(b"") * 100_000, "too_many_parts"),
        (packed(bytes(11_000_000)) * 2, "unpacks_too_large"),
    ],
)
def test_what_is_packed_badly_or_unpacks_to_too_much_is_refused(packed: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        inspect_file(packed, "a.gz")
    assert refusal.value.code == code


def test_what_was_packed_one_by_one_and_put_together_is_read_whole() -> None:
    packed = gzip.compress(b"They float.\n\n") + gzip.compress(b"They sink.") + bytes(9)
    (section,) = read_file(packed, PLAIN).sections
    assert [block.text for block in section.blocks] == ["They float.", "They sink."]


def test_fields_in_fields_without_end_are_read_in_little_time() -> None:
    codes: list[bool] = []
    assert computed_within(2, lambda: seen("\x13\x14" * 30_000 + "a", codes)) == "a"
    codes = []
    assert seen("\x13b\x14c\x15\x13", codes) + seen("d\x13e\x14f\x15g\x14h", codes) == "ch"


def test_a_text_that_says_nothing_of_its_paragraphs_is_read() -> None:
    data = old_word(("They float.\r", 0, b""))
    where = struct.pack("<II", 34 + 2, 12)
    assert where in data
    ((_, text),) = blocks(read(data.replace(where, bytes(8)), "a.doc"))
    assert text == "They float."


def test_no_more_styles_are_read_than_word_has() -> None:
    assert len(styles_of(bytes(100_000))) <= MOST_STYLES
