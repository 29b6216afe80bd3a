"""Asides: margins, images and hidden text, formatted and counted alike in every format."""

from collections.abc import Iterable

from citations.formats.parts import PartKind, Reason
from citations.formats.sections import Sections


def add_margins(kind: str, texts: Iterable[str], sections: Sections) -> None:
    """Add headers or footers, each text once; a bare page number is left out."""
    for text in dict.fromkeys(" ".join(text.split()) for text in texts):
        if any(map(str.isalpha, text)):
            sections.parts.count(PartKind.HEADER)
            sections.paragraph(f"{kind.capitalize()}: {text}")


def add_comment(author: str | None, text: str, sections: Sections) -> None:
    sections.parts.count(PartKind.COMMENT)
    sections.paragraph(f"Comment of {author or '?'}: {' '.join(text.split())}")


def format_image_text(said: str | None, sections: Sections) -> str:
    """Return the marked title or description of an image, and count it."""
    text = " ".join((said or "").split())
    sections.parts.count(PartKind.IMAGE, unread=None if text else Reason.NO_TEXT)
    return f"[Image: {text}]" if text else ""


def format_hidden_text(text: str, sections: Sections, *, is_read: bool) -> str:
    """Return hidden text with its mark, or nothing where the setting leaves it out."""
    text = " ".join(text.split())
    reason = None if is_read else Reason.LEFT_OUT
    sections.parts.count(PartKind.HIDDEN_TEXT, int(bool(text)), unread=reason)
    return f"[hidden: {text}]" if text and is_read else ""
