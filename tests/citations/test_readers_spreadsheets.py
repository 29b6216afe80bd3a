"""Spreadsheets: rows under the names of their columns, as a person sees them."""

import struct
from types import SimpleNamespace

import pytest

from citations.formats.office import number_formats, opendocument
from citations.formats.office.spreadsheets import xls, xlsx
from citations.formats.parts import Part, PartKind, Parts, Reason
from citations.formats.plain import delimited
from citations.formats.reading import FileReading, ReadingLimits, glance, ignore_progress
from tests.citations import files
from tests.citations.office_files import (
    DRAWN,
    SHEET,
    opendocument as made_of,
    related,
    rows,
    workbook,
)

LIMITS = ReadingLimits(pages=10)
PRICES = "Name;Colour;Price\nCup;blue;3,50 €\nBowl;red;4,20 €\n"
HEADER = ("header", "Name | Colour | Price")
ROWS = [("row", "Cup | blue | 3,50 €"), ("row", "Bowl | red | 4,20 €")]


def blocks(found: FileReading) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for section in found.sections for block in section.blocks]


def table(text: str | bytes) -> list[tuple[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    return blocks(delimited.read(data, LIMITS, ignore_progress))


def book(data: bytes) -> list[tuple[str, str]]:
    return blocks(xlsx.read(data, LIMITS, ignore_progress))


# --- CSV -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_the_one_that_parts_all_rows_alike(delimiter):
    assert table(PRICES.replace(";", delimiter)) == [HEADER, *ROWS]


def test_commas_part_cells_and_stand_in_those_with_quotation_marks():
    text = 'Name,Colour,Price\r\nCup,"blue, or ""azure""",3.50\r\nBowl,"red\nand black",4\r\n'
    assert table(text) == [
        HEADER,
        ("row", 'Cup | blue, or "azure" | 3.50'),
        ("row", "Bowl | red and black | 4"),
    ]
    assert table("sep=,\nName,Of\na,1\n") == [("header", "Name | Of"), ("row", "a | 1")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_what_spreadsheet_programs_write(encoding):
    assert table(PRICES.encode(encoding)) == [HEADER, *ROWS]


def test_a_quotation_mark_that_is_never_closed_is_but_a_character():
    inches = 'Name,Size\nPipe,"2\n' + "Pipe,3\n" * 10_000
    found = table(inches)
    assert found[0] == ("header", "Name | Size")
    assert found[-1] == ("row", "Pipe | 3")
    assert len(found) > 9000


def test_lines_above_a_table_are_its_title_and_rows_of_figures_have_no_header():
    text = "Account;12345\n\nTurnover by region\nRegion;2023;2024\nNorth;1,0;2,0\nSouth;1,5;2,5\n"
    assert table(text) == [
        ("row", "Account | 12345"),
        ("caption", "Turnover by region"),
        ("header", "Region | 2023 | 2024"),
        ("row", "North | 1,0 | 2,0"),
        ("row", "South | 1,5 | 2,5"),
    ]
    assert table("1;2\n3;4\n") == [("row", "1 | 2"), ("row", "3 | 4")]


def test_remarks_at_the_bottom_of_a_sheet_are_no_rows_and_a_row_of_few_cells_is_one():
    rows = ["Name;Work;Age;Born", "Ada;engine;36;1815-12-10", "Mary;novel;53;1797-08-30"]
    below = ["Some", ";also write;;", ";;at the;bottom,", ";;;too!"]
    assert table("\n".join([*rows, *below]))[3:] == [
        *(("paragraph", said) for said in ("Some", "also write", "at the bottom,", "too!")),
    ]
    for last, kind in (("Total;;89;", "total"), ("Jane;novel;;", "row")):
        assert table("\n".join([*rows, last]))[-1][0] == kind


def test_remarks_above_the_names_of_the_columns_are_neither_names_nor_rows():
    lines = (
        "Lots of people;;;",
        "cannot resist;;;some notes",
        "at;the;top;",
        "Name;Work;Age;Born",
        "Ada;engine;36;1815-12-10",
        "Mary;novel;53;1797-08-30",
        "That;;;was it",
    )
    assert table("\n".join(lines)) == [
        ("paragraph", "cannot resist some notes"),
        ("paragraph", "at the top"),
        ("caption", "Lots of people"),
        ("header", "Name | Work | Age | Born"),
        ("row", "Ada | engine | 36 | 1815-12-10"),
        ("row", "Mary | novel | 53 | 1797-08-30"),
        ("row", "That |  |  | was it"),
    ]
    # A first row filled like the others is data, and without names there is no header.
    bare = "Ada;;;engine\nMary;;;novel\n1;2;3;4\n5;6;7;8"
    assert [kind for kind, _ in table(bare)] == ["row"] * 4


def test_names_at_the_side_are_no_header_and_a_list_of_lines_is_one():
    form = [("row", "Name | Ada"), ("row", "Born | 1815"), ("row", "Town | London")]
    assert table("Name;Ada\nBorn;1815\nTown;London\n") == form
    assert table("Cup\nBowl\n") == [("item", "- Cup"), ("item", "- Bowl")]


def test_a_table_that_goes_on_behind_an_empty_row_keeps_its_names():
    found = table("Name;Price;Of\nCup;1;a\n\nBowl;2;b\nTotal;3;\n")
    header = ("header", "Name | Price | Of")
    assert found == [
        *[header, ("row", "Cup | 1 | a"), ("row", "Bowl | 2 | b"), ("total", "Total | 3")],
    ]


def test_many_columns_are_read_in_parts_that_each_begin_with_the_first():
    names = [f"A rather long name {number}" for number in range(40)]
    rows = [[f"{row}{number}" for number in range(40)] for row in ("a", "b")]
    found = table("\n".join(map(";".join, [names, *rows])) + "\n")
    heads = [text.split(" | ") for kind, text in found if kind == "header"]
    assert {head[0] for head in heads} == {names[0]}
    assert [name for head in heads for name in head[1:]] == names[1:]
    assert all(sum(map(len, head)) <= 200 for head in heads)
    assert [text.split(" | ")[0] for kind, text in found if kind == "row"] == ["a0", "b0"] * len(
        heads
    )


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        (PRICES + "Jug;black;5\n" * 5, True),
        ("a,b,c\n" * 9, False),  # not as names are
        ("One, two, and three.\nBut here, no.\n" * 5, False),
        ("| a | b | c |\n" * 9, False),
    ],
)
def test_a_text_is_a_table_if_its_rows_are_alike_below_names(text, is_table):
    assert delimited.is_table(text) is is_table


# --- Numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (1234.5, r"[$€-407]\ #,##0.00", "€ 1,234.50"),
        (-5, r'_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_)', "$ (5.00)"),
        (0, r'_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_)', "$ -"),
        (-3, "0;[Red]-0", "-3"),
        (0.0725, "0.0%", "7.3%"),
        (1.005, "0.00", "1.01"),
        (2.5, "0.0##", "2.5"),
        (12, "00000", "00012"),
        (123456789, "000-00-0000", "123-45-6789"),
        (1_234_567, "#,##0,", "1,235"),
        (12345, "0.00E+00", "1.23E+04"),
        (5, 'General" kg"', "5 kg"),
        (0.5, "# ?/?", "0.5"),
        (3.14159265358979, "", "3.141592654"),
        (2024.0, "General", "2024"),
        (45000, "dd.mm.yyyy", "15.03.2023"),
        (45000.75, "d-mmm-yy h:mm AM/PM", "15-Mar-23 6:00 PM"),
        (45000.51, "mm/dd/yyyy hh:mm:ss", "03/15/2023 12:14:24"),
        (45000, "dddd, d mmmm yyyy", "Wednesday, 15 March 2023"),
        (1.5, "[h]:mm", "36:00"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (1e300, "0.00", "1e+300"),
    ],
)
def test_a_number_is_what_its_cell_shows(number, code, text):
    assert number_formats.format_number(number, code) == text


