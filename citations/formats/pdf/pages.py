"""Pages: their blocks go into sections, under the headings of the outline and of the type."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from citations.formats.blocks import BlockKind
from citations.formats.cleaning import sensible_title
from citations.formats.parts import PartKind
from citations.formats.pdf.drafts import Draft, Fonts, drafts_of, letters_of
from citations.formats.pdf.edges import find_contents, split_running
from citations.formats.pdf.grids import Grid
from citations.formats.pdf.page_lines import Line
from citations.formats.sections import Sections
from citations.formats.tables import add_table

# Levels of headings that are told by their looks stand below all of the outline's.
BY_LOOKS, MOST_LOOKS = 20, 6
LARGEST, LONGEST_TITLE = 1.25, 200  # a title: in sizes of the body, and in characters

Columns = list[list[Line]]
Outline = dict[int, list[tuple[int, str]]]


class PageWriter:
    """Adds pages to sections, each block under its heading."""

    def __init__(self, pages: Sequence[Columns], outline: Outline, sections: Sections) -> None:
        self._sections, self._outline = sections, outline
        every = [[line for column in columns for line in column] for columns in pages]
        gone, self._running = split_running(every)
        gone |= find_contents([[line for line in lines if id(line) not in gone] for lines in every])
        kept = [
            [[line for line in column if id(line) not in gone] for column in columns]
            for columns in pages
        ]
        self._fonts = Fonts.of(line for columns in kept for column in columns for line in column)
        self._pages = [list(self._drafts(at, columns)) for at, columns in enumerate(kept)]
        looks = {look_of(each) for page in self._pages for each in page}
        self._levels = {look: BY_LOOKS + min(at, MOST_LOOKS) for at, look in enumerate(
            sorted(looks, reverse=True))}  # fmt: skip
        self._open: Grid | None = None  # the table that the page before ended with

    @property
    def title(self) -> str:
        """What stands in the largest type on the first page, if it reads as a title."""
        first = next((page for page in self._pages if page), [])
        first = [each for each in first if any(map(str.isalpha, each.text))]
        largest = max((each.size for each in first), default=0.0)
        runs = groupby(first, key=lambda each: each.size > largest - 0.6)
        titles = [" ".join(each.text for each in run) for is_large, run in runs if is_large]
        title = sensible_title(max(titles, key=len, default=""))
        is_title = largest >= LARGEST * self._fonts.body and len(title) <= LONGEST_TITLE
        return title if is_title and " " in title else ""

    def add(self, at: int) -> None:
        """Add the blocks of a page; the outline's headings stand where their text does."""
        sections = self._sections
        sections.page(at + 1)
        waiting = list(self._outline.get(at, []))
        texts = {letters_of(each.text) for each in self._pages[at]}
        texts |= {
            letters_of(cell)
            for each in self._pages[at]
            for row in (each.grid.rows if each.grid else [])
            for cell in row.cells.values()
        }
        for level, text in [each for each in waiting if not is_in(letters_of(each[1]), texts)]:
            sections.heading(level, text)
            waiting.remove((level, text))
        for number, draft in enumerate(self._pages[at]):
            said = {letters_of(draft.text)}
            found = next((each for each in waiting if is_in(letters_of(each[1]), said)), None)
            if found is not None:
                sections.heading(found[0], draft.text)
                waiting.remove(found)
            elif draft.kind == BlockKind.HEADING:
                sections.heading(self._levels[look_of(draft)], draft.text)
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
        titles = {letters_of(text) for _, text in self._outline.get(at, [])} - {""}
        for column in columns:
            yield from drafts_of(column, self._fonts, titles)

    def _add_grid(self, grid: Grid, *, is_first: bool) -> None:
        """Add a table; one that goes on from the page before has its header again."""
        rows = [grid.cells(at) for at in range(len(grid.rows))]
        if is_first and not grid.headers and self._open and self._open.columns == grid.columns:
            rows = [self._open.cells(at) for at in range(self._open.headers)] + rows
            grid = Grid(
                [*self._open.rows[: self._open.headers], *grid.rows],
                grid.columns,
                self._open.headers,
            )
        add_table(self._sections, rows)
        self._open = grid


def look_of(draft: Draft) -> tuple[float, bool]:
    return round(draft.size * 2) / 2, draft.is_bold


def is_in(title: str, texts: Iterable[str]) -> bool:
    """Return whether one of the texts is the title, with its number or without."""
    bare = title.lstrip("0123456789")
    return any(text == title or (bare and text.lstrip("0123456789") == bare) for text in texts)
