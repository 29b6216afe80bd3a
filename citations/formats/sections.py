"""Sections: collects a file's content, in order, as blocks under headings, up to a limit."""

from collections.abc import Iterable, Sequence

from citations.formats.blocks import ROWS, Block, BlockKind, format_item, join_cells
from citations.formats.cleaning import clean, clean_line
from citations.formats.parts import PartKind, Parts, Reason
from citations.formats.reading import ReadingLimits, Section, drop_title
from citations.formats.scripts import SEAM
from citations.formats.titles import can_be_title, is_contents_title

# Maximum number of consecutive headings kept without text: a menu may be all headings.
MAX_EMPTY = 12
MAX_CELLS = 200
# The level below all explicit ones.
BELOW = 7


class Sections:
    """Collects headings and blocks up to the limits, and counts what it leaves out."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._sections: list[Section] = []
        self._path: list[tuple[int, str]] = []
        self._blocks: list[Block] = []
        # Headings without text: those already left, and the number of those in the present path.
        self._empty: list[str] = []
        self._bare = 0
        self._page: int | None = None
        self.room = limits.characters  # how many may still come
        self.full = False
        self.parts = Parts()
        self._first: tuple[int, str] | None = None
        self._is_first_above = self._is_at_top = True

    @property
    def level(self) -> int:
        """The level of the heading that the next block belongs to, 0 for none."""
        return self._path[-1][0] if self._path else 0

    @property
    def title(self) -> str:
        """The first heading if it is the document's title: of the highest level, above all others,
        or above all text.
        """
        level, line = self._first or (0, "")
        is_high = level < 2 or self._is_first_above or self._is_at_top
        return line if is_high and can_be_title(line) else ""

    def page(self, number: int) -> None:
        """Begin a page; the headings stay."""
        self._flush()
        self._page = number

    def heading(self, level: int, text: str) -> None:
        line = clean_line(text)
        self._flush()
        if not line:
            return
        path = [
            above for above in self._path if above[0] < level and not is_contents_title(above[1])
        ]
        left = self._path[len(path) :]
        bare = min(self._bare, len(left))
        self._empty += [text for _, text in left[len(left) - bare :]]
        self._path = [*path, (level, line)]
        self._bare += 1 - bare
        if self._first is None:
            self._first = (level, line)
            self._is_at_top = not self._sections
        elif level <= self._first[0]:
            self._is_first_above = False

    def leave(self, level: int) -> None:
        """Drop the headings from a level on."""
        if self._path and self._path[-1][0] >= level:
            self._flush()
            left = [text for above, text in self._path if above >= level]
            bare = min(self._bare, len(left))
            self._empty += left[len(left) - bare :]
            self._bare -= bare
            self._path = [above for above in self._path if above[0] < level]

    def leave_headings(self) -> None:
        """Drop all present headings."""
        self._flush()
        self._empty += [text for _, text in self._path[len(self._path) - self._bare :]]
        self._path, self._bare = [], 0

    def paragraph(self, text: str) -> None:
        self.add(BlockKind.PARAGRAPH, text)

    def item(self, text: str, mark: str, level: int = 0) -> None:
        """Add an item of a list, with its number or bullet."""
        text = clean(text).strip()
        if text:
            self.add(BlockKind.ITEM, format_item(text, mark, level))

    def row(self, cells: Sequence[str], *, is_header: bool = False, is_total: bool = False) -> None:
        """Add a row of a table."""
        lines = [" ".join(clean(cell).split()) for cell in cells[:MAX_CELLS]]
        kind = BlockKind.TOTAL if is_total else BlockKind.ROW
        self.add(BlockKind.HEADER if is_header else kind, join_cells(lines))

    def add(self, kind: BlockKind, text: str) -> None:
        """Add a block; in code and rows, leading white space is kept."""
        text = clean(text).replace(SEAM, "")
        text = (
            text.strip("\n").rstrip()
            if kind in (BlockKind.CODE, BlockKind.ITEM, *ROWS)
            else text.strip()
        )
        if not text.strip() or self.full:
            return
        self.full = len(text) > self.room
        self._blocks.append(Block(kind, text[: self.room]))
        self.room -= min(len(text), self.room)

    def nest(self, heading: str, found: Iterable[Section]) -> None:
        """Add sections of another file under a heading of their own."""
        self.leave_headings()
        for section in found:
            for level, line in enumerate([heading, *section.headings], start=1):
                self.heading(level, line)
            for kind, text in section.blocks:
                self.add(kind, text)
        self.leave_headings()

    def finished(self, title: str) -> list[Section]:
        """Return the sections, without the document's own title among their headings."""
        self._flush()
        last = [text for _, text in self._path[len(self._path) - self._bare :]]
        if self._sections and (self._empty or last):
            blocks = [Block(BlockKind.HEADING, text) for text in [*self._empty, *last][-MAX_EMPTY:]]
            self._sections.append(Section([], blocks, self._page))
            self._empty, self._bare = [], 0
        if self.full:
            self.parts.count(PartKind.TEXT, unread=Reason.BEYOND_LIMIT)
        return drop_title(title, self._sections)

    def _flush(self) -> None:
        blocks = [block for block in self._blocks if block.text]
        self._blocks = []
        if not blocks:
            return
        empty = [text for text in self._empty if not is_contents_title(text)]
        bare = [Block(BlockKind.HEADING, text) for text in empty[-MAX_EMPTY:]]
        headings = [heading for _, heading in self._path]
        self._sections.append(Section(headings, [*bare, *blocks], self._page))
        # Each section repeats its headings: a million of them must not multiply.
        self.room -= min(sum(map(len, headings)), self.room)
        self._empty, self._bare = [], 0
