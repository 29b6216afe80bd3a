"""What reads a person's, a document's or a model's text takes time in proportion to its length.

Each function reads each material, and may take five times the processor time for four times the
text. Counting what runs would be steadier, but sees nothing of what a regular expression does
inside, where most of the danger lies. So it is processor time of this thread, never that of a
clock; what is read in less than MEASURABLE has passed; and what seems too slow is measured anew,
the least of several tries each time. Of what is only repeated each function reads every other, the
next one the others; `make deep` reads all of the material with all, what is made of many parts,
too.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from html import escape
from uuid import UUID

import pytest

from chat.extractive import markdown as quoting
from chat.extractive import profiles
from chat.extractive.scorer import ScoredUnit
from chat.extractive.selection import select_stretches
from chat.extractive.units import read_units
from chat.extractive.writing import write_stretches
from chat.shapes import citation_styles, html
from chat.shapes.passages import find_place, text_html
from chat.streams.querying import pair_messages
from chat.turns.personal.restating import restated
from citations.attribution.citing import Citing, Offer
from citations.attribution.statements import statements
from citations.formats import cleaning, mail, markdown, plain, roff
from citations.formats import html as page
from citations.formats.dates import stated_date
from citations.formats.office import docx, opendocument, pptx, rtf
from citations.formats.office.spreadsheets import delimited, xlsx
from citations.formats.plain import settings
from citations.formats.reading import BadFile, ReadingLimits, silent
from citations.index import ranking
from citations.ingestion.chunking import chunked
from citations.ingestion.profiling import profile_of
from citations.languages import language_of
from citations.models import Citation, Claim, Document, Passage, Source
from citations.retrieval.units import units_of
from memory.models.conversations import CitationStyle
from memory.recall import naming, talk
from memory.recall.earlier import calling
from memory.recall.earlier import spans as earlier_spans
from memory.recall.facts import asking, clauses
from memory.recall.facts.extraction import learned, only_tells, sought_in
from memory.recall.given import Given
from memory.recall.index.messages import Message, Messages, Side, said_by
from memory.recall.index.questions import RelevanceQuestion
from memory.recall.rewriting import (
    Exchange,
    Known,
    ReadQuestion,
    lists,
    names,
    pointing,
    references,
    resolving,
    rewrite,
)
from memory.recall.rewriting.about import apart
from memory.recall.rewriting.asked import asked
from memory.recall.talk import conversation as about
from memory.recall.talk import refusals
from memory.recall.topics.features import Near, signs
from memory.recall.understanding import ReadPast
from memory.text import citation_markers, highlighting, token_counting, words
from memory.text.plain import plain_text
from memory.text.reading import ReadText
from tests.chat.extractive.passages import found_alone
from tests.citations import files, office_files

pytestmark = pytest.mark.once

TIMES, MOST = 4, 5.0
TRIES = 3
# Characters, and seconds.
LONG, MEASURABLE = 8_000, 0.02
# Nor is a passage longer.
PASSAGE = 2_000

Read = Callable[[str], object]
# A beginning, what is repeated, and an end.
Material = tuple[str, str, str]
EMPTY_NEAR = Near.of([1], {}, None, None, spread=1.0)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MANUAL_HEAD = "A(1)      Manual      A(1)\n\nNAME\n       a - b\n\n"
ASKED_FOR = [name for name in vars(RelevanceQuestion) if name.startswith("wants_")]


# --- Texts that take long to read -----------------------------------------------------------------

REPEATED = [
    " ",
    "\n",
    "\t \n",
    "a",
    "x ",
    "é",
    "同じ",
    "同じ。",
    "1",
    "1.",
    "1, ",
    ". ",
    "? ",
    "… ",
    ": ",
    "a: ",
    "—",
    "-",
    "_",
    "=",
    "*",
    "**a ",
    "`",
    "``` ",
    "\\",
    "[",
    "[[1",
    "[1]",
    " [1, 2]",
    "[^",
    "]",
    "(",
    "(a",
    "((a))",
    "<",
    "<b>",
    "&",
    "“",
    '"a ',
    "’s",
    "|a",
    "| a | b |\n",
    "- a\n",
    "1. a\n",
    "> ",
    ">\n",
    "# a\n",
    "    a\n",
    "a  b\n",
    "a.b-",
    "A. ",
    "Dr. ",
    "Anna Lee ",
    "Anna of ",
    "BRCA1 ",
    "Section 1.2 ",
    "(1) a #1 ",
    "are a, ",
    "are a, b and c. ",
    "between a and ",
    "what is ",
    "and ",
    "what about ",
    "tell me about the ",
    "more, ",
    "it is the ",
    "it means ",
    "the day before ",
    "last year ",
    "2 March 2020, ",
    "2020-01-0",
    "trabaja ha ",
    "¿qué es ",
    "under the rule, ",
    "same thing ",
    "http://a.",
    "a@b.",
    "The bank pays the fee on the first day. ",
    "*a · p. 1*\n\n",
    "“A bank” means a bank. ",
    "·\n",
    "5 %  ",
    "│a│\n├─┤\n",
    "<b>a</b> ",
    "<p class=title><b>a</b>",
    "<p>- a<br>- b",
    "\\fB",
    "\\(",
    ".Bl -tag\n.It Fl a Ns b\n",
    ".TP\n.B a\n",
    ".de\n",
    ".if \\{\n",
    ".TS\nl.\nT{\n",
]


BETWEEN: list[Material] = [
    ("a", " ", "b"),
    ("1) a", " ", "b"),
    ("- a", " ", "b"),
    ("# a", " ", "b"),
    ("what about a", " ", "b?"),
    ("a: ", " ", "b"),
    ("Section 1", " ", "b"),
    ("a.", " ", "b"),
    ("“a”", " ", "b"),
    ("a between b", " ", "c"),
    ("“a", " a", "”"),
    ("(a", "(", ")"),
    ("`a ", "[1] ", "`"),
    ("[1]", " \n", "[2]"),
    ("```\n", "a [1]\n", ""),
    ("| a |\n|---|\n", "| a | b |\n", ""),
    ("http://", "a.", "/"),
    ("by ", "Anna Lee, ", "\n"),
    ("¿qué ", "tiene ", "?"),
    ("What is a (about ", "(a)", "x"),
    ("It is ", "a ", "“b”"),
    ("Say ", "the day before? ", ""),
]

ALONE: list[Material] = [("", text, "") for text in REPEATED]
MATERIAL = [*ALONE, *BETWEEN]
# What once took too long, for what is made of parts that read all of it.
ONCE_TOO_LONG: list[Material] = [
    ("", text, "") for text in (": ", "a: ", "are a, ", "“", "’s", "x ", "2020, ", "·\n")
]


def long(material: Material, size: int) -> str:
    begin, repeated, end = material
    return begin + (repeated * (size // len(repeated) + 1))[:size] + end


# --- What reads them ------------------------------------------------------------------------------


def open_text(text: str) -> bytes:
    return office_files.opendocument("text", f"<text:p>{text}</text:p>")


def passage(text: str) -> Passage:
    return Passage(document=Document(title="Rules"), text=text, heading="1 Rules", pk=1)


def conversation(text: str) -> list[Exchange]:
    return [Exchange(text, text, at) for at in range(1, 5)]


def rewritten(question: str) -> Read:
    return lambda text: rewrite(ReadQuestion(question), conversation(text))


def streamed(text: str) -> Citing:
    """Let the text come as a model's answer, in pieces."""
    offers = {
        label: Offer(label, Passage(pk=label, text=""), UUID(int=label)) for label in range(1, 5)
    }
    citing = Citing(offers=offers, numbers={}, next_number=1)
    for at in range(0, len(text), 7):
        citing.feed(text[at : at + 7])
    citing.close()
    return citing


