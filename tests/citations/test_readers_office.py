"""Slides, texts of OpenDocument and books: under their headings, in the order of reading."""

from dataclasses import replace

import pytest

from citations.formats import epub
from citations.formats.cleaning import clean_title
from citations.formats.office import opendocument, pptx
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.reading import BadFile, FileReading, ReadingLimits, glance, ignore_progress
from tests.citations import files
from tests.citations.office_files import (
    CHART,
    DRAWN,
    book,
    chart,
    deck,
    drawn,
    opendocument as made_of,
    shape,
)

MIXTURE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
LIMITS = ReadingLimits(pages=10)


def parts(found: FileReading) -> list[tuple[list[str], int | None, list[tuple[str, str]]]]:
    return [
        (part.headings, part.page, [(block.kind.value, block.text) for block in part.blocks])
        for part in found.sections
    ]


def blocks(found: FileReading) -> list[tuple[str, str]]:
    return [block for _, _, inside in parts(found) for block in inside]


# --- PPTX ----------------------------------------------------------------------------------------


def test_a_slide_is_a_page_under_its_title_with_its_bullets_and_notes():
    deep = drawn("deeper", '<a:pPr lvl="1"/>')
    plain = drawn("no bullet", "<a:pPr><a:buNone/></a:pPr>")
    first = shape("one", deep, plain, place="") + shape("On Cups", place="title")
    first += shape("7", place="sldNum") + shape("Beside.")
    notes = shape("Say hello.", place="body") + shape("1", place="sldNum")
    found = pptx.read(
        deck(first, shape("Alone.", place="body"), notes=notes), LIMITS, ignore_progress
    )
    assert (found.title, found.page_count) == ("On Cups", 2)
    assert parts(found) == [
        (
            [],
            1,
            [
                *[("item", "- one"), ("item", "  - deeper"), ("paragraph", "no bullet")],
                *[("paragraph", "Beside."), ("footnote", "Say hello.")],
            ],
        ),
        ([], 2, [("paragraph", "Alone.")]),
    ]
    assert glance(pptx.read, deck(first), LIMITS).title == "On Cups"


def test_a_presentation_is_called_as_its_first_slide_says_whatever_holds_its_title():
    bullets = shape("one", drawn("two"), place="body")
    for first in (shape("On Cups", place="title"), shape("On Cups") + shape("by Jo Roe")):
        made = deck(first, shape("On Bowls", place="title") + bullets)
        assert (
            pptx.read(made, LIMITS, ignore_progress).title
            == glance(pptx.read, made, LIMITS).title
            == "On Cups"
        )
    made = deck(shape("A sentence that stands alone.") + bullets)
    assert pptx.read(made, LIMITS, ignore_progress).title == ""
    assert clean_title("PowerPoint-Präsentation") == ""


def test_slides_have_their_titles_numbers_tables_and_groups():
    letters = '<a:pPr><a:buAutoNum type="alphaLcParenR" startAt="2"/></a:pPr>'
    numbered = [drawn(text, letters) for text in ("first", "second")]
    cells = f"<a:tc><a:txBody>{drawn('k')}</a:txBody></a:tc><a:tc gridSpan='2'><a:txBody>"
    cells += f"{drawn('v')}</a:txBody></a:tc><a:tc hMerge='1'/>"
    table = (
        '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tr>{cells}</a:tr><a:tr>{cells}</a:tr></a:tbl></a:graphicData></a:graphic>"
        "</p:graphicFrame>"
    )
    slides = [
        shape("Cups", place="ctrTitle") + shape("Confidential", place="ftr"),
        shape("Bowls", place="title") + shape(*numbered) + f"<p:grpSp>{shape('In')}</p:grpSp>",
        shape("Jugs", place="title") + table + shape("Confidential", place="ftr"),
    ]
    found = pptx.read(deck(*slides), LIMITS, ignore_progress)
    assert parts(found) == [
        ([], 1, [("paragraph", "Footer: Confidential")]),
        (["Bowls"], 2, [("item", "b) first"), ("item", "c) second"), ("paragraph", "In")]),
        (["Jugs"], 3, [("header", "k | v"), ("row", "k | v")]),
    ]


