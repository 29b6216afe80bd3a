"""Whether an answer holds what it should: by the words, as public sets are scored."""

import re
from collections.abc import Collection, Iterable

UNSAID = frozenset(
    "about after all also am an and any are as at be because been before being between both but by"
    " can could did do does for from had has have he her his how i if in into is it its just me"
    " more most my no not of on or other our out over she so some such than that the their them"
    " then there these they this to up us was we were what when where which while who why will"
    " with would you your a".split()
)
WORD = re.compile(r"[^\W_]+")
CHINESE_OR_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
# What share of a gold answer's words the answer has to hold, and of a gold span's the passage.
ENOUGH_OF_ANSWER, ENOUGH_OF_SPAN = 0.8, 0.7
# A passage shorter than a long span lies in it: its own words are looked for, so many at least.
SHORTEST = 25


def saying_words(text: str) -> list[str]:
    """Return the text's words that say something; of Chinese and Japanese, pairs of letters."""
    found: list[str] = []
    for word in WORD.findall(text.lower()):
        if CHINESE_OR_JAPANESE.search(word):
            found.extend(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in UNSAID:
            found.append(word)
    return found


def answer_has(answer: str, golds: Iterable[str]) -> bool:
    """Return whether the answer holds a gold one: four in five of its words, and every figure."""
    have = set(saying_words(answer))
    return any(_holds(have, set(saying_words(gold))) for gold in golds)


def _holds(have: Collection[str], gold: Collection[str]) -> bool:
    there = [word for word in gold if word in have]
    figures = [word for word in gold if any(letter.isdigit() for letter in word)]
    enough = len(there) >= ENOUGH_OF_ANSWER * len(gold)
    return bool(gold) and enough and all(word in have for word in figures)


def passage_holds(passage: str, spans: Iterable[str]) -> bool:
    """Return whether the passage holds a gold span, or lies in one that is longer."""
    have = set(saying_words(passage))
    golds = [set(saying_words(span)) for span in spans]
    return any(
        len(gold & have) >= ENOUGH_OF_SPAN * max(1, min(len(gold), max(len(have), SHORTEST)))
        for gold in golds
        if gold
    )
