"""Coverage: which of a question's words stand where it is answered best, and which nowhere.

Who asks whether rsync has a graphical interface is answered by nothing that only speaks of rsync.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from chat.quoting import READ
from chat.quoting.kinds.alike import alike
from chat.quoting.names import SIGNS, signs_in
from chat.quoting.spans import ScoredUnit
from chat.turns.grounding.spelling import meant
from citations.attribution.checking.rarity import rarity
from citations.languages import common_words, language_of
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import UnitForm
from memory.text.words import STOP_WORDS, stem, symbols, words

# Words are of one kind that begin alike for so many letters, and for this share of the longer one:
# "installiert", "installieren"; or if one of so many letters begins or ends the other, as parts of
# German words do.
SHORTEST_BEGINNING, SAME_BEGINNING, SHORTEST_PART = 5, 0.7, 6
# Of a question that is a text of its own so many words tell enough: each is looked for in turn.
MOST_ASKED = 100


@dataclass(frozen=True)
class Coverage:
    """Shares of a question's words, by how rare they are in what was found."""

    # Of those in the passage of the best unit, its heading and what its document is called.
    passage: float
    # Of those in the unit alone.
    unit: float
    # Of those in none of the best passages.
    nowhere: float

    def between(self, other: "Coverage") -> "Coverage":
        """Return the mean of both."""
        return Coverage(
            (self.passage + other.passage) / 2,
            (self.unit + other.unit) / 2,
            (self.nowhere + other.nowhere) / 2,
        )


def coverage(question: str, best: ScoredUnit, found: Sequence[Found]) -> Coverage:
    """Return which share of the question the best unit of what was found for it holds."""
    passages = {each.passage: None for each in found[:READ]} | {best.passage: None}
    held = [_words_of(each) for each in passages]
    passage, unit = _words_of(best.passage), {*words(best.text), *symbols(best.text)}
    languages = {best.passage.document.language, language_of(question)}
    asked = asked_words(question, languages)
    there = passage.union(unit, *held)
    forms = forms_of(asked, there)
    widened = forms
    if best.unit.form is UnitForm.ROW:
        widened = {word: own | alike(word, passage) for word, own in widened.items()}
    literal, meant_so = (shares(each, passage, unit, held) for each in (forms, widened))
    return literal.between(meant_so)


def asked_words(question: str, languages: Collection[str]) -> list[str]:
    """Return the first content words of the question, or all if it has none, each once; what is
    written in signs is a word, too, of figures behind a sign the sign.
    """
    signs = [each for each in signs_in(question) if not any(map(str.isdigit, each))]
    said = list(dict.fromkeys([*words(question), *signs]))[:MOST_ASKED]
    small = STOP_WORDS.union(*(words(" ".join(common_words(each))) for each in languages))
    return [word for word in said if word not in small] or said


def shares(
    forms: Mapping[str, AbstractSet[str]],
    passage: Collection[str],
    unit: Collection[str],
    held: Sequence[Collection[str]],
) -> Coverage:
    """Return the shares of the words that have these forms: the rarer among the passages, and in
    English at large, the heavier.
    """
    counts = {word: sum(not own.isdisjoint(each) for each in held) for word, own in forms.items()}
    weights = {
        word: rarity(stem(word)) ** 2 * math.log(1 + len(held) / (0.5 + count))
        for word, count in counts.items()
    }
    total = sum(weights.values()) or 1.0

    def share(words: Iterable[str]) -> float:
        return sum(weights[word] for word in words) / total

    return Coverage(
        share(word for word, own in forms.items() if not own.isdisjoint(passage)),
        share(word for word, own in forms.items() if not own.isdisjoint(unit)),
        share(word for word, count in counts.items() if not count),
    )


def forms_of(asked: Sequence[str], there: Collection[str]) -> dict[str, set[str]]:
    """Return for each of the words in which forms it stands there: in another ending, in a
    compound, mistyped, or written as one with its neighbour.
    """
    joined = {one + other: (one, other) for one, other in pairwise(asked)}
    forms, begun, long = {}, defaultdict[str, list[str]](list), []
    for other in there:
        begun[other[0]].append(other)
        if len(other) >= SHORTEST_PART:
            long.append(other)
    for word in asked:
        if SIGNS.search(word):  # which has no other form
            forms[word] = {word} if word in there else set()
            continue
        own = {other for other in begun[word[0]] if is_form_of(word, other)}
        if len(word) >= SHORTEST_PART:
            own |= {other for other in long if is_form_of(word, other)}
        own |= {other for other, parts in joined.items() if word in parts and other in there}
        if not own and (slip := meant(word, there)):
            own.add(slip)
        forms[word] = own
    return forms


def is_form_of(word: str, other: str) -> bool:
    """Return whether one is the other in another form, or a part of it."""
    if word[0] != other[0]:
        return min(len(word), len(other)) >= SHORTEST_PART and (
            word.endswith(other) or other.endswith(word)
        )
    if word == other or stem(word) == stem(other):
        return True
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= SHORTEST_PART and longer.startswith(shorter):
        return True
    alike = max(SHORTEST_BEGINNING, math.ceil(SAME_BEGINNING * len(longer)))
    return word[:alike] == other[:alike] and len(shorter) >= alike


def _words_of(passage: Passage) -> set[str]:
    document = passage.document
    text = f"{document.title}\n{document.file_name}\n{passage.heading}\n{passage.text}"
    return {*words(text), *symbols(text)}
