"""What a message tells of its person, to be remembered: pure, bounded, precise before complete."""

from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.clauses import LONGEST, OwnClause, own_clauses
from memory.recall.facts.english import english_statements
from memory.recall.facts.spanish import spanish_statements
from memory.recall.facts.statements import Learned
from memory.recall.facts.wishes import wishes
from memory.text.words import words

# More in one message is a list of something else.
MOST_LEARNED = 8
# Words that join what is told, or greet.
MOST_BESIDE = 3


def learned(message: str) -> list[Learned]:
    """Return what is learned of a message and what it takes back, in its order."""
    return list(_learned(message))[:MOST_LEARNED]


def only_tells(message: str) -> bool:
    """Tell whether the message says nothing but what is learned of it: no question is in it."""
    if "?" in message or len(message) > LONGEST:
        return False
    told = {each.text for each in learned(message)}
    return (
        bool(told) and sum(len(words(text)) for text in told) >= len(words(message)) - MOST_BESIDE
    )


def without_wishes(message: str) -> str:
    """Return what a message asks, without how it says that answers are to be; else all of it."""
    rest = message
    for each in learned(message):
        if each.kind == FactKind.WISH:
            rest = rest.replace(each.text, " ", 1)
    rest = rest.strip(" \t\n.,;:!-")
    return rest if len(words(rest)) > 1 else message


def _of_clause(clause: OwnClause) -> list[Learned]:
    found = list(wishes(clause.text, is_whole=clause.is_whole))
    return found or list(english_statements(clause.text)) or list(spanish_statements(clause.text))


def _learned(message: str) -> Iterator[Learned]:
    for clause in own_clauses(message):
        yield from _of_clause(clause)
