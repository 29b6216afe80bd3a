"""Understanding what a question asks of a table: what is reckoned, of which column, of which rows.

Each word must be understood: what is left over says something that the table may not tell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.quoting.kinds.alike import is_place
from chat.quoting.tables.acts import (
    OF_GROUPS,
    WHICH,
    AskedAct,
    Asks,
    act_of,
    asks_for,
    behind_which,
    take_named,
)
from chat.quoting.tables.asked import SMALL, Asked, calls
from chat.quoting.tables.conditions import conditions_of
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.extremes import CALENDAR, Superlative, words_of
from chat.quoting.tables.groups import PLURAL, compared_values
from chat.quoting.tables.naming import amount_of, fitted_by, is_joined, naming
from chat.quoting.tables.people import SOMEBODY, counts_people, is_of_people, what_became_of
from chat.quoting.tables.ranks import BEST, Rank
from chat.quoting.tables.rates import take_rate
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import (
    BEYOND,
    HOW_MUCH,
    LISTS,
    MEASURES,
    MEASURING,
    RATHER_THAN,
    VERBS,
)
from memory.text.words import stem, words

JOINED = 2
# Words in which that is said of which a share is asked for, where the first is an article.
LONGEST_WHOLE = 4
ARTICLES = frozenset(["the", "die", "den", "las", "los", "les"])
BEHIND_WHICH = re.compile(rf"{LISTS.pattern} (?:the |all |die |alle |los |las |les )?(?P<rows>\w+)")


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
    # Whether an amount is asked for, which may be that of several rows.
    how_much: bool = False
    # Whether it is what two of them differ by.
    differs: bool = False
    # What is wanted of the rows of which the share is asked for; None if no share is.
    share_of: Sequence[Condition] | None = None


def understood(question: str, table: Table) -> TableQuestion | None:
    """Return what the question asks of the table; None if that is not all understood."""
    return _Reader(question, Asked.of(question), table).read()


@dataclass
class _Reader:
    question: str
    asked: Asked
    table: Table

    def read(self) -> TableQuestion | None:
        how_much = self.asked.take(HOW_MUCH) is not None
        take_rate(self.asked, self.table)
        act = act_of(self.question, self.asked, self.table)
        wanted = conditions_of(self.asked, self.table)
        if BEYOND.search(self.asked.open_text):
            return None
        noun = self._noun(act.counted, sorts=act.sorts)
        noun = what_became_of(noun, self.asked, self.table) if act.asks is Asks.COUNT else noun
        word = self.asked.words[noun] if noun is not None else ""
        column, among = self._measured(act, noun)
        asks = asks_for(act, column, is_among=among is not None)
        if column is None and act.by and act.most:  # "which month was the hottest on average"
            column = fitted_by(act.most, self.table.columns)
        by = act.by or among or (compared_values(wanted) if asks in OF_GROUPS else None)
        if by is not None and asks is Asks.MEAN:
            self.asked.take(RATHER_THAN)
        if not self._may_be_told(act, asks, wanted, by):
            return None
        left = [self.asked.words[at] for at in self.asked.left(self.table)]
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
            act.most,
            calls_rows=any(self._calls_rows(each) for each in open_words if each not in SMALL),
            lists=LISTS.search(self.asked.text) is not None,
            guessed=len(left) + sum(each.sign == "~" for each in wanted),
            by=by,
            rank=act.rank,
            how_much=how_much,
            differs=act.differs,
            share_of=self._whole(act.counted or 0) if act.is_share else None,
        )

    def _may_be_told(
        self, act: AskedAct, asks: Asks, wanted: Sequence[Condition], by: TableColumn | None
    ) -> bool:
        """Return whether the conditions are such as are needed: of a difference two values of one
        column, of a share what several rows have, and no guess at what is counted.
        """
        if act.differs and sum(each.column == by for each in wanted) != len("ab"):
            return False
        if act.is_share and any(each.column.cells == self.table.names_of_rows for each in wanted):
            return False
        is_guessed = any(each.sign == "~" for each in wanted)
        return asks is Asks.ROWS or not (is_guessed or counts_people(asks, self.asked, self.table))

    def _measured(
        self, act: AskedAct, noun: int | None
    ) -> tuple[TableColumn | None, TableColumn | None]:
        """Return the column that is named, and the one for each of whose values it is added up to
        tell which has the most.
        """
        if act.among is None:
            is_extreme = act.asks is Asks.EXTREME
            return act.measure or self._column(noun, is_extreme=is_extreme), None
        column = self._of_all()
        if column is None:
            return act.among, None
        return column, act.among if MEASURES.isdisjoint(column.words) else None

    def _of_all(self) -> TableColumn | None:
        """Return the column that is added up for each value of another: the one of figures that is
        named, or the whole amount, unless it is the rows that are named.
        """
        figures = [each for each in self.table.columns if each.is_of_figures]
        column = take_named(self.asked, sorted(self.asked.open), figures)
        said = [self.asked.words[at] for at in self.asked.open]
        if column is None and not any(calls(word, self.table) for word in said):
            column = amount_of(figures)
        return column

    def _whole(self, first: int) -> Sequence[Condition]:
        """Return what the words up to the verb want, "what percentage of sloops are in Corvo", or
        the first of them that want anything: "what share of the men survived".
        """
        verb = next((at for at, word in enumerate(self.asked.words) if word in VERBS), 0)
        has_article = not ARTICLES.isdisjoint(self.asked.words[first : first + 1])
        longest = first + LONGEST_WHOLE * has_article
        for end in [verb] if verb > first else range(first + 1, longest + 1):
            said = self.asked.words[first:end]
            if wanted := conditions_of(Asked(said, set(range(len(said)))), self.table):
                return wanted
        return []

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

    def _calls_rows(self, word: str) -> bool:
        """Return whether rows are called so: as the table is, or as the column of their names."""
        names = self.table.names_of_rows
        of_names = [each for each in self.table.columns if each.cells == names]
        return calls(word, self.table) or (
            word.endswith(PLURAL) and any(naming(word, each) for each in of_names)
        )

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
        if noun is not None and (own := take_named(self.asked, [noun], figures)):
            return own
        places = [
            at
            for at in sorted(self.asked.open)
            if self.asked.words[at] not in SMALL
            and any(naming(self.asked.words[at], each) for each in columns)
        ]
        if is_extreme and (own := self._asked_which(columns)):
            return own
        measuring = [at for at in sorted(self.asked.open) if self.asked.words[at] in MEASURING]
        return (
            self._joined(figures)
            or take_named(self.asked, places, figures)
            or take_named(self.asked, places, columns)
            or take_named(self.asked, measuring, figures)
        )

    def _asked_which(self, columns: Sequence[TableColumn]) -> TableColumn | None:
        """Return the column of texts behind "which", if no other word names one of figures."""
        figures = [each for each in self.table.columns if each.is_of_figures]
        said = [self.asked.words[at] for at in self.asked.open]
        has_figure = any(naming(word, each) for word in said for each in figures)
        return None if has_figure else behind_which(self.asked, columns)

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

    def _is_a_row(
        self,
        left: Sequence[str],
        noun: str,
        wanted: Sequence[Condition],
        act: AskedAct,
        *,
        named: bool,
    ) -> bool:
        """Return whether what is left is only what a row is called, where what is asked of it is
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
            return named and is_of_people(self.table) and SOMEBODY.issuperset(left)
        if most is None or not (named or most.columns or most.size):
            return False
        said = [at for at, word in enumerate(self.asked.words[:-1]) if word in WHICH]
        called = [word for at in said[:1] for word in self.asked.words[at + 1 : at + 3]]
        for asks in (words_of(most, self.question), most.asks.pattern):
            behind = re.search(rf"(?:{asks})\s+(\w+)", self.asked.text) if asks else None
            called += [behind[1]] if behind else []
        return len(left) == 1 and left[0] in called and not self._is_place_lacking(left[0])

    def _is_place_lacking(self, word: str) -> bool:
        """Return whether it says where something is, and no column does: "country"."""
        return is_place(word) and all(each.words for each in self.table.columns)

    def _may_be_rows(self, noun: str, wanted: Sequence[Condition], act: AskedAct) -> bool:
        """Return whether rows may be called so: of what is in a place none may tell."""
        is_somebody = noun in SOMEBODY and is_of_people(self.table)
        sure = [each for each in wanted if not each.column.is_of_days and each.sign != "~"]
        before = self.asked.words[self.asked.words.index(noun) - 1]
        # "red boats"
        is_of_sort = any(stem(before) in map(stem, words(each.told)) for each in sure)
        is_measured = any(each.column.is_of_figures for each in sure)
        return is_of_sort or is_measured or (bool(sure) and is_somebody) or act.by is not None