def claimed(text: str) -> str:
    claims = [
        Claim(start=each.start, end=each.end, state="uncited") for each in statements(text, [])
    ]
    return html.answer_html(text, [], claims)


def cited(text: str) -> list[Citation]:
    return [
        Citation(start=match.start(), source=Source(number=int(match[1])))
        for match in citation_markers.stored_markers(text)
    ]


def shown(style: str) -> Read:
    return lambda text: html.answer_html(text, cited(text), style=style)


def quoted(text: str) -> str:
    of = passage(text[:PASSAGE])
    units = [ScoredUnit(unit, 0.5, 0.0, 0.0) for unit in read_units(found_alone(of))]
    return write_stretches(select_stretches(units), {1: 1}, "What is it?")


def document(form: str) -> Read:
    """Return what reads a file of the text, cuts it into pieces and describes it."""
    read, packed = FILES[form]

    def reads(text: str) -> object:
        with suppress(BadFile):
            return read(packed(text), ReadingLimits(pages=100), silent)
        return None

    return reads


FILES: dict[str, tuple[Callable[..., object], Callable[[str], bytes]]] = {
    "plain": (plain.read, str.encode),
    "overprinted": (plain.read, lambda text: "\b".join(text).encode()),
    "manual": (plain.read, lambda text: f"{MANUAL_HEAD}{text}".encode()),
    "settings": (settings.read, lambda text: f"# {text}\n[{text}]\n{text} = {text}\n".encode()),
    "roff": (roff.read, lambda text: f".TH A 1\n.SH B\n{text}\n.Op {text}\n".encode()),
    "markdown": (markdown.read, str.encode),
    "page": (page.read, lambda text: f"<html><body>{text}</body></html>".encode()),
    "Word": (docx.read, lambda text: files.word_of(files.paragraph(escape(text)))),
    "table": (delimited.read, str.encode),
    "cells": (delimited.read, lambda text: f"Name;Said\n{text};{text}\n".encode()),
    "Excel": (xlsx.read, lambda text: office_files.workbook(office_files.rows([text, 1]))),
    "mail": (mail.read, lambda text: f"From: {text[:200]}\nSubject: a\n\n{text}".encode()),
    "RTF": (rtf.read, lambda text: f"{{\\rtf1 {text}}}".encode("latin-1", "replace")),
    "slides": (pptx.read, lambda text: office_files.deck(office_files.shape(text))),
    "OpenDocument": (opendocument.read, lambda text: open_text(escape(text))),
}


