"""Extracts: the most informative sentences of a conversation, within a limit of words. Pure.

A sentence is worth the words and values that no chosen one has yet. Rare words count more than
common ones, recurring words more than single ones, and the person's words more than the answers'. A
question is kept with the sentence that answers it; the other sentences of an answer rank behind. So
central sentences come first, and nothing is repeated. Every text is cut into a bounded number of
sentences, each examined a few times.
"""

import heapq
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from memory.recall.summaries.values import find_values
from memory.text.citation_markers import strip_markdown, strip_markers, strip_places
from memory.text.reading import compute_rarity
from memory.text.words import STOP_WORDS, find_sentences, split_words, stem

# Most characters read of a text, and most sentences to choose from.
LONGEST, MOST_UNITS = 12_000, 1_500
LONGEST_UNIT = 40  # words
FEWEST_WORDS = 3
OWN = 1.5  # weight of the person's words, relative to answers
# Values of a figure, a name and an answered question; a rare word is worth some 6.
FIGURE, NAME, QUESTION = 20.0, 12.0, 15.0
WRITTEN = 6.0  # weight of an edited summary, relative to an automatic one
OPENING = 1.15  # weight of the first sentence of a text
# A question of the person, a question to them, and a unit as short as a heading.
ASKS, ASKED, SHORT = 0.8, 0.3, 0.4
HEADING = 6  # words
# A question with its answer, and the other sentences of that answer.
ANSWERED, BESIDE = 2.0, 0.35
# A question whose words are worth less depends on its context: "how was it tested?"
STANDS, LEANS = 6.0, 0.6
LONGEST_QUESTION = 16  # words
# Most sentences of an answer examined for the one that answers; the first is likely it.
MOST_LOOKED_AT, FIRST = 12, 4.0
QUOTES = str.maketrans("“”", '""')
# References of a bibliography have many names and figures, but rarely answer.
_REFERENCE = re.compile(r"https?://|\bdoi\b|\bet al\b|\bcolleagues \(\d{4}\)", re.IGNORECASE)
REFERS = 0.3
_LIST_SIGN = re.compile(r"^\s*(?:[-*•+]|\d{1,3}[.)])\s+")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Spoken:
    """A text of a conversation: the person's own, an answer, or an extract of both."""

    text: str
    is_own: bool = False
    # An extract, whose sentences are taken unchanged.
    is_extract: bool = False
    # A summary in the person's own words, which they mean to be kept.
    is_written: bool = False


@dataclass(frozen=True)
class Unit:
    """A sentence that may be chosen."""

    number: int
    text: str
    length: int
    stems: frozenset[str]
    values: frozenset[str]
    weight: float
    is_own: bool
    is_answered: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is a question of the person."""
        return self.is_own and self.text.rstrip("”").endswith("?")


def extract(said: Iterable[Spoken], *, words: int, most: int = 1_000) -> str:
    """Return the most informative sentences of the texts, in order, within `words` and `most`.

    The person's words are in quotation marks.
    """
    said = list(said)
    # In an extract the answer follows its question.
    looked_at = 1 if any(text.is_extract for text in said) else MOST_LOOKED_AT
    units = _join_answers(split_units(said), looked_at, room=words)
    chosen = _select_units(units, room=words, most=most)
    return " ".join(unit.text for unit in sorted(chosen, key=lambda unit: unit.number))


def split_units(said: Iterable[Spoken]) -> list[Unit]:
    """Return the informative sentences of the texts, in order, each once."""
    found: dict[str, Unit] = {}
    for text in said:
        usual = WRITTEN if text.is_written else 1.0
        weight = OPENING * usual
        for sentence in _split_sentences(text):
            if len(found) == MOST_UNITS:
                return list(found.values())
            unit = _make_unit(len(found), sentence, weight)
            if unit and unit.text not in found:
                found[unit.text], weight = unit, usual
    return list(found.values())


def _split_sentences(said: Spoken) -> Iterator[str]:
    """Yield the sentences; “” mark only the person's own words."""
    text = said.text[:LONGEST]
    if said.is_extract:
        text = text.replace(" “", "\n“").replace("” ", "”\n")
    else:
        plain = strip_places(strip_markers(text))
        text = strip_markdown(_FENCED.sub(" ", plain)).translate(QUOTES)
    for start, end in find_sentences(text):
        sentence = _SPACES.sub(" ", _LIST_SIGN.sub("", text[start:end])).strip("*_#| \t")
        yield f"“{sentence}”" if said.is_own else sentence


