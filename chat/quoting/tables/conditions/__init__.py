"""Conditions: what a question wants of the rows, bound to columns and to what stands in them."""

from collections.abc import Iterator, Sequence

from chat.quoting.tables.asked import SMALL, Asked, calls
from chat.quoting.tables.conditions.amounts import of_figures, of_none
from chat.quoting.tables.conditions.days import of_days
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.conditions.yes_or_no import of_yes_or_no
from chat.quoting.tables.naming import named_column, naming
from chat.quoting.tables.reading import PARTED, Table, TableColumn
from chat.quoting.tables.wordings import NONE
from memory.text.words import stem, words

# Words of a cell that a question names in full.
LONGEST_VALUE = 4
# What a cell says where there is none of it.
ABSENT = frozenset("none no false n nein kein keine ninguno ninguna aucun aucune non".split())
# Letters of a value that is short for a word.
SHORTEST = 4
# So many values a column has at most that sorts rows, and so many rows each of them at the mean.
MOST_SORTS, FEWEST_OF_SORT = 30, 3
# Letters of a code that countries are told by.
CODE = 3
# Words for values that sheets write otherwise.
VALUES_ALIKE = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "female f women woman girl girls weiblich frau frauen mujer mujeres femme femmes",
        "usa us america american americans",
        "gbr gb uk britain british",
        "male m man men boy boys mannlich mann manner hombre hombres homme hommes",
    )
)


def conditions_of(asked: Asked, table: Table) -> list[Condition]:
    """Return what the question wants of the rows; its words are understood then."""
    found = list(_of_values(asked, table, several=True))
    found += of_figures(asked, table)
    found += of_yes_or_no(asked, table)
    found += of_days(asked, table)
    found += of_none(asked, table)
    found += _of_nothing(asked, table)
    found += _of_values(asked, table, several=False)
    found += _of_parts(asked, table)
    return found


def _of_values(asked: Asked, table: Table, *, several: bool) -> Iterator[Condition]:
    """Yield a condition for each stretch of words that is all that some cells of a column say."""
    texts = [each for each in table.columns if not each.is_of_figures and not each.is_of_days]
    for stretch in asked.stretches(LONGEST_VALUE):
        said = [asked.words[at] for at in stretch]
        if (len(stretch) > 1) != several or not asked.open.issuperset(stretch):
            continue
        if len(stretch) == 1 and (said[0] in SMALL or _names_better(said[0], table)):
            continue
        values = same_values(tuple(map(stem, said)))
        holding = [each for each in texts if not each.values.isdisjoint(values)]
        if not holding and len(said) == 1 and not calls(said[0], table):
            values = _shortened(said[0], texts)
            holding = [each for each in texts if not each.values.isdisjoint(values)]
        if _is_of_same_rows(holding, values):
            asked.open -= set(stretch)
            is_part = not holding[0].parts.isdisjoint(values)
            yield _has_one_of(holding[0], values) if is_part else _is_one_of(holding[0], values)


def _is_of_same_rows(columns: Sequence[TableColumn], values: frozenset[tuple[str, ...]]) -> bool:
    """Return whether there is one column, or each says the values in the same rows: a name in
    several languages.
    """
    rows = {tuple(at for at, said in enumerate(each.stems) if said in values) for each in columns}
    return len(rows) == 1


def _names_better(word: str, table: Table) -> bool:
    return any(stem(word) == stem(own) for column in table.columns for own in column.words)


