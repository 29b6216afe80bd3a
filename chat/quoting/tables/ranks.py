"""Ranks: how many of the best a question wants, or which of them: "top 3", "second cheapest"."""

import re
from dataclasses import dataclass

from chat.quoting.tables.asked import Asked

MOST_RANKED = 20
NUMBERS = {
    word: value
    for value, said in enumerate(
        (
            "two zwei dos deux",
            "three drei tres trois",
            "four vier cuatro quatre",
            "five funf cinco cinq",
            "six sechs seis",
            "seven sieben siete sept",
            "eight acht ocho huit",
            "nine neun nueve neuf",
            "ten zehn diez dix",
        ),
        start=2,
    )
    for word in said.split()
}
ORDINALS = {
    word: value
    for value, said in enumerate(
        (
            "second 2nd zweit segundo segunda deuxieme",
            "third 3rd dritt tercer tercera troisieme",
            "fourth 4th viert cuarto cuarta quatrieme",
            "fifth 5th funft quinto quinta cinquieme",
        ),
        start=2,
    )
    for word in said.split()
}
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
    return NUMBERS.get(word, 0)


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
    if nth := ORDINALS.get(before, 0):
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
