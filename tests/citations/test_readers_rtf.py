"""RTF: what Word and WordPad write as headings, items, tables, notes and letters."""

import pytest

from citations.formats.kinds import RTF, detect_kind
from citations.formats.office import rtf
from citations.formats.reading import BadFile, FileReading, ReadingLimits, glance, ignore_progress

WORD = r"""{\rtf1\ansi\ansicpg1252\uc1\deff0
{\fonttbl{\f0\froman\fcharset0\fprq2 Times New Roman;}
{\f1\fswiss\fcharset204 Arial Cyr;}{\f2\fnil\fcharset2 Symbol;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\ql \snext0 Normal;}{\s1\ql\keepn\outlinelevel0\b
\fs32 \sbasedon0 \snext0 heading 1;}{\s2\ql\outlinelevel1 \snext0 heading 2;}{\s15\qc
\snext0 Title;}}
{\*\listtable{\list{\listlevel\levelnfc23{\leveltext\'01\u8226 ?;}}}}
{\info{\title Garden rules}{\author Jo Roe}{\creatim\yr2020\mo5\dy3}}
{\header \pard\plain The Society\par}
\pard\plain \s15\qc {\b Garden rules}\par
\pard\plain \s1 Opening hours\par
\pard\plain The garden is open from 8\~a.m. to dusk\'97\'93always\'94. Fran\'e7ois wrote this
{\super\chftn{\footnote\pard\plain \chftn  Since 2019.}}.\par
{\*\bkmkstart x}{\*\bkmkend x}\pard\plain \s2 Tools\par
{\listtext\f2\'b7\tab}\pard\plain\ls1\ilvl0 A spade\par
{\listtext\f2\'b7\tab}A rake \u8212\'97 large\par
{\listtext 1.\tab}\pard\plain\ls2 First \{do\}\par
\trowd\trhdr\cellx1000\cellx2000\pard\intbl Plant\cell Height\cell\row
\trowd\cellx1000\cellx2000\pard\intbl Rose\cell 2 m\par tall\cell\row
\pard\plain {\f1\'cf\'f0\'e8\'e2\'e5\'f2} {\field{\*\fldinst HYPERLINK "http://x.org"}
{\fldrslt the site}} {\v hidden}{\pict\wmetafile8 0102 }end.\par
Smile \u-10179?\u-8704?!\par}
"""
WORDPAD = r"""{\rtf1\ansi\deff0\nouicompat{\fonttbl{\f0\fnil\fcharset0 Calibri;}}
{\*\generator Riched20 10.0.19041}\viewkind4\uc1
\pard\b\f0\fs28\lang7 Mietvertrag\par
\b0\fs22 Die Frist betr\'e4gt drei Monate.\line Danach gilt sie nicht.\par
\pard{\pntext\f1\'B7\tab}{\*\pn\pnlvlblt\pnf1\pnindent0{\pntxtb\'B7}}\fi-360\li720 Schl\'fcssel\par
}
"""


def read(text: str) -> FileReading:
    return rtf.read(text.encode("latin-1"), ReadingLimits(pages=10), ignore_progress)


def blocks(text: str) -> list[tuple[list[str], str, str]]:
    return [
        (section.headings, str(block.kind), block.text)
        for section in read(text).sections
        for block in section.blocks
    ]


def test_styles_are_headings_and_lists_tables_and_notes_are_what_they_are():
    found = read(WORD)
    assert (found.title, found.authors) == ("Garden rules", ["Jo Roe"])
    opening, tools = ["Opening hours"], ["Opening hours", "Tools"]
    assert blocks(WORD) == [
        ([], "paragraph", "Header: The Society"),
        ([], "paragraph", "Garden rules"),
        (
            opening,
            "paragraph",
            "The garden is open from 8 a.m. to dusk—“always”. François wrote this[1].",
        ),
        (opening, "footnote", "[1] Since 2019."),
        (tools, "item", "- A spade"),
        (tools, "item", "- A rake — large"),
        (tools, "item", "1. First {do}"),
        (tools, "header", "Plant | Height"),
        (tools, "row", "Rose | 2 m tall"),
        (tools, "paragraph", "Привет the site [hidden: hidden]end."),
        (tools, "paragraph", "Smile 😀!"),
    ]
    assert [(each.kind, each.number, each.reason) for each in read(WORD).parts] == [
        ("header", 1, None),
        ("note", 1, None),
        ("image", 1, "no_text"),
        ("hidden_text", 1, None),
    ]


