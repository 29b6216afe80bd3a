"""The clauses of a message, and whether its person says each of themselves.

Quoted or pasted text is someone else's. A question states nothing, nor does a clause that begins
with "if", "imagine" or "my boss says".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memory.models.facts import FactKind
from memory.recall.talk.small_talk import strip_greeting
from memory.recall.wordings import compile_pattern, join_patterns, read_wordings
from memory.text.words import fold, split_words, stem

# A longer message was pasted: only its beginning can be the person's own.
LONGEST, LONGEST_CLAUSE, MOST_CLAUSES = 1_500, 240, 40
WORDINGS = {
    name: join_patterns(each)
    for name, each in read_wordings(Path(__file__).parent / "clauses.toml")["clauses"].items()
}
_FOREIGN = re.compile(WORDINGS["foreign"], re.IGNORECASE | re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSr)[.!?…;]+(?=\s|$)|\n+")


@dataclass(frozen=True)
class MessageClause:
    """A part of a message. `is_own`: its person states or orders something in it."""

    text: str
    is_own: bool
    # Whether it is a question, and whether it continues the sentence of the clause before.
    is_question: bool = False
    goes_on: bool = False


def has_seam(message: str) -> bool:
    """Return whether a message may have several clauses; splitting it takes ten times as long."""
    said = message.strip()
    return _SENTENCE_END.search(said, 0, len(said) - 1) is not None or (
        compile_pattern(WORDINGS["seam"]).search(fold(said)) is not None
    )


@lru_cache(maxsize=8)
def split_clauses(message: str) -> tuple[MessageClause, ...]:
    """Return the first MOST_CLAUSES clauses of a message, without its greeting."""
    said = re.sub(r"[^\S\n]+", " ", strip_greeting(message))
    own = _FOREIGN.sub(" ¶ ", said[:LONGEST].replace("’", "'"))
    found = [clause for sentence in _split_sentences(own) for clause in _split_clauses(*sentence)]
    if len(said) > LONGEST:
        found.append(MessageClause(said[LONGEST:], is_own=False))
    return tuple(found[:MOST_CLAUSES])


def _split_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences, and whether each ends with a question mark."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield text[start : end.start()], "?" in end.group()
        start = end.end()
    yield text[start:], False


def _split_clauses(sentence: str, asks: bool) -> Iterator[MessageClause]:
    folded = fold(sentence)
    seams = list(compile_pattern(WORDINGS["seam"]).finditer(folded))
    starts = [0, *(seam.end() for seam in seams)]
    ends = [*(seam.start() for seam in seams), len(sentence)]
    is_own = not _begins("not_own", folded)
    for start, end in zip(starts, ends, strict=True):
        text = sentence[start:end].strip(" \t,:.")
        if not text:
            continue
        said = fold(text)
        begs = _begins("begs", said)
        asks_for_nod = compile_pattern(WORDINGS["asks_for_nod"]).search(said) is not None
        is_asked = asks and end == len(sentence) and not (begs or asks_for_nod)
        if is_asked or (_begins("question", said) and not begs):  # with all that follows
            rest = sentence[start:].strip(" \t,:") + ("?" if asks else "")
            yield MessageClause(rest, is_own=False, is_question=True, goes_on=start > 0)
            return
        is_own = is_own and not _begins("not_own", said)
        fits = is_own and "¶" not in text and 3 <= len(text) <= LONGEST_CLAUSE
        yield MessageClause(text, is_own=fits, goes_on=start > 0)


def _begins(wording: str, said: str) -> bool:
    return compile_pattern(WORDINGS[wording]).match(said) is not None


LONGEST_VALUE = 80
_SMALL = frozenset("a an the my our some of to in on really very el la los las un una de".split())
_ALIASES = {"colour": "color", "postgres": "postgresql", "k8s": "kubernetes", "js": "javascript"}


@dataclass(frozen=True)
class Learned:
    """Something to be stored, or ended (`ends`); a newer value of its `subject` replaces it."""

    kind: FactKind
    subject: str
    # The words of the person, and the value in them.
    text: str
    value: str = ""
    ends: bool = False
    # The subject under which it is stored if there is nothing to end.
    otherwise: str = ""


def cut_value(said: str) -> str:
    """Return the value at the beginning of a text, without its continuation."""
    return compile_pattern(WORDINGS["cut"]).sub("", said[:LONGEST_VALUE]).strip(
        " \t.,:!'\""
    ) or said.strip(" .")


def make_thing_key(text: str) -> str:
    """Return the key of a thing in a subject: the stems of its words, sorted."""
    said = [word for word in split_words(text) if word not in _SMALL]
    return " ".join(sorted({stem(_ALIASES.get(word, word)) for word in said[:4]}))


def extract_tool_name(text: str) -> str:
    """Return the name of a tool without its version."""
    named = [re.sub(r"[\d.]+$", "", word) for word in split_words(text)]
    first = next(iter(filter(None, named)), "")
    return _ALIASES.get(first, first)
