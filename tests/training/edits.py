"""Edits: claims made from a passage's sentences, true ones and ones that a small change made false.

What people judged holds few claims that are wrong in one word only, and those are the dangerous
ones.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence

from citations.attribution.checking.contraries import OPPOSITES
from citations.attribution.checking.numerals import SMALL
from memory.text.words import STOP_WORDS, find_sentences, stem

Edit = Callable[[str, "Material", random.Random], str | None]

SHORTEST, LONGEST = 6, 45  # words of a sentence that becomes a claim
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)*")
AUXILIARY = re.compile(r"\b(is|are|was|were|will|can|may|must|has|have|should|would|could|had)\b")
NOT = re.compile(r"\b(not|never) |n't\b")
ASIDES = (
    re.compile(r" ?\([^()]*\)|, (?:which|who|where|when)\b[^,]*,"),
    re.compile(r"^(?:[A-Z][^,]{3,40}), (?=[a-zA-Z])"),
    re.compile(r",? (?:which|because|while|although|but|including|such as)\b.*$"),
)
COUNTED = {word: value for word, value in SMALL.items() if word.isascii() and 1 < value < 13}
SPELT = {str(value): word for word, value in reversed(COUNTED.items())}
SYNONYMS = """start begin|buy purchase|large big|shows demonstrates|help assist|obtain get
    |provide give|company firm|job occupation|use utilize|also additionally|allow permit
    |many numerous|often frequently|because since|about approximately"""
SAME = {
    word: other
    for pair in SYNONYMS.split("|")
    for word, other in (pair.split(), pair.split()[::-1])
}


class Material:
    """The words that an edit may use: the passage's, and those of others of the same source."""

    def __init__(self, passage: str, others: Sequence[str]) -> None:
        self.passage = passage
        self.names = [name for text in (passage, *others) for name in NAME.findall(text)]
        self.words = [
            word for text in (passage, *others) for word in WORD.findall(text) if is_content(word)
        ]


def is_content(word: str) -> bool:
    return len(word) > 3 and word.islower() and word not in STOP_WORDS


def replace_one(
    text: str, chance: random.Random, form: re.Pattern[str], others: Callable[[str], Sequence[str]]
) -> str | None:
    """Replace one match that has others to put in its place."""
    found = [match for match in form.finditer(text) if others(match.group())]
    if not found:
        return None
    match = chance.choice(found)
    other = chance.choice(list(others(match.group())))
    return text[: match.start()] + other + text[match.end() :]


def change_number(text: str, material: Material, chance: random.Random) -> str | None:
    def others(written: str) -> list[str]:
        return [f"{written[:-1]}{digit}" for digit in range(1, 10) if str(digit) != written[-1]]

    def counted(word: str) -> list[str]:
        return [other for other in COUNTED if word in COUNTED and COUNTED[other] != COUNTED[word]]

    changed = replace_one(text, chance, NUMBER, others)
    return changed or replace_one(text, chance, WORD, counted)


def negate(text: str, material: Material, chance: random.Random) -> str | None:
    if denial := NOT.search(text):
        return text[: denial.start()] + text[denial.end() :]
    return replace_one(text, chance, AUXILIARY, lambda verb: (f"{verb} not", f"{verb} never"))


def turn_round(text: str, material: Material, chance: random.Random) -> str | None:
    return replace_one(text, chance, WORD, lambda word: sorted(OPPOSITES.get(stem(word), ())))


def change_name(text: str, material: Material, chance: random.Random) -> str | None:
    return replace_one(
        text, chance, NAME, lambda _: [name for name in material.names if name not in text]
    )


def change_word(text: str, material: Material, chance: random.Random) -> str | None:
    def others(word: str) -> list[str]:
        ending = word[-2:]
        alike = [each for each in material.words if each.endswith(ending) and each not in text]
        return alike if is_content(word) else []

    return replace_one(text, chance, WORD, others)


FALSE: tuple[Edit, ...] = (change_number, negate, turn_round, change_name, change_word)


def leave_out_aside(text: str, material: Material, chance: random.Random) -> str | None:
    for form in chance.sample(ASIDES, len(ASIDES)):
        short = form.sub("", text, count=1).strip()
        if short != text and len(short.split()) >= SHORTEST:
            return short[0].upper() + short[1:]
    return None


def reword(text: str, material: Material, chance: random.Random) -> str | None:
    return replace_one(text, chance, WORD, lambda word: [SAME[word]] if word in SAME else [])


def spell_number(text: str, material: Material, chance: random.Random) -> str | None:
    return replace_one(text, chance, NUMBER, lambda each: [SPELT[each]] if each in SPELT else [])


TRUE: tuple[Edit, ...] = (leave_out_aside, reword, spell_number)


def claims_of(passage: str, chance: random.Random) -> Iterator[str]:
    """Yield the sentences of a passage that can be claims, in no order."""
    said = [passage[start:end].replace("\n", " ") for start, end in find_sentences(passage)]
    said = [text for text in said if SHORTEST <= len(text.split()) <= LONGEST and text[0].isalpha()]
    chance.shuffle(said)
    yield from said


def make_true(text: str, material: Material, chance: random.Random) -> str:
    """Return the claim with some edits that keep its meaning."""
    for edit in chance.sample(TRUE, chance.randint(0, len(TRUE))):
        text = edit(text, material, chance) or text
    return text


def make_false(text: str, material: Material, chance: random.Random) -> str | None:
    """Return the claim with one edit that makes it false."""
    for edit in chance.sample(FALSE, len(FALSE)):
        changed = edit(text, material, chance)
        if changed and changed != text and changed not in material.passage:
            return changed
    return None
