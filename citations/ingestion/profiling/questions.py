"""Suggested questions of a document, made of its headings and the terms that it defines.

No model writes them, so they are few and plain: a heading or a sentence answers each.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from citations.formats.blocks import BlockKind
from citations.ingestion.chunking import Piece
from citations.models.passages import SEPARATOR
from memory.text.reading import compute_rarity

# The question for a heading, in the document's language.
ABOUT = {
    "en": "What should I know about {heading}?",
    "es": "¿Qué dice el documento sobre {heading}?",
    "de": "Was sollte ich über „{heading}“ wissen?",
    "fr": "Que faut-il savoir sur « {heading} » ?",
    "pt": "O que devo saber sobre “{heading}”?",
    "it": "Che cosa bisogna sapere su «{heading}»?",
    "nl": "Wat moet ik weten over “{heading}”?",
    "tr": "“{heading}” hakkında ne bilmeliyim?",
    "ru": "Что нужно знать о разделе «{heading}»?",
    "zh": "关于“{heading}”需要了解什么？",
    "ar": "ماذا ينبغي أن أعرف عن «{heading}»؟",
}
# A defined term in quotation marks, and the question for it.
DEFINED = re.compile(
    r"[“„«\"]\s?(?P<subject>[A-Z][^”“»\"]{2,50}?)\s?[”“»\"],? (?:means|shall mean|refers to"
    r"|bedeutet|bezeichnet|significa|désigne|signifie)\b"
)
MEANING = {
    "en": "What does “{subject}” mean?",
    "es": "¿Qué significa «{subject}»?",
    "de": "Was bedeutet „{subject}“?",
    "fr": "Que signifie « {subject} » ?",
}
# A heading that is a single question, without a statement before it.
ASKED = re.compile(r"^(?:¿[^.!?]{8,120}|[^\W\d_][^.!?]{8,120}(?:\.[^\s.!?][^.!?]{0,60}){0,4})\?$")
NO_HEADING = re.compile(r"\b(?:19|20)\d\d\b|[;@!]|\(continued\)")
# Words that refer to their surroundings: "What is this FAQ?"
POINTS_AROUND = re.compile(
    r"\b(?:this|these|here|diese[mnrs]?|hier|cette|cet|ces|ce (?!que?\b|qui\b|qu['’])|est[ae]s?"
    r"|estos|aquí)\b",
    re.IGNORECASE,
)
# The words before a heading's topic: "3.2 ", "(a) ", "IV. ", "Section 1.2 ", "About ".
NUMBER = re.compile(
    r"^(?:(?:[Ss]ection|[Aa]rticle|[Cc]hapter|[Ii]tem|ITEM|[Pp]art|[Nn]ote|[Cc]apítulo|[Ss]ección"
    r"|[Aa]rtículo|Kapitel|Abschnitt|Teil|Anhang|[Cc]hapitre|[Pp]artie|[Aa]nnexe)\s+[\dIVXLC]+[A-Z]?(?:\.\d+)*[.:]?\s+"
    r"|(?:[Ll]ektion|[Ll]esson|[Ll]ección|[Ll]eçon|[Ss]tep|[Ss]chritt|[Pp]aso)\s+\d+(?:\.\d+)*\s*[.:–-]\s+"
    r"|[A-Z]{1,3}-?\d{1,3}(?:\.\d{1,3})*[.:)]\s+|[QF][.:]\s+"
    r"|\(?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.)]?\s+|[IVXLC]+\.\s+|About\s+(?=[A-Z]))"
)
NO_TOPIC = re.compile(
    r"^(?:introduction|overview|contents?|references|bibliography|index|notes?|appendix\b.*|abstract"
    r"|summary|conclusions?|sources|profile|procedure|powers|scope|requirements|signatures?|preface"
    r"|foreword|acknowledge?ments|exhibits?|examples?|see also|name|synopsis|introducción|resumen"
    r"|índice|notas?|referencias|bibliografía|anexo\b.*|prefacio|fuentes|einleitung|literatur|quellen"
    r"|added|changed|deprecated|removed|fixed|security|unreleased|(?:bug )?fixes|changelog|history"
    r"|description|options|other terms|miscellaneous|dependencies|documentation|license|author"
    r"|others?|general|misc\.?|total|all|more|about(?: (?:about|the|this|these|our|us)\b.*)?"
    r"|(?:summary|zusammenfassung|resumen|résumé) .{1,40}|zusammenfassung"
    r"|vorwort|chapter \d+|section \d+|part \w+)$",
    re.IGNORECASE,
)

# Maximum number of questions, before unanswered ones are dropped, and of passages that are read.
MOST, LOOKED_AT = 6, 400
ANY_WORD = 9.5  # least rarity() of a single word that is a topic
SHORTEST_SUBJECT, LONGEST_SUBJECT = 4, 60
FEWEST_CRIED, SHORT_WORD = 2, 3  # words of a heading in capitals; letters
FEWEST_WORDS = 25  # of the text under a heading

# A question and its subject.
Suggestion = tuple[str, str]


def suggest_questions(title: str, language: str, pieces: Sequence[Piece]) -> list[str]:
    """Return a few questions that the document may answer, of each kind in turn."""
    looked_at = pieces[:LOOKED_AT]
    kinds = (
        find_asking_headings(looked_at),
        find_definitions(looked_at, language),
        ask_about_headings(looked_at, title, language),
    )
    chosen: dict[str, str] = {}
    for each in filter(None, chain.from_iterable(zip_longest(*kinds))):
        text, subject = each[0], each[1].lower()
        if len(chosen) < MOST and not any(
            subject in told or told in subject for told in chosen.values()
        ):
            chosen[text] = subject
    return list(chosen)


def find_asking_headings(pieces: Sequence[Piece]) -> Iterator[Suggestion]:
    """Yield headings that are questions already."""
    for heading in list_innermost_headings(pieces):
        is_whole = ASKED.match(heading) and not POINTS_AROUND.search(heading)
        if is_whole and len(heading.split()) > 3:
            yield heading, heading


def find_definitions(pieces: Sequence[Piece], language: str) -> Iterator[Suggestion]:
    """Yield questions for the terms that the text defines."""
    for piece in pieces:
        for start, end, kind in piece.layout:
            if language in MEANING and kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
                for match in DEFINED.finditer(piece.text, start, end):
                    yield MEANING[language].format(subject=match["subject"]), match["subject"]


def ask_about_headings(pieces: Sequence[Piece], title: str, language: str) -> list[Suggestion]:
    """Return a question for each heading with enough text below it, most text first."""
    sizes = Counter[str]()
    for piece in pieces:
        sizes[piece.heading] += len(piece.text.split())
    found: dict[str, int] = {}
    for heading in list_innermost_headings(pieces):
        size = max((sizes[path] for path in sizes if path.endswith(heading)), default=0)
        if size >= FEWEST_WORDS and heading not in title and names_topic(heading, language):
            found[heading] = size
    form = ABOUT.get(language, ABOUT["en"])
    write = write_lower if language in ("en", "es") else write_plain
    ranked = sorted(found, key=lambda heading: -found[heading])
    return [(form.format(heading=write(heading)), heading) for heading in ranked]


def names_topic(heading: str, language: str) -> bool:
    """Return whether a heading names a topic to ask about, unlike "Behaviour"."""
    is_any_word = len(heading.split()) == 1 and compute_rarity(heading.lower()) < ANY_WORD
    return (
        SHORTEST_SUBJECT <= len(heading) <= LONGEST_SUBJECT
        and "?" not in heading
        and not (language == "en" and is_any_word)
        and not (NO_TOPIC.match(heading) or NO_HEADING.search(heading))
        and not POINTS_AROUND.search(heading)
    )


def list_innermost_headings(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield each innermost heading once, without its number."""
    lasts = (
        NUMBER.sub("", piece.heading.rpartition(SEPARATOR)[2]).strip(' "“”') for piece in pieces
    )
    yield from filter(None, dict.fromkeys(lasts))


def write_lower(heading: str) -> str:
    """Return a heading in its form within a sentence."""
    if heading.isupper() and " " in heading:
        return heading.lower()
    first, _, rest = heading.partition(" ")
    is_word = first[1:].islower() and rest[:1].islower()
    return heading[:1].lower() + heading[1:] if is_word else heading


def write_plain(heading: str) -> str:
    """Return a heading in capitals with ordinary case."""
    words = heading.split()
    if not heading.isupper() or len(words) < FEWEST_CRIED:
        return heading
    return " ".join(word.capitalize() if len(word) > SHORT_WORD else word.lower() for word in words)
