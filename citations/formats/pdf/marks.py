"""Marks: what a line begins and ends with tells items, footnotes and headings."""

import re
from collections.abc import Collection

BULLETS = re.compile(r"[•▪◦‣●○■□◆▶➢✓∙·]\s*|[-–—*]\s+(?=\S)")
NUMBERED = re.compile(
    r"\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})\)\s+(?=\S)|(?:\d{1,2}|[a-z])\.\s+(?=\S)|\[\d{1,3}\]\s+(?=\S)"
)
FOOTNOTE = re.compile(
    r"\[(?:\d{1,3}|[a-z*†‡§¶]{1,3})\]\s+(?=\S)|(?:\d{1,2}|[*†‡§]{1,3})\s+(?=[A-ZÀ-Þ“\"])"
)
ENDS = re.compile(r"[.!?:;。！？][\"'”’)\]]*(?:\[\w{1,3}\])?$")
NUMBERED_HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,3}){0,4}\.?|[A-Z](?:\.\d{1,3}){1,4}\.?|(?:chapter|section|part|article|item"
    r"|appendix|capítulo|sección|kapitel|abschnitt|chapitre|annexe?|anhang|note)\s+[\dIVXA-Z]{1,5}\b[.:]?)"
    r"\s+\S",
    re.IGNORECASE,
)
NO_LETTERS = re.compile(r"[\W_]+")


def is_outline_heading(text: str, titles: Collection[str]) -> bool:
    """Tell whether the line is one of the headings, with its number or without, or begins one."""
    said = letters_of(text)
    bare = said.lstrip("0123456789")
    return bool(bare) and any(
        title in (said, bare)
        or (len(bare) > 12 and title.endswith(bare))
        or (len(bare) > 12 and title.lstrip("0123456789").startswith(bare))
        for title in titles
    )


def letters_of(text: str) -> str:
    """Return the letters and digits alone, by which headings are compared."""
    return NO_LETTERS.sub("", text).casefold()


def is_marked(text: str) -> bool:
    return BULLETS.match(text) is not None or NUMBERED.match(text) is not None
