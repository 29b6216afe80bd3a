"""DOC: the paragraphs and tables of Word 97 to 2003 under their headings.

Nothing that is kept up reads it without running a program; what is needed is little: where the
pieces of the text stand, and which style each paragraph has.
"""

from collections.abc import Sequence

from citations.formats.blocks import BlockKind
from citations.formats.captions import is_caption
from citations.formats.office.doc.paragraphs import Paragraph, paragraphs
from citations.formats.office.doc.streams import Streams
from citations.formats.office.spreadsheets.regions import is_figure
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import Sections


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Look whether there is text, and what its title is."""
    found = read(data, limits, progress)
    if not found.sections:
        raise BadFile("empty")
    return FileReading(title=found.title)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the paragraphs, items and tables in order."""
    sections = Sections(limits)
    title = ""
    rows: list[list[str]] = []
    cells: list[str] = []
    for each in paragraphs(Streams(data), limits.characters):
        if each.is_in_table:
            cells.append(each.text)
            if each.ends_row:
                rows.append(cells[:-1])
            if each.ends_row or not each.ends_cell:
                cells = [] if each.ends_row else cells
            continue
        add_table(rows, sections)
        rows, cells = [], []
        if each.style.is_title and not title:
            title = each.text
        else:
            add(each, sections)
    add_table(rows, sections)
    title = title or sections.title
    return FileReading(title=title, sections=sections.finished(title), unread=sections.unread)


def add(each: Paragraph, sections: Sections) -> None:
    if each.level:
        sections.heading(each.level, each.text)
    elif each.is_item:
        sections.item(each.text, "- ", each.depth)
    else:
        kind = BlockKind.CAPTION if is_caption(each.text) else BlockKind.PARAGRAPH
        sections.add(kind, each.text)


def add_table(rows: Sequence[Sequence[str]], sections: Sections) -> None:
    """Add the rows; those of one cell are a frame around text."""
    is_frame = all(len(row) < 2 for row in rows)
    for at, row in enumerate(rows):
        if is_frame:
            sections.paragraph(" ".join(row))
        else:
            sections.row(row, is_header=at == 0 and names_columns(rows))


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has words alone, above rows with figures."""
    first, *others = rows
    has_figures = any(is_figure(cell) for row in others for cell in row)
    return has_figures and len(first) > 1 and all(first) and not any(map(is_figure, first))
