"""Slides, texts of OpenDocument and books: under their headings, in the order of reading."""

import pytest

from citations.formats import epub
from citations.formats.cleaning import sensible_title
from citations.formats.office import opendocument, pptx
from citations.formats.reading import BadFile, FileReading, ReadingLimits, silent
from tests.citations import files
from tests.citations.office_files import book, deck, drawn, shape
from tests.citations.office_files import opendocument as made_of

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
    found = pptx.read(deck(first, shape("Alone.", place="body"), notes=notes), LIMITS, silent)
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
    assert pptx.inspect(deck(first), LIMITS).title == "On Cups"


def test_a_presentation_is_called_as_its_first_slide_says_whatever_holds_its_title():
    bullets = shape("one", drawn("two"), place="body")
    for first in (shape("On Cups", place="title"), shape("On Cups") + shape("by Jo Roe")):
        made = deck(first, shape("On Bowls", place="title") + bullets)
        assert (
            pptx.read(made, LIMITS, silent).title == pptx.inspect(made, LIMITS).title == "On Cups"
        )
    made = deck(shape("A sentence that stands alone.") + bullets)
    assert pptx.read(made, LIMITS, silent).title == ""
    assert sensible_title("PowerPoint-Präsentation") == ""


def test_slides_have_their_titles_numbers_tables_and_groups():
    numbered = [drawn(text, "<a:pPr><a:buAutoNum/></a:pPr>") for text in ("first", "second")]
    cells = "".join(f"<a:tc><a:txBody>{drawn(text)}</a:txBody></a:tc>" for text in ("k", "v"))
    table = (
        '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>'
        f"<a:tr>{cells}</a:tr><a:tr>{cells}</a:tr></a:tbl></a:graphicData></a:graphic>"
        "</p:graphicFrame>"
    )
    slides = [
        shape("Cups", place="ctrTitle"),
        shape("Bowls", place="title") + shape(*numbered) + f"<p:grpSp>{shape('In')}</p:grpSp>",
        shape("Jugs", place="title") + table,
        shape("Hidden", place="title") + shape("ghost"),
    ]
    found = pptx.read(deck(*slides, hidden=[4]), LIMITS, silent)
    assert parts(found)[-2:] == [
        (["Bowls"], 2, [("item", "1. first"), ("item", "2. second"), ("paragraph", "In")]),
        (["Jugs"], 3, [("header", "k | v"), ("row", "k | v")]),
    ]
    assert [note.code for note in found.unread] == ["hidden"]
    assert "ghost" not in str(found)


def test_a_presentation_of_too_many_slides_is_refused():
    with pytest.raises(BadFile, match="too_many_pages"):
        pptx.inspect(deck(*[shape("a")] * 3), ReadingLimits(pages=2))


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
    return opendocument.read(made_of("text", body, styles=OUTLINE), LIMITS, silent)


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
        ("paragraph", "2^31 seen"),
        ("code", "if x:\n  y()"),
        ("paragraph", "Boxed."),
    ]


def test_a_table_of_a_text_has_its_header_rows():
    def row(*cells: str) -> str:
        made = "".join(
            f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in cells
        )
        return f"<table:table-row>{made}</table:table-row>"

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
    body = f"<draw:page>{frame('title', 'Bowls')}</draw:page><draw:page>{slide}</draw:page>"
    found = opendocument.read(made_of("presentation", body), LIMITS, silent)
    assert (found.title, found.page_count) == ("Bowls", 2)
    assert parts(found)[-1] == (
        ["Cups"],
        2,
        [("paragraph", "Blue."), ("footnote", "Say so.")],
    )


def test_a_file_of_opendocument_with_a_password_is_told():
    space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    manifest = f'<m:manifest xmlns:m="{space}"><m:file-entry><m:encryption-data/></m:file-entry>'
    data = files.archive(
        {"META-INF/manifest.xml": f"{manifest}</m:manifest>", "content.xml": b"\x00noise"}
    )
    with pytest.raises(BadFile, match="encrypted"):
        opendocument.inspect(data, LIMITS)


# --- EPUB ----------------------------------------------------------------------------------------


def test_a_book_is_its_chapters_in_order_with_the_names_of_its_contents():
    contents = (
        "<navPoint><navLabel><text>Named outside</text></navLabel>"
        '<content src="c%201.xhtml#top"/></navPoint>'
    )
    data = book("<h1>One</h1><p>First.</p>", "<p>Second.</p>", contents=contents)
    found = epub.read(data, LIMITS, silent)
    assert (found.title, found.authors, found.date) == ("A Book", ["Jane Doe"], "2020-05-01")
    assert [(headings, inside) for headings, _, inside in parts(found)] == [
        (["One"], [("paragraph", "First.")]),
        (["Named outside"], [("paragraph", "Second.")]),
    ]
    assert epub.inspect(data, LIMITS).title == "A Book"


def test_a_book_that_only_its_seller_opens_is_told():
    space = "http://www.w3.org/2001/04/xmlenc#"
    ciphered = f'<e xmlns:x="{space}"><x:CipherReference URI="OPS/c%200.xhtml"/></e>'
    data = files.with_part(book("<p>Text.</p>"), "META-INF/encryption.xml", ciphered)
    with pytest.raises(BadFile, match="encrypted"):
        epub.inspect(data, LIMITS)