def test_a_hidden_slide_is_marked_or_left_out_by_setting():
    data = deck(shape("Cups"), shape("Jugs", place="title") + shape("Secret."), hidden=[2])
    assert parts(pptx.read(data, LIMITS, ignore_progress))[-1][0] == ["Jugs [hidden slide]"]
    found = pptx.read(data, replace(LIMITS, hidden=False), ignore_progress)
    assert "Secret" not in str(found)
    assert found.parts[-1] == Part(PartKind.HIDDEN_SLIDE, 1, Reason.LEFT_OUT, (2,))


FRAME = "<p:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
PICTURE = '<p:pic><p:nvPicPr><p:cNvPr descr="{}"/></p:nvPicPr></p:pic>'
MIXED = f'<m:AlternateContent xmlns:m="{MIXTURE}"><m:Choice>{{}}</m:Choice></m:AlternateContent>'
DRAWN_CHART = FRAME.format(f'<c:chart xmlns:c="{CHART}" r:id="r2"/>')
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
POINT = f'<d:m xmlns:d="{DIAGRAM}" xmlns:a="{DRAWN}"><d:pt><d:t>{drawn("Sow")}</d:t></d:pt></d:m>'
OLD_COMMENT = '<l><cm authorId="0"><text>Too dear.</text></cm></l>'
NEW_COMMENT = (
    f'<l xmlns:a="{DRAWN}"><cm authorId="0"><replyLst><reply authorId="0"><txBody>'
    f"{drawn('No.')}</txBody></reply></replyLst><txBody>{drawn('Too dear.')}</txBody></cm></l>"
)
IDA = '<author id="0" name="Ida Voss"/>'


@pytest.mark.parametrize(
    ("slide", "beside", "expected", "part"),
    [
        (DRAWN_CHART, {"chart": chart("Milk", {"Litres": [5]}, ["May"])}, "May | 5", "chart"),
        (DRAWN_CHART, {"chart": chart("Milk", {}, [])}, "", "chart no_value"),
        (FRAME.format(f'<d:relIds xmlns:d="{DIAGRAM}" r:dm="r2"/>'), {"d": POINT}, "- Sow", ""),
        (PICTURE.format("A red kiln"), {}, "[Image: A red kiln]", "image"),
        (PICTURE.format(""), {}, "", "image no_text"),
        (MIXED.format(shape("Mixed.")), {}, "Mixed.", ""),
        (FRAME.format("<p:oleObj/>"), {}, "", "attachment unsupported"),
        ("", {"comments": OLD_COMMENT}, "Comment of Ida Voss: Too dear.", "comment"),
        ("", {"comments": NEW_COMMENT}, "Comment of Ida Voss: No.", "comment"),
    ],
)
def test_what_a_slide_holds_beside_text_is_read_and_counted(slide, beside, expected, part):
    data = deck(shape("Said.") + slide, beside=beside, authors=("authors", IDA))
    found = pptx.read(data, LIMITS, ignore_progress)
    assert expected in found.sections[0].text
    counted = {" ".join(filter(None, each[::2])).strip() for each in found.parts}
    assert counted - {"slide"} == {part} - {""}


def test_a_presentation_of_too_many_slides_is_refused():
    with pytest.raises(BadFile, match="too_many_pages"):
        glance(pptx.read, deck(*[shape("a")] * 3), ReadingLimits(pages=2))


# --- ODT and ODP ---------------------------------------------------------------------------------

OUTLINE = (
    '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    "</text:outline-style>"
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1"'
    ' style:num-format="a" style:num-suffix=")"/><text:list-level-style-bullet text:level="2"/>'
    "</text:list-style>"
    '<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text"/>'
    '<style:style style:name="Title"/>'
    '<style:style style:name="P1" style:parent-style-name="Title"/>'
    '<style:style style:name="up"><style:text-properties style:text-position="super 58%"/>'
    "</style:style><style:style style:name='gone'><style:text-properties text:display='none'/>"
    "</style:style>"
)


def text(body: str) -> FileReading:
    return opendocument.read(made_of("text", body, styles=OUTLINE), LIMITS, ignore_progress)


def heading(level: int, words: str) -> str:
    return f'<text:h text:outline-level="{level}">{words}</text:h>'


