"""PPTX: the slides of a presentation: titles, bullets, tables, charts, notes and comments.

A slide is a page, and its title the heading. We read the XML ourselves: python-pptx misses diagrams
and shapes in alternate content, such as text with a formula.
"""

from collections.abc import Iterator
from typing import Any

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.office import (
    DRAWN,
    RELATED,
    describe,
    finish_reading,
    main_part,
    parse_number,
    read_relations,
)
from citations.formats.office.archive import Parts
from citations.formats.office.asides import add_comment, add_margins, format_image_text
from citations.formats.office.drawings import CHART, DIAGRAM, add_drawing, read_paragraph
from citations.formats.office.numbering import ListCounts, ListLevel
from citations.formats.parts import PartKind, Reason
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections
from citations.formats.tables import Cell, add_table
from citations.formats.titles import find_heading, is_caption

PRESENTATION = "ppt/presentation.xml"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
TITLES = ("title", "ctrTitle")
ON_EVERY_SLIDE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
# Placeholders whose paragraphs are items in the usual master.
LISTED = ("body", "obj", "")
FORMS = {"alphaL": "lowerLetter", "alphaU": "upperLetter", "romanL": "lowerRoman"}
FORMS["romanU"] = "upperRoman"
ON = ("1", "true")
DEEPEST = 8


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the slides."""
    deck = SlideDeck(Parts(data), limits)
    deck.read(progress)
    described = describe(deck.package)
    return finish_reading(described, deck.title, deck.sections, page_count=len(deck.slides))


class SlideDeck:
    """The slides in order, and the sections that they are read into."""

    def __init__(self, package: Parts, limits: ReadingLimits) -> None:
        self.package, self.sections = package, Sections(limits)
        self.title = ""
        self._hidden = limits.hidden
        main = main_part(self.package, PRESENTATION)
        related = read_relations(self.package, main)
        listed = list(self.package.xml(main).iter(f"{P}sldId"))
        if len(listed) > limits.pages:
            raise BadFile("too_many_pages")
        keys = (each.get(f"{RELATED}id", "") for each in listed)
        self.slides = [related[key].part for key in keys if key in related]
        self._authors = {
            each.get("id"): each.get("name")
            for kind, part in related.values()
            if kind in ("commentAuthors", "authors") and self.package.has(part)
            for each in self.package.xml(part)
        }
        self._footers: set[str] = set()

    def read(self, progress: Progress) -> None:
        for number, part in enumerate(self.slides, 1):
            progress(number - 1, len(self.slides))
            if self.sections.full:
                left = len(self.slides) - number + 1
                self.sections.parts.count(PartKind.SLIDE, left, unread=Reason.BEYOND_LIMIT)
                break
            self._slide(number, part)

    def _slide(self, number: int, part: str) -> None:
        """Add a slide's text, its speaker's notes and its comments."""
        root, parts = self.package.xml(part), self.sections.parts
        is_hidden = root.get("show") in ("0", "false")
        kind = PartKind.HIDDEN_SLIDE if is_hidden else PartKind.SLIDE
        if is_hidden and not self._hidden:
            parts.count(kind, unread=Reason.LEFT_OUT, pages=[number])
            return
        parts.count(kind, pages=[number] if is_hidden else [])
        related = read_relations(self.package, part)
        shapes = list(list_shapes(root))
        title = " ".join(
            line for each in shapes if find_place(each) in TITLES for line in read_lines(each)
        )
        self.title = self.title or title or (find_title_line(shapes) if number == 1 else "")
        self.sections.page(number)
        self.sections.leave_headings()
        self.sections.heading(1, f"{title} [hidden slide]".strip() if is_hidden else title)
        drawings = {key: each.part for key, each in related.items()}
        for shape in shapes:
            self._shape(shape, drawings)
        for kind_of_part, name in related.values():
            if kind_of_part in ("notesSlide", "comments") and self.package.has(name):
                add = self._notes if kind_of_part == "notesSlide" else self._comments
                add(self.package.xml(name))

    def _shape(self, shape: Any, drawings: dict[str, str]) -> None:
        place = find_place(shape)
        if place in ("ftr", "hdr"):
            new = [each for each in read_lines(shape) if each not in self._footers]
            self._footers.update(new)
            add_margins("footer", new, self.sections)
        if place in (*TITLES, *ON_EVERY_SLIDE):
            return
        if shape.tag == f"{P}pic":
            said = shape.find(f"{P}nvPicPr/{P}cNvPr").get("descr")
            self.sections.paragraph(format_image_text(said, self.sections))
        elif shape.tag == f"{P}graphicFrame":
            self._frame(shape, drawings)
        else:
            self._paragraphs(shape, place)

    def _frame(self, frame: Any, drawings: dict[str, str]) -> None:
        """Add a table, a chart or a diagram; count an embedded file."""
        for each in frame.iterfind(f"{DRAWN}graphic/{DRAWN}graphicData//*"):
            key = each.get(f"{RELATED}id") or each.get(f"{RELATED}dm", "")
            if each.tag == f"{DRAWN}tbl":
                add_table(self.sections, read_cells(each))
            elif each.tag == f"{P}oleObj":
                self.sections.parts.count(PartKind.ATTACHMENT, unread=Reason.UNSUPPORTED)
                return
            elif each.tag in (f"{CHART}chart", f"{DIAGRAM}relIds"):
                add_drawing(self.package, drawings.pop(key, ""), self.sections)

    def _paragraphs(self, shape: Any, place: str | None) -> None:
        filled = [each for each in shape.iterfind(f"{P}txBody/{DRAWN}p") if read_paragraph(each)]
        is_list, counts = place in LISTED and len(filled) > 1, ListCounts()
        for paragraph in filled:
            text = read_paragraph(paragraph)
            look = paragraph.find(f"{DRAWN}pPr")
            level = 0 if look is None else min(parse_number(look.get("lvl", ""), 0), DEEPEST)
            if mark := find_mark(look, level, counts, is_list=is_list):
                self.sections.item(text, mark, level)
            else:
                kind = BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH
                self.sections.add(kind, text)

    def _notes(self, root: Any) -> None:
        """Add the speaker's notes."""
        lines = [
            line
            for each in list_shapes(root)
            if find_place(each) == "body"
            for line in read_lines(each)
        ]
        self.sections.parts.count(PartKind.SPEAKER_NOTE, int(bool(lines)))
        for line in lines:
            self.sections.add(BlockKind.FOOTNOTE, line)

    def _comments(self, root: Any) -> None:
        """Add the comments and their replies, in the form of 2007 or of 2018."""
        for each in root.iter("{*}cm", "{*}reply"):
            text = " ".join([each.findtext("{*}text") or "", *read_lines(each)])
            add_comment(self._authors.get(each.get("authorId")), text, self.sections)