def test_dates_count_from_another_day_where_the_workbook_says_so():
    assert number_formats.format_number(0, "yyyy-mm-dd", is_1904=True) == "1904-01-01"


# --- XLSX ----------------------------------------------------------------------------------------


def test_a_workbook_is_rows_under_the_names_of_its_sheets():
    first = rows(["Name", "Price"], ["Cup", (3.5, 1)], ["Bowl", (4.2, 1)])
    second = rows(["Only a line."])
    found = xlsx.read(workbook(first, "", second, forms=["", "0.00"]), LIMITS, ignore_progress)
    assert [section.headings for section in found.sections] == [["Sheet 1"], ["Sheet 3"]]
    assert blocks(found) == [
        ("header", "Name | Price"),
        ("row", "Cup | 3.50"),
        ("row", "Bowl | 4.20"),
        ("paragraph", "Only a line."),
    ]
    assert glance(xlsx.read, workbook(first), LIMITS).sections == []


def test_texts_are_found_by_their_numbers_and_formulas_by_their_results():
    kinds = (
        '<c r="A1" t="s"><v>1</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#N/A</v></c>'
        '<c r="D1" t="str"><f>A1</f><v>so</v></c><c r="E1"><f>1+1</f><v>2</v></c>'
    )
    sheet = f'<sheetData><row r="1">{kinds}</row></sheetData>'
    assert book(workbook(sheet, strings=["no", "yes"])) == [("row", "yes | TRUE | #N/A | so | 2")]
    unsaved = (
        '<sheetData><row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><v>1</v></c></row></sheetData>'
    )
    assert xlsx.read(workbook(unsaved), LIMITS, ignore_progress).parts == [
        Part(PartKind.SHEET, 1),
        Part(PartKind.FORMULA, 1, Reason.NO_VALUE),
    ]


