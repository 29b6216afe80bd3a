"""DOCX: headings, lists, tables and footnotes of Word, and nothing that Word doesn't show."""

import pytest

from citations.formats.office import docx
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.reading import FileReading, ReadingLimits, glance, ignore_progress
from tests.citations import files
from tests.citations.files import WORD, paragraph, with_part, word_of
from tests.citations.office_files import OFFICE, chart, related

LIMITS = ReadingLimits(pages=10)


def read(data: bytes) -> FileReading:
    return docx.read(data, LIMITS, ignore_progress)


def test_a_document_of_word_becomes_text_under_its_headings():
    made = files.word(title="On Notes", author="Doe, Jane; Roe, John")
    made.add_heading("On Notes", 0)
    made.add_paragraph("Opening.")
    made.add_heading("Part", 1)
    made.add_paragraph("First.").add_run(" Bold.").bold = True
    made.add_paragraph("one", style="List Bullet")
    made.add_paragraph("two", style="List Number")
    made.add_heading("Deeper", 2)
    table = made.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("codon", "share", "175", "6 %"), strict=True):
        cell.text = text
    made.add_heading("Next", 1)
    made.add_paragraph("Last.")

    found = read(files.packed(made))
    assert (found.title, found.authors, found.year) == (
        "On Notes",
        ["Doe, Jane", "Roe, John"],
        None,
    )
    assert [(part.headings, part.text) for part in found.sections] == [
        ([], "Opening."),
        (["Part"], "First. Bold.\n\n- one\n1. two"),
        (["Part", "Deeper"], "codon | share\n175 | 6 %"),
        (["Next"], "Last."),
    ]
    about = glance(docx.read, files.packed(made), LIMITS)
    assert (about.title, about.authors, about.sections) == ("On Notes", found.authors, [])


def test_the_first_chapter_is_no_title():
    made = files.word(author="python-docx")
    made.add_heading("First heading", 1)
    made.add_paragraph("Text.")
    found = read(files.packed(made))
    # The file's name says more.
    assert (found.title, found.authors) == ("", [])
    assert found.sections[0].headings == ["First heading"]


STYLES = f"""<w:styles xmlns:w="{WORD}"><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="C"><w:name w:val="Chapter"/><w:basedOn w:val="H"/></w:style>
<w:style w:styleId="S"><w:name w:val="Source Code"/></w:style></w:styles>"""
LEVELS = "".join(
    f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>'
    f'<w:lvlText w:val="{text}"/></w:lvl>'
    for at, form, text, start in (
        *[(0, "decimal", "Article %1.", 3), (1, "lowerLetter", "%1.%2)", 1)],
        (2, "bullet", "·", 1),
    )
)
LISTS = "".join(
    f'<w:num w:numId="{at}"><w:abstractNumId w:val="7"/>{override}</w:num>'
    for at, override in (
        *[(1, ""), (2, "")],
        (3, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride>'),
    )
)
NUMBERING = f"""<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="7">{LEVELS}
</w:abstractNum>{LISTS}</w:numbering>"""
FOOTNOTES = f"""<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="0" w:type="separator">
{paragraph("-")}</w:footnote><w:footnote w:id="5">{paragraph("Where.")}</w:footnote>
</w:footnotes>"""
PARTS = {"word__styles": STYLES, "word__numbering": NUMBERING}
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def styled(text: str, properties: str = "", run: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def numbered(text: str, depth: int, number: int = 1) -> str:
    inside = f'<w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/>'
    return styled(text, f"<w:numPr>{inside}</w:numPr>")


def row(*cells: str, properties: str = "") -> str:
    made = "".join(f"<w:tc>{cell}</w:tc>" for cell in cells)
    return f"<w:tr><w:trPr>{properties}</w:trPr>{made}</w:tr>"


def raised(text: str, align: str) -> str:
    return f'<w:r><w:rPr><w:vertAlign w:val="{align}"/></w:rPr><w:t>{text}</w:t></w:r>'


SIGNS = "<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>"
UNSEEN = "<w:del><w:r><w:t>ghost</w:t></w:r></w:del><w:r><w:instrText>ghost</w:instrText></w:r>"
MARK = '<w:r><w:footnoteReference w:id="5"/></w:r>'
SQUARE = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
SHARE = f"<m:f><m:num>{SQUARE}<m:r><m:t>+1</m:t></m:r></m:num><m:den>{SQUARE}</m:den></m:f>"
WIDE = f'<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("Year")}'
BEGUN = f'<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph("a")}'
GOES_ON = f"<w:tcPr><w:vMerge/></w:tcPr>{paragraph('')}"
TABLE = f"""<w:tbl>{row(paragraph("k"), WIDE, properties="<w:tblHeader/>")}
{row(BEGUN, *map(paragraph, "12"))}{row(GOES_ON, *map(paragraph, "34"))}
{row(*map(paragraph, "xyz"), properties="<w:del/>")}</w:tbl>"""
INNER = f"<w:tbl>{row(paragraph('in'), paragraph('ner'))}</w:tbl>"
OUTER = f"<w:tbl>{row(numbered('a', 0), INNER)}{row(numbered('', 0), paragraph('z'))}</w:tbl>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<w:p><w:r>{SIGNS}</w:r>{UNSEEN}<!-- ghost --></w:p>", "paragraph a b\nc-d"),
        (
            numbered("a", 0) + numbered("b", 1) + numbered("", 1) + numbered("c", 1),
            "item Article 3. a / item   3.a) b / item   3.c) c",
        ),
        (
            numbered("a", 2) + numbered("b", 0) + numbered("c", 0, 2) + numbered("d", 0, 3),
            "item     - a / item Article 3. b / item Article 4. c / item Article 9. d",
        ),
        (
            styled("if x:", '<w:pStyle w:val="S"/>') + styled("  y()", '<w:pStyle w:val="S"/>'),
            "code if x:\n  y()",
        ),
        (styled("ls -l", run='<w:rFonts w:ascii="Courier New"/>'), "code ls -l"),
        (
            f"<w:p>{raised('2', '')}{raised('31', 'superscript')}{raised(' H', '')}"
            f"{raised('2', 'subscript')}{raised('O', '')}</w:p>",
            "paragraph 2^31 H_2O",
        ),
        (
            f'<w:p><m:oMathPara xmlns:m="{MATH}"><m:oMath>{SHARE}</m:oMath></m:oMathPara></w:p>',
            "formula (x^2+1)/(x^2)",
        ),
        (
            paragraph("Table 1: Sales") + TABLE,
            "caption Table 1: Sales / header k | Year | Year / row a | 1 | 2 / row a | 3 | 4",
        ),
        (OUTER, "row Article 3. a | in, ner / row Article 4. | z"),
        (
            f"<w:tbl>{row(paragraph('Note.') + paragraph('More.'))}</w:tbl>",
            "paragraph Note. / paragraph More.",
        ),
    ],
)
def test_blocks_are_what_word_draws(body, expected):
    (section,) = read(word_of(body, **PARTS)).sections
    said = [f"{block.kind} {block.text}" for block in section.blocks]
    assert " / ".join(said) == expected