def list_shapes(root: Any) -> Iterator[Any]:
    """Yield the shapes of a slide, including those in groups, in reading order."""
    pending = list(reversed(root.findall(f"{P}cSld/{P}spTree/*")))
    while pending:
        shape = pending.pop()
        if shape.tag in (f"{P}sp", f"{P}graphicFrame", f"{P}pic"):
            yield shape
        elif shape.tag not in (FALLBACK, f"{P}cxnSp"):
            pending += reversed(shape)


def find_place(shape: Any) -> str | None:
    """Return the type of a shape's placeholder, or None if it has none."""
    place = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return None if place is None else place.get("type", "")


def read_lines(shape: Any) -> list[str]:
    found = map(read_paragraph, shape.iterfind(f"{{*}}txBody/{DRAWN}p"))
    return [" ".join(line.split()) for line in found if line]


def find_title_line(shapes: list[Any]) -> str:
    """Return the first line of a slide, if it reads as a title."""
    boxes = (each for each in shapes if find_place(each) in (None, "subTitle"))
    return find_heading(next((line for box in boxes for line in read_lines(box)), ""))


def find_mark(look: Any, level: int, counts: ListCounts, *, is_list: bool) -> str:
    """Return the number or bullet of a paragraph, or nothing."""
    marks = {} if look is None else {each.tag.removeprefix(f"{DRAWN}bu"): each for each in look}
    if "AutoNum" in marks:
        kind, start = marks["AutoNum"].get("type", ""), marks["AutoNum"].get("startAt", "")
        text = f"%{level + 1}{')' if 'Paren' in kind else '.'}"
        known = ListLevel(FORMS.get(kind[:6], "decimal"), text, parse_number(start))
        return counts.mark({level + 1: known}, level + 1)
    counts.begin(level + 1)
    return BULLET if "Char" in marks or (is_list and "None" not in marks) else ""


def read_cells(table: Any) -> list[list[Cell]]:
    """Return the cells of each row; the first is a header if the table's look says so."""
    look, rows = table.find(f"{DRAWN}tblPr"), table.findall(f"{DRAWN}tr")
    has_header = look is not None and look.get("firstRow") in ON and len(rows) > 1
    return [
        [
            Cell(
                " ".join(read_lines(cell)),
                parse_number(cell.get("rowSpan", "")),
                parse_number(cell.get("gridSpan", "")),
                is_header=has_header and at == 0,
            )
            for cell in row.iterfind(f"{DRAWN}tc")
            if cell.get("hMerge") not in ON and cell.get("vMerge") not in ON
        ]
        for at, row in enumerate(rows)
    ]
