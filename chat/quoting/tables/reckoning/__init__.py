"""Reckoning: what comes of what a question asks of a table, of columns that are certain."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from chat.quoting.tables.acts import Asks
from chat.quoting.tables.asked import SMALL, calls
from chat.quoting.tables.conditions.fitting import Condition, fitting_rows
from chat.quoting.tables.extremes import CALENDAR, Superlative
from chat.quoting.tables.groups import adds_up, compared_values, in_order, rows_of_groups
from chat.quoting.tables.naming import amount_of, counts, fitted_by, named_column, naming, of_size
from chat.quoting.tables.rates import seen_as_rates
from chat.quoting.tables.reading import Table, TableColumn, is_nothing
from chat.quoting.tables.reckoning.results import Act, Reckoned
from chat.quoting.tables.understanding import TableQuestion, understood
from chat.quoting.tables.wordings import MEASURES

# So many rows are looked up; of more, a figure that was asked for is added up.
MOST_LOOKED_UP = 8
# So many values may stand in the most rows.
MOST_ALIKE = 3
SORT_NAMES = frozenset(["type", "kind", "sort", "category", "typ", "art", "tipo"])


def reckoned(
    question: str, table: Table, *, is_sheet: bool, is_only: bool = False
) -> Reckoned | None:
    """Return what the question asks of the table; None if it asks for anything else as well.

    Of a table in a text only what is asked in so many words: not all of its rows are counted, and
    what a cell says is looked up only if it is the only one of its kind there.
    """
    table = seen_as_rates(question, table)
    asked = understood(question, table)
    fitting = fitting_rows(table, asked.conditions) if asked else []
    if asked is None or not fitting:
        return None
    return _Reckoning(asked, table, fitting, is_sheet, is_only).done()


@dataclass(frozen=True)
class _Reckoning:
    asked: TableQuestion
    table: Table
    fitting: Sequence[int]
    is_sheet: bool
    is_only: bool

    def done(self) -> Reckoned | None:
        asks, column = self.asked.asks, self.asked.column
        if self.asked.share_of is not None:
            return self._share(self.asked.share_of)
        if self.asked.by is not None:
            made = self._grouped(self.asked.by)
            return replace(made, differs=True) if made and self.asked.differs else made
        if asks is Asks.COUNT:
            return self._count()
        if asks is Asks.ROWS:
            return self._rows()
        if asks is Asks.EXTREME and self.asked.most:
            return self._extreme(self.asked.most)
        if asks is Asks.COMMONEST:
            return self._commonest(1)
        if column is None or self._is_of_rows(column):  # "total billed to Ada"
            column = amount_of(self.table.columns)
        is_figure = column is not None and column.is_of_figures
        return self._total(Act(str(asks)), column) if column and is_figure else None

    def _share(self, of: Sequence[Condition]) -> Reckoned | None:
        """Return how many of the rows fit, with all of which they are a share."""
        whole: Sequence[int] = fitting_rows(self.table, of)
        told = {each.told for each in of}
        rest = [each for each in self.asked.conditions if each.told not in told]
        if not rest:
            whole, of, rest = range(len(self.table.rows)), (), list(self.asked.conditions)
        if not rest or not whole:
            return None
        made = self._made(Act.SHARE, self.fitting, column=None, of=of, whole=len(whole))
        return replace(made, conditions=rest)

    def _grouped(self, by: TableColumn) -> Reckoned | None:
        """Return the same of the rows of each value of a column."""
        of_groups = rows_of_groups(by, self.fitting)
        whole = self._of_group(self.fitting)
        parts = {name: self._of_group(rows) for name, rows in of_groups.items()}
        figures = {name: part.value or 0.0 for name, part in parts.items() if part}
        if whole is None or len(figures) < 2:
            return None
        most, column = self.asked.most, whole.column
        if most and self.asked.asks is Asks.SUM and len(figures) == len(whole.fitting):
            return replace(self, asked=replace(self.asked, column=column))._extreme(most)
        sign = most.sign_of(" ".join(column.words)) if most and column else 1
        firsts = [whole.shown[0], *(part.shown[0] for part in parts.values() if part)]
        shown = list(dict.fromkeys(firsts))
        groups = in_order(by, figures, sign, is_ranked=most is not None)
        return replace(whole, by=by, groups=groups, shown=shown)

    def _of_group(self, rows: Sequence[int]) -> Reckoned | None:
        """Return what is asked for of these rows alone, with its figure."""
        own = replace(self, fitting=rows)
        asks, column, most = self.asked.asks, self.asked.column, self.asked.most
        if asks is Asks.EXTREME and most:
            return own._extreme(most)
        is_figure = column is not None and column.is_of_figures
        is_counted = counts(self.asked.noun, column) or own._is_called() if column else False
        if column and is_figure and (asks is not Asks.COUNT or is_counted):
            return own._total(Act.SUM if asks is Asks.COUNT else Act(str(asks)), column)
        return own._made(Act.COUNT, rows, column=None, value=float(len(rows)))

    def _made(self, act: Act, shown: Sequence[int], **more: object) -> Reckoned:
        asked = self.asked
        made = {"fitting": self.fitting, "column": asked.column, "guessed": asked.guessed, **more}
        return Reckoned(self.table, act, asked.conditions, shown=shown, **made)  # type: ignore[arg-type]

    def _count(self) -> Reckoned | None:
        """Return how many there are: what a column counts, what it has kinds of, or rows."""
        column, wanted = self.asked.column, self.asked.conditions
        if column is None or not column.is_of_figures:
            return self._one_called() if self._is_called() else self._kinds_or_rows()
        if CALENDAR.search(" ".join(column.words)):
            # "How many days had wind over 15": no days are added up
            return self._made(Act.COUNT, self.fitting, column=None) if wanted else None
        if naming(self.asked.noun, column):
            return self._counted_by(column)
        if self._is_called():
            return self._one_called()
        # "How many ports have cranes", of which some have none; but the rows of a table of tides
        # are "in the tide table".
        is_table = wanted and any(calls(word, self.table) for word in column.words)
        return self._kinds_or_rows() if is_table else None

    def _counted_by(self, column: TableColumn) -> Reckoned | None:
        """Return how many a column says that there are, in one row or in all that fit."""
        if not counts(self.asked.noun, column):
            return None
        is_one = len(self.fitting) == 1 or not adds_up(column)
        if self.asked.conditions and is_one and len(self.fitting) <= MOST_LOOKED_UP:
            return self._made(Act.COUNT, self.fitting, looks_up=True)
        return self._total(Act.SUM, column)

    def _one_called(self) -> Reckoned | None:
        """Return the one row that is named: it has figures of its own for "how many people in
        engineering".
        """
        is_meant = not self.asked.guessed or (self.is_sheet and self.asked.column is not None)
        return self._made(Act.COUNT, self.fitting, looks_up=True) if is_meant else None

    def _kinds_or_rows(self) -> Reckoned | None:
        noun, wanted = self.asked.noun, self.asked.conditions
        texts = [
            each
            for each in self.table.columns
            if not each.is_of_figures and not (self.asked.sorts and each.is_of_days)
        ]
        kind = named_column([noun], texts) if noun and noun not in SMALL else None
        if kind is not None and not self.asked.sorts and not counts(noun, kind):
            return None
        if self.asked.sorts and kind is None:
            of_sorts = [each for each in texts if SORT_NAMES.intersection(each.words)] or texts
            kind = of_sorts[0] if len(of_sorts) == 1 else None
            if kind is None:
                return None
        if kind is not None and kind.at not in [each.column.at for each in wanted]:
            firsts = [rows[0] for rows in rows_of_groups(kind, self.fitting).values()]
            if not wanted or (self.asked.sorts and len(firsts) < len(self.fitting)):
                return self._made(Act.KINDS, firsts, column=kind)
            if len(firsts) < len(self.fitting):  # "how many medals": of which kinds, or how often?
                return self._made(Act.COUNT, self.fitting, column=kind, different=len(firsts))
        is_called = bool(noun) and calls(noun, self.table)
        if not wanted and not (self.is_sheet and noun and (noun in SMALL or kind or is_called)):
            return None
        return self._made(Act.COUNT, self.fitting, lists=self.asked.lists)

    def _is_called(self) -> bool:
        """Return whether the one row that fits is named by what it is called."""
        wanted = [each for each in self.asked.conditions if each.sign == "="]
        names = self.table.names_of_rows
        return len(self.fitting) == 1 and any(each.column.cells == names for each in wanted)

    def _total(self, act: Act, column: TableColumn) -> Reckoned | None:
        valued = self._valued(column)
        if not valued or any(each.column.at == column.at for each in self.asked.conditions):
            return None
        rows, values = zip(*valued, strict=True)
        value = fmean(values) if act is Act.MEAN else sum(values)
        return self._made(act, rows, fitting=rows, column=column, value=value)

    def _extreme(self, most: Superlative) -> Reckoned | None:
        column = self._measured(most)
        if column is None and most.columns is None and self.asked.calls_rows:
            return self._commonest(most.sign)
        valued = self._valued(column) if column else []
        if column is None or not valued or len(valued) < 2 - (self.asked.by is not None):
            return None
        sign = most.sign_of(" ".join(column.words))
        act = Act.MOST if sign > 0 else Act.LEAST
        best_first = sorted(valued, key=lambda pair: -sign * pair[1])
        rank = self.asked.rank
        shown = [at for at, _ in best_first[: rank.count]]
        if rank.count == 1:  # all that are alike
            values = list(dict.fromkeys(value for _, value in best_first))
            if rank.first > len(values):
                return None
            shown = [at for at, value in valued if value == values[rank.first - 1]]
        rows = [at for at, _ in valued]
        value = dict(valued)[shown[0]]
        return self._made(act, shown, fitting=rows, column=column, value=value, rank=rank)

    def _commonest(self, sign: int) -> Reckoned | None:
        """Return the value of the column that is named which stands in most of the rows."""
        column = self.asked.column
        if column is None or column.is_of_days:
            return None
        values = [column.cells[at] for at in self.fitting if not is_nothing(column.cells[at])]
        counts = Counter(values)
        if len(counts) < 2 or len(counts) == len(values):
            return None
        best = max(counts.values(), key=lambda count: sign * count)
        chosen = [value for value, count in counts.items() if count == best]
        shown = [at for at in self.fitting if column.cells[at] in chosen]
        act = Act.COMMONEST if sign > 0 else Act.RAREST
        return self._made(act, shown, value=float(best)) if len(chosen) <= MOST_ALIKE else None

    def _measured(self, most: Superlative) -> TableColumn | None:
        """Return the column by which something is the most: the one named, if it is of that sort,
        or the one of that sort.
        """
        columns = [each for each in self.table.columns if each.is_of_figures or each.is_of_days]
        named = self.asked.column if self.asked.column in columns else None
        if most.columns is None:
            is_measure = named is not None and not CALENDAR.search(" ".join(named.words))
            column = self.asked.column
            is_of_rows = self._is_of_rows(column) if column else self.asked.calls_rows
            is_whole = is_of_rows and not most.is_of_merit
            whole = amount_of(columns) if is_whole else None
            return named if is_measure else whole or of_size(most, columns)
        is_named = named is not None and most.fits(" ".join(named.words))
        return named if is_named else fitted_by(most, columns)

    def _is_of_rows(self, column: TableColumn) -> bool:
        """Return whether the column is named by what the rows are: "Invoice no" of "Invoices"."""
        return not column.is_of_figures and any(calls(word, self.table) for word in column.words)

    def _valued(self, column: TableColumn) -> list[tuple[int, float]]:
        found = ((at, column.value(column.cells[at])) for at in self.fitting)
        return [(at, value) for at, value in found if value is not None]

    def _rows(self) -> Reckoned | None:
        """Return the rows under conditions that nothing but a table can be asked for, or what they
        come to.
        """
        wanted = self.asked.conditions
        if amount := self._amount():
            return self._total(Act.SUM, amount)
        is_compared = any(each.sign not in ("=", "∋", "~") for each in wanted)
        is_named = self.asked.column is not None or self.asked.calls_rows
        is_few = is_named and len(self.fitting) <= MOST_LOOKED_UP
        is_cell = self._is_called() and self.asked.column is not None and not self.asked.guessed
        # Words that stand somewhere in one column's cells are no condition that a row is asked by.
        is_bound = len({each.column.at for each in wanted}) > 1 or any(
            each.sign != "~" for each in wanted
        )
        is_asked = (
            is_compared
            or (len(wanted) > 1 and is_bound)
            or (self.is_sheet and (self.asked.lists or is_few))
            or (self.is_only and is_cell)
        )
        if not wanted or not is_asked or len(self.fitting) == len(self.table.rows):
            return None
        lists, column = self.asked.lists, self.asked.column or self._other_one()
        return self._made(Act.COUNT, self.fitting, lists=lists, looks_up=True, column=column)

    def _amount(self) -> TableColumn | None:
        """Return the column whose sum over several rows of a sheet is asked for without the word:
        "how much did Ada pay", "rent from May to July".
        """
        asked, wanted = self.asked, self.asked.conditions
        whole = amount_of(self.table.columns) if asked.how_much else None
        column = asked.column or whole
        is_known = self.is_sheet and not asked.guessed and wanted and not asked.lists
        if not is_known or len(self.fitting) < 2 or column is None or not column.is_of_figures:
            return None
        is_of_time = any(each.sign == ":" and _is_of_time(each.column) for each in wanted)
        adds = adds_up(column) or (asked.how_much and MEASURES.isdisjoint(column.words))
        is_one_group = compared_values(wanted) is None
        return column if adds and is_one_group and (asked.how_much or is_of_time) else None

    def _other_one(self) -> TableColumn | None:
        """Return the only column beside those of the conditions: "the index in May 2009"."""
        asked = {each.column.at for each in self.asked.conditions}
        others = [each for each in self.table.columns if each.at not in asked]
        return others[0] if len(others) == 1 else None


def _is_of_time(column: TableColumn) -> bool:
    return column.is_of_days or CALENDAR.search(" ".join(column.words)) is not None
