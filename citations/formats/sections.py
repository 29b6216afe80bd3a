"""Sections: what a format meets, in order, becomes text under headings, up to a limit."""

from citations.formats.cleaning import clean, one_line
from citations.formats.reading import Limits, Note, Section, without_title


class Sections:
    """Collects headings, paragraphs and lines; when it is full it takes no more and says so."""

    def __init__(self, limits: Limits) -> None:
        self._sections: list[Section] = []
        self._path: list[tuple[int, str]] = []
        self._pieces: list[str] = []
        self._page: int | None = None
        self._after_line = False
        self._room = limits.characters
        self.full = False
        self.first_heading = ""

    def page(self, number: int) -> None:
        """Go to a page: what comes is on it, under the headings of before."""
        self._flush()
        self._page = number

    def heading(self, level: int, text: str) -> None:
        self._flush()
        line = one_line(text)
        path = [above for above in self._path if above[0] < level]
        self._path = [*path, (level, line)]
        self.first_heading = self.first_heading or line

    def paragraph(self, text: str) -> None:
        self._add(text, is_line=False)

    def line(self, text: str) -> None:
        """Add an item of a list or a row of a table."""
        self._add(text, is_line=True)

    def finished(self, title: str) -> list[Section]:
        """Return the sections, without the document's own title among their headings."""
        self._flush()
        return without_title(title, self._sections)

    @property
    def unread(self) -> list[Note]:
        return [Note("cut_off")] if self.full else []

    def _add(self, text: str, *, is_line: bool) -> None:
        text = clean(text).strip()
        if not text or self.full:
            return
        self.full = len(text) > self._room
        self._pieces += ["\n" if is_line and self._after_line else "\n\n", text[: self._room]]
        self._room -= min(len(text), self._room)
        self._after_line = is_line

    def _flush(self) -> None:
        text = "".join(self._pieces).strip()
        self._pieces, self._after_line = [], False
        if text:
            headings = [heading for _, heading in self._path if heading]
            self._sections.append(Section(headings, text, self._page))
            # Headings are repeated with each section: a million of them must not multiply.
            self._room -= min(sum(map(len, headings)), self._room)
