"""Understanding what a question asks of a table: what is reckoned, of which column, of which rows.

Each word must be understood: what is left over says something that the table may not tell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.quoting.tables.asked import SMALL, Asked, calls
from chat.quoting.tables.conditions import conditions_of
from chat.quoting.tables.extremes import CALENDAR, Superlative, superlative_of
from chat.quoting.tables.fitting import Condition
from chat.quoting.tables.naming import named_column, naming
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import BEYOND, COMMONEST, COUNT, LISTS, MEAN, SORTS, SUM
from memory.text.words import words

# "The windiest day" is that with the most wind, if a column is called so.
MADE_INTO_ONE = re.compile(r"([a-z]{3,12}?)(?:i?est)")
JOINED = 2
PLURAL = ("s", "en")
WHICH = frozenset(["which", "what", "welche", "welches", "welcher", "que", "quel", "quelle"])
PEOPLE = frozenset(["people", "persons", "inhabitants", "personen", "einwohner", "personas"])
# What columns of people are called.
OF_PEOPLE = frozenset(
    "age sex gender born birth surname person employee salary alter geschlecht edad sexo"
    " sexe nachname vorname apellido nom".split()
)


class Asks(StrEnum):
    """What a question wants to have reckoned."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    EXTREME = "extreme"
    COMMONEST = "commonest"  # the value in most rows
    ROWS = "rows"


@dataclass(frozen=True)
class TableQuestion:
    """What a question asks of a table."""

    asks: Asks
    conditions: Sequence[Condition]
    # The column that is named beside those of the conditions.
    column: TableColumn | None
    # What is counted, in a word; how the most or the least is asked for.
    noun: str
    # Whether it is how many different ones there are.
    sorts: bool
    most: Superlative | None
    # Whether a word says what the rows are, as the table is called: "penguins".
    calls_rows: bool
    # Whether the rows themselves are asked for.
    lists: bool
    # Words that were taken for what they may not be: parts of cells, and what a row is called.
    guessed: int


def understood(question: str, table: Table) -> TableQuestion | None:
    """Return what the question asks of the table; None if that is not all understood."""
    asked = Asked.of(question)
    if BEYOND.search(asked.text):
        return None
    return _Reader(question, asked, table).read()


