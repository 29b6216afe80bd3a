"""Profiling: a document's properties derived from its text, in bounded time.

They are its language, the date on its first page, its outline, a summary in its own words, and
questions that it answers.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from citations.formats.blocks import ROWS, BlockKind
from citations.formats.cleaning import split_names
from citations.formats.reading import FileReading, Section
from citations.ingestion.chunking import Piece
from citations.ingestion.profiling.dates import find_stated_date
from citations.ingestion.profiling.questions import suggest_questions
from citations.languages import get_common_words, identify_language
from citations.models.passages import SEPARATOR
from citations.sources.first_page import find_identifiers
from citations.sources.items import clean_item, find_year
from citations.sources.names import format_full_name
from memory.text.words import find_sentences, split_words

BEGINNING = 3000  # characters in which a date and authors are sought
MOST_ENTRIES, DEEPEST_ENTRY = 100, 3
LONGEST_ABOUT, LEAD = 80, 20  # words
SAMPLED, SAMPLE = 200, 12_000  # sentences; characters for the language
SHORTEST_SENTENCE, LONGEST_SENTENCE = 8, 45  # words

SUMMARY = re.compile(
    r"^(?:[\dIVX.]+\s+)?(?:abstract|(?:executive )?summary|resumen|zusammenfassung|résumé|resumo"
    r"|riassunto|sommario|özet|аннотация|摘要|kurzfassung)$",
    re.IGNORECASE,
)
BEGIN = re.compile(
    r"^(?:[\dIVX.]+\s+)?(?:introduction\b.{0,40}|overview|about\b.*|introducción|einleitung|einführung"
    r"|überblick|introdução|introduzione|giriş|введение|preface|preamble|description|name|scope"
    r"|geltungsbereich\b.*|purpose)$",
    re.IGNORECASE,
)
# In a novel the plot; in a manual page the usage, after the page's description.
SYNOPSIS = re.compile(r"^synopsis$", re.IGNORECASE)
# The first line of a manual page: "cron - run commands at set times".
NAMED = re.compile(r"\S{1,40}(?:, \S{1,40}){0,8} [-–—] \S+ \S")
WRITTEN_BY = re.compile(
    r"^(?:(?:written |edited |drafted |prepared )?by|authors?:|autor(?:es|in|en)?:"
    r"|(?:verfasst |erstellt )?von|por|par|auteurs?:)"
    r"\s+(?P<names>[A-ZÀ-Þ].{3,150})$",
    re.IGNORECASE,
)
AND = re.compile(r" (?:und|et|y|e) ")
# Two to four words with capitals.
PERSON = re.compile(
    r"(?:[A-ZÀ-Þ][\w.'’-]{0,30} (?:(?:von|van|de|der|den|del|la) ){0,2}){1,3}[A-ZÀ-Þ][\w.'’-]{1,30}"
)
LEGAL = re.compile(
    r"copyright|©|all rights reserved|licen[cs]e|permission|derechos reservados|warranty|isbn",
    re.IGNORECASE,
)
NOTHING = re.compile(r"(?!)")
# The headers at the beginning of a mail.
HEADERS = re.compile(r"(?:From|To|Cc|Date|Subject): ")


@dataclass(frozen=True)
class ProfiledHeading:
    """A heading of the outline: its level, its page, and the first passage under it."""

    level: int
    heading: str
    page: int | None
    position: int

    def packed(self) -> list[object]:
        return [self.level, self.heading, self.page, self.position]


@dataclass(frozen=True)
class DocumentProfile:
    """The derived properties of a document."""

    language: str = ""
    # YYYY, YYYY-MM or YYYY-MM-DD.
    date: str = ""
    authors: list[str] = field(default_factory=list)
    outline: list[ProfiledHeading] = field(default_factory=list)
    about: str = ""
    questions: list[str] = field(default_factory=list)
    # The file's metadata, and the identifiers on its first pages, as a CSL-JSON item.
    csl: dict[str, Any] = field(default_factory=dict)


def profile_document(title: str, reading: FileReading, pieces: Sequence[Piece]) -> DocumentProfile:
    """Return the profile of a document under its title."""
    language = identify_language(sample(pieces))
    beginning = [
        block.text
        for section in reading.sections[:5]
        for block in section.blocks
        if block.kind not in ROWS  # their dates are those of the listed things
    ]
    stated = reading.date or find_stated_date("\n".join([title, *beginning])[:BEGINNING])
    item, _problems = clean_item(find_identifiers(reading.sections) | reading.csl)
    declared = [format_full_name(name) for name in item.get("author", [])]
    year = str(
        reading.year or find_year(item) or ""
    )  # the file's own year has priority: a text names other dates too
    return DocumentProfile(
        language=language,
        date=stated if stated.startswith(year) else year,
        authors=reading.authors or declared or find_authors(beginning),
        outline=make_outline(pieces),
        about=summarise_document(reading.sections, language),
        questions=suggest_questions(title, language, pieces),
        csl=item,
    )


def sample(pieces: Sequence[Piece]) -> str:
    """Return paragraphs from all over the document."""
    step = max(len(pieces) // 12, 1)
    texts = [
        piece.text[start:end]
        for piece in pieces[::step]
        for start, end, kind in piece.layout
        if kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
    ]
    return "\n".join(texts or [piece.text for piece in pieces[:12]])[:SAMPLE]


def find_authors(beginning: Sequence[str]) -> list[str]:
    """Return the authors named by a line near the top."""
    for text in beginning[:15]:
        for line in text.split("\n"):
            if (found := WRITTEN_BY.match(line.strip())) and (
                people := find_people(found["names"])
            ):
                return people
    return []


def find_people(said: str) -> list[str]:
    """Return the names. Before a bracket, as of an address, only people count, without their
    institutions. A sentence has none.
    """
    before, sign, _ = said.partition("(")
    found = split_names(AND.sub(" and ", before.rstrip(" -–—")))
    if sign:
        return list(takewhile(PERSON.fullmatch, found))
    return [] if said.endswith(".") else found


def make_outline(pieces: Sequence[Piece]) -> list[ProfiledHeading]:
    """Return the headings in order, each once; of too many, without the deepest levels."""
    found: list[ProfiledHeading] = []
    above: list[str] = []
    for position, piece in enumerate(pieces):
        path = piece.heading.split(SEPARATOR) if piece.heading else []
        same = next(
            (at for at, pair in enumerate(zip(above, path, strict=False)) if pair[0] != pair[1]),
            min(len(above), len(path)),
        )
        found += [
            ProfiledHeading(level, path[level], piece.page, position)
            for level in range(same, len(path))
        ]
        above = path
    for deepest in range(DEEPEST_ENTRY, 0, -1):
        kept = [entry for entry in found if entry.level <= deepest]
        if len(kept) <= MOST_ENTRIES:
            return kept
    return [entry for entry in found if entry.level == 0][:MOST_ENTRIES]


# --- Summary --------------------------------------------------------------------------------------


def summarise_document(sections: Sequence[Section], language: str) -> str:
    """Return the summary, the introduction, or the central sentences of a document."""
    for pattern in (SUMMARY, BEGIN, SYNOPSIS):
        for section in sections[:60]:
            if section.headings and pattern.match(section.headings[-1]):
                text = cut_to_sentences(list_paragraphs(section))
                if len(text.split()) >= SHORTEST_SENTENCE or NAMED.match(text):
                    return text
    return find_central_sentences(sections, language)


def list_paragraphs(section: Section) -> list[str]:
    return [block.text for block in section.blocks if block.kind == BlockKind.PARAGRAPH]


def cut_to_sentences(texts: Sequence[str]) -> str:
    """Return whole sentences from the beginning, at most LONGEST_ABOUT words."""
    kept: list[str] = []
    for text in texts:
        for start, end in find_sentences(text):
            if sum(len(each.split()) for each in [*kept, text[start:end]]) > LONGEST_ABOUT:
                return " ".join(kept) or " ".join(text.split()[:LONGEST_ABOUT]) + " …"
            kept.append(text[start:end])
    return " ".join(kept)


def find_central_sentences(sections: Sequence[Section], language: str) -> str:
    """Return the sentences with most of the document's frequent words, in order."""
    common = get_common_words(language)
    # A licence has little else.
    passed_over = NOTHING if is_licence(sections) else LEGAL
    candidates, counts = find_whole_sentences(sections, common, passed_over)
    if not candidates:  # a mail of a few lines, or with a salutation first
        return find_first_sentences(sections, passed_over)
    values = {
        each: compute_centrality(each, counts, common, len(candidates)) for each in candidates
    }
    lead = find_lead(sections, passed_over)
    leading = max((value for (_, text), value in values.items() if text in lead), default=0.0)
    if leading >= 0.6 * max(values.values()):
        return lead
    kept: list[tuple[int, str]] = []
    for each in sorted(candidates, key=lambda each: -values[each])[:8]:
        if sum(len(text.split()) for _, text in [*kept, each]) <= LONGEST_ABOUT:
            kept.append(each)
    return " ".join(text for _, text in sorted(kept))