def profiled(text: str) -> object:
    found = plain.read(text.encode(), ReadingLimits(pages=100), silent)
    pieces = list(chunked(found.sections, title="Rules"))
    return profile_of("Rules", found, pieces)


READS: dict[str, Read] = {
    # memory
    "words": words.words,
    "terms": words.terms,
    "content words": words.content_words,
    "sentences": words.sentences,
    "markers taken out": citation_markers.without_markers,
    "signs taken out": citation_markers.without_signs,
    "stored markers": lambda text: list(citation_markers.stored_markers(text)),
    "search": lambda text: highlighting.snippet(
        text, highlighting.wanted_words(f"a b {text[:200]}")
    ),
    "wanted words": highlighting.wanted_words,
    "tokens": token_counting.count_tokens,
    "shortened": lambda text: token_counting.shorten(text, 500, marker="…"),
    "talk": lambda text: talk.talk_in(ReadText(text), text),
    "messages": lambda text: Messages.of([Message(1, Side.ANSWER, text, NOON)]),
    "speaker": said_by,
    "what is asked for": lambda text: [
        getattr(RelevanceQuestion(text), name) for name in ASKED_FOR
    ],
    "one line": lambda text: naming.one_line(text, 80),
    # rewriting
    "tokens of a question": lambda text: ReadQuestion(text).tokens,
    "shape": lambda text: ReadQuestion(text).shape,
    "leans back": lambda text: ReadQuestion(text).leans_back,
    "points back": lambda text: ReadQuestion(text).points_back,
    "pronoun": lambda text: ReadQuestion(text).pronoun,
    "introduces": lambda text: ReadQuestion(text).introduces,
    "names its topic": lambda text: ReadQuestion(text).names_its_topic,
    "names": names.names_in,
    "behind": apart,
    "lists": lambda text: lists.last_list(conversation(text)),
    "items": lambda text: lists.listed_items(Exchange(text, text)),
    "reference": lambda text: references.resolve_reference(ReadQuestion(text), conversation(text)),
    "a client's history": lambda text: ReadPast(Given(conversation(text)), []).topics,
    # citations
    "cleaned": cleaning.clean,
    "title": cleaning.sensible_title,
    "authors": cleaning.names,
    "address": cleaning.http_address,
    "date": stated_date,
    "language": language_of,
    "index terms": ranking.index_terms,
    **{f"file, {form}": document(form) for form in FILES},
    "units": lambda text: units_of(passage(text)),
    # chat
    "exchanges": lambda text: pair_messages(
        [{"role": "user", "content": part} for part in text.split(".")]
    ),
    **{
        f"styled, {style}": lambda text, style=style: citation_styles.restyled(text, style)
        for style in CitationStyle.values
    },
    "markers as they stream": streamed,
    "statements": lambda text: statements(text, []),
    "answer with claims": claimed,
    "notes": lambda text: citation_styles.footnotes(text, CitationStyle.FOOTNOTE, [], []),
    "plain text of an answer": plain_text,
    "plain Markdown": citation_styles.plain_markdown,
    "answer": shown(CitationStyle.INLINE),
    "passage": lambda text: text_html(text, [], text[:1000]),
    "place": lambda text: find_place(text[-100:], text),
    "questions about documents": lambda text: profiles.answer_from_profile(
        text, [], only=lambda: None
    ),
    "quoted as Markdown": quoting.quotable,
    "in bold": lambda text: quoting.embolden(text, frozenset(["bank"])),
    "places taken out": citation_markers.without_places,
    "told again": lambda text: restated(text, [text[::-1]], [[text]]),
}
# What reads no more than a beginning takes long at that size, or never.
BOUNDED: dict[str, tuple[int, Read]] = {
    "clauses of one's own": (clauses.LONGEST, clauses.split_clauses),
    "learned": (clauses.LONGEST, learned),
    "only tells": (clauses.LONGEST, only_tells),
    "sought": (clauses.LONGEST, sought_in),
    "erasure": (asking.LONGEST, asking.asks_for_erasure),
    "calls for earlier": (
        calling.LONGEST,
        lambda text: (calling.calls_for_earlier(text), calling.asks_what_was_said(text)),
    ),
    "asked by when": (
        earlier_spans.LONGEST,
        lambda text: earlier_spans.asked_span(text, date(2026, 1, 1)),
    ),
    "unpointed": (pointing.LONGEST, pointing.unpointed),
    "of the conversation": (
        about.LONGEST,
        lambda text: (about.classify_talk(text), about.find_subject(text)),
    ),
    "refusal": (refusals.LONGEST, refusals.is_refusal),
}
# Made of parts that are above, so that only `make deep` reads all of the material with them.
WHOLE: dict[str, Read] = {
    "named": lambda text: naming.named_in(text, text),
    "resolved": lambda text: resolving.resolve(ReadQuestion(text), conversation(text)),
    "rewritten": rewritten("What does it do?"),
    "compared": rewritten("Which of them is best?"),
    "moved": rewritten("And in Paris?"),
    "in Spanish": rewritten("¿Cuántos años tiene?"),
    "of another": rewritten("And of Paris?"),
    "than another": rewritten("Better than Paris?"),
    "same rule": rewritten("Does the same rule apply to the Trustee?"),
    "a model's rewrite": lambda text: asked(
        ReadQuestion(text),
        conversation(text),
        [Known(text, "name", 1)],
        lambda _: text,
    ),
    "signs": lambda text: signs(ReadQuestion(text), conversation(text), EMPTY_NEAR),
    "profile": profiled,
    "quoted": quoted,
}


