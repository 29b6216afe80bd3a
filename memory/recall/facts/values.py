"""What is learned of a clause, and how its value and its subject are cut out of it."""

import re
from dataclasses import dataclass

from memory.models.facts import FactKind
from memory.recall.facts.clauses import WORDINGS
from memory.recall.wordings import compiled
from memory.text.words import stem, words

LONGEST_VALUE = 80
_SMALL = frozenset("a an the my our some of to in on really very el la los las un una de".split())
_ALIASES = {"colour": "color", "postgres": "postgresql", "k8s": "kubernetes", "js": "javascript"}


@dataclass(frozen=True)
class Learned:
    """Something to be kept, or ended (`ends`): `subject` is what a newer value replaces."""

    kind: FactKind
    subject: str
    # As it was said, and what of it is the value.
    text: str
    value: str = ""
    ends: bool = False
    # What it is kept as if there is nothing to end.
    otherwise: str = ""


def cut_value(said: str) -> str:
    """Return the value at the beginning of what was said, without what follows on it."""
    return compiled(WORDINGS["cut"]).sub("", said[:LONGEST_VALUE]).strip(
        " \t.,:!'\""
    ) or said.strip(" .")


def key(text: str) -> str:
    """Return the key of a thing in a subject: the stems of its words, sorted."""
    said = [word for word in words(text) if word not in _SMALL]
    return " ".join(sorted({stem(_ALIASES.get(word, word)) for word in said[:4]}))


def tool(text: str) -> str:
    """Return the name of a tool without its version."""
    named = [re.sub(r"[\d.]+$", "", word) for word in words(text)]
    first = next(iter(filter(None, named)), "")
    return _ALIASES.get(first, first)
