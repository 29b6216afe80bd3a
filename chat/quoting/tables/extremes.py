"""Extremes: which row of a table has the most or the least of what a question asks for.

"The cheapest" stands in no row: it is the one with the least price among all of them. So the whole
table is looked through, wherever its passages were cut, and a table that is too long isn't.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chat.quoting.kinds.wordings import FLAGS
from chat.quoting.tables.notation import Notation
from citations.formats.blocks import CELLS, BlockKind
from citations.index import index_terms
from citations.models import Passage
from citations.retrieval.units import PassageUnit, units_of
from memory.text.words import words

# Of fewer rows anybody sees it; the share of a column's cells that are values.
FEWEST_ROWS, ARE_VALUES = 3, 0.8
PRICE = r"price|cost|fee|rate|amount|preis|kosten|gebühr|precio|coste|tarifa|prix|tarif|coût"
AGE = r"age|alter|edad|âge"
DAY = r"date|day|year|time|updated|released?|datum|tag|jahr|fecha|día|año|jour|année"
# What tells when something was the most, and is no measure itself: "the year with the most rain".
CALENDAR = re.compile(
    r"\b(?:date|day|month|year|datum|tag|monat|jahr|fecha|día|mes|año|jour|mois|année)\b", FLAGS
)
WEALTH = (
    r"income|gdp|wealth|revenue|salary|salaries|wages?|pay|earnings?"
    r"|einkommen|gehalt|ingresos?|renta|revenu|salaire"
)
LENGTH = (
    r"length|duration|distance|dist|time|years|yrs|länge|dauer|longitud|duración|longueur|durée"
)
TIME = r"time|seconds?|secs?|minutes?|duration|zeit|tiempo|temps"
WEIGHT = r"weight|wt|mass|kg|lbs?|gewicht|peso|poids"
SPEED = r"speed|velocity|mph|geschwindigkeit|velocidad|vitesse"
HEIGHT = r"height|elevation|altitude|höhe|altura|hauteur"
HEAT = r"temp|temperature|temperatur|temperatura|température"
STRENGTH = r"magnitude|mag|strength|power|hp|horsepower|ps|stärke|magnitud|potencia|puissance"
# Of these the best is the least.
UNWANTED = re.compile(
    r"\b(?:unemploy\w*|crimes?|murders?|deaths?|mortality|poverty|errors?|faults?|defects?|loss(?:es)?"
    r"|costs?|prices?|fees?|debts?|inflation|pollution|emissions?|delays?|risks?|failures?"
    r"|complaints?|accidents?|rank|noise|times?|duration|arbeitslos\w*|preis\w*|kosten|fehler"
    r"|desempleo|precios?|errores|chômage|prix|erreurs?)\b",
    FLAGS,
)
SIZE = r"area|size|surface|fläche|größe|superficie|área|tamaño|taille"
DEATHS = r"death|dead|killed|fatalitie|tote|muerto|mort"


@dataclass(frozen=True)
class Superlative:
    """How the most or the least is asked for, and what its column may be called, if that tells."""

    asks: re.Pattern[str]
    sign: int
    columns: re.Pattern[str] | None = None
    # The columns of which it is the other end: the fastest has the least time.
    inverse: re.Pattern[str] | None = None
    # What else its column may be called, if the question names none: the largest has the most area.
    size: re.Pattern[str] | None = None
    # Whether it depends on the column which end is meant: "the worst unemployment".
    is_of_merit: bool = False

    def fits(self, column: str) -> bool:
        """Return whether the superlative alone says that a column of this name is meant."""
        return any(each.search(column) for each in (self.columns, self.inverse) if each)

    def sign_of(self, column: str) -> int:
        """Return which end of a column of this name is meant: 1 for the most, -1 for the least."""
        is_inverse = self.inverse is not None and self.inverse.search(column) is not None
        is_unwanted = self.is_of_merit and UNWANTED.search(column) is not None
        return -self.sign if is_inverse or is_unwanted else self.sign


def superlative(
    asks: str, sign: int, columns: str = "", inverse: str = "", size: str = ""
) -> Superlative:
    named = re.compile(rf"\b(?:{columns})s?\b", FLAGS) if columns else None
    other = re.compile(rf"\b(?:{inverse})\b", FLAGS) if inverse else None
    large = re.compile(rf"\b(?:{size})\b", FLAGS) if size else None
    return Superlative(re.compile(rf"\b(?:{asks})\b", FLAGS), sign, named, other, large)


def of_merit(asks: str, sign: int) -> Superlative:
    return Superlative(re.compile(rf"\b(?:{asks})\b", FLAGS), sign, is_of_merit=True)


# The first that fits counts: "most expensive" before "most".
SUPERLATIVES = (
    superlative(r"cheapest|least expensive|billigste\w?|günstigste\w?|más barat\w+", -1, PRICE),
    superlative(r"most expensive|priciest|dearest|costliest|teuerste\w?|más car[oa]s?", 1, PRICE),
    superlative(r"oldest|älteste\w?|más viej[oa]s?|plus âgée?s?", 1, AGE),
    superlative(r"live[ds]? (?:the )?longest|longest[- ]lived", 1, AGE),
    superlative(r"youngest|jüngste\w?|más joven|plus jeunes?", -1, AGE),
    superlative(r"latest|newest|most recent\w*|neueste\w?|más recientes?|plus récente?s?", 1, DAY),
    superlative(r"earliest|früheste\w?", -1, DAY),
    superlative(r"richest|wealthiest|reichste\w?|más ric[oa]s?|plus riches?", 1, WEALTH),
    superlative(r"poorest|ärmste\w?|más pobres?|plus pauvres?", -1, WEALTH),
    superlative(r"longest|längste\w?|más larg[oa]s?|plus longs?", 1, LENGTH),
    superlative(r"shortest|kürzeste\w?|más cort[oa]s?|plus courte?s?", -1, LENGTH),
    superlative(r"heaviest|schwerste\w?|más pesad[oa]s?|plus lourde?s?", 1, WEIGHT),
    superlative(r"lightest|leichteste\w?|más liger[oa]s?|plus lég[eè]re?s?", -1, WEIGHT),
    superlative(r"fastest|quickest|schnellste\w?|más rápid[oa]s?|plus rapides?", 1, SPEED, TIME),
    superlative(r"slowest|langsamste\w?|más lent[oa]s?|plus lente?s?", -1, SPEED, TIME),
    superlative(r"(?:best|highest)[- ]paid|best[- ]paying|pays? (?:the )?(?:best|most)", 1, WEALTH),
    superlative(
        r"(?:worst|lowest)[- ]paid|worst[- ]paying|pays? (?:the )?(?:worst|least)", -1, WEALTH
    ),
    superlative(r"tallest", 1, HEIGHT),
    superlative(r"hottest|warmest|heißeste\w?|wärmste\w?|más calientes?|plus chaude?s?", 1, HEAT),
    superlative(r"coldest|coolest|kälteste\w?|más frí[oa]s?|plus froide?s?", -1, HEAT),
    superlative(r"strongest|most powerful|stärkste\w?|más fuertes?|plus forte?s?", 1, STRENGTH),
    superlative(r"weakest|least powerful|schwächste\w?", -1, STRENGTH),
    superlative(r"deadliest|tödlichste\w?|más mort[aí]f?er[oa]s?|plus meurtri\w+", 1, DEATHS),
    superlative(r"smallest|kleinste\w?|más pequeñ[oa]s?|menor|plus petite?s?", -1, size=SIZE),
    superlative(r"largest|biggest|größte\w?|más grandes?|mayor|plus grande?s?", 1, size=SIZE),
    superlative(
        r"lowest|least|fewest|minimum|niedrigste\w?|wenigste\w?|más baj[oa]s?|mínim[oa]s?"
        r"|plus bas",
        -1,
    ),
    superlative(
        r"highest|greatest|most|maximum|höchste\w?|meiste\w?|más alt[oa]?s?|máxim[oa]s?"
        r"|plus haute?s?",
        1,
    ),
    of_merit(r"best|beste[nrs]?|mejor(?:es)?|meilleure?s?", 1),
    of_merit(r"worst|schlechteste\w?|peor(?:es)?|pires?", -1),
)


@dataclass(frozen=True)
class TableRow:
    """A row of a table: its passage, the unit that it is there, and its cells."""

    passage: Passage
    unit: PassageUnit
    cells: Sequence[str]
    # Where the further parts of a long one stand.
    more: Sequence[tuple[Passage, PassageUnit]] = ()

    @property
    def start(self) -> int:
        """Where it begins in its passage."""
        return self.unit.start


def superlative_of(question: str) -> Superlative | None:
    """Return how the question asks for the most or the least of something, if it does."""
    return next((each for each in SUPERLATIVES if each.asks.search(question)), None)


def headers_of(passage: Passage) -> list[str]:
    """Return the rows of a passage that say what the columns of its tables are."""
    spans = passage.spans
    return [passage.text[span.start : span.end] for span in spans if span.kind == BlockKind.HEADER]


def extreme_row(question: str, passages: Iterable[Passage]) -> TableRow | None:
    """Return the row of the first table that has the most or the least of what is asked for."""
    sought = superlative_of(question)
    if sought is None:
        return None
    tables: dict[str, list[TableRow]] = {}
    for passage in passages:
        for header, row in rows_under_headers(passage):
            tables.setdefault(header, []).append(row)
    found = (
        _extreme(question, sought, header.split(CELLS), rows) for header, rows in tables.items()
    )
    return next((row for row in found if row is not None), None)


def rows_under_headers(passage: Passage, above: str = "") -> Iterator[tuple[str, TableRow]]:
    """Yield the rows of a passage, each with the header that it stands under: that `above` it, if
    it has none of its own.
    """
    header = above
    for unit in units_of(passage):
        text = unit.of(passage.text)
        kind = passage.spans[unit.block].kind if passage.spans else BlockKind.PARAGRAPH
        if kind == BlockKind.HEADER:
            header = text
        elif kind == BlockKind.ROW and header:
            yield header, TableRow(passage, unit, text.split(CELLS))


def _extreme(
    question: str, sought: Superlative, names: Sequence[str], rows: Sequence[TableRow]
) -> TableRow | None:
    column = _column(question, sought, names, rows)
    if column is None:
        return None
    about = set(index_terms(sought.asks.sub(" ", question))) - set(index_terms(" ".join(names)))
    notation = Notation.of(cell for row in rows for cell in row.cells[column : column + 1])
    valued = [
        (value, row)
        for row in _most_fitting(rows, about)
        if column < len(row.cells) and (value := notation.value(row.cells[column])) is not None
    ]
    sign = sought.sign_of(names[column])
    return max(valued, key=lambda pair: sign * pair[0])[1] if valued else None


def _column(
    question: str, sought: Superlative, names: Sequence[str], rows: Sequence[TableRow]
) -> int | None:
    """Return which column is meant: by what the superlative is said of, by the question's words, or
    since no other one holds values.
    """
    columns = [
        at
        for at in range(len(names))
        if (sought.columns or not CALENDAR.search(names[at])) and _holds_values(rows, at)
    ]
    asked = set(index_terms(question))
    said = [at for at in columns if sought.fits(names[at])]
    named = [at for at in columns if asked.intersection(index_terms(names[at]))]
    is_said = sought.columns is not None or sought.is_of_merit
    alone = columns if not is_said and len(columns) == 1 else []
    return next(iter([*said, *named, *alone]), None)


def _holds_values(rows: Sequence[TableRow], column: int) -> bool:
    cells = [row.cells[column] for row in rows if column < len(row.cells) and row.cells[column]]
    notation = Notation.of(cells)
    values = [cell for cell in cells if notation.value(cell) is not None]
    return len(values) >= max(FEWEST_ROWS, ARE_VALUES * len(cells))


def _most_fitting(rows: Sequence[TableRow], about: set[str]) -> list[TableRow]:
    """Return the rows that hold the most of what the question is about; all, if none does."""
    held = [len(about.intersection(index_terms(CELLS.join(row.cells)))) for row in rows]
    most = max(held, default=0)
    return [row for row, count in zip(rows, held, strict=True) if count == most]


def words_of(most: Superlative | None, question: str) -> str:
    """Return the words of the superlative as they stand in the question, for a pattern."""
    found = most.asks.search(question) if most else None
    return re.escape(" ".join(words(found.group()))) if found else ""
