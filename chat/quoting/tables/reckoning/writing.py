"""Writing what was reckoned over a table: the figure, what it is of, and the rows themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from chat.quoting.kinds import kinds_of
from chat.quoting.spans import Quote
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.extremes import TableRow
from chat.quoting.tables.reading import is_nothing
from chat.quoting.tables.reckoning import MOST_ALIKE
from chat.quoting.tables.reckoning.results import Act, Reckoned
from chat.quoting.writing import quotable, written_quotes
from citations.models import Passage
from citations.retrieval.units import PassageUnit, UnitForm, units_of

# Rows that are shown of those that were reckoned with, and passages that they may stand in.
MOST_ROWS, MOST_PASSAGES = 12, 4
# So few are all shown.
FEW = 8
# Records are long.
MOST_RECORDS = 3
MOST_DIGITS = 5
# Signs that are not read by everybody, in words.
SIGNS = {"∋": gettext_lazy("has"), "~": gettext_lazy("has")}
# Groups and ranks that are told of.
MOST_LINES = 20
TEXTS = {
    Act.KINDS: gettext_noop(
        "*%(column)s* has **%(shown)d** different values in %(count)d rows of %(where)s"
    ),
    Act.SUM: gettext_noop(
        "The sum of *%(column)s* over %(count)d rows of %(where)s is **%(value)s**"
    ),
    Act.MEAN: gettext_noop(
        "The mean of *%(column)s* over %(count)d rows of %(where)s is **%(value)s**"
    ),
    Act.MOST: gettext_noop(
        "The largest *%(column)s* of %(count)d rows of %(where)s is **%(value)s**"
    ),
    Act.COMMONEST: gettext_noop(
        "Most often, in **%(value)s** of %(count)d rows of %(where)s, *%(column)s* is **%(cell)s**"
    ),
    Act.RAREST: gettext_noop(
        "Least often, in **%(value)s** of %(count)d rows of %(where)s, *%(column)s* is **%(cell)s**"
    ),
    Act.LEAST: gettext_noop(
        "The smallest *%(column)s* of %(count)d rows of %(where)s is **%(value)s**"
    ),
}
DIFFERS = {
    Act.COUNT: gettext_noop(
        "In *%(table)s* the numbers of rows for %(conditions)s differ by **%(value)s**"
    ),
    Act.SUM: gettext_noop(
        "In *%(table)s* the sums of *%(column)s* for %(conditions)s differ by **%(value)s**"
    ),
    Act.MEAN: gettext_noop(
        "In *%(table)s* the means of *%(column)s* for %(conditions)s differ by **%(value)s**"
    ),
}
ONE_ROW_EACH = gettext_noop(
    "In *%(table)s* *%(column)s* differs by **%(value)s** for %(conditions)s"
)
RANKED = {
    Act.MOST: gettext_noop("The %(shown)d largest *%(column)s* of %(count)d rows of %(where)s"),
    Act.LEAST: gettext_noop("The %(shown)d smallest *%(column)s* of %(count)d rows of %(where)s"),
}
NTH = {
    Act.MOST: gettext_noop(
        "In place %(place)d by the largest *%(column)s* of %(count)d rows of %(where)s is"
        " **%(value)s**"
    ),
    Act.LEAST: gettext_noop(
        "In place %(place)d by the smallest *%(column)s* of %(count)d rows of %(where)s is"
        " **%(value)s**"
    ),
}


@dataclass(frozen=True)
class TableAnswer:
    """What was reckoned, as an answer of its own."""

    reckoned: Reckoned
    question: str

    @property
    def passages(self) -> list[Passage]:
        """The passages in which the rows stand that are shown."""
        return list(self._shown())

    def written(self, labels: Mapping[int, int]) -> str:
        """Return it with the rows as a quotation; `labels` are those of the passages' keys."""
        quotes = [
            Quote(passage, tuple(units), tuple(_head(passage, units[0])), 1.0)
            for passage, units in self._shown().items()
            if passage.pk in labels
        ]
        if not quotes:
            return ""
        kinds = kinds_of(self.question)
        shown = sum(len(quote.units) for quote in quotes)
        lines = self._lines(shown)
        lead = "\n".join([f"{self._lead(shown, in_lines=bool(lines))}:", *lines])
        return f"{lead}\n\n{written_quotes(quotes, labels, kinds, self.question)}"

    def _lines(self, shown: int) -> list[str]:
        """Return as a list the figure of each group, the cell of each row of a rank, or what the
        rows are called that are asked for and not all shown.
        """
        made, table = self.reckoned, self.reckoned.table
        told: list[str] = []
        if made.by is not None:
            told = [f"{quotable(name)}: **{_figure(each)}**" for name, each in made.groups.items()]
        elif made.column and made.rank.count > 1:
            cells = ((table.names_of_rows[at], made.column.cells[at]) for at in made.shown)
            told = [f"{quotable(name)}: **{quotable(cell)}**" for name, cell in cells]
        elif made.lists and shown < len(made.shown):
            told = [quotable(table.names_of_rows[at]) for at in made.shown]
        more = [_("and %(count)d more") % {"count": len(told) - MOST_LINES}]
        lines = told[:MOST_LINES] + more * (len(told) > MOST_LINES)
        return ["", *(f"- {line}" for line in lines)] if lines else []

    def _shown(self) -> dict[Passage, list[PassageUnit]]:
        found: dict[Passage, list[PassageUnit]] = {}
        rows = [self.reckoned.table.rows[at] for at in self.reckoned.shown[:MOST_ROWS]]
        most = FEW if len(rows) <= FEW else MOST_PASSAGES
        are_records = bool(rows) and rows[0].unit.form is UnitForm.ITEM
        for row in rows[: MOST_RECORDS if are_records else MOST_ROWS]:
            for passage, unit in self._parts(row):
                if passage in found or len(found) < most:
                    found.setdefault(passage, []).append(unit)
        return found

    def _parts(self, row: TableRow) -> list[tuple[Passage, PassageUnit]]:
        """Return the parts of a row that tell what was asked for, or its first."""
        asked = [each.column.name for each in self.reckoned.conditions]
        asked += [self.reckoned.column.name] if self.reckoned.column else []
        parts = [(row.passage, row.unit), *row.more]
        telling = [
            (passage, unit)
            for passage, unit in parts
            if any(f"; {name}: " in unit.of(passage.text) for name in asked)
        ]
        return telling or parts[:1]

    def _lead(self, shown: int, *, in_lines: bool) -> str:
        made, name = self.reckoned, quotable(self.reckoned.table.name)
        conditions = _told(made.conditions)
        where, with_what = f"*{name}*", _told(made.of) if made.act is Act.SHARE else conditions
        if with_what:
            where = _("*%(table)s* with %(conditions)s") % {"table": name, "conditions": with_what}
        lead = self._wording() % {
            "count": len(made.fitting),
            "shown": len(made.shown),
            "all": len(made.table.rows),
            "table": name,
            "where": where,
            "conditions": conditions,
            "column": quotable(made.column.name) if made.column else "",
            "value": self._value(),
            "place": made.rank.first,
            "cell": self._cells(),
            "whole": made.whole,
            "lacks": quotable(made.lacks),
        }
        if made.different and made.column:
            said = {"said": lead, "count": made.different, "column": quotable(made.column.name)}
            lead = _("%(said)s, with **%(count)d** different values of *%(column)s*") % said
        if made.by is not None and not made.differs:
            said = {"said": lead, "column": quotable(made.by.name)}
            lead = _("%(said)s; by *%(column)s*") % said
        elif shown < len(made.shown) and not in_lines:
            rows = {"said": lead, "shown": shown, "all": len(made.shown)}
            lead = _("%(said)s; %(shown)d of the %(all)d rows are here") % rows
        return lead

    def _wording(self) -> str:
        """Return the sentence that tells what was reckoned, with names for its figures."""
        made = self.reckoned
        if made.lacks:
            return ngettext(
                "*%(table)s* has **%(count)d** row for %(conditions)s, but no column that is"
                " called *%(lacks)s*",
                "*%(table)s* has **%(count)d** rows for %(conditions)s, but no column that is"
                " called *%(lacks)s*",
                len(made.fitting),
            )
        if self._tells_a_cell():
            return _("In *%(table)s* *%(column)s* is **%(cell)s** for %(conditions)s")
        if made.looks_up and not made.column and len(made.fitting) == 1:
            return _("*%(table)s* has this row for %(conditions)s")
        if made.differs:
            is_one_row_each = made.column and len(made.fitting) == len(made.groups)
            return _(ONE_ROW_EACH if is_one_row_each else DIFFERS[made.act])
        if made.act is Act.SHARE:
            return _(
                "**%(value)s %%** of the rows of %(where)s, %(count)d of %(whole)d, fit"
                " %(conditions)s"
            )
        if made.rank.count > 1:
            return _(RANKED[made.act])
        if made.rank.first > 1:
            return _(NTH[made.act])
        if made.act is not Act.COUNT:
            return _(TEXTS[made.act])
        if not made.conditions:
            return _("*%(table)s* has **%(all)d** rows")
        return ngettext(
            "In *%(table)s* **%(count)d** row of %(all)d fits %(conditions)s",
            "In *%(table)s* **%(count)d** rows of %(all)d fit %(conditions)s",
            len(made.fitting),
        )

    def _tells_a_cell(self) -> bool:
        """Return whether all that is asked for is what one cell says."""
        made = self.reckoned
        asked = [each.column.at for each in made.conditions]
        return (
            made.looks_up
            and len(made.fitting) == 1
            and made.column is not None
            and made.column.at not in asked
            and not is_nothing(made.column.cells[made.fitting[0]])
        )

    def _cells(self) -> str:
        """Return what the column says in the rows that are shown."""
        made = self.reckoned
        told = dict.fromkeys(made.column.cells[at] for at in made.shown) if made.column else {}
        return " / ".join(map(quotable, list(told)[:MOST_ALIKE]))

    def _value(self) -> str:
        """Return the figure as it is told; of an extreme as its cell says it."""
        made = self.reckoned
        if made.act in (Act.MOST, Act.LEAST) and made.column:
            return quotable(made.column.cells[made.shown[0]])
        if made.differs:
            return _figure(max(made.groups.values()) - min(made.groups.values()))
        if made.act is Act.SHARE:
            return f"{100 * len(made.fitting) / made.whole:.1f}"
        return _figure(made.value or 0.0)


def _told(conditions: Sequence[Condition]) -> str:
    """Return what was wanted of the rows; of one column in one piece."""
    told: dict[str, list[str]] = {}
    for each in conditions:
        name, sign = quotable(each.column.name), SIGNS.get(each.sign, each.sign)
        is_of = f"*{name}* {sign} " if name else f"{sign} " * (each.sign != "=")
        told.setdefault(is_of, []).append(quotable(each.told))
    return ", ".join(f"{is_of}{' / '.join(told[is_of])}" for is_of in told)


def _figure(value: float) -> str:
    if value == int(value) or abs(value) >= 10**MOST_DIGITS:
        return f"{value:.0f}"
    return f"{value:.{MOST_DIGITS}g}"


def _head(passage: Passage, unit: PassageUnit) -> Sequence[PassageUnit]:
    """Return what stands above the first row that is shown: the header of its table."""
    above: list[PassageUnit] = []
    for each in units_of(passage):
        if each.start >= unit.start:
            break
        if each.form is UnitForm.ABOVE:
            above = [*above, each] if above and each.block == above[-1].block + 1 else [each]
    return above