def same_values(value: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return how cells may say a value: "women" is "female" and "F"."""
    alike = [group for group in VALUES_ALIKE if len(value) == 1 and value[0] in group]
    return frozenset([value, *((other,) for group in alike for other in group)])


def _shortened(word: str, columns: Sequence[TableColumn]) -> frozenset[tuple[str, ...]]:
    """Return the values of which the word is a longer or a shorter form: "Prof" of "professors",
    "GER" of "germans", "Germany" of "german".
    """
    return frozenset(
        (stem(cell.lower()),)
        for column in columns
        for cell in column.single_words
        if cell.lower() != word and _is_form(word, cell)
    )


def _is_form(word: str, cell: str) -> bool:
    value = cell.lower()
    if value.startswith(word):
        return len(word) > SHORTEST and len(value) - len(word) < CODE
    is_long = len(cell) >= SHORTEST or (len(cell) == CODE and cell.isupper())
    return is_long and word.startswith(value)


def _is_one_of(column: TableColumn, values: frozenset[tuple[str, ...]]) -> Condition:
    told = next(
        cell for cell, stems in zip(column.cells, column.stems, strict=True) if stems in values
    )
    return Condition(column, "=", told, lambda cell: tuple(map(stem, words(cell))) in values)


def _has_one_of(column: TableColumn, values: frozenset[tuple[str, ...]]) -> Condition:
    """Return that a cell says one of the values, alone or among others: "Catalan, Spanish"."""

    def holds(cell: str) -> bool:
        return any(tuple(map(stem, words(part))) in values for part in PARTED.split(cell))

    told = next(cell for cell in column.cells if tuple(map(stem, words(cell))) in values)
    return Condition(column, "∋", told, holds)


def _of_parts(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield a condition for each word that stands in cells of one column among others; where it
    calls one value alone, for that one: "europe" for "europe_central_asia".
    """
    texts = [each for each in table.columns if not each.is_of_figures and not each.is_of_days]
    for [at] in list(asked.stretches(1)):
        word = asked.words[at]
        if at not in asked.open:
            continue
        if word in SMALL or calls(word, table) or _names_better(word, table):
            continue
        listing = [each for each in texts if (stem(word),) in each.parts]
        holding = [each for each in texts if any(stem(word) in cell for cell in each.stems)]
        if len(listing) == 1 or len(holding) == 1:
            asked.open.discard(at)
            column, *_ = listing if len(listing) == 1 else holding
            value = () if listing else value_called(word, column)
            if value:
                asked.open -= {to for to in asked.open if stem(asked.words[to]) in value}
                yield _is_one_of(column, frozenset([value]))
            else:
                yield _holds_word(column, word, is_part=len(listing) == 1)


def value_called(word: str, column: TableColumn) -> tuple[str, ...]:
    """Return the stems of the one value with the word, which begins with it ("Brightwater Ltd") or
    is of a column that sorts the rows: most of its values are in several of them; else nothing.
    """
    values = set(column.stems)
    called = [value for value in values if stem(word) in value]
    sorts = len(values) <= MOST_SORTS and len(values) * FEWEST_OF_SORT <= len(column.cells)
    is_it = len(called) == 1 and (sorts or called[0][0] == stem(word))
    return called[0] if is_it else ()


def _of_nothing(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield that there is none of what a column of texts tells: "no airbags"."""
    found = NONE.search(asked.text)
    at = asked.text.count(" ", 0, found.start()) if found else -1
    if found is None or at not in asked.open or found.group() == "any":
        return
    texts = [each for each in table.columns if not each.is_of_figures and not each.is_of_days]
    for end in (at + 3, at + 2):
        said = asked.words[at + 1 : end]
        column = named_column(said, texts) if all(each not in SMALL for each in said) else None
        none = {cell for cell in column.cells if cell.lower() in ABSENT} if column else set()
        if column and none and all(naming(word, column) for word in said):
            asked.open -= {*range(at, end)}
            yield Condition(column, "=", " / ".join(sorted(none)), none.__contains__)
            return


def _holds_word(column: TableColumn, word: str, *, is_part: bool) -> Condition:
    def holds(cell: str) -> bool:
        said = PARTED.split(cell) if is_part else words(cell)
        return any([stem(word)] == list(map(stem, words(each))) for each in said)

    return Condition(column, "∋" if is_part else "~", word, holds)
