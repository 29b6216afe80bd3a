"""Understanding what a question asks of a table: what is reckoned, of which column, of which rows.

Each word must be understood: what is left over says something that the table may not tell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.quoting.tables.asked import SMALL, Asked, calls
from chat.quoting.tables.conditions import conditions_of
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.extremes import CALENDAR, Superlative, superlative_of, words_of
from chat.quoting.tables.groups import PLURAL, adds_up, compared_values, grouped_by
from chat.quoting.tables.naming import is_joined, named_column, naming
from chat.quoting.tables.ranks import BEST, Rank, rank_of, top_of
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import (
    AND_OF_IT,
    BEYOND,
    COMMONEST,
    COUNT,
    LISTS,
    MEAN,
    OF_PEOPLE,
    PEOPLE,
    SOMEBODY,
    SORTS,
    SUM,
)
from memory.text.words import stem, words

# "The windiest day" is that with the most wind, if a column is called so.
MADE_INTO_ONE = re.compile(r"([a-z]{3,12}?)(?:i?est)")
JOINED = 2
BEHIND_WHICH = re.compile(rf"{LISTS.pattern} (?:the |all |die |alle |los |las |les )?(?P<rows>\w+)")
WHICH = frozenset(["which", "what", "welche", "welches", "welcher", "que", "quel", "quelle"])


class Asks(StrEnum):
    """What a question wants to have reckoned."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    EXTREME = "extreme"
    COMMONEST = "commonest"  # the value in most rows
    ROWS = "rows"


# What can be told of each group.
OF_GROUPS = frozenset([Asks.COUNT, Asks.SUM, Asks.MEAN])


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
    # The column for each of whose values it is reckoned, and the places of the most or the least.
    by: TableColumn | None = None
    rank: Rank = BEST


def understood(question: str, table: Table) -> TableQuestion | None:
    """Return what the question asks of the table; None if that is not all understood."""
    return _Reader(question, Asked.of(question), table).read()


@dataclass(frozen=True)
class _Act:
    """What is to be reckoned, as the question's words say it."""

    asks: Asks
    # Behind which word "how many" ends, and whether it is how many different ones.
    counted: int | None = None
    sorts: bool = False
    most: Superlative | None = None
    # The column that a superlative is made of: "the windiest".
    measure: TableColumn | None = None
    rank: Rank = BEST
    by: TableColumn | None = None


