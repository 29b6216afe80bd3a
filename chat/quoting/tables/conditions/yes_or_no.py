"""Yes or no: "how many countries are landlocked" wants those whose column of that name says yes."""

import re
from collections.abc import Iterator

from chat.quoting.tables.asked import SMALL, Asked
from chat.quoting.tables.conditions.fitting import Condition
from chat.quoting.tables.reading import Table, TableColumn
from memory.text.words import stem

YES = frozenset("yes y true t 1 ja j oui o si sí s vrai wahr verdadero x ✓ ✔".split())
NO = frozenset("no n false f 0 nein non faux falsch falso ✗ -".split()) | {""}
# What turns a word round: "unpaid", "nonsmoking", "unbezahlt", "impayé", "inactivo".
TURNED = ("un", "non", "in", "im", "ir")
# What a bill is that was paid, and one that wasn't.
PAID = re.compile(r"paid|settled|bezahlt\w*|beglichen\w*|pagad[oa]s?|payee?s?|reglee?s?")
OPEN = re.compile(r"open|outstanding|offene?\w?|ausstehend\w*|pendientes?|abiert[oa]s?")
# What denies it, and how far before it.
NOT = frozenset("not no without never nicht kein keine keinen ohne sin non pas sans ne".split())
FAR = 3
# Letters of a name that longer words may begin with.
SHORTEST = 4
# "Is Ada paid" asks for what the column says, whichever it is.
ASKS_WHICH = re.compile(r"(?:is|are|was|were|has|have|did|does|do|ist|sind|hat|est|es|esta)\b")


def of_yes_or_no(asked: Asked, table: Table) -> Iterator[Condition]:
    """Yield a condition for each word that is the name of a column which only says yes or no."""
    if ASKS_WHICH.match(asked.text):
        return
    columns = [(_name_of(each), each) for each in table.columns if says_yes_or_no(each)]
    for at in sorted(asked.open):
        word = asked.words[at]
        meant = [(word, True)]
        meant += [(word.removeprefix(each), False) for each in TURNED if word.startswith(each)]
        meant += [("paid", False)] * (OPEN.fullmatch(word) is not None)
        for said, is_so in meant:
            named = [column for name, column in columns if name and _is_called(said, name)]
            if len(named) == 1:
                asked.open.discard(at)
                yield _says(named[0], NO if _take_not(asked, at) == is_so else YES)
                break


def _name_of(column: TableColumn) -> str:
    """Return the one word that it is called, but for what says little: "is_final"."""
    said = [word for word in column.words if word not in SMALL]
    return said[0] if len(said) == 1 else ""


def _is_called(word: str, name: str) -> bool:
    """Return whether the word is the name, or goes on as it begins: "airconditioning" of "airco",
    "survivors" of "survived".
    """
    begun = name if word.startswith(name) else stem(name)
    is_longer = len(begun) >= SHORTEST + (begun != name) and word.startswith(begun)
    are_paid = PAID.fullmatch(word) is not None and PAID.fullmatch(name) is not None
    return stem(word) == stem(name) or is_longer or are_paid


def _take_not(asked: Asked, at: int) -> bool:
    """Return whether the word in the place is denied: "not paid", "nicht bezahlt", "without a
    pool"; the words that say so are understood then.
    """
    for first in range(at - 1, max(at - 1 - FAR, -1), -1):
        if first in asked.open and asked.words[first] in NOT:
            asked.open.discard(first)
            return True
        if asked.words[first] not in SMALL:
            break
    return False


def says_yes_or_no(column: TableColumn) -> bool:
    """Return whether its cells say nothing but yes and no, and both."""
    said = {cell.strip().lower() for cell in column.cells}
    return said <= YES | NO and not said.isdisjoint(YES) and not said.isdisjoint(NO)


def _says(column: TableColumn, wanted: frozenset[str]) -> Condition:
    told = next(cell for cell in column.cells if cell.strip().lower() in wanted)
    return Condition(column, "=", told or "–", lambda cell: cell.strip().lower() in wanted)
