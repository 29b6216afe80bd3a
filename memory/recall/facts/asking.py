"""What a question asks of what is known of its person: "where do I live?", "what do you know?"."""

import re
from collections.abc import Sequence
from pathlib import Path

from memory.models import Fact, FactKind
from memory.recall.facts.known import KnownFacts
from memory.recall.wordings import compiled, join_patterns, read_wordings
from memory.text.embedding import Embedded
from memory.text.words import fold

LONGEST = 160
# Of a question about its person this near a fact answers. Of 15 such questions in four languages
# 12 lie above it, and of 60 about documents that are so worded none.
ANSWERS = 0.45
_QUESTIONS = read_wordings(Path(__file__).parent / "questions.toml")
_OF_SEVERAL = frozenset("we us our nuestro nuestra unser unsere nous notre".split())


def find_answer(question: str, known: KnownFacts) -> Sequence[Fact] | None:
    """Return the facts that answer a question about its person; None if it is none."""
    said = _plain(question)
    if asks_for_all(question):
        return list(known.facts)
    for wording, *subjects in _QUESTIONS["personal"]:
        if _fits(wording, said):
            found = [row for row in known.facts if _is_on(row, subjects)]
            # What is asked of several a document may tell.
            return found if found or not _OF_SEVERAL.intersection(said.split()) else None
    is_own = _fits(join_patterns(_QUESTIONS["of_oneself"]), said) and not compiled(
        join_patterns(_QUESTIONS["asks_for_rights"])
    ).search(said)
    near = known.near(Embedded(question), at_least=ANSWERS) if is_own else []
    return near[:1] or None


def asks_for_all(question: str) -> bool:
    """Return whether the question asks for all that is known of its person."""
    return _fits(join_patterns(_QUESTIONS["everything"]), _plain(question))


def asks_for_erasure(question: str) -> bool:
    """Return whether all that is known of the person is to be forgotten."""
    return _fits(join_patterns(_QUESTIONS["erasure"]), _plain(question))


def sort_wishes_last(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts as they are told: wishes last."""
    return sorted(facts, key=lambda row: row.kind == FactKind.WISH)


def _is_on(row: Fact, subjects: Sequence[str]) -> bool:
    return any(
        row.subject == each or (each.endswith(":") and row.subject.startswith(each))
        for each in subjects
    )


def _plain(question: str) -> str:
    said = re.findall(r"\w+", fold(question[: LONGEST + 1]).lower().replace("'s", "s"))
    return " ".join(said) if len(question) <= LONGEST else ""


def _fits(wording: str, said: str) -> bool:
    polite, behind = join_patterns(_QUESTIONS["polite"]), join_patterns(_QUESTIONS["behind"])
    return compiled(rf"{polite}(?:{wording}){behind}").fullmatch(said) is not None
