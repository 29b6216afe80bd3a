"""Coverage: which of a question's words stand in what is quoted for it, and which nowhere.

Who asks whether rsync has a graphical interface is answered by nothing that only speaks of rsync.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from chat.quoting import READ, QuestionReading
from chat.quoting.choosing import chosen_quotes
from chat.turns.grounding.spelling import meant
from citations.attribution.checking.rarity import rarity
from citations.languages import common_words, language_of
from citations.models import Passage
from citations.retrieval import Found
from memory.text.words import STOP_WORDS, stem, words

# Words are of one kind that begin alike for so many letters, and for this share of the longer one:
# "installiert", "installieren"; or if one of so many letters begins or ends the other, as parts of
# German words do.
SHORTEST_BEGINNING, SAME_BEGINNING, SHORTEST_PART = 5, 0.7, 6
# Of a question that is a text of its own so many words tell enough: each is looked for in turn.
MOST_ASKED = 100


@dataclass(frozen=True)
class Coverage:
    """Shares of a question's words, by how rare they are in what was found."""

    # Of those in what is quoted, its headings and what its document is called.
    quoted: float
    # Of those in none of the best passages.
    nowhere: float


def coverage(reading: QuestionReading, found: Sequence[Found]) -> Coverage:
    """Return which share of the question what was found for it holds."""
    passages = {each.passage.pk for each in found}
    quotes = chosen_quotes([each for each in reading.candidates if each.passage.pk in passages])
    held = [_words_of(each.passage, each.passage.text) for each in found[:READ]]
    quoted = set[str]().union(
        *(
            _words_of(quote.passage, unit.of(quote.passage.text))
            for quote in quotes
            for unit in (*quote.above, *quote.units)
        )
    )
    languages = {found[0].passage.document.language, language_of(reading.asked.text)}
    asked = asked_words(reading.asked.text, languages)
    forms = forms_of(asked, quoted.union(*held))
    return shares(forms, quoted, held)


def asked_words(question: str, languages: Collection[str]) -> list[str]:
    """Return the first content words of the question, or all if it has none, each once."""
    said = list(dict.fromkeys(words(question)))[:MOST_ASKED]
    small = STOP_WORDS.union(*(words(" ".join(common_words(each))) for each in languages))
    return [word for word in said if word not in small] or said


def shares(
    forms: Mapping[str, AbstractSet[str]], quoted: Collection[str], held: Sequence[Collection[str]]
) -> Coverage:
    """Return the shares of the words that have these forms: the rarer among the passages, and in
    English at large, the heavier.
    """
    total = quoted_weight = nowhere_weight = 0.0
    for word, own in forms.items():
        count = sum(not own.isdisjoint(each) for each in held)
        weight = rarity(stem(word)) ** 2 * math.log(1 + len(held) / (0.5 + count))
        total += weight
        quoted_weight += 0.0 if own.isdisjoint(quoted) else weight
        nowhere_weight += 0.0 if count else weight
    return Coverage(quoted_weight / (total or 1.0), nowhere_weight / (total or 1.0))


def forms_of(asked: Sequence[str], there: Collection[str]) -> dict[str, set[str]]:
    """Return for each of the words in which forms it stands there: in another ending, in a
    compound, mistyped, or written as one with its neighbour.
    """
    joined = {one + other: (one, other) for one, other in pairwise(asked)}
    forms = {}
    for word in asked:
        own = {other for other in there if is_form_of(word, other)}
        own |= {other for other, parts in joined.items() if word in parts and other in there}
        if not own and (slip := meant(word, there)):
            own.add(slip)
        forms[word] = own
    return forms


def is_form_of(word: str, other: str) -> bool:
    """Tell whether one is the other in another form, or a part of it."""
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


def _words_of(passage: Passage, text: str) -> set[str]:
    document = passage.document
    return set(words(f"{document.title}\n{document.file_name}\n{passage.heading}\n{text}"))
