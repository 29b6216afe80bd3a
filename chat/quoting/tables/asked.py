"""The words of a question about a table, and which of them are understood."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from chat.quoting.kinds.alike import are_alike
from chat.quoting.tables.extremes import CALENDAR
from chat.quoting.tables.naming import AMOUNT, naming
from chat.quoting.tables.reading import Table
from chat.quoting.tables.wordings import BESIDE, COMPARING, MEASURING
from citations.languages import COMMON
from memory.text.words import STOP_WORDS, stem, words

GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
SIGNS = ((">=", " at least "), ("<=", " at most "), (">", " more than "), ("<", " less than "))
MOST_WORDS = 40
SMALL = STOP_WORDS.union(
    BESIDE, *(words(" ".join(COMMON[code])) for code in ("en", "de", "es", "fr"))
)


@dataclass
class Asked:
    """A question's words, and which of them are not understood yet."""

    words: list[str]
    open: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, question: str) -> "Asked":
        plain = GROUPED.sub("", question)
        for sign, meant in SIGNS:
            plain = plain.replace(sign, meant)
        said = words(plain)[:MOST_WORDS]
        return cls(said, set(range(len(said))))

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def open_text(self) -> str:
        """What is not understood yet."""
        return " ".join(self.words[at] for at in sorted(self.open))

    def take(self, pattern: re.Pattern[str]) -> int | None:
        """Return behind which word the pattern's first words end, which are understood then."""
        found = pattern.search(self.text)
        if found is None:
            return None
        first = self.text.count(" ", 0, found.start())
        last = first + found.group().count(" ")
        self.open -= set(range(first, last + 1))
        return last + 1

    def stretches(self, longest: int) -> Iterator[range]:
        """Yield the stretches of words that are open, the longest first."""
        for length in range(longest, 0, -1):
            for at in range(len(self.words) - length + 1):
                stretch = range(at, at + length)
                if self.open.issuperset(stretch):
                    yield stretch

    def left(self, table: Table) -> list[int]:
        """Return where words stand that say something, and are neither understood nor the name of
        the table or of something that it says of each row.
        """
        texts = [
            each
            for each in table.columns
            if not each.is_of_figures or CALENDAR.search(" ".join(each.words))
        ]
        return [
            at
            for at in sorted(self.open)
            for word in self.words[at : at + 1]
            if (word not in SMALL or word in COMPARING or _is_measure_lacking(word, table))
            and not calls(word, table)
            and not any(naming(word, each) for each in texts)
        ]


def _is_measure_lacking(word: str, table: Table) -> bool:
    """Return whether the word asks for a measure that no column tells: "what did a berth cost"."""
    return word in MEASURING and not any(
        naming(word, each) or AMOUNT.intersection(each.words) for each in table.columns
    )


def calls(word: str, table: Table) -> bool:
    """Return whether the table is called so: "cars" for "mtcars", "people" for "Headcount"."""
    own = {word, stem(word)}
    return not own.isdisjoint(table.called) or any(
        (len(each) > 2 and called.endswith(each))
        or (len(each) > 3 and called.startswith(each))
        or are_alike(each, called)
        for each in own
        for called in table.called
    )
