"""What people say of themselves, language by language."""

from memory.recall.facts.extraction.languages.english import english_statements
from memory.recall.facts.extraction.languages.french import french_statements
from memory.recall.facts.extraction.languages.german import german_statements
from memory.recall.facts.extraction.languages.introducing import introductions
from memory.recall.facts.extraction.languages.spanish import spanish_statements
from memory.recall.facts.extraction.statements import Learned


def statements(clause: str) -> list[Learned]:
    """Return what a clause says of its person, in the first language that it says it in.

    What nothing else is said with may be a name: "ich bin Peter" before "ich bin Koch".
    """
    spoken = (english_statements, spanish_statements, german_statements, french_statements)
    for found in (*spoken, introductions):
        if told := list(found(clause)):
            return told
    return []
