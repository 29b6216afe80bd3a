"""What a reader returns, whatever the file was."""

from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any

from memory.errors import Refusal


class Unreadable(Refusal):
    """A file that can't become a document; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Section:
    """Text under one heading: the headings above it, outermost first, and its page if any."""

    headings: list[str]
    # Paragraphs stand apart by an empty line; a line of its own is an item or a row.
    text: str
    page: int | None = None


@dataclass(frozen=True)
class Reading:
    """A file as text, and what it says about itself."""

    title: str
    media_type: str
    sections: list[Section]
    authors: list[str] = field(default_factory=list)
    year: int | None = None
    url: str = ""

    def packed(self) -> list[dict[str, Any]]:
        """Return the sections as JSON can hold them."""
        return [asdict(section) for section in self.sections]


def unpacked(sections: list[dict[str, Any]]) -> list[Section]:
    """Return the sections that `Reading.packed` packed."""
    return [Section(**section) for section in sections]


def title_from(file_name: str) -> str:
    """Make a title out of a file's name."""
    stem = PurePath(file_name.replace("\\", "/")).stem
    words = " ".join(stem.replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:] or file_name
