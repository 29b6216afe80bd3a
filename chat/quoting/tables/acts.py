"""Acts: what a question wants to have done with a table: counted, added up, put in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.extremes import CALENDAR, Superlative, superlative_of, words_of
from chat.quoting.tables.groups import adds_up, grouped_by
from chat.quoting.tables.naming import named_column, naming
from chat.quoting.tables.ranks import BEST, Rank, rank_of, top_of
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.wordings import (
    AND_OF_IT,
    COMMONEST,
    COUNT,
    DIFFERENCE,
    MEAN,
    NUMBER_OF,
    OF_ALL,
    OF_US,
    OVER_ALL,
    SHARE,
    SORTS,
    SUM,
    THAN,
)
from memory.text.words import stem

# "The windiest day" is that with the most wind, if a column is called so.
MADE_INTO_ONE = re.compile(r"([a-z]{3,12}?)(?:i?est)")
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
class AskedAct:
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
    # Whether it is what two differ by, or which share of the rows it is.
    differs: bool = False
    # The column of several rows each, of which one has the most or the least of all of its rows.
    among: TableColumn | None = None
    is_share: bool = False


def act_of(question: str, asked: Asked, table: Table) -> AskedAct:
    """Return what is to be reckoned; the words that say it are understood then."""
    asked.take(AND_OF_IT)
    _take_what_was_done(asked, table)
    if not named_in_full(SHARE, asked, table) and (counted := asked.take(SHARE)) is not None:
        return AskedAct(Asks.COUNT, counted, is_share=True)
    if not named_in_full(DIFFERENCE, asked, table) and asked.take(DIFFERENCE) is not None:
        asked.take(MEAN)
        asked.take(THAN)
        return AskedAct(Asks.COUNT, differs=True)
    is_ranked = superlative_of(question) is not None or top_of(asked) is not None
    by = grouped_by(asked, table, is_ranked=is_ranked)
    counted = None if _is_most_of_a_number(question, asked) else asked.take(COUNT)
    sorts = counted is not None and asked.take(SORTS) is not None
    is_sum, is_mean = asked.take(SUM) is not None, asked.take(MEAN) is not None
    if is_sum or is_mean:
        asks, most = Asks.MEAN if is_mean else Asks.SUM, superlative_of(question)
        asked.take(OVER_ALL)
        by = by or (behind_which(asked, table.columns) if most else None)
        if most and by:
            _take(most, question, asked)
        return AskedAct(asks, counted, sorts, most if by else None, by=by)
    if counted is not None:
        return AskedAct(Asks.COUNT, counted, sorts, by=by)
    if asked.take(COMMONEST) is not None:
        return AskedAct(Asks.COMMONEST)
    most, measure = _superlative(question, asked, table)
    rank = rank_of(asked, words_of(most, question))
    if top := top_of(asked):
        most = most or Superlative(re.compile(top.group()), 1 if top["end"] == "top" else -1)
    if most is None:
        return AskedAct(Asks.COUNT if by else Asks.ROWS, by=by)
    _take(most, question, asked)
    among = None if by or rank else _among(most, question, asked, table)
    rank = rank or BEST
    return AskedAct(Asks.EXTREME, most=most, measure=measure, rank=rank, by=by, among=among)


def named_in_full(pattern: re.Pattern[str], asked: Asked, table: Table) -> bool:
    """Return whether a column is called by what the pattern finds: "percentage of fat"."""
    said = pattern.search(asked.text)
    own = [stem(word) for each in table.columns for word in each.words]
    return said is not None and any(stem(word) in own for word in said.group().split())


def _take_what_was_done(asked: Asked, table: Table) -> None:
    """Take for understood what somebody did, unless figures are called so: "hours did i work"."""
    said = OF_US.search(asked.text)
    figures = [each for each in table.columns if each.is_of_figures]
    if said and not any(naming(said["act"], each) for each in figures):
        asked.take(OF_US)


def _is_most_of_a_number(question: str, asked: Asked) -> bool:
    """Return whether the most of what is counted is asked for, and take that: "highest number
    of".
    """
    said = words_of(superlative_of(question), question)
    is_so = bool(said) and re.search(rf"{said} {NUMBER_OF.pattern}", asked.text) is not None
    return is_so and asked.take(NUMBER_OF) is not None


def _take(most: Superlative, question: str, asked: Asked) -> None:
    if said := words_of(most, question):
        asked.take(re.compile(said))


def _superlative(
    question: str, asked: Asked, table: Table
) -> tuple[Superlative | None, TableColumn | None]:
    """Return how the most or the least is asked for, with its column if it is made of that."""
    figures = [each for each in table.columns if each.is_of_figures]
    most = superlative_of(question)
    if most is not None:
        return most, None
    for word in asked.words:
        made = MADE_INTO_ONE.fullmatch(word)
        base = made[1] if made else ""
        bases = {base, base[:-1] if base[-2:-1] == base[-1:] else base}
        named = [each for each in figures if made and bases.intersection(each.words)]
        if len(named) == 1:
            return Superlative(re.compile(word), 1), named[0]
    return None, None


def _among(most: Superlative, question: str, asked: Asked, table: Table) -> TableColumn | None:
    """Return the column behind "which" that says the same in several rows, if most of all of them
    is asked for: "which customer paid the most".
    """
    if OF_ALL.fullmatch(words_of(most, question)) is None:
        return None
    several = [each for each in table.columns if len(set(each.filled)) < len(each.filled)]
    return behind_which(asked, several)


def behind_which(asked: Asked, columns: Sequence[TableColumn]) -> TableColumn | None:
    """Return the column of texts, or of years and the like, that the word behind "which" names,
    which is understood then.
    """
    at = next((at for at, word in enumerate(asked.words[:-1], 1) if word in WHICH), -1)
    texts = [
        each for each in columns if not each.is_of_figures or CALENDAR.search(" ".join(each.words))
    ]
    return take_named(asked, [at], texts) if at in asked.open else None


def take_named(
    asked: Asked, places: Sequence[int], columns: Sequence[TableColumn]
) -> TableColumn | None:
    """Return the column that the words in these places name, which are understood then."""
    column = named_column([asked.words[at] for at in places], columns)
    if column is not None:
        asked.open -= {at for at in places if naming(asked.words[at], column)}
    return column


def asks_for(act: AskedAct, column: TableColumn | None, *, is_among: bool) -> Asks:
    """Return what is reckoned: of figures that are put together or differ their sum or mean, and of
    what is none how many there are.
    """
    asks = Asks.SUM if is_among else act.asks
    is_counted, is_figure = act.counted is not None, column is not None and column.is_of_figures
    if column and is_figure and asks is Asks.COUNT and (act.by or act.differs) and not is_counted:
        return Asks.SUM if adds_up(column) else Asks.MEAN
    return Asks.COUNT if asks is Asks.SUM and is_counted and not is_figure else asks