def test_a_footnote_stands_behind_its_paragraph_or_where_nothing_names_it_last():
    for mark, expected in (
        (MARK, "Said[1]\n\n[1] Where.\n\nNext."),
        ("", "Said\n\nNext.\n\n[1] Where."),
    ):
        body = f"<w:p><w:r><w:t>Said</w:t></w:r>{mark}</w:p>{paragraph('Next.')}"
        (section,) = read(word_of(body, word__footnotes=FOOTNOTES)).sections
        assert section.text == expected


def test_a_style_based_on_a_heading_is_one_and_so_is_an_outline_level():
    body = paragraph("Before") + styled("Chapter", '<w:pStyle w:val="C"/>')
    body += styled("Deep", '<w:outlineLvl w:val="3"/>') + paragraph("Text")
    found = read(word_of(body, word__styles=STYLES))
    assert [part.headings for part in found.sections] == [[], ["Chapter", "Deep"]]


def test_the_strict_variant_reads_the_same():
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    xml = f'<w:document xmlns:w="{strict}"><w:body>{paragraph("Text")}</w:body></w:document>'
    assert read(files.archive({"word/document.xml": xml})).sections[0].text == "Text"


DRAWN = (
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    f'xmlns:r="{OFFICE}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def run(inside: str, look: str = "") -> str:
    return f"<w:r {DRAWN}><w:rPr>{look}</w:rPr>{inside}</w:r>"


def control(kind: str, shown: str = "x") -> str:
    inside = run(f"<w:t>{shown}</w:t>")
    return f"<w:sdt><w:sdtPr {DRAWN}>{kind}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"


def legacy(field: str) -> str:
    return run(f'<w:fldChar w:fldCharType="begin"><w:ffData>{field}</w:ffData></w:fldChar>')


BOX = f"<w:txbxContent>{paragraph('In a box.')}</w:txbxContent>"
SHAPE = f"<w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict>"
CHOICE = f"<mc:Choice><w:drawing>{BOX}</w:drawing></mc:Choice><mc:Fallback>{SHAPE}</mc:Fallback>"
ENTRIES = '<w:listEntry w:val="oak"/><w:listEntry w:val="ash"/>'
CHANGES = "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:t>old</w:t></w:r></w:del>"
BOXED = "Said\n\nIn a box."
PICTURED = "Said [Image: A red kiln]"


@pytest.mark.parametrize(
    ("inside", "expected", "part"),
    [
        (control('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>'), "Said ☒", "field"),
        (control('<w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>'), "Said ☐", "field"),
        (run('<w:sym w:font="Wingdings" w:char="F0FE"/>'), "Said ☒", ""),
        (control("<w:dropDownList/>", "pine"), "Said pine", "field"),
        (control("<w:text/><w:showingPlcHdr/>", "name"), "Said [name]", "field"),
        (legacy("<w:checkBox><w:checked/></w:checkBox>"), "Said ☒", "field"),
        (legacy('<w:checkBox><w:default w:val="1"/></w:checkBox>'), "Said ☒", "field"),
        (legacy('<w:checkBox><w:checked w:val="0"/></w:checkBox>'), "Said ☐", "field"),
        (legacy(f'<w:ddList><w:result w:val="1"/>{ENTRIES}</w:ddList>'), "Said ash", "field"),
        (run(f"<w:drawing>{BOX}</w:drawing>"), BOXED, "text_box"),
        (run(SHAPE), BOXED, "text_box"),
        (run(f"<mc:AlternateContent>{CHOICE}</mc:AlternateContent>"), BOXED, "text_box"),
        (run('<wp:docPr descr="A red kiln"/><pic:pic/>'), PICTURED, "image"),
        (run('<v:shape alt="A red kiln"><v:imagedata/></v:shape>'), PICTURED, "image"),
        (run("<w:drawing><wp:docPr/><pic:pic/></w:drawing>"), "Said", "image no_text"),
        (run("<w:t>ghost</w:t>", "<w:vanish/>"), "Said [hidden: ghost]", "hidden_text"),
        (CHANGES, "Said new", "change"),
    ],
)
def test_what_stands_in_or_beside_a_paragraph_is_read_there_and_counted(inside, expected, part):
    found = read(word_of(f"<w:p><w:r><w:t>Said </w:t></w:r>{inside}</w:p>"))
    assert found.sections[0].text == expected
    assert {" ".join(filter(None, each[::2])) for each in found.parts} == {part} - {""}


def test_hidden_text_is_left_out_by_setting_and_counted():
    said = f"<w:p><w:r><w:t>Said</w:t></w:r>{run('<w:t>ghost</w:t>', '<w:vanish/>')}</w:p>"
    found = docx.read(word_of(said), ReadingLimits(pages=10, hidden=False), ignore_progress)
    assert found.sections[0].text == "Said"
    assert found.parts == [Part(PartKind.HIDDEN_TEXT, 1, Reason.LEFT_OUT)]


def test_headers_comments_charts_and_files_stand_where_they_belong():
    margin = f'<w:hdr xmlns:w="{WORD}">{paragraph("Contract KV-7")}</w:hdr>'
    comments = f"""<w:comments xmlns:w="{WORD}"><w:comment w:id="7" w:author="Ida Voss">
    {paragraph("Too dear.")}</w:comment></w:comments>"""
    first = paragraph("Said.").replace("</w:p>", run('<w:commentReference w:id="7"/>') + "</w:p>")
    drawing = run('<w:drawing><c:chart r:id="r4"/></w:drawing>')
    data = word_of(
        first + f"<w:p>{drawing}</w:p>",
        word__comments=comments,
        word__header1=margin,
        word__header2=margin,
        word__footer1=margin.replace("Contract KV-7", "Page"),
        word__chart1=chart("Milk", {"Litres": [1210, 1335.5]}, ["April", "May"]),
        word__a="\0",
    )
    named = [("header", "header1.xml"), ("header", "header2.xml"), ("footer", "footer1.xml")]
    named += [("chart", "chart1.xml"), ("oleObject", "a.xml")]
    data = with_part(data, "word/_rels/document.xml.rels", related(*named))
    found = read(data)
    assert [section.text for section in found.sections] == [
        "Header: Contract KV-7\n\nSaid.\n\nComment of Ida Voss: Too dear.\n\nChart: Milk\n\n"
        "Category | Litres\nApril | 1210\nMay | 1335.5",
        "Footer: Page",
    ]
    assert [(each.kind, each.number, each.reason) for each in found.parts] == [
        ("header", 2, None),
        ("comment", 1, None),
        ("chart", 1, None),
        ("attachment", 1, "unsupported"),
    ]


def bold(text: str) -> str:
    return paragraph(text).replace("<w:r>", "<w:r><w:rPr><w:b/></w:rPr>")


def test_bold_lines_are_headings_where_nothing_else_tells_them():
    said = bold("Leave Policy") + bold("Scope") + paragraph("It covers all staff, old and new.")
    said += bold("Who pays?") + paragraph("We do.") + bold("You need:") + paragraph("a form.")
    found = read(word_of(said))
    assert found.title == glance(docx.read, word_of(said), LIMITS).title == "Leave Policy"
    assert [(part.headings, part.text) for part in found.sections] == [
        (["Scope"], "It covers all staff, old and new."),
        (["Who pays?"], "We do.\n\nYou need:\n\na form."),
    ]


def test_in_a_document_that_is_mostly_bold_nothing_is_told_by_it():
    said = bold("Scope") + bold("It covers all staff") + bold("and those who left") + paragraph("x")
    assert {tuple(part.headings) for part in read(word_of(said)).sections} == {()}
