"""Structure: the lines of pages become headings, paragraphs, items, code, tables and footnotes."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from citations.formats.blocks import BULLET, BlockKind, item_of, row_text
from citations.formats.captions import is_caption
from citations.formats.cleaning import MAX_TITLE
from citations.formats.pdf import tables
from citations.formats.pdf.columns import (
    BULLETS,
    GLUED,
    INDENT,
    LONGEST_HEADING,
    MOST_HEADING_LINES,
    NUMBERED,
    NUMBERED_HEADING,
    Column,
    Fonts,
    is_marked,
    is_outline_heading,
)
from citations.formats.pdf.lines import Flow, TextLine
from citations.formats.pdf.paragraphs import paragraphs
from citations.formats.pdf.rows import WORD, Table, fields_of
from citations.formats.pdf.words import join_lines

MOST_KNOWN_LINES = 5
PITCH = 0.6  # of a line's size: a character of a font of fixed pitch
MOST_TERMS = 4  # that one text says what they are
# A term on a line of its own, and how far below it is what it means, in sizes: what is nearer
# is a cell beside it, set lower.
TERM, LISTED = re.compile(r".{0,59}[\w)\]”»\"'’…?]"), (0.9, 2.6)


@dataclass
class UnfinishedBlock:
    """A block in the making; of a heading with its style, of a row with its cells."""

    kind: BlockKind
    text: str
    size: float = 0.0
    is_bold: bool = False
    level: int = 0
    cells: list[str] = field(default_factory=list)
    # Behind the last line of a column, in points; of other blocks it says nothing.
    room: float | None = None


def drafts(flow: Flow, fonts: Fonts, titles: Collection[str] = ()) -> Iterator[UnfinishedBlock]:
    """Yield the blocks of a column in order; `titles` are letters of headings that are known."""
    column = Column.of(flow, fonts, titles)
    at = 0
    for lines, table in tables.find_tables(flow, fonts.known):
        yield from blocks_of(column, flow[at : lines.start])
        if table.is_formula:
            yield from formulas(column, flow[lines.start : lines.stop])
            at = lines.stop
            continue
        yield from rows_of(table)
        at = lines.stop
    yield from blocks_of(column, flow[at:])


def rows_of(table: Table) -> Iterator[UnfinishedBlock]:
    """Yield the rows; of a form what stands side by side, each with its label, one by one."""
    texts = table.texts()
    is_form = not table.headers and any(len(fields_of(cells)) > 1 for cells, _ in texts)
    for cells, is_header in texts:
        fields = fields_of(cells) if is_form else []
        for cell in fields:
            yield UnfinishedBlock(BlockKind.ITEM, item_of(cell, BULLET, 0))
        if not fields:
            kind = BlockKind.HEADER if is_header else BlockKind.ROW
            yield UnfinishedBlock(kind, row_text(cells), cells=cells)


def formulas(column: Column, lines: Sequence[TextLine]) -> Iterator[UnfinishedBlock]:
    """Yield formulas that are set over several lines, and the sentences between them."""
    for is_said, run in groupby(lines, key=lambda line: len(WORD.findall(line.text)) >= 4):
        group = list(run)
        if is_said:
            yield from blocks_of(column, group)
        else:
            yield UnfinishedBlock(BlockKind.FORMULA, "\n".join(line.text for line in group))


def blocks_of(column: Column, lines: Sequence[TextLine]) -> Iterator[UnfinishedBlock]:
    """Yield the blocks of lines that are no table."""
    terms: Sequence[TextLine] = ()
    for kind, run in groupby(lines, key=column.kind):
        group = list(run)
        if kind == BlockKind.CODE:
            code, terms = parted_terms(column, group)
            if code:
                yield UnfinishedBlock(BlockKind.CODE, code_of(code))
        elif kind == BlockKind.FORMULA:
            yield UnfinishedBlock(BlockKind.FORMULA, "\n".join(line.text for line in group))
        elif kind == BlockKind.HEADING:
            yield from headings(column, group)
        else:
            yield from texts(column, group, kind, terms)
            terms = ()


def texts(
    column: Column, lines: Sequence[TextLine], kind: BlockKind, terms: Sequence[TextLine]
) -> Iterator[UnfinishedBlock]:
    """Yield the paragraphs and items; the first says what the terms above it mean."""
    at = 0
    for entry in entries(column, lines) if kind == BlockKind.PARAGRAPH else []:
        yield from said_of(column, lines[at : entry.start], kind, terms)
        yield from said_of(column, lines[entry.start + 1 : entry.stop], kind, [lines[entry.start]])
        at, terms = entry.stop, ()
    yield from said_of(column, lines[at:], kind, terms)


def said_of(
    column: Column, lines: Sequence[TextLine], kind: BlockKind, terms: Sequence[TextLine]
) -> Iterator[UnfinishedBlock]:
    """Yield the blocks of lines, of which the first says what the terms mean, if there are any."""
    for number, group in enumerate(paragraphs(column, lines)):
        said = paragraph(column, group, kind)
        if terms and not number:
            term = ", ".join(line.text for line in terms)
            said.text = item_of(f"{term}: {said.text}", BULLET, level_of(column, terms[0]))
            said.kind = BlockKind.ITEM
        yield said


def entries(column: Column, lines: Sequence[TextLine]) -> list[range]:
    """Return where the entries of lists of terms stand: each a short line, and under it, farther to
    the right, what it means; one alone may be anything.
    """
    found: list[range] = []
    at = 0
    while at < len(lines):
        run: list[range] = []
        while is_entry(column, lines, at) and (not run or is_alike(lines, run[-1].start, at)):
            end = at + 1
            while end < len(lines) and lines[end].x0 > lines[at + 1].x0 - 1:
                end += 1
            run.append(range(at, end))
            at = end
        found += run if len(run) > 1 else []
        at += not run
    return found


def is_entry(column: Column, lines: Sequence[TextLine], at: int) -> bool:
    """Return whether text stands under a line that has room for more, indented."""
    if at + 1 >= len(lines) or not TERM.fullmatch(lines[at].text) or is_marked(lines[at].text):
        return False
    term, said = lines[at], lines[at + 1]
    first_word = said.text.partition(" ")[0]
    return (
        said.x0 > term.x0 + INDENT * term.size
        and abs(said.size - term.size) < 0.6
        and LISTED[0] * term.size < term.y - said.y < LISTED[1] * term.size
        and column.right - term.x1 > (len(first_word) + 1) * 0.6 * term.size
        and not is_marked(said.text)
    )


def is_alike(lines: Sequence[TextLine], one: int, other: int) -> bool:
    """Return whether two terms begin at one place, and what is said of them does."""
    return all(abs(lines[one + at].x0 - lines[other + at].x0) < 1 for at in (0, 1))


def parted_terms(
    column: Column, lines: Sequence[TextLine]
) -> tuple[Sequence[TextLine], Sequence[TextLine]]:
    """Return the code, and the last lines if the text below is indented and says what they are.

    Manuals set a command or a variable on a line of its own, with what it does under it.
    """
    last = lines[-1]
    at = len(lines)
    if column.is_term(last):
        while at and abs(lines[at - 1].x0 - last.x0) < 1 and len(lines) - at < MOST_TERMS:
            at -= 1
    return lines[:at], lines[at:]


def headings(column: Column, lines: Sequence[TextLine]) -> Iterator[UnfinishedBlock]:
    """Yield the headings, each of them of one style and at most three lines; one that the outline
    knows may have more.
    """
    group: list[TextLine] = []
    for line in lines:
        above = group[-1] if group else None
        if above is not None and not (
            abs(above.size - line.size) < 0.6
            and above.is_bold == line.is_bold
            and above.y - line.y < 1.5 * line.size
            and not NUMBERED_HEADING.match(line.text)
            and has_room(column, group, line)
        ):
            yield heading(column, group)
            group = []
        group.append(line)
    yield heading(column, group)


def has_room(column: Column, group: Sequence[TextLine], line: TextLine) -> bool:
    """Return whether a heading of these lines may have the next one, too."""
    if len(group) < MOST_HEADING_LINES:
        return True
    is_known = len(group) < MOST_KNOWN_LINES and bool(column.titles)
    return is_known and is_outline_heading(line.text, column.titles)


def heading(column: Column, group: Sequence[TextLine]) -> UnfinishedBlock:
    text = join_lines([line.text for line in group], column.fonts.known)
    longest = LONGEST_HEADING if len(group) <= MOST_HEADING_LINES else MAX_TITLE
    kind = BlockKind.HEADING if len(text) <= longest else BlockKind.PARAGRAPH
    return UnfinishedBlock(kind, text, group[0].size, group[0].is_bold)


def paragraph(column: Column, lines: Sequence[TextLine], kind: BlockKind) -> UnfinishedBlock:
    """Return the lines as a block, with the room that the last of the column leaves."""
    found = block_of(column, lines, kind)
    found.room = column.right - lines[-1].x1 if column.is_last(lines[-1]) else None
    return found


def block_of(column: Column, lines: Sequence[TextLine], kind: BlockKind) -> UnfinishedBlock:
    text = join_lines([line.text for line in lines], column.fonts.known)
    size = lines[0].size
    if kind == BlockKind.FOOTNOTE:
        return UnfinishedBlock(kind, GLUED.sub(mark_of_note, text), size)
    if is_definition(lines) and not column.fonts.is_typewritten:
        term, said = lines[0].segments
        rest = join_lines([said.text, *(line.text for line in lines[1:])], column.fonts.known)
        item = item_of(f"{term.text}: {rest}", BULLET, level_of(column, lines[0]))
        return UnfinishedBlock(BlockKind.ITEM, item, size)
    if mark := BULLETS.match(text):
        level = level_of(column, lines[0])
        return UnfinishedBlock(BlockKind.ITEM, item_of(text[mark.end() :], BULLET, level), size)
    if mark := NUMBERED.match(text):
        number = text[: mark.end()].strip() + " "
        return UnfinishedBlock(
            BlockKind.ITEM, item_of(text[mark.end() :], number, level_of(column, lines[0])), size
        )
    return UnfinishedBlock(
        BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text, size
    )


def mark_of_note(found: re.Match[str]) -> str:
    """Return the number of a note that touches its text as what it is."""
    return f"[{unicodedata.normalize('NFKC', found.group())}] "


def is_definition(lines: Sequence[TextLine]) -> bool:
    """Return whether a name of a program stands before a text that goes on farther in."""
    first, *others = lines
    if len(first.segments) != 2:
        return False
    term, said = first.segments
    is_term = term.mono > 0.85 and said.mono < 0.5 and not is_marked(first.text)
    return is_term and all(line.x0 > first.x0 + INDENT * first.size for line in others)


def level_of(column: Column, line: TextLine) -> int:
    """Return how deep an item is indented among the items of the column."""
    begins = sorted({round(each.x0 / 8) for each in column.lines if is_marked(each.text)})
    return begins.index(round(line.x0 / 8)) if round(line.x0 / 8) in begins else 0


def code_of(lines: Sequence[TextLine]) -> str:
    """Return lines of a program with their indentation, and empty lines where the gap is wide."""
    left = min(line.x0 for line in lines)
    gaps = sorted(before.y - after.y for before, after in pairwise(lines))
    usual = gaps[len(gaps) // 4] if gaps else 0.0
    parts: list[str] = []
    above: TextLine | None = None
    for line in lines:
        if above is not None:
            gap = above.y - line.y
            parts.append("\n\n" if gap > 1.6 * usual and gap > 1.6 * line.size else "\n")
        parts.append(spaced(line, left))
        above = line
    return "".join(parts)


def spaced(line: TextLine, left: float) -> str:
    """Return the line with as many spaces as there is room for."""
    text = ""
    for segment in line.segments:
        pitch = segment.width / len(segment.text) if len(segment.text) > 3 else PITCH * segment.size
        column = round((segment.x0 - left) / max(pitch, 1.0))
        text += " " * min(max(column - len(text), bool(text)), 80) + segment.text
    return text
