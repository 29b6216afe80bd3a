"""Names in what was said: runs of words with capitals."""

import re
from collections.abc import Iterator, Sequence

from memory.recall.rewriting.exchanges import Exchange, Known
from memory.recall.rewriting.language.reading import Token, read

FEMININE_ENDINGS = ("a", "á")
# What begins a question is no part of a name: "Describe Tomasz Nowak", "¿Sabe Python?".
OPENING = frozenset(
    """and compare define describe explain find give list name show summarise es está tiene sabe
    trabaja vive puede hace ha compara háblame""".split()
)
ANSWER_TOKENS = 130
LONGEST = 4
_ARTICLE = re.compile(r"^(?:the|an?|el|la|los|las|un|una)\s+", re.IGNORECASE)


def names_in(text: str, limit: int = ANSWER_TOKENS) -> list[str]:
    """Return the names in the text, in order, each once."""
    runs = (text[run[0].start : run[-1].end] for run in _runs(read(text, limit)))
    found = (run.removesuffix("’s").removesuffix("'s") for run in runs)
    return list(dict.fromkeys(found))


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


def person(exchanges: Sequence[Exchange], known: Sequence[Known], *, feminine: bool) -> str:
    """Return the full name that "he" or "she" stands for, or nothing.

    Names of two words and more come before single ones; among them the newest question decides,
    then the people of the session, then the newest answer.
    """
    asked = [names_in(each.searched) for each in reversed(exchanges)]
    people = [entity.name for entity in known if entity.kind == "person"]
    answers = [names_in(each.response) for each in reversed(exchanges[-2:])]
    groups = [*asked, people, *answers]
    for least in (2, 1):
        for names in groups:
            fitting = [name for name in names if may_be_person(name, least)]
            agreeing = [name for name in fitting if _is_feminine(name) == feminine]
            if fitting:
                return (agreeing or fitting)[0]
    return ""


def may_be_person(name: str, least: int = 2) -> bool:
    """Tell whether at least so many words in a row begin with a capital, and nothing else."""
    parts = name.split()
    return len(parts) >= least and all(
        part[0].isupper() and not part.isupper() and part.isalpha() for part in parts
    )


def _is_feminine(name: str) -> bool:
    return name.split()[0].lower().endswith(FEMININE_ENDINGS)


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
