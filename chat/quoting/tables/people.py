"""People: who is counted by the rows of a table, or by a column that says what became of them."""

from chat.quoting.tables.acts import Asks
from chat.quoting.tables.asked import Asked, calls
from chat.quoting.tables.groups import adds_up
from chat.quoting.tables.naming import named_column
from chat.quoting.tables.reading import Table
from chat.quoting.tables.wordings import VERBS

PEOPLE = frozenset(
    "people persons inhabitants couples personen einwohner paare personas parejas personnes".split()
)
# What may stand between people and what became of them.
BECOMES = frozenset("got get getting been be being sich se wurden werden ont fueron".split())
# What people are called whom a table lists, all of them.
SOMEBODY = frozenset(
    "victims patients students passengers employees customers players members participants users"
    " workers respondents opfer patienten mitarbeiter teilnehmer mitglieder victimas pacientes"
    " alumnos empleados victimes eleves employes".split()
)
# What columns of people are called.
OF_PEOPLE = frozenset(
    "age sex gender born birth surname person employee salary alter geschlecht edad sexo"
    " sexe nachname vorname apellido nom".split()
)


def what_became_of(noun: int | None, asked: Asked, table: Table) -> int | None:
    """Return which word says what became of the people that are counted, if cells count that: "how
    many people died"; else the word for what is counted.
    """
    if noun is None or asked.words[noun] not in PEOPLE | SOMEBODY:
        return noun
    at = noun + 1
    while at < len(asked.words) and asked.words[at] in VERBS | BECOMES:
        at += 1
    counting = [each for each in table.columns if each.is_of_figures and adds_up(each)]
    said = asked.words[at : at + 1] if at in asked.open else []
    if named_column(said, counting) is None:
        return noun
    asked.open -= set(range(noun, at))
    return at


def counts_people(asks: Asks, asked: Asked, table: Table) -> bool:
    """Return whether people are to be counted, where no row is one and no cell counts any."""
    said = PEOPLE.intersection(asked.words[at] for at in asked.open)
    is_told = is_of_people(table) or any(calls(word, table) for word in said)
    return asks is Asks.COUNT and bool(said) and not is_told


def is_of_people(table: Table) -> bool:
    """Return whether each row is somebody."""
    return any(OF_PEOPLE.intersection(each.words) for each in table.columns)