@dataclass
class _Reader:
    question: str
    asked: Asked
    table: Table

    def read(self) -> TableQuestion | None:
        act = self._act()
        wanted = conditions_of(self.asked, self.table)
        if BEYOND.search(self.asked.open_text):
            return None
        asks, most = act.asks, act.most
        noun = self._noun(act.counted, sorts=act.sorts)
        word = self.asked.words[noun] if noun is not None else ""
        column = act.measure or self._column(noun, is_extreme=asks is Asks.EXTREME)
        if (
            act.by
            and act.counted is None
            and asks is Asks.COUNT
            and column
            and column.is_of_figures
        ):
            asks = Asks.SUM if adds_up(column) else Asks.MEAN
        if asks is Asks.SUM and act.counted is not None and not (column and column.is_of_figures):
            asks = Asks.COUNT
        is_guessed = any(each.sign == "~" for each in wanted)
        if asks is not Asks.ROWS and (is_guessed or self._counts_people(asks)):
            return None
        left = self.asked.left(self.table)
        is_measured = column is not None and column.is_of_figures
        if left and not self._is_a_row(left, word, wanted, act, named=is_measured):
            return None
        open_words = [self.asked.words[at] for at in self.asked.open]
        return TableQuestion(
            asks,
            wanted,
            column,
            word,
            act.sorts,
            most,
            calls_rows=any(calls(each, self.table) for each in open_words if each not in SMALL),
            lists=LISTS.search(self.asked.text) is not None,
            guessed=len(left) + sum(each.sign == "~" for each in wanted),
            by=act.by or (compared_values(wanted) if asks in OF_GROUPS else None),
            rank=act.rank,
        )

    def _act(self) -> _Act:
        """Return what is to be reckoned; the words that say it are understood then."""
        self.asked.take(AND_OF_IT)
        is_ranked = superlative_of(self.question) is not None or top_of(self.asked) is not None
        by = grouped_by(self.asked, self.table, is_ranked=is_ranked)
        counted = self.asked.take(COUNT)
        sorts = counted is not None and self.asked.take(SORTS) is not None
        is_sum, is_mean = self.asked.take(SUM) is not None, self.asked.take(MEAN) is not None
        if is_sum or is_mean:
            asks, most = Asks.MEAN if is_mean else Asks.SUM, superlative_of(self.question)
            by = by or (self._behind_which(self.table.columns) if most else None)
            if most and by:
                self._take(most)
            return _Act(asks, counted, sorts, most if by else None, by=by)
        if counted is not None:
            return _Act(Asks.COUNT, counted, sorts, by=by)
        if self.asked.take(COMMONEST) is not None:
            return _Act(Asks.COMMONEST)
        most, measure = self._superlative()
        rank = rank_of(self.asked, words_of(most, self.question))
        if top := top_of(self.asked):
            most = most or Superlative(re.compile(top.group()), 1 if top["end"] == "top" else -1)
        if most is None:
            return _Act(Asks.COUNT if by else Asks.ROWS, by=by)
        self._take(most)
        return _Act(Asks.EXTREME, most=most, measure=measure, rank=rank or BEST, by=by)

    def _take(self, most: Superlative) -> None:
        if said := words_of(most, self.question):
            self.asked.take(re.compile(said))

    def _noun(self, counted: int | None, *, sorts: bool) -> int | None:
        """Return which word says what is counted: the one behind "how many", or "how many kinds
        of", if it is open yet; else a plural behind what is understood: "how many red boats".
        """
        at, behind, *_ = [*(at for at in sorted(self.asked.open) if at >= (counted or 0)), -1, -1]
        if counted is None or at < 0:
            return None
        if behind == at + 1 and calls(self.asked.words[at], self.table):  # "how many mtcars models"
            noun = self.asked.words[behind]
            at, counted = (
                (behind, behind) if noun[-1] == "s" and noun not in SMALL else (at, counted)
            )
        return at if sorts or at == counted or self.asked.words[at].endswith("s") else None

    def _counts_people(self, asks: Asks) -> bool:
        """Tell whether people are to be counted, where no row is one and no cell counts any."""
        said = PEOPLE.intersection(self.asked.words[at] for at in self.asked.open)
        is_told = self._is_of_people() or any(calls(word, self.table) for word in said)
        return asks is Asks.COUNT and bool(said) and not is_told

    def _is_of_people(self) -> bool:
        return any(OF_PEOPLE.intersection(each.words) for each in self.table.columns)

    def _superlative(self) -> tuple[Superlative | None, TableColumn | None]:
        """Return how the most or the least is asked for, with its column if it is made of that."""
        figures = [each for each in self.table.columns if each.is_of_figures]
        most = superlative_of(self.question)
        if most is not None:
            return most, None
        for word in self.asked.words:
            made = MADE_INTO_ONE.fullmatch(word)
            base = made[1] if made else ""
            bases = {base, base[:-1] if base[-2:-1] == base[-1:] else base}
            named = [each for each in figures if made and bases.intersection(each.words)]
            if len(named) == 1:
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
        has_figure = any(naming(word, each) for word in said for each in figures)
        return None if has_figure else self._behind_which(columns)

    def _behind_which(self, columns: Sequence[TableColumn]) -> TableColumn | None:
        at = next((at for at, word in enumerate(self.asked.words[:-1], 1) if word in WHICH), -1)
        texts = [each for each in columns if not each.is_of_figures]
        return self._named([at], texts) if at in self.asked.open else None

    def _joined(self, columns: Sequence[TableColumn]) -> TableColumn | None:
        """Return the column that is called as two words are written as one: "horse power"."""
        for stretch in self.asked.stretches(JOINED):
            if len(stretch) < JOINED:
                break
            first, second = (self.asked.words[at] for at in stretch)
            named = [each for each in columns if is_joined(first, second, each)]
            if len(named) == 1:
                self.asked.open -= set(stretch)
                return named[0]
        return None

    def _named(self, places: Sequence[int], columns: Sequence[TableColumn]) -> TableColumn | None:
        column = named_column([self.asked.words[at] for at in places], columns)
        if column is not None:
            self.asked.open -= {at for at in places if naming(self.asked.words[at], column)}
        return column

    def _is_a_row(
        self, left: Sequence[str], noun: str, wanted: Sequence[Condition], act: _Act, *, named: bool
    ) -> bool:
        """Tell whether what is left is only what a row is called, where what is asked of it is
        certain: "how many vehicles have 8 cylinders", "the oldest victim", "which job pays best",
        "top 3 companies by profit".
        """
        most, certain = act.most, [each for each in wanted if each.sign not in ("~", "=", "∋")]
        if act.asks is Asks.ROWS and certain:  # "which states have more than 15 murders"
            asked = BEHIND_WHICH.search(self.asked.text)
            return asked is not None and left == [asked["rows"]] and asked["rows"].endswith(PLURAL)
        if noun:
            return left == [noun] and noun.endswith(PLURAL) and self._may_be_rows(noun, wanted, act)
        if act.asks in (Asks.SUM, Asks.MEAN):  # "average age of the victims"
            return named and self._is_of_people() and SOMEBODY.issuperset(left)
        if most is None or not (named or most.columns):
            return False
        said = [at for at, word in enumerate(self.asked.words[:-1]) if word in WHICH]
        called = [word for at in said[:1] for word in self.asked.words[at + 1 : at + 3]]
        for asks in (words_of(most, self.question), most.asks.pattern):
            behind = re.search(rf"(?:{asks})\s+(\w+)", self.asked.text) if asks else None
            called += [behind[1]] if behind else []
        return len(left) == 1 and left[0] in called

    def _may_be_rows(self, noun: str, wanted: Sequence[Condition], act: _Act) -> bool:
        """Tell whether rows may be called so: of what is in a place none may tell."""
        is_somebody = noun in SOMEBODY and self._is_of_people()
        sure = [each for each in wanted if not each.column.is_of_days and each.sign != "~"]
        before = self.asked.words[self.asked.words.index(noun) - 1]
        # "red boats"
        is_of_sort = any(stem(before) in map(stem, words(each.told)) for each in sure)
        is_measured = any(each.column.is_of_figures for each in sure)
        return is_of_sort or is_measured or (bool(sure) and is_somebody) or act.by is not None
