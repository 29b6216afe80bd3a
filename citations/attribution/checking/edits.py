"""Edits: claims made from what a passage says, true ones and ones that a small change made false.

What people judged holds few claims that are wrong in one word only, and those are the dangerous
ones. Needed for training only.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from citations.attribution.checking import opposites
from citations.attribution.checking.numerals import SMALL
from memory.text.words import STOP_WORDS, sentences

Edit = Callable[[str, "Material", random.Random], str | None]

SHORTEST, LONGEST = 6, 45  # words of a sentence that becomes a claim
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][^\W\d_]+(?: [A-Z][^\W\d_]+)*")
_AUXILIARY = re.compile(r"\b(is|are|was|were|will|can|may|must|has|have|should|would|could|had)\b")
_NOT = re.compile(r"\b(not|never) |n't\b")
_ASIDE = re.compile(r" ?\([^()]*\)|, (?:which|who|where|when)\b[^,]*,| ?\[[^\[\]]*\]")
_BEGINS = re.compile(r"^(?:[A-Z][^,]{3,40}), (?=[a-zA-Z])")
_ENDS = re.compile(
    r",? (?:which|because|while|although|but|and|including|such as|after|before|for)\b.*$"
)
_MONTHS = """January February March April May June July August September October November
    December""".split()
_LARGER = {
    "some": "all", "many": "all", "most": "all", "several": "all", "often": "always",
    "usually": "always", "may": "must", "might": "will", "sometimes": "always", "few": "many",
    "can": "must", "should": "must", "must": "may", "all": "some", "every": "no", "always":
    "rarely",
}  # fmt: skip


class Material:
    """What an edit may take words from: the passage, and other passages of the same source."""

    def __init__(self, passage: str, others: Sequence[str]) -> None:
        self.passage = passage
        self.names = _NAME.findall(passage)
        self.strange_names = [name for other in others for name in _NAME.findall(other)]
        self.words = [word for word in _WORD.findall(passage) if _is_content(word)]
        self.strange_words = [
            word for other in others for word in _WORD.findall(other) if _is_content(word)
        ]


def _is_content(word: str) -> bool:
    return len(word) > 3 and word.islower() and word not in STOP_WORDS


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


def other_number(text: str, material: Material, chance: random.Random) -> str | None:
    """Change one number, in digits or in words."""
    found = [*_NUMBER.finditer(text)]
    found += [match for match in _WORD.finditer(text) if match.group().lower() in _COUNTED]
    if not found:
        return None
    match = chance.choice(found)
    written = match.group()
    if not written[0].isdigit():
        at = _COUNTED.index(written.lower())
        return _replaced(text, match, _COUNTED[(at + chance.choice((1, 2, 3))) % len(_COUNTED)])
    at = chance.randrange(len(written))
    while not written[at].isdigit():
        at = chance.randrange(len(written))
    digit = str((int(written[at]) + chance.randint(1, 8)) % 10 or 9)
    changed = written[:at] + digit + written[at + 1 :]
    return _replaced(text, match, changed) if changed != written else None


_COUNTED = """two three four five six seven eight nine ten eleven twelve first second third fourth
    fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth
    seventeenth""".split()


def other_month(text: str, material: Material, chance: random.Random) -> str | None:
    """Change the month of a date."""
    found = [match for match in _WORD.finditer(text) if match.group() in _MONTHS]
    if not found:
        return None
    match = chance.choice(found)
    return _replaced(text, match, chance.choice([m for m in _MONTHS if m != match.group()]))


def negated(text: str, material: Material, chance: random.Random) -> str | None:
    """Say that it is not so, or that it is what was denied."""
    if denial := _NOT.search(text):
        return _replaced(text, denial, "")
    found = [*_AUXILIARY.finditer(text)]
    if not found:
        return None
    match = chance.choice(found)
    word = chance.choice(("not", "not", "never"))
    return _replaced(text, match, f"{match.group()} {word}")


@cache
def _contraries() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in opposites.LISTED.split():
        one, _, others = entry.partition("/")
        for other in others.split(","):
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
    return found


def opposite(text: str, material: Material, chance: random.Random) -> str | None:
    """Put the contrary in the place of a word."""
    contraries = _contraries()
    found = [match for match in _WORD.finditer(text) if match.group() in contraries]
    if not found:
        return None
    match = chance.choice(found)
    return _replaced(text, match, chance.choice(contraries[match.group()]))


def other_name(text: str, material: Material, chance: random.Random) -> str | None:
    """Put another name in the place of one: of the same passage, if it has one."""
    found = [*_NAME.finditer(text)]
    if not found:
        return None
    match = chance.choice(found)
    near = [name for name in material.names if name not in text and name not in match.group()]
    far = [name for name in material.strange_names if name not in material.passage]
    names = near if near and chance.random() < 0.6 else far
    return _replaced(text, match, chance.choice(names)) if names else None


def swapped(text: str, material: Material, chance: random.Random) -> str | None:
    """Let two names change places."""
    found = [*_NAME.finditer(text)]
    if len(found) < 2:
        return None
    one, other = sorted(chance.sample(found, 2), key=lambda match: match.start())
    if one.group() == other.group():
        return None
    between = text[one.end() : other.start()]
    return text[: one.start()] + other.group() + between + one.group() + text[other.end() :]


def other_word(text: str, material: Material, chance: random.Random) -> str | None:
    """Put another content word in the place of one."""
    found = [match for match in _WORD.finditer(text) if _is_content(match.group())]
    near = [word for word in material.words if word not in text]
    far = [word for word in material.strange_words if word not in material.passage]
    words = near if near and chance.random() < 0.3 else far
    if not found or not words:
        return None
    match = chance.choice(found)
    ending = match.group()[-2:]
    same_form = [word for word in words if word.endswith(ending)]
    return _replaced(text, match, chance.choice(same_form or words))


def swept(text: str, material: Material, chance: random.Random) -> str | None:
    """Say it of all, of one alone, or as a duty."""
    found = [match for match in _WORD.finditer(text) if match.group() in _LARGER]
    if found:
        match = chance.choice(found)
        return _replaced(text, match, _LARGER[match.group()])
    verbs = [*_AUXILIARY.finditer(text)]
    if not verbs:
        return None
    match = chance.choice(verbs)
    return _replaced(text, match, f"{match.group()} {chance.choice(('only', 'solely'))}")


FALSE: tuple[Edit, ...] = (
    other_number, other_month, negated, opposite, other_name, swapped, other_word, swept,
)  # fmt: skip


def without_asides(text: str, material: Material, chance: random.Random) -> str | None:
    """Leave out what is said by the way."""
    for form in chance.sample((_ASIDE, _BEGINS, _ENDS), 3):
        short = form.sub("", text, count=1).strip()
        if short != text and len(short.split()) >= SHORTEST:
            return short[0].upper() + short[1:]
    return None


def reworded(text: str, material: Material, chance: random.Random) -> str | None:
    """Put words that say the same in the place of one or two."""
    changed = text
    for _ in range(2):
        found = [match for match in _WORD.finditer(changed) if match.group() in _same()]
        if found:
            match = chance.choice(found)
            changed = _replaced(changed, match, chance.choice(_same()[match.group()]))
    return changed if changed != text else None


@cache
def _same() -> dict[str, list[str]]:
    groups = [group.split() for group in _REWORDED.split("|")]
    return {word: [o for o in group if o != word] for group in groups for word in group}


_REWORDED = """begin start commence|begins starts|began started|purchase buy|purchased bought
    |movie film|large big|small little|show demonstrate|shows demonstrates|showed demonstrated
    |help assist|obtain get|obtained received|provide give|provides gives|provided given
    |need require
    |needs requires|company firm|job occupation|quick fast|important significant crucial|use utilize
    |used utilized|uses utilizes|collect gather|collected gathered|also additionally
    |about approximately
    roughly|however nevertheless|illness disease|children kids|allow permit|allows permits
    |many numerous|several various|near close|often frequently|because since|such this
    |people persons
    |made produced|created produced|known called|located situated|difficult hard
    |contains includes"""


def renotated(text: str, material: Material, chance: random.Random) -> str | None:
    """Write a number in another way."""
    for match in chance.sample([*_WORD.finditer(text)], len([*_WORD.finditer(text)])):
        word = match.group().lower()
        if word in _COUNTED:
            value = SMALL[word]
            is_ordinal = _COUNTED.index(word) > 10
            ending = {1: "st", 2: "nd", 3: "rd"}.get(value, "th") if is_ordinal else ""
            return _replaced(text, match, f"{value}{ending}")
        if word == "percent":
            return _replaced(text, match, "%")
    found = [match for match in _NUMBER.finditer(text) if match.group() in _SPELT_FIGURES]
    if found:
        match = chance.choice(found)
        return _replaced(text, match, _SPELT_FIGURES[match.group()])
    return None


_SPELT_FIGURES = {str(SMALL[word]): word for word in _COUNTED[:11]}

TRUE: tuple[Edit, ...] = (without_asides, reworded, renotated)


def claims_of(passage: str, chance: random.Random) -> Iterator[str]:
    """Yield sentences of a passage that can be claims, in no order, now and then two as one."""
    spans = [passage[start:end].replace("\n", " ") for start, end in sentences(passage)]
    said = [
        text for text in spans if SHORTEST <= len(text.split()) <= LONGEST and text[0].isalpha()
    ]
    chance.shuffle(said)
    if len(said) > 2 and chance.random() < 0.3:
        one, other = said[0], said[1]
        yield f"{one.rstrip('.')}, and {other[0].lower()}{other[1:]}"
    yield from said


def made_true(text: str, material: Material, chance: random.Random) -> str:
    """Say the same in a slightly other way."""
    for edit in chance.sample(TRUE, chance.randint(0, len(TRUE))):
        text = edit(text, material, chance) or text
    return text


def made_false(text: str, material: Material, chance: random.Random) -> tuple[str, str] | None:
    """Return the name of a small change and what it makes of a true claim."""
    for edit in chance.sample(FALSE, len(FALSE)):
        changed = edit(text, material, chance)
        if changed and changed != text and changed not in material.passage:
            return edit.__name__, changed
    return None
