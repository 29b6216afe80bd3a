"""Which earlier turns an answer restates, though it cites documents: told by what it alone has.

A value of the answer (a number, a date, a name), or two rare words, that stand in an earlier turn
and neither in the question nor in any passage that was offered, can only come from there, or from
the model itself. Who is wrong about that deletes an answer that can be asked for again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.recall.summaries.extracting import says
from memory.recall.summaries.values import names_in, numbers_in
from memory.text.citation_markers import without_markers
from memory.text.reading import rarity
from memory.text.words import stem, words

# A figure of one digit counts or numbers something; from so rare on, a name is of somebody, and so
# many words are of a subject.
SHORTEST, RARE_NAME, RARE, RARE_WORDS = 2, 8.5, 9.0, 2
# No text is looked at further.
LONGEST = 20_000


@dataclass(frozen=True)
class Holding:
    """What a text holds that can be told again: figures, words, and stems of rare words."""

    numbers: frozenset[str]
    said: str
    stems: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Holding":
        """Read the texts as one."""
        text = "\n".join(each[:LONGEST] for each in texts)
        spoken = words(text)
        return cls(
            numbers=frozenset(number for each in text.split("\n") for number in numbers_in(each)),
            said=f" {' '.join(spoken)} ",
            stems=frozenset(map(stem, filter(_is_rare, set(spoken)))),
        )

    def names(self, name: str) -> bool:
        """Return whether the words of the name stand in the text, one behind the other."""
        return f" {name} " in self.said


def restated(answer: str, known: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[int]:
    """Return which of the earlier texts the answer restates, by their place.

    `known` are the question and the passages, from which the answer may have what it says.
    """
    text = without_markers(answer)[:LONGEST]
    there, own = Holding.of(known), Holding.of([text])
    names = {name for name in _names(text) if not there.names(name)}
    numbers = {number for number in own.numbers - there.numbers if len(number) >= SHORTEST}
    stems = own.stems - there.stems
    if not (names or numbers or len(stems) >= RARE_WORDS):
        return []
    found = []
    for at, told in enumerate(map(Holding.of, earlier)):
        has_value = not numbers.isdisjoint(told.numbers) or any(map(told.names, names))
        if has_value or len(stems & told.stems) >= RARE_WORDS:
            found.append(at)
    return found


def _names(text: str) -> Iterator[str]:
    """Yield the names of the text as words; what is as common as "US" is everybody's."""
    for name in names_in(text):
        spoken = words(name)
        if len(spoken) > 1 or (spoken and rarity(spoken[0]) >= RARE_NAME):
            yield " ".join(spoken)


def _is_rare(word: str) -> bool:
    """Return whether a word is rare in each of its forms: "firstly" is, and "first" isn't."""
    return says(word) and not word.isdigit() and min(rarity(word), rarity(stem(word))) >= RARE
