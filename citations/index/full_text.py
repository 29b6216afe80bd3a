"""The text of a passage as it is embedded and indexed."""

from memory.text.embedding import count_pieces

TITLE_PIECES, HEADING_PIECES = 40, 60


def add_headings(title: str, heading: str, text: str) -> str:
    """Return a passage's text under its document's title and its heading."""
    title, heading = clip_words(title, TITLE_PIECES), clip_words(heading, HEADING_PIECES)
    return "\n".join(part for part in (title, heading, text) if part)


def clip_words(text: str, limit: int) -> str:
    """Cut whole words from the end until the text has at most so many word pieces."""
    text = text[: limit * 10]
    while text and count_pieces(text) > limit:
        shorter = text.rpartition(" ")[0]
        text = shorter or text[: len(text) // 2]
    return text