def is_licence(sections: Sequence[Section]) -> bool:
    """Return whether most paragraphs of the beginning are legal notices."""
    texts = [text for section in sections[:60] for text in list_paragraphs(section)][:SAMPLED]
    legal = sum(LEGAL.search(text[:BEGINNING]) is not None for text in texts)
    return 2 * legal > len(texts)


def find_whole_sentences(
    sections: Sequence[Section], common: frozenset[str], passed_over: re.Pattern[str]
) -> tuple[list[tuple[int, str]], Counter[str]]:
    """Return self-contained sentences, numbered, and the number of sentences with each word."""
    found: list[tuple[int, str]] = []
    counts: Counter[str] = Counter()
    for section in sections:
        for text in list_paragraphs(section):
            for start, end in find_sentences(text):
                sentence = text[start:end]
                counts.update(set(list_telling_words(sentence, common)))
                is_long = SHORTEST_SENTENCE <= len(sentence.split()) <= LONGEST_SENTENCE
                is_whole = sentence[:1].isupper() and sentence[-1:] in ".。!"
                is_whole = is_whole and not sentence.isupper()
                if is_long and is_whole and not passed_over.search(sentence):
                    found.append((len(found), sentence))
        if len(found) >= SAMPLED:
            break
    return found, counts


def find_lead(sections: Sequence[Section], passed_over: re.Pattern[str]) -> str:
    """Return the beginning of the first long paragraph that is no legal notice."""
    for section in sections[:10]:
        for text in list_paragraphs(section):
            if len(text.split()) > LEAD and not passed_over.search(text) and text[-1:] in ".。":
                return cut_to_sentences([text])
    return ""


def find_first_sentences(sections: Sequence[Section], passed_over: re.Pattern[str]) -> str:
    """Return the beginning of the first paragraph of some length that is no header of a mail."""
    texts = (text for section in sections[:10] for text in list_paragraphs(section))
    long = (text for text in texts if len(text.split()) >= SHORTEST_SENTENCE)
    said = (text for text in long if not HEADERS.match(text))
    own = (text for text in said if not passed_over.search(text[:BEGINNING]))
    return cut_to_sentences([next(own, "")])


def compute_centrality(
    candidate: tuple[int, str], counts: Counter[str], common: frozenset[str], total: int
) -> float:
    """Return how central a sentence is; sentences at the beginning score higher."""
    at, sentence = candidate
    said = list_telling_words(sentence, common)
    mean = sum(min(counts[word], 20) for word in said) / (len(said) + 3)
    return mean * (1.6 if at < 3 else 1.2 if at < 0.1 * total else 1.0)


def list_telling_words(sentence: str, common: frozenset[str]) -> list[str]:
    return [word for word in split_words(sentence) if word not in common and len(word) > 2]
