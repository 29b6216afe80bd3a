"""Which earlier turns an answer restates, though it cites documents.

A number, a name or two rare words that stand in an earlier turn, and neither in the question nor in
any passage that was offered, come from that turn.
"""

from collections.abc import Iterable, Sequence

from memory.recall.summaries.values import names_in, numbers_in
from memory.text.citation_markers import strip_markers
from memory.text.reading import rarity
from memory.text.words import STOP_WORDS, stem, words

# A figure of one digit counts something; so rare a word is of a subject, and so many tell it.
SHORTEST, RARE, RARE_WORDS = 2, 9.0, 2
LONGEST = 20_000


def restated(answer: str, known: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[int]:
    """Return which of the earlier texts the answer restates, by their place.

    `known` are the question and the passages, from which the answer may have what it says.
    """
    values, rare = _held([strip_markers(answer)])
    known_values, known_rare = _held(known)
    values, rare = values - known_values, rare - known_rare
    found = []
    for at, texts in enumerate(earlier):
        told_values, told_rare = _held(texts)
        if values & told_values or len(rare & told_rare) >= RARE_WORDS:
            found.append(at)
    return found


def _held(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the numbers and names of the texts, and the stems of their rare words."""
    text = "\n".join(each[:LONGEST] for each in texts)
    numbers = {each for each in numbers_in(text) if len(each) >= SHORTEST}
    names = {each for each in names_in(text) if rarity(each.split()[0]) >= RARE or " " in each}
    spoken = {word for word in words(text) if word not in STOP_WORDS and not word.isdigit()}
    rare = {stem(word) for word in spoken if min(rarity(word), rarity(stem(word))) >= RARE}
    return numbers | names, rare
