"""Old Office: workbooks of Excel 5.0 to 2003 as it wrote them."""

import pytest

from citations.formats.kinds import DOC, HTML, PLAIN, RTF, XLS
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.reading import FileReading
from citations.readers import Unreadable, inspect_file, read_file
from tests.citations.files import old_office

OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le") + bytes(600)


def read(data: bytes, name: str) -> FileReading:
    return read_file(data, inspect_file(data, name).media_type)


def blocks(found: FileReading) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for each in found.sections for block in each.blocks]


def test_a_workbook_of_old_is_rows_under_the_names_of_its_sheets_as_they_are_shown():
    found = read(old_office("clippy.xls"), "clippy.xls")
    assert [each.headings for each in found.sections] == [["list-column"], ["two-row-header"]]
    assert ("row", "Approx date of death | 2007-01-01") in blocks(found)
    assert ("row", "Weight in grams | 0.9") in blocks(found)


def test_forms_merged_cells_and_hidden_rows_of_old_are_read_and_pictures_are_counted():
    found = read(old_office("prices.xls"), "prices.xls")
    assert blocks(found) == [
        ("header", "Town | 2023 › Share | 2023 › Date | 2024 › Share | 2024 › Price"),
        ("row", "Rome | 34.5% | 01.05.2023 | 50.0% | 1,234.50 €"),
        ("row", "Bari [hidden row] | 10.0% | 01.06.2023 | 25.0% | 10.00 €"),
        ("row", "x | 2"),
    ]
    assert found.sections[-1].headings == ["Secret [hidden sheet]"]
    assert Part(PartKind.IMAGE, 1, Reason.NO_TEXT) in found.parts


def test_lines_around_a_table_of_old_are_no_rows():
    found = blocks(read(old_office("deaths.xls"), "deaths.xls"))
    assert ("header", "Name | Profession | Age | Has kids | Date of birth | Date of death") in found
    assert ("row", "Prince | musician | 57 | TRUE | 1958-06-07 | 2016-04-21") in found
    assert found[-1][0] == "paragraph"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (old_office("encrypted.xls"), "a.xls", "encrypted"),
        (old_office("clippy.xls")[:9000], "a.xls", "broken"),
        (OLD_WORD, "a.doc", "old_word"),
        (OLD_WORD, "a.txt", "old_word"),
    ],
)
def test_what_of_old_cannot_be_read_is_refused(data: bytes, name: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, name)
    assert refusal.value.code == code


def test_a_text_of_word_97_that_was_read_once_is_refused_in_words() -> None:
    with pytest.raises(Unreadable, match="Save it as"):
        read_file(OLD_WORD, DOC)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (old_office("clippy.xls"), "a.doc", XLS),
        (b"<html><table><tr><td>A sale</table>", "a.xls", HTML),
        (b"{\\rtf1 A sale.}", "a.doc", RTF),
        (b"A sale.", "a.doc", PLAIN),
    ],
)
def test_what_is_called_a_file_of_old_office_is_told_by_its_content(
    data: bytes, name: str, kind: str
) -> None:
    assert inspect_file(data, name).media_type == kind
