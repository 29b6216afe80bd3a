"""Beyond a row: what a question wants of a table that no row of it tells by itself."""

import re
from collections.abc import Sequence

from chat.quoting.tables.acts import Asks, act_of
from chat.quoting.tables.asked import SMALL, Asked
from chat.quoting.tables.conditions import conditions_of
from chat.quoting.tables.conditions.fitting import fitting_rows
from chat.quoting.tables.extremes import CALENDAR, superlative_of
from chat.quoting.tables.naming import naming
from chat.quoting.tables.ranks import top_of
from chat.quoting.tables.reading import Table, TableColumn
from chat.quoting.tables.reckoning.results import Act, Reckoned
from chat.quoting.tables.wordings import COMMONEST, COMPARING, COUNT, MEAN, SUM
from memory.text.words import stem, words

# "What is the population of …", "who is the boss of …", "price of …".
ATTRIBUTE = re.compile(
    r"(?:\b(?:(?:what|which|who)s? (?:(?:is|are|was|were) )?(?:the )"
    r"|(?:was|wer) (?:ist|war) (?:der|die|das) "
    r"|(?:cual|quien) es (?:el|la) |qu(?:i|el(?:le)?) est l[ae] ?)(?P<said>\w+(?: \w+){0,2}?)"
    r" (?:of|in|for|at|from|von|im|fur|de|del|du|d)"
    r"|^(?:the )?(?P<bare>(?:\w+ )?\w+(?<!s)) (?:of|von))\b"
)
# What stands between what is asked and of whom: "population of Brazil".
OF = frozenset("of in for from at with von im in fur bei der des de del du pour en".split())
# What may stand before a name of which something is asked: "what is Ada's address".
BEFORE_A_NAME = frozenset("what whats who whos is are the was ist der die das".split())
# Words that may name what is asked: "phone number", "date of birth".
LONGEST_NAME = 3
# "How old is …" asks for what a column of one of these names tells.
ASKED_HOW = {
    re.compile(r"\b(?:how old|wie alt|que edad|quel age)\b"): re.compile(
        r"\bage\b|alter|edad|born|birth|founded|built|gebor|nacim|naiss"
    ),
    re.compile(r"\b(?:how tall|wie gro(?:ss|ß))\b"): re.compile(
        r"height|size|cm|met(?:er|re)|feet|grosse|hohe|area|flache|pop"
    ),
    re.compile(r"\b(?:how heavy|wie schwer)\b"): re.compile(
        r"weight|wt|mass|kg|lbs|gewicht|peso|poids|ton"
    ),
}
# Words behind "how many" that may say of what.
COUNTED = 2


def wants_more_than_a_row(question: str, names: Sequence[str]) -> bool:
    """Return whether the question asks for what several rows come to, for one that stands out from
    the others, or for something that none of the columns of these names tells.
    """
    asked = Asked.of(question)
    columns = [TableColumn(at, name, ()) for at, name in enumerate(names)]

    def names_one(said: Sequence[str]) -> bool:
        return any(naming(word, column) for word in said for column in columns)

    if counted := COUNT.search(asked.text):
        behind = asked.text[counted.end() :].split()
        columns = [each for each in columns if not CALENDAR.search(" ".join(each.words))]
        return not names_one(behind[:COUNTED])  # a column of years doesn't tell how many
    several = any(each.search(asked.text) for each in (SUM, MEAN, COMMONEST))
    stands_out = superlative_of(question) is not None or top_of(asked) is not None
    if several or stands_out or not COMPARING.isdisjoint(asked.words):
        return True
    called = " ".join(word for column in columns for word in column.words)
    if any(asks.search(asked.text) and not of.search(called) for asks, of in ASKED_HOW.items()):
        return True
    attribute = ATTRIBUTE.search(asked.text)
    return attribute is not None and not names_one((attribute["said"] or attribute["bare"]).split())


def lacking(question: str, table: Table) -> Reckoned | None:
    """Return the rows of which the question asks something that no column is called by: "population
    of Brazil", "Ada's address". Nothing, if the rows may tell it in a cell.
    """
    asked = Asked.of(question)
    asks, before = act_of(question, asked, table).asks, set(asked.open)
    wanted = conditions_of(asked, table)
    of_whom = before - asked.open
    left = asked.left(table)
    said = [asked.words[at] for at in left]
    is_certain = bool(wanted) and all(each.sign in ("=", "∋") for each in wanted)
    if asks not in (Asks.ROWS, Asks.COUNT) or not is_certain or not COMPARING.isdisjoint(said):
        return None
    rows = fitting_rows(table, wanted)
    told = {stem(word) for at in rows for cell in table.rows[at].cells for word in words(cell)}
    is_told = any(
        stem(word) in told or any(naming(word, each) for each in table.columns) for word in said
    )
    if not rows or is_told or not _is_asked_of(asked, left, of_whom):
        return None
    return Reckoned(table, Act.COUNT, wanted, rows, rows, lacks=_name_at(asked, left))


def _name_at(asked: Asked, left: Sequence[int]) -> str:
    """Return the whole name of which words are left: "phone number", of which one says little."""
    end = left[-1] + 1
    while end < len(asked.words) and asked.words[end] not in OF:
        end += 1
    return " ".join(asked.words[left[0] : end])


def _is_asked_of(asked: Asked, left: Sequence[int], of_whom: set[int]) -> bool:
    """Return whether the words in the places that are left are a name of what is asked of those."""
    if not left or left[-1] - left[0] >= LONGEST_NAME:
        return False
    first, last = min(of_whom), max(of_whom)
    between = asked.words[left[-1] + 1 : first]
    if left[-1] < first:
        return not OF.isdisjoint(between) and SMALL.issuperset(between)
    is_behind = left[0] == last + 1 and left[-1] == len(asked.words) - 1
    return is_behind and BEFORE_A_NAME.issuperset(asked.words[:first])