def test_a_text_has_its_title_and_the_numbers_of_its_headings_and_lists():
    inner = "<text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list>"
    items = f"<text:list-item><text:p>one</text:p>{inner}</text:list-item>"
    items += "<text:list-item><text:p>two</text:p><text:p>More.</text:p></text:list-item>"
    body = '<text:p text:style-name="P1">The Title</text:p>'
    body += heading(1, "Part") + heading(2, "Deeper") + "<text:p>Text.</text:p>"
    body += heading(1, "Next") + f'<text:list text:style-name="L">{items}</text:list>'
    found = text(body)
    assert found.title == "The Title"
    assert [(headings, inside) for headings, _, inside in parts(found)] == [
        (["1 Part", "1.1 Deeper"], [("paragraph", "Text.")]),
        (
            ["2 Next"],
            [("item", "a) one"), ("item", "  - deep"), ("item", "b) two"), ("paragraph", "More.")],
        ),
    ]


def test_spaces_scripts_notes_and_code_read_as_they_are_shown():
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>Where.</text:p></text:note-body></text:note>"
    )
    body = f"<text:p>Said{note} a<text:line-break/>b<text:tab/>c</text:p>"
    body += '<text:p>2<text:span text:style-name="up">31</text:span> seen'
    body += '<text:span text:style-name="gone">ghost</text:span></text:p>'
    code = '<text:p text:style-name="Preformatted_20_Text">'
    body += f"{code}if x:</text:p>{code}<text:s text:c='2'/>y()</text:p>"
    body += (
        "<text:p><draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame>"
    )
    body += "</text:p><text:table-of-content><text:index-body><text:p>ghost</text:p>"
    body += "</text:index-body></text:table-of-content>"
    assert blocks(text(body)) == [
        ("paragraph", "Said[1] a\nb c"),
        ("footnote", "[1] Where."),
        ("paragraph", "2^31 seen[hidden: ghost]"),
        ("code", "if x:\n  y()"),
        ("paragraph", "Boxed."),
    ]


def row(*cells: str) -> str:
    made = "".join(
        f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in cells
    )
    return f"<table:table-row>{made}</table:table-row>"


def form(field: str) -> str:
    return f"<office:forms><form:form>{field}</form:form></office:forms>"


def line(inside: str = "") -> str:
    return f"<text:p>Said{inside}</text:p>"


PLACE = line('<draw:control draw:control="c"/>')
BOX = '<form:checkbox form:id="c" form:current-state="{}" form:label="insured"/>'
ENTRY = '<form:option form:label="oak"/><form:option form:label="ash" form:selected="true"/>'
IMAGE = "<draw:frame><draw:image/><svg:desc>{}</svg:desc></draw:frame>"
OBJECT = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>'
MILK = f"<chart:title><text:p>Milk</text:p></chart:title><table:table>{row('', 'Litres')}"
MILK = f"<chart:chart>{MILK}{row('May', '5')}</table:table></chart:chart>"
NOTE = "<office:annotation><dc:creator>Ida</dc:creator><text:p>No.</text:p></office:annotation>"
TEXT_BOX = f"<draw:frame><draw:text-box>{line(' more')}</draw:text-box></draw:frame>"
CHANGE = f"<text:changed-region>{line()}</text:changed-region>"


@pytest.mark.parametrize(
    ("body", "expected", "part"),
    [
        (form(BOX.format("checked")) + PLACE, " ☒ insured", "field"),
        (form(BOX.format("unchecked")) + PLACE, " ☐ insured", "field"),
        (form('<form:text form:id="c" form:value="9 m"/>') + PLACE, " 9 m", "field"),
        (form(f'<form:listbox form:id="c">{ENTRY}</form:listbox>') + PLACE, " ash", "field"),
        (line(NOTE), "\n\nComment of Ida: No.", "comment"),
        (line(IMAGE.format("A red kiln")), "\n\n[Image: A red kiln]", "image"),
        (line(IMAGE.format("")), "", "image no_text"),
        (line(OBJECT), "\n\nChart: Milk\n\nCategory | Litres\nMay | 5", "chart"),
        (line(OBJECT.replace("Object 1", "other")), "", "attachment unsupported"),
        (line(f"<text:span>{TEXT_BOX}</text:span>"), "\n\nSaid more", "text_box"),
        (f"<text:tracked-changes>{CHANGE}</text:tracked-changes>{line()}", "", "change"),
    ],
)
def test_what_stands_in_or_beside_a_text_is_read_there_and_counted(body, expected, part):
    found = opendocument.read(made_of("text", body, embedded=MILK), LIMITS, ignore_progress)
    assert found.sections[0].text == f"Said{expected}"
    assert [" ".join(filter(None, each[::2])).strip() for each in found.parts] == [part]


