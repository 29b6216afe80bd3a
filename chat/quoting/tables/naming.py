"""Naming: which column a word of a question names: by its own name, a part of it, a shorter form
of the word ("cyl", "wt"), or another word for the same.
"""

from collections.abc import Sequence

from chat.quoting.kinds.alike import are_alike
from chat.quoting.tables.extremes import Superlative
from chat.quoting.tables.reading import TableColumn
from memory.text.words import stem

# Letters of a short form: "pop", "temp"; "wt" has none of the vowels.
SHORTEST_FORM, LONGEST_WITHOUT_VOWELS = 3, 4
# Letters of which some vowels may lack, and nothing else.
LONG = 6
VOWELS = frozenset("aeiouy")
# What the column of the whole amount of a row is called, beside its parts.
AMOUNT = frozenset(
    "total amount gesamt summe betrag gesamtbetrag brutto importe monto bruto montant ttc".split()
)
# Of several of these, what the whole is called.
WHOLE = frozenset("total brutto bruto ttc".split())
# What says that a column counts; what stands behind the word that says of what it is.
OF_COUNTS = frozenset("number no nr of count total sum anzahl numero nombre de".split())
BEHIND_HEADS = frozenset("per by in on at for from with pro je in por par".split())
# How surely a word names a column.
ITSELF, SHORTENED, SAME, BARELY = 4, 3, 2, 1


def naming(word: str, column: TableColumn) -> int:
    """Return how surely a word names the column: 0 if it doesn't."""
    near = BARELY if stem(word) in column.near else 0
    return max((_alike(word, own) for own in column.words), default=0) or near


def _alike(word: str, own: str) -> int:
    if stem(word) == stem(own):
        return ITSELF
    if len(own) >= SHORTEST_FORM and own.isalpha() and word.startswith(own):
        return SHORTENED
    if are_alike(word, own):
        return SAME
    is_written_short = len(own) >= LONG and _without_vowels(own) == _without_vowels(word)
    if is_written_short and _is_bare_form(own, word):  # "bathrms"
        return SHORTENED
    is_bare = len(own) <= LONGEST_WITHOUT_VOWELS and not VOWELS.intersection(own)
    return BARELY if is_bare and _is_bare_form(own, word) else 0


def _without_vowels(word: str) -> str:
    return "".join(letter for letter in word if letter not in VOWELS)


def _is_bare_form(own: str, word: str) -> bool:
    """Return whether the letters are some of the word's, with its first and its last: "wt",
    "yr".
    """
    letters = iter(word)
    is_longer = len(word) > len(own) > 1
    return (
        is_longer
        and (own[0], own[-1]) == (word[0], word[-1])
        and all(letter in letters for letter in own)
    )


def counts(word: str, column: TableColumn) -> bool:
    """Return whether the column's figures are how many there are of what the word says: "Hotels per
    city" and "Number of hotels" are, "Hotel limit" is not.
    """
    said = [each for each in column.words if each not in OF_COUNTS and not each.isdigit()]
    cut = next((at for at, each in enumerate(said) if at and each in BEHIND_HEADS), len(said))
    is_told = len(said) < len(column.words) and not column.words[-1].isdigit()
    head = said[cut - 1 : cut]
    return naming(word, column) > 0 and (is_told or any(_alike(word, each) for each in head))


def is_joined(first: str, second: str, column: TableColumn) -> bool:
    """Return whether two words are written as one in the column's name: "horsepower", "bodywt"."""
    return any(
        first + second == own or (own.startswith(first) and _alike(second, own[len(first) :]) > 0)
        for own in column.words
        if len(first) >= SHORTEST_FORM and len(own) > len(first)
    )


def named_column(said: Sequence[str], columns: Sequence[TableColumn]) -> TableColumn | None:
    """Return the column that these words name most surely, or None if several are named alike."""
    best = [(sum(naming(word, column) for word in said), column) for column in columns]
    most = max((sure for sure, _ in best), default=0)
    named = [column for sure, column in best if sure == most]
    if most == 0:
        return None
    if len(named) > 1:  # "hurricanes", where another one is of hurricanes by year
        alone = [column for column in named if len(column.words) == len(said)]
        named = alone or [column for column in named if "total" in column.words]
    return named[0] if len(named) == 1 else None


def amount_of(columns: Sequence[TableColumn]) -> TableColumn | None:
    """Return the one column that holds the whole amount of each row, if there is one."""
    found = [each for each in columns if each.is_of_figures and AMOUNT.intersection(each.words)]
    whole = [each for each in found if WHOLE.intersection(each.words)] if len(found) > 1 else found
    return whole[0] if len(whole) == 1 else None


def fitted_by(most: Superlative, columns: Sequence[TableColumn]) -> TableColumn | None:
    """Return the column of which a superlative alone says that it is meant: the hottest is that of
    the most "temp_max", the largest that of the most "area".
    """
    fitting = [each for each in columns if most.fits(" ".join(each.words))]
    plain = [each for each in fitting if len(each.words) == 1]
    if len(fitting) > 1 and len(plain) == 1:  # "Price" beside "Min. price" and "Max. price"
        return plain[0]
    if len(fitting) > 1:
        ends = {"total", "max" if most.sign > 0 else "min"}
        fitting = [each for each in fitting if ends.intersection(each.words)]
    return fitting[0] if len(fitting) == 1 else None


def of_size(most: Superlative, columns: Sequence[TableColumn]) -> TableColumn | None:
    """Return the one column that tells how large each row is, if the superlative is of that."""
    sized = [each for each in columns if most.size and most.size.search(" ".join(each.words))]
    return sized[0] if len(sized) == 1 else None