@pytest.mark.parametrize(
    ("hidden", "shown", "reason"),
    [
        (
            True,
            [
                ("header", "Name | Secret [hidden column] | Price"),
                *[("row", "Cup | x | 1"), ("row", "Bowl [hidden row] | y | 2")],
                *[("header", "Name | Of"), ("row", "a | 1")],
            ],
            None,
        ),
        (False, [("header", "Name | Price"), ("row", "Cup | 1")], Reason.LEFT_OUT),
    ],
)
def test_what_is_hidden_is_marked_or_left_out_and_counted(hidden, shown, reason):
    columns = '<cols><col min="2" max="2" hidden="1"/></cols>'
    table = rows(["Name", "Secret", "Price"], ["Cup", "x", 1], ["Bowl", "y", 2])
    table = table.replace('<row r="3">', '<row r="3" hidden="1">')
    made = workbook(columns + table, rows(["Name", "Of"], ["a", 1]), states=["", "hidden"])
    found = xlsx.read(made, ReadingLimits(pages=10, hidden=hidden), ignore_progress)
    assert blocks(found) == shown
    kinds = (PartKind.HIDDEN_ROW, PartKind.HIDDEN_COLUMN, PartKind.HIDDEN_SHEET)
    assert found.parts == [Part(PartKind.SHEET, 1), *(Part(kind, 1, reason) for kind in kinds)]
    filtered = '<sheetPr filterMode="1"/>' + table  # by a filter, for the moment
    assert book(workbook(filtered))[-1] == ("row", "Bowl | y | 2")


def test_what_is_printed_above_and_below_pages_stands_behind_the_tables_once():
    said = '&amp;L&amp;"Arial,Bold"&amp;12Offer 4471 &amp;&amp; Sons&amp;RPage &amp;P of &amp;N'
    page = f"<oddHeader>{said}</oddHeader><oddFooter>&amp;CValid until May</oddFooter>"
    found = xlsx.read(
        workbook(rows(["Firm", "Mark"], ["Norrby", 4]) + f"<headerFooter>{page}</headerFooter>"),
        LIMITS,
        ignore_progress,
    )
    assert blocks(found)[-2:] == [
        ("paragraph", "Offer 4471 & Sons"),
        ("paragraph", "Valid until May"),
    ]
    assert Part(PartKind.HEADER, 2) in found.parts