def _make_unit(number: int, sentence: str, weight: float) -> Unit | None:
    is_own = sentence.startswith("“")
    parts = sentence.split(" ")
    if len(parts) > LONGEST_UNIT:
        parts = parts[:LONGEST_UNIT]
        sentence = " ".join(parts) + (" …”" if is_own else " …")
    stems = frozenset(stem(word) for word in split_words(sentence) if is_content_word(word))
    values = frozenset(find_values(sentence))
    if not stems or (len(parts) < FEWEST_WORDS and not values):
        return None
    if sentence.rstrip('”"').endswith("?"):
        weight *= ASKS if is_own else ASKED
    if len(parts) < HEADING and not is_own:
        weight *= SHORT
    weight *= OWN if is_own else 1.0
    return Unit(number, _add_full_stop(sentence), len(parts), stems, values, weight, is_own)


def _join_answers(units: Sequence[Unit], looked_at: int, *, room: int) -> list[Unit]:
    """Return the units, with each question and its answer joined."""
    found: list[Unit] = []
    for is_own, group in groupby(units, key=lambda unit: unit.is_own):
        run = list(group)
        question = found[-1] if found and found[-1].asks and not is_own else None
        answer = _find_answer(question, run[:looked_at]) if question else None
        if question and answer and (both := _join_question_answer(question, answer)).length <= room:
            found[-1] = both
            run = [replace(unit, weight=unit.weight * BESIDE) for unit in run if unit != answer]
        found += run
    return found


def _find_answer(question: Unit, units: Sequence[Unit]) -> Unit | None:
    """Return the unit with most of the question's words and with values of its own."""

    def fit(unit: Unit) -> float:
        shared = sum(map(weigh_stem, question.stems & unit.stems))
        fits = shared + min(len(unit.values - question.values), 3) + FIRST * (unit == units[0])
        return fits * (REFERS if _REFERENCE.search(unit.text) else 1.0)

    about = [unit for unit in units if question.stems & unit.stems or unit == units[0]]
    return max(about, key=fit, default=None)


def _join_question_answer(question: Unit, answer: Unit) -> Unit:
    asked = question.text.split(" ")
    if len(asked) > LONGEST_QUESTION:
        asked = [*asked[:LONGEST_QUESTION], "…?”"]
    text = f"{' '.join(asked)} {answer.text}"
    stems, values = question.stems | answer.stems, question.values | answer.values
    length = len(asked) + answer.length
    stands = sum(map(weigh_stem, question.stems)) >= STANDS
    weight = OWN * ANSWERED * (1.0 if stands else LEANS)
    return Unit(question.number, text, length, stems, values, weight, is_own=True, is_answered=True)


def _add_full_stop(text: str) -> str:
    return text if text[-1] in ".!?…”。！？:;" else f"{text}."


def is_content_word(word: str) -> bool:
    """Return whether a word, in small letters, has content."""
    return word not in STOP_WORDS and (len(word) > 2 or word.isdigit() or not word.isascii())


@lru_cache(maxsize=20_000)
def weigh_stem(word: str) -> float:
    """Return the weight of a stem: rare ones weigh more than common ones."""
    return max(compute_rarity(word) - 4.0, 0.5)


def _select_units(units: Sequence[Unit], *, room: int, most: int) -> list[Unit]:
    """Choose greedily; a unit's gain only decreases, so few are examined again."""
    often = Counter(word for unit in units for word in unit.stems)
    worth = {word: weigh_stem(word) * math.sqrt(min(count, 6)) for word, count in often.items()}
    covered: set[str] = set()

    def gain(unit: Unit) -> float:
        new = sum(worth[word] for word in unit.stems - covered)
        values = unit.values - covered
        kept: float = sum(FIGURE if value[0].isdigit() else NAME for value in values)
        kept += QUESTION * (unit.is_answered and bool(new))
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