@dataclass
class _Reader:
    question: str
    asked: Asked
    table: Table

    def read(self) -> TableQuestion | None:
        counted = self.asked.take(COUNT)
        sorts = counted is not None and self.asked.take(SORTS) is not None
        is_sum, is_mean = self.asked.take(SUM) is not None, self.asked.take(MEAN) is not None
        asks = Asks.MEAN if is_mean else Asks.SUM if is_sum else Asks.COUNT
        most = measure = None
        if counted is None and not is_sum and not is_mean:
            is_commonest = self.asked.take(COMMONEST) is not None
            most, measure = (None, None) if is_commonest else self._superlative()
            asks = Asks.EXTREME if most else Asks.COMMONEST if is_commonest else Asks.ROWS
        wanted = conditions_of(self.asked, self.table)
        noun = self._noun(counted, sorts=sorts)
        word = self.asked.words[noun] if noun is not None else ""
        column = measure or self._column(noun, is_extreme=most is not None)
        if asks is Asks.SUM and counted is not None and not (column and column.is_of_figures):
            asks = Asks.COUNT
        is_guessed = any(each.sign == "~" for each in wanted)
        if asks is not Asks.ROWS and (is_guessed or self._counts_people(asks)):
            return None
        left = self.asked.left(self.table)
        if left and not self._is_a_row(left, word, wanted, most):
            return None
        guessed = len(left) + sum(each.sign == "~" for each in wanted)
        open_words = [self.asked.words[at] for at in self.asked.open]
        calls_rows = any(calls(each, self.table) for each in open_words if each not in SMALL)
        lists = LISTS.search(self.asked.text) is not None
        return TableQuestion(asks, wanted, column, word, sorts, most, calls_rows, lists, guessed)

    def _noun(self, counted: int | None, *, sorts: bool) -> int | None:
        """Return which word says what is counted: the one behind "how many", or "how many kinds
        of", if it is open yet; else a plural behind what is understood: "how many red boats".
        """
        at = next((at for at in sorted(self.asked.open) if at >= (counted or 0)), None)
        if counted is None or at is None:
            return None
        return at if sorts or at == counted or self.asked.words[at].endswith("s") else None

    def _counts_people(self, asks: Asks) -> bool:
        """Tell whether people are to be counted, where no row is a person."""
        are_people = any(OF_PEOPLE.intersection(each.words) for each in self.table.columns)
        said = [self.asked.words[at] for at in self.asked.open]
        return asks is Asks.COUNT and not are_people and not PEOPLE.isdisjoint(said)

    def _superlative(self) -> tuple[Superlative | None, TableColumn | None]:
        """Return how the most or the least is asked for, with its column if it is made of that."""
        figures = [each for each in self.table.columns if each.is_of_figures]
        most = superlative_of(self.question)
        if most is not None:
            self.asked.take(re.compile("|".join(words_of(most, self.question))))
            return most, None
        for at, word in enumerate(self.asked.words):
            made = MADE_INTO_ONE.fullmatch(word)
            base = made[1] if made else ""
            bases = {base, base[:-1] if base[-2:-1] == base[-1:] else base}
            named = [each for each in figures if made and bases.intersection(each.words)]
            if len(named) == 1:
                self.asked.open.discard(at)
                return Superlative(re.compile(word), 1), named[0]
        return None, None

    def _column(self, noun: int | None, *, is_extreme: bool) -> TableColumn | None:
        """Return the column that open words name, which are understood then: of figures if what is
        counted is one, or any word names one. "The year with the most rain" is no year.
        """
        columns = [
            each
            for each in self.table.columns
            if not (is_extreme and CALENDAR.search(" ".join(each.words)))
        ]
        figures = [each for each in columns if each.is_of_figures]
        if noun is not None and (own := self._named([noun], figures)):
            return own
        places = [
            at
            for at in sorted(self.asked.open)
            if self.asked.words[at] not in SMALL
            and any(naming(self.asked.words[at], each) for each in columns)
        ]
        if is_extreme and (own := self._asked_which(columns)):
            return own
        return self._joined(figures) or self._named(places, figures) or self._named(places, columns)

    def _asked_which(self, columns: Sequence[TableColumn]) -> TableColumn | None:
        """Return the column of texts behind "which", if no other word names one of figures."""
        figures = [each for each in self.table.columns if each.is_of_figures]
        said = [self.asked.words[at] for at in self.asked.open]
        at = next((at for at, word in enumerate(self.asked.words[:-1], 1) if word in WHICH), None)
        has_figure = any(naming(word, each) for word in said for each in figures)
        if at is None or at not in self.asked.open or has_figure:
            return None
        return self._named([at], [each for each in columns if not each.is_of_figures])

    def _joined(self, columns: Sequence[TableColumn]) -> TableColumn | None:
        """Return the column that is called as two words are written as one: "horse power"."""
        for stretch in self.asked.stretches(JOINED):
            joined = "".join(self.asked.words[at] for at in stretch)
            if len(stretch) == JOINED and (column := named_column([joined], columns)):
                self.asked.open -= set(stretch)
                return column
        return None

    def _named(self, places: Sequence[int], columns: Sequence[TableColumn]) -> TableColumn | None:
        column = named_column([self.asked.words[at] for at in places], columns)
        if column is not None:
            self.asked.open -= {at for at in places if naming(self.asked.words[at], column)}
        return column

    def _is_a_row(
        self,
        left: Sequence[str],
        noun: str,
        wanted: Sequence[Condition],
        most: Superlative | None,
    ) -> bool:
        """Tell whether what is left is only what a row is called, where what is asked of it is
        certain: "how many vehicles have 8 cylinders", "the oldest victim".
        """
        is_certain = any(not each.column.is_of_days and each.sign != "~" for each in wanted)
        if noun:
            return is_certain and left == [noun] and noun.endswith(PLURAL)
        if most is None or most.columns is None:
            return False
        behind = re.search(rf"(?:{most.asks.pattern})\s+(\w+)", self.question, re.IGNORECASE)
        return behind is not None and left == words(behind[1])


def words_of(most: Superlative, question: str) -> list[str]:
    """Return the words of the superlative as they stand in the question, for a pattern."""
    found = most.asks.search(question)
    return [re.escape(" ".join(words(found.group())))] if found else []