def test_comments_charts_and_pictures_stand_behind_the_tables_of_their_sheet():
    drawing = (
        f'<d xmlns:a="{DRAWN}" xmlns:p="p"><p:pic><p:cNvPr descr="A ship"/></p:pic><p:pic/>'
        "<p:sp><a:p><a:r><a:t>Ask Ida</a:t></a:r></a:p></p:sp></d>"
    )
    chart = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    series = "".join(
        f"<{kind}><pt idx='0'><v>{value}</v></pt></{kind}>"
        for kind, value in (("cat", "May"), ("val", 7))
    )
    made = workbook(rows(["Firm", "Mark"], ["Norrby", 4], ["Quist", 5]))
    for name, content in {
        "xl/worksheets/_rels/1.xml.rels": related(("comments", "c.xml"), ("drawing", "d.xml")),
        "xl/worksheets/c.xml": f'<comments xmlns="{SHEET}"><author>Ida Voss</author>'
        '<comment ref="B2" authorId="0"><t>Ida Voss:</t><t> Late.</t></comment></comments>',
        "xl/worksheets/d.xml": drawing,
        "xl/worksheets/_rels/d.xml.rels": related(("chart", "e.xml"), ("chartEx", "f.xml")),
        "xl/worksheets/e.xml": f'<c xmlns="{chart}"><ser><tx><v>Sold</v></tx>{series}</ser></c>',
    }.items():
        made = files.with_part(made, name, content)
    found = xlsx.read(made, LIMITS, ignore_progress)
    assert [part.headings for part in found.sections] == [["Sheet 1"]]
    assert blocks(found)[3:] == [
        ("paragraph", "Comment of Ida Voss: Late. (Norrby, 4)"),
        ("paragraph", "Ask Ida"),
        ("paragraph", "[Image: A ship]"),
        ("caption", "Chart: Sold"),
        ("header", "Category | Sold"),
        ("row", "May | 7"),
    ]
    assert found.parts == [
        *(Part(kind, 1) for kind in (PartKind.SHEET, PartKind.COMMENT, PartKind.TEXT_BOX)),
        *(Part(PartKind.CHART, 1), Part(PartKind.CHART, 1, Reason.UNSUPPORTED)),
        *(Part(PartKind.IMAGE, 1), Part(PartKind.IMAGE, 1, Reason.NO_TEXT)),
    ]


def test_a_line_alone_above_a_table_is_its_heading():
    sheet = rows(["Prices of the season"], [], ["Name", "Price"], ["Cup", 1])
    found = xlsx.read(workbook(sheet), LIMITS, ignore_progress)
    assert [part.headings for part in found.sections] == [["Sheet 1", "Prices of the season"]]


# --- ODS ----------------------------------------------------------------------------------------


