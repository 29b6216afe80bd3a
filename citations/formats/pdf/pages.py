"""Pages: adds their blocks to sections, under headings from the outline and the type size."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from citations.formats.blocks import BlockKind
from citations.formats.cleaning import clean_title
from citations.formats.parts import PartKind
from citations.formats.pdf.drafts import Draft, make_drafts, measure_fonts, strip_signs
from citations.formats.pdf.edges import find_contents, split_running
from citations.formats.pdf.grids import Grid
from citations.formats.pdf.lines import Line
from citations.formats.sections import Sections
from citations.formats.tables import add_table

# Levels of headings by look, below all of the outline's.
BY_LOOKS, MOST_LOOKS = 20, 6
LARGEST, LONGEST_TITLE = 1.25, 200  # a title: in sizes of the body, and in characters

Columns = list[list[Line]]
Outline = dict[int, list[tuple[int, str]]]


class PageWriter:
    """Adds pages to sections, each block under its heading."""

    def __init__(self, pages: Sequence[Columns], outline: Outline, sections: Sections) -> None:
        self._sections, self._outline = sections, outline
        gone, self._running = split_running(list(map(join_columns, pages)))
        kept = [[drop_lines(column, gone) for column in columns] for columns in pages]
        gone = find_contents(list(map(join_columns, kept)))
        kept = [[drop_lines(column, gone) for column in columns] for columns in kept]
        self._fonts = measure_fonts(line for columns in kept for line in join_columns(columns))
        self._pages = [list(self._drafts(at, columns)) for at, columns in enumerate(kept)]
        looks = {each.look for page in self._pages for each in page}
        self._levels = {look: BY_LOOKS + min(at, MOST_LOOKS) for at, look in enumerate(
            sorted(looks, reverse=True))}  # fmt: skip
        self._open: Grid | None = None  # the last table of the page before

    @property
    def title(self) -> str:
        """The largest text of the first page, if it reads as a title."""
        first = next((page for page in self._pages if page), [])
        first = [each for each in first if any(map(str.isalpha, each.text))]
        largest = max((each.size for each in first), default=0.0)
        runs = groupby(first, key=lambda each: each.size > largest - 0.6)
        titles = [" ".join(each.text for each in run) for is_large, run in runs if is_large]
        title = clean_title(max(titles, key=len, default=""))
        is_title = largest >= LARGEST * self._fonts.body and len(title) <= LONGEST_TITLE
        return title if is_title and " " in title else ""

    def add(self, at: int) -> None:
        """Add the blocks of a page; the outline's headings come at the place of their text."""
        sections = self._sections
        sections.page(at + 1)
        waiting = list(self._outline.get(at, []))
        texts = {strip_signs(each.text) for each in self._pages[at]}
        grids = [each.grid.texts for each in self._pages[at] if each.grid]
        texts |= {strip_signs(text) for found in grids for text in found}
        for level, text in [each for each in waiting if not is_in(strip_signs(each[1]), texts)]:
            sections.heading(level, text)
            waiting.remove((level, text))
        for number, draft in enumerate(self._pages[at]):
            said = {strip_signs(draft.text)}
            found = next((each for each in waiting if is_in(strip_signs(each[1]), said)), None)
            if found is not None:
                sections.heading(found[0], draft.text)
                waiting.remove(found)
            elif draft.kind == BlockKind.HEADING:
                sections.heading(self._levels[draft.look], draft.text)
            elif draft.grid is not None:
                self._add_grid(draft.grid, is_first=number == 0)
            else:
                sections.add(draft.kind, draft.text)
            if draft.grid is None and draft.kind != BlockKind.FOOTNOTE:
                self._open = None
        for text in self._running.get(at, []):
            sections.paragraph(text)
            sections.parts.count(PartKind.HEADER)

    def _drafts(self, at: int, columns: Columns) -> Iterator[Draft]:
        titles = {strip_signs(text) for _, text in self._outline.get(at, [])} - {""}
        for column in columns:
            yield from make_drafts(column, self._fonts, titles)

    def _add_grid(self, grid: Grid, *, is_first: bool) -> None:
        """Add a table; a continued one takes the header from the page before."""
        goes_on = is_first and self._open and self._open.columns == grid.columns
        if goes_on and self._open and not any(grid.names):
            grid.names = self._open.names
        add_table(self._sections, grid.make_rows())
        self._open = grid


def is_in(title: str, texts: Iterable[str]) -> bool:
    """Return whether one of the texts is the title, with or without its number."""
    bare = title.lstrip("0123456789")
    return any(text == title or (bare and text.lstrip("0123456789") == bare) for text in texts)


def join_columns(columns: Columns) -> list[Line]:
    """Return the lines of all columns of a page."""
    return [line for column in columns for line in column]


def drop_lines(lines: Sequence[Line], gone: set[int]) -> list[Line]:
    """Return the lines without those of these ids."""
    return [line for line in lines if id(line) not in gone]
