"""Parts: the counts of a file's elements by kind, read and unread."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

# Maximum number of parts of a kind, and of pages, that is believed; no document has more.
MOST, MOST_PAGES = 10_000_000, 2_000


class PartKind(StrEnum):
    """A kind of part that a file can have beside its running text."""

    TEXT = "text"  # the running text
    PAGE = "page"
    SHEET = "sheet"
    SLIDE = "slide"
    ROW = "row"
    HEADER = "header"  # headers and footers of pages, each text once
    NOTE = "note"  # footnotes and endnotes
    SPEAKER_NOTE = "speaker_note"
    COMMENT = "comment"  # comments and annotations
    FIELD = "field"  # form fields and check boxes
    TEXT_BOX = "text_box"
    CHART = "chart"
    ATTACHMENT = "attachment"  # embedded files and attachments
    IMAGE = "image"
    HIDDEN_ROW = "hidden_row"
    HIDDEN_COLUMN = "hidden_column"
    HIDDEN_SHEET = "hidden_sheet"
    HIDDEN_SLIDE = "hidden_slide"
    HIDDEN_TEXT = "hidden_text"
    CHANGE = "change"  # tracked changes
    FORMULA = "formula"  # formulas without a stored value


class Reason(StrEnum):
    """The reason why a part was not read."""

    NO_TEXT = "no_text"  # a picture: a scan, a photograph, a drawing
    BEYOND_LIMIT = "beyond_limit"
    BROKEN = "broken"
    ENCRYPTED = "encrypted"
    UNSUPPORTED = "unsupported"
    NO_VALUE = "no_value"
    LEFT_OUT = "left_out"  # by setting


KINDS, REASONS = frozenset(map(str, PartKind)), frozenset(map(str, Reason))


class Part(NamedTuple):
    """Parts of one kind: the number that was read, or unread for a reason."""

    kind: PartKind
    number: int
    reason: Reason | None = None  # none if they were read
    pages: tuple[int, ...] = ()  # from 1, if known


def unpack_parts(packed: Any) -> list[Part]:
    """Return the valid parts of stored JSON, within the bounds."""
    parts = Parts()
    for entry in packed if isinstance(packed, list) else ():
        match entry:
            case [str(kind), int(number), str() | None as reason, list(pages)] if (
                kind in KINDS and (reason is None or reason in REASONS)
            ):
                unread = None if reason is None else Reason(reason)
                shown = [page for page in pages[:MOST_PAGES] if isinstance(page, int) and page > 0]
                parts.count(PartKind(kind), min(number, MOST), unread=unread, pages=shown)
    return parts.found


class Parts:
    """Counts the parts of a file while it is read."""

    def __init__(self) -> None:
        self._counts: dict[tuple[PartKind, Reason | None], int] = {}
        self._pages: dict[tuple[PartKind, Reason | None], set[int]] = {}

    def count(
        self,
        kind: PartKind,
        number: int = 1,
        *,
        unread: Reason | None = None,
        pages: Iterable[int] = (),
    ) -> None:
        """Count parts as read, or as unread for a reason."""
        if number > 0:
            key = (kind, unread)
            self._counts[key] = self._counts.get(key, 0) + number
            self._pages.setdefault(key, set()).update(pages)

    def add(self, found: Iterable[Part]) -> None:
        """Add counts of parts without page numbers, since an attachment has its own."""
        for part in found:
            self.count(part.kind, part.number, unread=part.reason)

    @property
    def found(self) -> list[Part]:
        """The parts in the order of the kinds, read ones first within a kind."""
        order = list(PartKind)
        keys = sorted(self._counts, key=lambda key: (order.index(key[0]), key[1] or ""))
        return [
            Part(kind, self._counts[kind, reason], reason, tuple(sorted(self._pages[kind, reason])))
            for kind, reason in keys
        ]