def test_a_sheet_of_opendocument_is_what_its_cells_show():
    def cell(text: str, attributes: str = "") -> str:
        return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"

    lines = [
        cell("Name") + cell("2023") + cell("2024"),
        cell("Cup", 'table:number-rows-spanned="2"')
        + cell("3.50 €", 'table:number-columns-repeated="2"'),
        "<table:covered-table-cell/>" + cell("4") + cell("5"),
    ]
    sheet = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
    empty = '<table:table-cell table:formula="of:=A1"/></table:table-row>'
    sheet += f'<table:table-row table:number-rows-repeated="1000000">{empty}'
    hidden = f'<table:table table:name="No" table:style-name="h">{sheet}</table:table>'
    own = (
        '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    )
    body = f'<table:table table:name="Prices">{sheet}</table:table>{hidden}'
    limits = ReadingLimits(pages=10, hidden=False)
    found = opendocument.read(made_of("spreadsheet", body, own=own), limits, ignore_progress)
    assert [part.headings for part in found.sections] == [["Prices"]]
    assert blocks(found) == [
        ("header", "Name | 2023 | 2024"),
        ("row", "Cup | 3.50 € | 3.50 €"),
        ("row", "Cup | 4 | 5"),
    ]
    assert found.parts == [
        Part(PartKind.SHEET, 1),
        Part(PartKind.HIDDEN_SHEET, 1, Reason.LEFT_OUT),
        Part(PartKind.FORMULA, 1, Reason.NO_VALUE),
    ]


def test_tables_beside_one_another_are_read_one_after_the_other() -> None:
    lines = [
        "Length,Kind,,,",
        "6.4,rose,,Kind,Sum",
        "4.4,lily,,rose,9.5",
        "6,rose,,lily,8.2",
        "6,fir",
    ]
    assert table("\n".join(lines)) == [
        *[("header", "Length | Kind"), ("row", "6.4 | rose"), ("row", "4.4 | lily")],
        *[("row", "6 | rose"), ("row", "6 | fir")],
        *[("header", "Kind | Sum"), ("row", "rose | 9.5"), ("row", "lily | 8.2")],
    ]


def test_columns_of_figures_behind_an_empty_column_belong_to_their_rows() -> None:
    text = "Region,Q1,,Q2,Q3\nNorth,1,,2,3\nSouth,4,,5,6\nWest,7"
    assert ("row", "North | 1 | 2 | 3") in table(text)


@pytest.mark.parametrize(
    ("number", "form", "is_1904", "text"),
    [
        (float("nan"), "", False, ""),
        (float("inf"), "0.00", False, ""),
        (999_999_999_999_999.0, "0.000000000000000", False, "999999999999999.000000000000000"),
        (2_958_465.999_999_9, "yyyy-mm-dd", False, "2958466"),
        (2_958_000.0, "yyyy-mm-dd", True, "2958000"),
    ],
)
def test_what_no_format_can_show_breaks_no_file(number, form, is_1904, text):
    assert number_formats.format_number(number, form, is_1904=is_1904) == text


def test_a_form_of_nothing_but_percent_signs_breaks_no_file():
    assert number_formats.format_number(1e300, "0" + "%" * 199).startswith("1e+")


def test_headers_and_footers_of_open_sheets_are_read_but_for_what_is_counted() -> None:
    footer = "<style:region-left><text:p>Draft of Ida</text:p></style:region-left>"
    footer += "<style:region-right><text:p>Page <text:page-number>1</text:page-number></text:p>"
    margins = f"<style:header><text:p>Prices</text:p></style:header><style:footer>{footer}"
    margins += "</style:region-right></style:footer>"
    styles = f"<office:master-styles><style:master-page>{margins}</style:master-page>"
    cell = "<table:table-cell><text:p>Tea</text:p></table:table-cell>"
    body = f"<table:table><table:table-row>{cell * 2}</table:table-row></table:table>"
    data = made_of("spreadsheet", body, styles=f"{styles}</office:master-styles>")
    found = opendocument.read(data, LIMITS, ignore_progress)
    assert found.sections[0].text.startswith("Header: Prices\n\nFooter: Draft of Ida")
    assert Part(PartKind.HEADER, 2) in found.parts


def test_headers_of_old_sheets_are_read_and_their_drawings_counted(monkeypatch) -> None:
    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    header = '&L&"Arial"Prices of Ida&RPage &P'
    wide = struct.pack("<HB", len(header), 1) + header.encode("utf-16-le")
    chart = bytes(4) + struct.pack("<H", 5) + bytes(20)
    stream = record(0x14, wide) + record(0x15, b"") + record(0x5D, chart) + bytes(8)
    document = SimpleNamespace(locate_named_stream=lambda name: (stream, 0, len(stream)))
    monkeypatch.setattr(xls, "CompDoc", lambda *_, **__: document)
    parts = Parts()
    assert "Prices of Ida" in list(xls.read_records(b"", 80, parts))
    assert Part(PartKind.CHART, 2, Reason.UNSUPPORTED) in parts.found
