"""Results: what was reckoned over a table, of which rows and by which column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.ranks import BEST, Rank
from chat.quoting.tables.reading import Table, TableColumn


class Act(StrEnum):
    """What was reckoned."""

    COUNT = "count"
    KINDS = "kinds"  # how many different values a column has
    SUM = "sum"
    MEAN = "mean"
    MOST = "most"
    LEAST = "least"
    COMMONEST = "commonest"
    RAREST = "rarest"
    SHARE = "share"


@dataclass(frozen=True)
class Reckoned:
    """What came of it: over which rows, under which conditions, of which column."""

    table: Table
    act: Act
    conditions: Sequence[Condition]
    # The rows that fit, and those that are shown for it, which may be the best of them.
    fitting: Sequence[int]
    shown: Sequence[int]
    column: TableColumn | None = None
    value: float | None = None
    guessed: int = 0
    # What is told of each: of groups their figures, of ranks the cells of their rows.
    by: TableColumn | None = None
    groups: Mapping[str, float] = field(default_factory=dict)
    rank: Rank = BEST
    # How many different values the column has in the rows that are counted.
    different: int = 0
    # Whether the rows are asked for by what they are called, or what the column says in them.
    lists: bool = False
    looks_up: bool = False
    # What is asked of the rows in words that no column is called by.
    lacks: str = ""
    # Whether it is asked what the two groups differ by; of what and how many rows it is a share.
    differs: bool = False
    of: Sequence[Condition] = ()
    whole: int = 0