def test_without_styles_the_first_line_is_the_title():
    assert read(WORDPAD).title == "Mietvertrag"
    assert blocks(WORDPAD) == [
        ([], "paragraph", "Mietvertrag"),
        ([], "paragraph", "Die Frist beträgt drei Monate.\nDanach gilt sie nicht."),
        ([], "item", "- Schlüssel"),
    ]


COMMENT = r"{\*\atnid IV}{\*\atnauthor Ida Voss}{\*\annotation\pard Too dear.\par}"
BOX = r"{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard In a box.\par}}}"


@pytest.mark.parametrize(
    ("inside", "expected", "part"),
    [
        (COMMENT, "Comment of Ida Voss: Too dear.", "comment"),
        (BOX, "In a box.", "text_box"),
        (r"{\footer\pard Page\par}", "Footer: Page", "header"),
        (r"{\deleted ghost}", "", "change"),
        (r"{\v ghost}", "", "hidden_text left_out"),
        (r"{\object{\*\objdata 0102}}", "", "attachment unsupported"),
    ],
)
def test_what_stands_beside_the_text_is_read_or_counted(inside, expected, part):
    data = rf"{{\rtf1\ansi Said.{inside}\par}}".encode()
    found = rtf.read(data, ReadingLimits(pages=10, hidden=False), ignore_progress)
    said = "\n\n".join(section.text for section in found.sections)
    assert said == "\n\n".join(filter(None, ("Said.", expected)))
    assert [" ".join(filter(None, each[::2])).strip() for each in found.parts] == [part]


def test_a_file_is_known_by_its_beginning_and_one_without_text_is_empty():
    assert detect_kind(WORD.encode("latin-1"), "rules.doc") == RTF
    with pytest.raises(BadFile, match="mislabelled"):
        detect_kind(b"no such thing", "rules.rtf")
    with pytest.raises(BadFile, match="empty"):
        glance(rtf.read, rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard\par}", ReadingLimits(pages=10))


@pytest.mark.parametrize(
    "broken", [r"{\rtf1 a}}}}b", r"{\rtf1 {{{a", "{\\rtf1 a\\", r"{\rtf1\bin99 a"]
)
def test_groups_that_do_not_fit_are_read_as_far_as_they_go(broken: str):
    try:
        assert read(broken).sections
    except BadFile as refusal:
        assert refusal.code == "empty"  # noqa: PT017 - what it holds may all be bytes


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            r"\trowd\clvmgf\cellx1000\cellx3000\cellx5000 Stop\cell Morning\cell Evening\cell\row"
            r"\trowd\clvmrg\cellx1000\cellx1990\cellx3000\cellx4010\cellx5000"
            r"\cell Bus\cell Tram\cell Bus\cell Tram\cell\row"
            r"\trowd\cellx1000\cellx2000\cellx3000\cellx4000\cellx5000"
            r" Elm\cell 1\cell 2\cell 3\cell 4\cell\row",
            [
                "Stop | Morning › Bus | Morning › Tram | Evening › Bus | Evening › Tram",
                "Elm | 1 | 2 | 3 | 4",
            ],
        ),
        (
            r"\trowd\trhdr\cellx1000\cellx2000 Shift\cell Name\cell\row"
            r"\trowd\clvmgf\cellx1000\cellx2000 late\cell Ben\cell\trowd\cellx1000\cellx2000\row"
            r"\trowd\clvmrg\cellx1000\cellx2000 \cell Eva\cell\row",
            ["Shift | Name", "late | Ben", "late | Eva"],
        ),
    ],
    ids=["columns", "rows"],
)
def test_merged_cells_stand_in_all_that_they_cover(rows: str, said: list[str]):
    assert [text for _, _, text in blocks(f"{{\\rtf1 {rows}}}")] == said
