"""Names in what was said: runs of words with capitals."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memory.text.reading import ReadText, Token

# What begins a question is no part of a name: "Describe Tomasz Nowak", "¿Sabe Python?".
OPENING = frozenset(
    """and compare define describe explain find give list name show summarise es está tiene sabe
    trabaja vive puede hace ha compara háblame contact currently originally later today nowadays
    formerly previously initially finally recently since according""".split()
)
LOOKED_AT = 130  # tokens
LONGEST = 4
# What stands before things and places, and not before people: "the Closing Date", "in Lisbon".
BEFORE_THINGS = frozenset("the a an in at near into el la los las un una en".split())
_ARTICLE = re.compile(r"^(?:the|an?|el|la|los|las|un|una|de[rnm]|die|das|eine?)\s+", re.IGNORECASE)


def names_in(text: str) -> list[str]:
    """Return the names in the text, in order, each once."""
    return names_read(ReadText(text, LOOKED_AT))


def names_read(said: ReadText) -> list[str]:
    """Return the names in what was read already."""
    return list(dict.fromkeys(_shown(said, run) for run in _runs(said.tokens[:LOOKED_AT])))


def people_read(said: ReadText) -> list[str]:
    """Return the names that may be of people: nothing says that they are things or places."""
    tokens = said.tokens[:LOOKED_AT]
    before = {token.start: last.word for last, token in pairwise(tokens)}
    things = {
        _shown(said, run) for run in _runs(tokens) if before.get(run[0].start) in BEFORE_THINGS
    }
    return [name for name in names_read(said) if name not in things]


def _shown(said: ReadText, run: Sequence[Token]) -> str:
    return said.text[run[0].start : run[-1].end].removesuffix("’s").removesuffix("'s")


def kind(name: str) -> str:
    """Return what the name looks like: a code ("BRCA1"), a full name, or one word."""
    if name.isupper() or any(letter.isdigit() for letter in name):
        return "code"
    return "full" if " " in name else "word"


def lone_name(text: str) -> str:
    """Return the name that the text consists of, but for an article, or nothing."""
    name = _ARTICLE.sub("", text.strip())
    # One word, "Seville", is a name though it begins.
    around = name if " " in name else f"of {name}"
    return name if names_in(around) == [name] else ""


def may_be_person(name: str, least: int = 2) -> bool:
    """Return whether at least so many words in a row begin with a capital, and nothing else."""
    parts = name.split()
    return len(parts) >= least and all(
        part[0].isupper() and not part.isupper() and part.isalpha() for part in parts
    )


def _runs(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    run: list[Token] = []
    for token in tokens:
        joined = not run or token.start - run[-1].end <= 1
        capital = token.capitals >= 2 or (token.capitals == 1 and token.kind == "content")
        capital = capital and not (token.capitals == 1 and token.word in OPENING)
        if token.stem and capital and joined and len(run) < LONGEST:
            run.append(token)
            continue
        if _is_name(run):
            yield run
        run = [token] if token.stem and capital else []
    if _is_name(run):
        yield run


def _is_name(run: Sequence[Token]) -> bool:
    # One capital at the beginning of a sentence says nothing.
    return bool(run) and (len(run) > 1 or run[0].capitals >= 2)