def test_headers_and_footers_of_a_text_are_read_once_and_hidden_text_left_out_by_setting():
    margins = "".join(
        f"<style:master-page><style:header>{line(' above')}</style:header>"
        f"<style:footer>{line(end)}</style:footer></style:master-page>"
        for end in (" below", " at last")
    )
    styles = f"{OUTLINE}<office:master-styles>{margins}</office:master-styles>"
    body = line('<text:span text:style-name="gone">ghost</text:span>')
    data = made_of("text", body, styles=styles)
    found = opendocument.read(data, replace(LIMITS, hidden=False), ignore_progress)
    assert [part.text for part in found.sections] == [
        "Header: Said above\n\nSaid",
        "Footer: Said below\n\nFooter: Said at last",
    ]
    assert found.parts == [
        Part(PartKind.HEADER, 3),
        Part(PartKind.HIDDEN_TEXT, 1, Reason.LEFT_OUT),
    ]


def test_a_table_of_a_text_has_its_header_rows():
    head = f"<table:table-header-rows>{row('k', 'v')}</table:table-header-rows>"
    assert blocks(text(f"<table:table>{head}{row('a', '1')}</table:table>")) == [
        ("header", "k | v"),
        ("row", "a | 1"),
    ]
    frame = f"<table:table>{row('Only text.')}</table:table>"
    assert blocks(text(frame)) == [("paragraph", "Only text.")]


def test_a_presentation_of_opendocument_has_slides_with_notes():
    def frame(kind: str, words: str) -> str:
        inside = f"<draw:text-box><text:p>{words}</text:p></draw:text-box>"
        return f'<draw:frame presentation:class="{kind}">{inside}</draw:frame>'

    notes = f"<presentation:notes>{frame('notes', 'Say so.')}</presentation:notes>"
    slide = f"{frame('title', 'Cups')}{frame('outline', 'Blue.')}{frame('footer', 'x')}{notes}"
    table = f"<table:table>{row('k', 'v')}{row('a', '1')}</table:table>"
    slide += f"<draw:frame>{table}<draw:image/></draw:frame>{NOTE}"
    body = f"<draw:page>{frame('title', 'Bowls')}</draw:page><draw:page>{slide}</draw:page>"
    found = opendocument.read(made_of("presentation", body), LIMITS, ignore_progress)
    assert (found.title, found.page_count) == ("Bowls", 2)
    assert parts(found)[-1] == (
        ["Cups"],
        2,
        [
            *[("paragraph", "Blue."), ("header", "k | v"), ("row", "a | 1")],
            *[("paragraph", "Comment of Ida: No."), ("footnote", "Say so.")],
        ],
    )


def test_a_file_of_opendocument_with_a_password_is_told():
    space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    manifest = f'<m:manifest xmlns:m="{space}"><m:file-entry><m:encryption-data/></m:file-entry>'
    data = files.archive(
        {"META-INF/manifest.xml": f"{manifest}</m:manifest>", "content.xml": b"\x00noise"}
    )
    with pytest.raises(BadFile, match="encrypted"):
        glance(opendocument.read, data, LIMITS)


# --- EPUB ----------------------------------------------------------------------------------------


def test_a_book_is_its_chapters_in_order_with_the_names_of_its_contents():
    contents = (
        "<navPoint><navLabel><text>Named outside</text></navLabel>"
        '<content src="c%201.xhtml#top"/></navPoint>'
    )
    data = book("<h1>One</h1><p>First.</p>", "<p>Second.</p>", contents=contents)
    found = epub.read(data, LIMITS, ignore_progress)
    assert (found.title, found.authors, found.date) == ("A Book", ["Jane Doe"], "2020-05-01")
    assert [(headings, inside) for headings, _, inside in parts(found)] == [
        (["One"], [("paragraph", "First.")]),
        (["Named outside"], [("paragraph", "Second.")]),
    ]
    assert glance(epub.read, data, LIMITS).title == "A Book"


def test_a_book_that_only_its_seller_opens_is_told():
    space = "http://www.w3.org/2001/04/xmlenc#"
    ciphered = f'<e xmlns:x="{space}"><x:CipherReference URI="OPS/c%200.xhtml"/></e>'
    data = files.with_part(book("<p>Text.</p>"), "META-INF/encryption.xml", ciphered)
    with pytest.raises(BadFile, match="encrypted"):
        glance(epub.read, data, LIMITS)
