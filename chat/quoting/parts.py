"""The parts of a document, each with its first sentence: how it is told as a whole by quoting."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from citations.library import Heading, stored_outline
from citations.models import Document, Passage
from memory.text.words import sentences

# So many parts are told, of so many passages read for them.
MOST_PARTS, MOST_READ = 8, 24
LONGEST_SENTENCE = 240  # characters
# Words of a sentence that tells something, and of a question that a document answers.
FEWEST_WORDS, MOST_ASKED = 4, 30


@dataclass(frozen=True)
class DocumentPart:
    """A part: its heading, its first sentence if it begins with one, and where that stands."""

    heading: str
    sentence: str
    passage: Passage


def parts_of(document: Document) -> list[DocumentPart]:
    """Return the first parts in order; of a list of questions and answers the questions.

    There are two at least, or none: a single part is the document once more.
    """
    headings = top_headings(document)[:MOST_PARTS]
    at = [each.position for each in headings]
    there = {row.position: row for row in document.passages.filter(position__in=at)}
    parts = [
        DocumentPart(each.heading, opening_sentence(there[each.position]), there[each.position])
        for each in headings
        if each.position in there
    ]
    if len(parts) < 2:
        rows = document.passages.order_by("position")[:MOST_READ]
        parts = [DocumentPart(*each) for each in asked_in(rows)][:MOST_PARTS]
    return parts if len(parts) >= 2 else []


def top_headings(document: Document) -> list[Heading]:
    """Return the highest headings; one that all others stand under is the title once more."""
    outline = stored_outline(document)
    top = [each for each in outline if each.level == 0]
    level = 1 if len(top) == 1 and len(outline) > 1 else 0
    return [each for each in outline if each.level == level]


def opening_sentence(passage: Passage) -> str:
    """Return the first whole sentence of a passage, shortened if it is long."""
    for start, end in sentences(passage.text)[:3]:
        sentence = " ".join(passage.text[start:end].split())
        if len(sentence.split()) >= FEWEST_WORDS and sentence[-1] in ".!?。":
            is_long = len(sentence) > LONGEST_SENTENCE
            return f"{sentence[:LONGEST_SENTENCE].rsplit(' ', 1)[0]} …" if is_long else sentence
    return ""


def asked_in(passages: Iterable[Passage]) -> Iterator[tuple[str, str, Passage]]:
    """Yield the questions that stand on lines of their own, each with its passage."""
    for passage in passages:
        for line in map(str.strip, passage.text.split("\n")):
            if line.endswith("?") and FEWEST_WORDS <= len(line.split()) <= MOST_ASKED:
                yield line, "", passage
