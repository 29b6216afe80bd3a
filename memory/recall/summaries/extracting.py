"""Extracts: the sentences of a conversation that say most of it, within so many words. Pure.

A sentence is worth the words and values that no chosen one has yet, rare ones more than common
ones, and those that come back in the conversation more than those that don't; what a person said
counts more than what they were told. So what is central comes first, and nothing twice. Whatever is
in a text, it is cut into at most so many sentences, each looked at a few times.
"""

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.recall.summaries.values import values_in
from memory.text.citation_markers import without_markers, without_signs
from memory.text.reading import rarity
from memory.text.words import STOP_WORDS, sentences, stem, words

# No text is looked at further, and of no more sentences is chosen.
LONGEST, MOST_UNITS = 12_000, 1_500
LONGEST_UNIT = 40  # words
FEWEST_WORDS = 3
OWN = 1.5  # what the person said, to what they were told
# A figure and a name, to a word, of which a rare one is worth some 6.
FIGURE, NAME = 20.0, 12.0
OPENING = 1.15  # the first sentence of a text
# A question of the person's, and one that they were asked; what is as short as a heading.
ASKS, ASKED, SHORT = 0.8, 0.3, 0.4
HEADING = 6  # words
QUOTES = str.maketrans("“”", '""')
_LIST_SIGN = re.compile(r"^\s*(?:[-*•+]|\d{1,3}[.)])\s+")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Spoken:
    """A text of a conversation: the person's own, an answer, or an extract of both."""

    text: str
    is_own: bool = False
    # An extract: its sentences are taken as they stand.
    is_extract: bool = False


@dataclass(frozen=True)
class Unit:
    """A sentence that may be chosen."""

    number: int
    text: str
    length: int
    stems: frozenset[str]
    values: frozenset[str]
    weight: float


def extract(said: Iterable[Spoken], *, words: int, most: int = 1_000) -> str:
    """Return the sentences that say most of the texts, in order: at most so many words and units.

    What the person said stands in quotation marks.
    """
    chosen = _chosen(units_of(said), room=words, most=most)
    return " ".join(unit.text for unit in sorted(chosen, key=lambda unit: unit.number))


def units_of(said: Iterable[Spoken]) -> list[Unit]:
    """Return the sentences of the texts, in order, those that say something, each once."""
    found: dict[str, Unit] = {}
    for text in said:
        weight = OPENING * (OWN if text.is_own else 1.0)
        for sentence in _sentences(text):
            if len(found) == MOST_UNITS:
                return list(found.values())
            unit = _unit(len(found), sentence, weight, is_own=text.is_own)
            if unit and unit.text not in found:
                found[unit.text] = unit
                weight = OWN if text.is_own else 1.0
    return list(found.values())


def _sentences(said: Spoken) -> Iterator[str]:
    text = said.text[:LONGEST]
    if not said.is_extract:
        text = without_signs(without_markers(_FENCED.sub(" ", text)))
    for start, end in sentences(text):
        yield _SPACES.sub(" ", _LIST_SIGN.sub("", text[start:end])).strip("*_#| \t")


def _unit(number: int, sentence: str, weight: float, *, is_own: bool) -> Unit | None:
    parts = sentence.split(" ")
    if len(parts) > LONGEST_UNIT:
        sentence, parts = " ".join(parts[:LONGEST_UNIT]) + " …", parts[:LONGEST_UNIT]
    stems = frozenset(stem(word) for word in words(sentence) if says(word))
    values = frozenset(values_in(sentence))
    if not stems or (len(parts) < FEWEST_WORDS and not values):
        return None
    if sentence.startswith("“"):
        weight *= OWN
    if sentence.rstrip('”"').endswith("?"):
        weight *= ASKS if is_own or sentence.startswith("“") else ASKED
    if len(parts) < HEADING and not is_own:
        weight *= SHORT
    text = f"“{sentence.translate(QUOTES)}”" if is_own else sentence
    return Unit(number, _ended(text), len(parts), stems, values, weight)


def _ended(text: str) -> str:
    return text if text[-1] in ".!?…”。！？:;" else f"{text}."


def says(word: str) -> bool:
    """Tell whether a word, in small letters, says something by itself."""
    return word not in STOP_WORDS and (len(word) > 2 or word.isdigit() or not word.isascii())


@lru_cache(maxsize=20_000)
def weight_of(word: str) -> float:
    """Return what the stem of a word is worth: rare ones more than common ones."""
    return max(rarity(word) - 4.0, 0.5)


def _chosen(units: Sequence[Unit], *, room: int, most: int) -> list[Unit]:
    """Choose greedily; what a unit adds only gets less, so that few are looked at again."""
    often = Counter(word for unit in units for word in unit.stems)
    worth = {word: weight_of(word) * math.sqrt(min(count, 6)) for word, count in often.items()}
    covered: set[str] = set()

    def gain(unit: Unit) -> float:
        new = sum(worth[word] for word in unit.stems - covered)
        values = unit.values - covered
        kept = sum(FIGURE if value[0].isdigit() else NAME for value in values)
        return unit.weight * (new + kept) / (unit.length + 12)

    heap = [(-gain(unit), unit.number, unit) for unit in units]
    heapq.heapify(heap)
    chosen: list[Unit] = []
    while heap and len(chosen) < most and room >= FEWEST_WORDS:
        _, number, unit = heapq.heappop(heap)
        if unit.length > room:
            continue
        now = gain(unit)
        if heap and -heap[0][0] > now + 1e-9:
            heapq.heappush(heap, (-now, number, unit))
            continue
        if not now:
            break
        chosen.append(unit)
        covered |= unit.stems | unit.values
        room -= unit.length
    return chosen
