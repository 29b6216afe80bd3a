"""PPTX: the slides of a presentation: titles, bullets, tables, diagrams and the speaker's notes.

A slide is a page, and its title the heading. What stands on every slide, its number and its date
are left out, and so are slides that are not shown.
"""

from collections.abc import Iterator
from typing import Any

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.captions import is_caption
from citations.formats.office import DRAWN, RELATED, about, main_part, relations
from citations.formats.office.archive import Parts
from citations.formats.reading import (
    BadFile,
    FileReading,
    Note,
    Progress,
    ReadingLimits,
    silent,
)
from citations.formats.sections import Sections
from citations.formats.titles import heading_in

PRESENTATION = "ppt/presentation.xml"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
TITLES = ("title", "ctrTitle")
ON_EVERY_SLIDE = ("dt", "ftr", "sldNum", "hdr", "sldImg")
# Placeholders whose paragraphs are items, as the master draws them.
LISTED = ("body", "obj", "")
GLANCE = 2000  # characters in which text is looked for at first
MOST_SPANNED = 50
ON = ("1", "true")


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Return the properties and the number of slides, after looking whether there is text."""
    deck = SlideDeck(Parts(data))
    if len(deck.slides) > limits.pages:
        raise BadFile("too_many_pages")
    glance = Sections(ReadingLimits(pages=0, characters=GLANCE))
    title = ""
    for number in range(1, len(deck.slides) + 1):
        shown = deck.add_slide(number, glance)
        title = title or shown
        if glance.finished(""):
            break
    else:
        raise BadFile("empty")
    described = about(deck.parts)
    return FileReading(
        title=described.title or deck.first_line or title,
        authors=described.authors,
        page_count=len(deck.slides),
    )


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the slides."""
    deck = SlideDeck(Parts(data))
    sections, titles = Sections(limits), []
    for number in range(1, len(deck.slides) + 1):
        progress(number - 1, len(deck.slides))
        titles.append(deck.add_slide(number, sections))
    described = about(deck.parts)
    title = described.title or deck.first_line or next(filter(None, titles), "")
    hidden = [Note("hidden")] if deck.has_hidden else []
    return FileReading(
        title=title,
        sections=sections.finished(title),
        authors=described.authors,
        page_count=len(deck.slides),
        unread=[*sections.unread, *hidden],
    )


