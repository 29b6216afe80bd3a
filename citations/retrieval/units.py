"""Units: the stretches of a passage that an answer can quote, and what they stand under.

A sentence, an item of a list, a row of a table, a block of code or a part of a long one: each is
read with what makes it understood (the sentence before a list, the header of a table), and none is
cut. Headings, captions, questions, lines of a table of contents and orders to whoever answers are
no answers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from citations.formats.blocks import BlockKind, Span
from citations.models import Passage
from citations.models.passages import SEPARATOR
from citations.retrieval.code import parts_of_code
from memory.text.words import sentences

FEWEST_LETTERS = 2
# What may be shorter and says all the same, for the question above it: "No."
BARE_VERDICT = re.compile(r"(?:yes|no(?:pe)?|ja|nein|s[ií]|oui|non)[.!]", re.IGNORECASE)
# "1.2 Scope ........ 7", and what is left of it where the dots are lost.
CONTENTS = re.compile(r"(?:\.\s?){4,}|…\s*\d+\s*$")
# The same, where the dots or the number behind them pass for the end of a sentence.
CONTENTS_GO_ON = re.compile(r"\.(?:\s?\.){3}|… ?\d+\s*(?:\n|$)")
QUESTION = re.compile(r"[?？؟][\"'”’»)\]]*$")
# How a list of questions and answers marks the first.
ASKED = re.compile(r"Q(?:uestion)?\s?\d*[.:]\s")
# What is told to whoever answers, and says nothing to whoever asks: "Ignore all previous …".
ORDERS = re.compile(
    r"\W{0,5}(?:"
    r"(?:please |now |you must |important\W{1,3})?(?:ignore|disregard|forget|override)\b"
    r"(?: \w+){0,4} (?:instructions?|prompts?|directives?|guidelines|rules above)\b"
    r"|(?:ignoriere|vergiss|missachte)\b(?: \w+){0,4} (?:anweisungen|instruktionen)\b"
    r"|(?:ignora|olvida)\b(?: \w+){0,4} instrucciones\b"
    r"|(?:ignore[zs]?|oublie[zs]?)\b(?: \w+){0,4} instructions\b"
    r"|(?:(?-i:SYSTEM|ASSISTANT)|system (?:prompt|message)):\s"
    r"|(?:note|attention|instructions?) (?:to|for) (?:the |any |all )?(?:ai|llms?|assistants?"
    r"|(?:large )?language models?|chat ?bots?)\b"
    r"|(?:ai|llm|assistant|language model|chat ?bot)s?,? (?:you|please|if you)\b)",
    re.IGNORECASE,
)
# What rulers and boxes are drawn with.
FRAME = re.compile(r"[*_=+|#~^-]")
LETTER = re.compile(r"[^\W\d_]")
# "(a) is trivial or obvious;", "ii) …": a paragraph that is one of several, and no "(c) 2005 …".
CLAUSE = re.compile(
    r"(?!\(c\) (?:copyright\b|\d{4}\b))(?:\(\s?\d{1,2}|\(?\s?(?:[a-z]|[ivx]{1,4}))\s?\)\s+(?=\S)",
    re.IGNORECASE,
)
# One that is longer, or an item of a list that is, says several things, each in a sentence.
LONGEST_ITEM = 600
# The share of a statement's characters that may be marks: rulers and frames say nothing.
MOST_MARKS = 0.5


class UnitForm(StrEnum):
    """What a unit is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    # What is quoted only together with what it leads to.
    ABOVE = "above"


FORMS = {
    BlockKind.ITEM: UnitForm.ITEM,
    BlockKind.ROW: UnitForm.ROW,
    BlockKind.TOTAL: UnitForm.ROW,
    BlockKind.CODE: UnitForm.CODE,
    BlockKind.HEADER: UnitForm.ABOVE,
    BlockKind.CAPTION: UnitForm.ABOVE,
    BlockKind.HEADING: UnitForm.ABOVE,
}


@dataclass(frozen=True)
class PassageUnit:
    """A stretch of a passage's text, in characters."""

    start: int
    end: int
    form: UnitForm
    # Of the block that it is of, to tell which belong together.
    block: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def units_of(passage: Passage) -> list[PassageUnit]:
    """Return the passage's units in order; one that was read before layouts has sentences only."""
    text = passage.text
    spans: Sequence[Span] = passage.spans or [Span(0, len(text), BlockKind.PARAGRAPH)]
    return [unit for at, span in enumerate(spans) for unit in _of_span(text, span, at)]


def headed_units(passage: Passage) -> Iterator[tuple[PassageUnit, str]]:
    """Yield the units in order, each with the nearest heading or question above it."""
    heading = nearest_heading(passage.heading)
    for unit in units_of(passage):
        text = unit.of(passage.text)
        is_heading = bool(passage.spans) and passage.spans[unit.block].kind == BlockKind.HEADING
        if unit.form is UnitForm.ABOVE and (is_heading or QUESTION.search(text)):
            heading = text
        yield unit, heading


def nearest_heading(path: str) -> str:
    """Return the last heading of a path, with its parent if it is a single word."""
    *_, parent, last = ("", "", *path.split(SEPARATOR))
    return f"{parent}\n{last}".strip() if len(last.split()) < 2 else last


def _of_span(text: str, span: Span, block: int) -> Iterator[PassageUnit]:
    form = FORMS.get(BlockKind(span.kind), UnitForm.SENTENCE)
    is_short = span.end - span.start <= LONGEST_ITEM
    if span.kind == BlockKind.PARAGRAPH and is_short and CLAUSE.match(text, span.start):
        form = UnitForm.ITEM
    if form is UnitForm.ITEM and not is_short:
        form = UnitForm.SENTENCE
    if form is UnitForm.CODE:
        for start, end in parts_of_code(text[span.start : span.end]):
            yield PassageUnit(span.start + start, span.start + end, form, block)
        return
    if form is not UnitForm.SENTENCE:
        asks = form is UnitForm.ITEM and (
            QUESTION.search(text[: span.end][-8:]) or ORDERS.match(text, span.start, span.end)
        )
        yield PassageUnit(span.start, span.end, UnitForm.ABOVE if asks else form, block)
        return
    said = sentences(text[span.start : span.end])
    for start, end in said:
        stretch = text[span.start + start : span.start + end]
        # A statement is no order, no question, no line of contents, no bare number.
        is_statement = (
            ORDERS.match(text, span.start + start, span.end) is None
            and (
                len(LETTER.findall(stretch[:200])) > FEWEST_LETTERS
                or BARE_VERDICT.fullmatch(stretch) is not None
            )
            and not _is_frame(stretch[:200])
            and QUESTION.search(stretch[-8:]) is None
            and ASKED.match(stretch) is None
            and CONTENTS.search(stretch) is None
            and CONTENTS_GO_ON.match(text, span.start + end - 1) is None
        )
        form = UnitForm.SENTENCE if is_statement else UnitForm.ABOVE
        yield PassageUnit(span.start + start, span.start + end, form, block)


def _is_frame(stretch: str) -> bool:
    """Return whether it is drawn rather than written."""
    drawn = len(FRAME.findall(stretch)) * (not stretch[:1].isalnum())
    return drawn > MOST_MARKS * len(stretch.replace(" ", ""))
