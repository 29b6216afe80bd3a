"""Ranks: how many of the best a question wants, or which of them: "top 3", "second cheapest"."""

import re
from dataclasses import dataclass

from chat.quoting.tables.asked import Asked
from citations.attribution.checking.numerals import CARDINALS, ORDINALS

MOST_RANKED = 20
# As words they are small, and what means something else in prose means none here.
MOST_WRITTEN = 10
NUMBERS = CARDINALS | {"cinq": 5}
NTH = (
    ORDINALS
    | {"2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "tercer": 3}
    | {
        word: at
        for at, said in enumerate(
            ("zweit deuxieme", "dritt troisieme", "viert quatrieme", "funft cinquieme"), start=2
        )
        for word in said.split()
    }
)
TOP = re.compile(r"\b(?P<end>top|bottom) (?P<number>\w+)\b")
COUNTED = re.compile(r"\b(?:which|what|the|name|list|show|give me|die|los|las|les) (?P<number>\w+)")


@dataclass(frozen=True)
class Rank:
    """The places that are asked for, counted from 1: of so many, or one alone."""

    first: int = 1
    count: int = 1


BEST = Rank()


def number_of(word: str) -> int:
    """Return the small number that a word is; 0 if it is none."""
    if word.isascii() and word.isdigit() and len(word) < 3:
        return int(word) if 1 < int(word) <= MOST_RANKED else 0
    return number if 1 < (number := NUMBERS.get(word, 0)) <= MOST_WRITTEN else 0


def rank_of(asked: Asked, superlative: str) -> Rank | None:
    """Return which places the question wants of those that the superlative says, in plain words, if
    there is one; the words that say it are understood then.
    """
    if found := top_of(asked):
        asked.take(re.compile(rf"\b{found.group()}\b"))
        return Rank(count=number_of(found["number"]))
    behind = re.search(rf"\b(\w+) {superlative}\b", asked.text) if superlative else None
    counted = COUNTED.search(asked.text) if superlative else None
    before = behind[1] if behind else ""
    if (nth := NTH.get(before, 0)) > 1:
        asked.take(re.compile(rf"\b{before}\b"))
        return Rank(first=nth)
    for word in (before, counted["number"] if counted else ""):
        if count := number_of(word):
            asked.take(re.compile(rf"\b{word}\b"))
            return Rank(count=count)
    return None


def top_of(asked: Asked) -> re.Match[str] | None:
    """Return where the question asks for the "top 3" or the "bottom 3"."""
    found = TOP.search(asked.text)
    return found if found and number_of(found["number"]) else None