# --- How long it takes ----------------------------------------------------------------------------


def seconds(read: Read, text: str, tries: int) -> float:
    """Return the least processor time of several tries, fewer if one is quick enough."""
    least = float("inf")
    for _ in range(tries):
        begun = time.thread_time()
        read(text)
        least = min(least, time.thread_time() - begun)
        if least < MEASURABLE:
            break
    return least


def growth(read: Read, material: Material, size: int, tries: int = 1) -> float:
    """Return how many times as long a text of that size takes as a quarter; 0 if it is quick."""
    longer = seconds(read, long(material, size), tries)
    if longer < MEASURABLE:
        return 0.0
    return longer / min(seconds(read, long(material, size // TIMES), 1) for _ in range(tries))


def too_slow(
    read: Read, size: int, material: Sequence[Material] = MATERIAL
) -> dict[Material, float]:
    """Return the materials that take more than their share at that size, with how much more."""
    read(long(("", "What is it? ", ""), 100))  # loads what is loaded once
    found = {each: growth(read, each, size) for each in material}
    suspected = [each for each, times in found.items() if times > MOST]
    for tries in range(2, TRIES + 2):
        again = {each: growth(read, each, size, tries) for each in suspected}
        suspected = [each for each in suspected if again[each] > MOST]
    return {each: again[each] for each in suspected}


@pytest.mark.parametrize("name", READS)
@pytest.mark.slow("long texts are what it is about")
def test_four_times_the_text_takes_at_most_five_times_the_time(name: str):
    material = [*ALONE[list(READS).index(name) % 2 :: 2], *BETWEEN]
    assert too_slow(READS[name], LONG, material) == {}


@pytest.mark.parametrize("name", BOUNDED)
def test_so_it_does_where_only_a_beginning_is_read(name: str):
    size, read = BOUNDED[name]
    assert too_slow(read, size) == {}


@pytest.mark.parametrize("name", WHOLE)
def test_so_it_does_where_much_is_made_of_a_text(name: str):
    assert too_slow(WHOLE[name], LONG, ONCE_TOO_LONG) == {}


@pytest.mark.deep
@pytest.mark.parametrize("name", READS | WHOLE)
def test_so_it_does_whatever_is_read(name: str):
    assert too_slow((READS | WHOLE)[name], LONG) == {}


def test_what_begins_anew_at_every_line_is_found():
    def squared(text: str) -> int:
        return sum(sum(map(str.isspace, text[:end])) for end in range(0, len(text), 16))

    assert too_slow(squared, LONG, MATERIAL[:1])
