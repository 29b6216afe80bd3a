"""What people say of themselves, language by language."""

from collections.abc import Iterator

from memory.recall.facts.extraction.languages import french, german, spanish
from memory.recall.facts.extraction.languages.english import english_statements
from memory.recall.facts.extraction.languages.introducing import introductions
from memory.recall.facts.extraction.statements import Learned, first


def statements(clause: str) -> list[Learned]:
    """Return what a clause says of its person, in the first language that it says it in.

    What nothing else is said with may be a name: "ich bin Peter" before "ich bin Koch".
    """
    for found in (english_statements, _in_other_languages, introductions):
        if told := list(found(clause)):
            return told
    return []


def _in_other_languages(clause: str) -> Iterator[Learned]:
    """Yield what ends by the clause, or else what begins, in the first language that says so."""
    for language in (spanish, german, french):
        if found := first(language.ENDED, clause, ends=True) or first(language.KEPT, clause):
            yield found
            return