class SlideDeck:
    """The slides in their order."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        main = main_part(parts, PRESENTATION)
        related = relations(parts, main)
        listed = parts.xml(main).iter(f"{P}sldId")
        self.slides = [
            found.part for each in listed if (found := related.get(each.get(f"{RELATED}id", "")))
        ]
        self.has_hidden = False
        # What stands first on the first slide, if that looks like a title and nothing says it is.
        self.first_line = ""

    def add_slide(self, number: int, sections: Sections) -> str:
        """Add what a slide says and what is noted to it, and return its title."""
        root = self.parts.xml(self.slides[number - 1])
        if root.get("show") in ("0", "false"):
            self.has_hidden = True
            return ""
        related = {
            each.kind: each.part for each in relations(self.parts, self.slides[number - 1]).values()
        }
        sections.page(number)
        shapes = list(shapes_of(root.find(f"{P}cSld/{P}spTree")))
        titles = [lines_of(shape) for shape in shapes if kind_of_shape(shape) in TITLES]
        title = " ".join(text for lines in titles for text in lines)
        if number == 1 and not title:
            boxes = (shape for shape in shapes if kind_of_shape(shape) in (None, "subTitle"))
            self.first_line = heading_in(
                next((line for box in boxes for line in lines_of(box)), "")
            )
        sections.leave_headings()
        sections.heading(1, title)
        for shape in shapes:
            if kind_of_shape(shape) not in TITLES:
                add_shape(shape, sections)
        if "diagramData" in related:
            add_diagram(self.parts.xml(related["diagramData"]), sections)
        if "notesSlide" in related:
            add_notes(self.parts.xml(related["notesSlide"]), sections)
        return title


def shapes_of(tree: Any) -> Iterator[Any]:
    """Yield the shapes that hold text, those in groups too, in the order of reading."""
    pending = [] if tree is None else list(reversed(tree))
    while pending:
        shape = pending.pop()
        if shape.tag in (f"{P}sp", f"{P}graphicFrame"):
            yield shape
        elif shape.tag != FALLBACK and shape.tag not in (f"{P}pic", f"{P}cxnSp"):
            pending += reversed(shape)


def kind_of_shape(shape: Any) -> str | None:
    """Return which placeholder a shape is, or None if it is none."""
    place = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return None if place is None else place.get("type", "")


def add_shape(shape: Any, sections: Sections) -> None:
    kind = kind_of_shape(shape)
    if kind in ON_EVERY_SLIDE:
        return
    table = shape.find(f".//{DRAWN}tbl")
    if table is not None:
        add_table(table, sections)
        return
    paragraphs = list(shape.iterfind(f"{P}txBody/{DRAWN}p"))
    filled = [each for each in paragraphs if text_of_paragraph(each)]
    is_list = kind in LISTED and len(filled) > 1
    numbers: dict[int, int] = {}
    for paragraph in filled:
        add_paragraph(paragraph, sections, numbers, is_list=is_list)


def add_paragraph(
    paragraph: Any, sections: Sections, numbers: dict[int, int], *, is_list: bool
) -> None:
    """Add a paragraph or an item; `numbers` counts those of each level."""
    text, properties = text_of_paragraph(paragraph), paragraph.find(f"{DRAWN}pPr")
    level = 0 if properties is None else level_of(properties.get("lvl", ""))
    has = (
        {child.tag.removeprefix(DRAWN) for child in properties} if properties is not None else set()
    )
    for deeper in [each for each in numbers if each > level or "buAutoNum" not in has]:
        if deeper >= level:
            del numbers[deeper]
    if "buAutoNum" in has:
        numbers[level] = numbers.get(level, 0) + 1
        sections.item(text, f"{numbers[level]}. ", level)
    elif "buChar" in has or (is_list and "buNone" not in has):
        sections.item(text, BULLET, level)
    else:
        sections.add(BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text)


def level_of(text: str) -> int:
    return int(text) if text in tuple("012345678") else 0


def lines_of(shape: Any) -> list[str]:
    found = map(text_of_paragraph, shape.iterfind(f"{P}txBody/{DRAWN}p"))
    return [" ".join(line.split()) for line in found if line]


def text_of_paragraph(paragraph: Any) -> str:
    """Return the text of the runs, of fields and of line breaks."""
    words = []
    for element in paragraph.iter(f"{DRAWN}t", f"{DRAWN}br"):
        words.append("\n" if element.tag == f"{DRAWN}br" else element.text or "")
    return "\n".join(
        " ".join(line.split()) for line in "".join(words).replace("\v", "\n").split("\n")
    ).strip()


def add_table(table: Any, sections: Sections) -> None:
    """Add the rows; the first is the header if the table's look says so."""
    look = table.find(f"{DRAWN}tblPr")
    has_header = look is not None and look.get("firstRow") in ON
    rows = [cells_of(row) for row in table.iterfind(f"{DRAWN}tr")]
    for at, cells in enumerate(rows):
        sections.row(cells, is_header=has_header and at == 0 and len(rows) > 1)


def cells_of(row: Any) -> list[str]:
    found = []
    for cell in row.iterfind(f"{DRAWN}tc"):
        lines = map(text_of_paragraph, cell.iterfind(f"{DRAWN}txBody/{DRAWN}p"))
        is_covered = cell.get("hMerge") in ON or cell.get("vMerge") in ON
        found.append("" if is_covered else " ".join(" ".join(lines).split()))
    return found


def add_diagram(root: Any, sections: Sections) -> None:
    """Add the texts of a diagram's shapes."""
    for point in root.iter(f"{DIAGRAM}pt"):
        text = " ".join(filter(None, map(text_of_paragraph, point.iter(f"{DRAWN}p"))))
        sections.item(text, BULLET)


def add_notes(root: Any, sections: Sections) -> None:
    """Add what the speaker noted, as notes."""
    for shape in shapes_of(root.find(f"{P}cSld/{P}spTree")):
        if kind_of_shape(shape) == "body":
            for line in lines_of(shape):
                sections.add(BlockKind.FOOTNOTE, line)
