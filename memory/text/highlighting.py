"""Highlighting of words in a text: whatever their case and accents, as a whole or as a prefix.

"resume" finds "Résumés", and "date" no "update". In languages without spaces, or that join their
articles to words, a word is found anywhere. All words have to occur, in any order. Pure.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MOST_WORDS = 20
SNIPPET, BEFORE, LONGEST_WORD = 240, 70, 20
CUT = "…"
# Hebrew, Arabic, Thai to Burmese, Khmer, Chinese, Japanese, Korean: a word may begin anywhere.
ANYWHERE = "\u0590-\u08ff\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af"


@dataclass(frozen=True)
class Snippet:
    """A piece of a text on one line, and the spans of the words in it, in characters."""

    text: str
    matches: tuple[tuple[int, int], ...] = ()


def split_query_words(query: str) -> tuple[str, ...]:
    """Return the words of the query, folded, each once."""
    return tuple(dict.fromkeys(fold_text(query).split()))[:MOST_WORDS]


def fold_text(text: str) -> str:
    """Return the text without case and accents; its length may differ."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def has_all(text: str, words: tuple[str, ...]) -> bool:
    """Return whether the text has each of the folded words."""
    plain = fold_text(text)
    return all(word in plain and compile_word(word).search(plain) for word in words)


@lru_cache(maxsize=256)
def compile_word(word: str) -> re.Pattern[str]:
    """Compile a pattern that matches the folded word at a word's beginning."""
    is_free = not word[0].isalnum() or re.match(f"[{ANYWHERE}]", word)
    return re.compile(("" if is_free else rf"(?<![^\W_{ANYWHERE}])") + re.escape(word))


def find_spans(text: str, words: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the spans of the folded words in the text, in order; adjacent ones are joined."""
    pieces = [fold_text(letter) for letter in text]
    # The index of the original character for each folded one.
    origins = [place for place, piece in enumerate(pieces) for _ in piece]
    plain = "".join(pieces)
    found = sorted(
        (origins[match.start()], origins[match.end() - 1] + 1)
        for word in words
        for match in compile_word(word).finditer(plain)
    )
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def make_snippet(text: str, words: tuple[str, ...]) -> Snippet:
    """Return the piece of the text around the first of the words, or its beginning."""
    line = " ".join(text.split())
    found = find_spans(line, words)
    start = max(0, found[0][0] - BEFORE) if found else 0
    if start:  # at the beginning of a word, if one is near
        before = max(0, start - LONGEST_WORD)
        start = line.rfind(" ", before, start) + 1 or (start if before else 0)
    end = start + SNIPPET
    if end < len(line):
        end = max(line.rfind(" ", start, end), start + SNIPPET // 2)
    lead = CUT if start else ""
    shift = len(lead) - start
    inside = [(max(first, start), min(last, end)) for first, last in found if first < end]
    return Snippet(
        lead + line[start:end] + (CUT if end < len(line) else ""),
        tuple((first + shift, last + shift) for first, last in inside if first < last),
    )
