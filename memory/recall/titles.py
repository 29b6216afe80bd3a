"""Titles: what a session, or a topic of it, is called after its first question."""

from memory.models.conversations import default_title
from memory.recall.facts.extraction import without_wishes


def title_of(message: str) -> str:
    """Return what a message asks as a title, without how it says that answers are to be."""
    return default_title(without_wishes(message))


def is_title_of(title: str, message: str) -> bool:
    """Tell whether a session was named by this message, by this version or the first."""
    return title in (title_of(message), default_title(message))
