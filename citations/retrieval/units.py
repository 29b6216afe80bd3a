"""Units: the stretches of a passage that an answer can quote, with their context.

A unit is a sentence, an item of a list, a row of a table, a block of code or a part of a long one.
Each is read with its context, such as the header of a table, and none is cut. Headings, captions,
questions, lines of a table of contents and instructions to a model are no answers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, pairwise, takewhile

from citations.formats.blocks import BlockKind, Span
from citations.models import Passage
from citations.models.passages import SEPARATOR
from memory.text.words import find_sentences

# Longest block of code that is one unit, in lines; longer ones are split at empty lines, or at the
# remarks that begin their parts.
MOST_CODE_LINES = 16
REMARK = re.compile(r"\s*(?:#|//|/\*|\*|--\s|;|%|<!--|rem\s|\"\"\")", re.IGNORECASE)
LETTER = re.compile(r"[^\W\d_]")


def split_code(code: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each part of code. Short code is one part; other code is split at
    empty lines, and long parts at remarks.
    """
    lines = code.splitlines(keepends=True)
    if len(lines) <= MOST_CODE_LINES:
        yield 0, len(code)
        return
    starts = [0, *accumulate(map(len, lines))]
    firsts = [at for group in _group_lines(lines) for at in _split_group(lines, group)]
    for first, after in pairwise([*firsts, len(lines)]):
        part = code[starts[first] : starts[after]]
        yield starts[first], starts[first] + len(part.rstrip())


def _group_lines(lines: Sequence[str]) -> list[range]:
    """Return the groups of lines between empty ones; remarks alone belong to the group after them,
    and marks alone to the group before.
    """
    firsts, is_remark = [0], True
    for at, line in enumerate(lines):
        begins = bool(line.strip()) and at > 0 and not lines[at - 1].strip()
        if begins and not is_remark and _has_word(lines[at : at + MOST_CODE_LINES]):
            firsts.append(at)
            is_remark = True
        is_remark = is_remark and _is_remark_or_empty(line)
    return [range(first, after) for first, after in pairwise([*firsts, len(lines)])]


def _is_remark_or_empty(line: str) -> bool:
    """Return whether a line is a remark, or empty."""
    return not line.strip() or REMARK.match(line) is not None


def _has_word(lines: Sequence[str]) -> bool:
    """Return whether a word occurs in the lines up to the next empty one."""
    return any(LETTER.search(line) for line in takewhile(str.strip, lines))


def _split_group(lines: Sequence[str], group: range) -> list[int]:
    """Return the first lines of a group's parts: of a long one, each remark after other lines."""
    if len(group) <= MOST_CODE_LINES:
        return [group.start]
    later = [
        at for at in group[1:] if REMARK.match(lines[at]) and not _is_remark_or_empty(lines[at - 1])
    ]
    return [group.start, *later]


def join_code_parts(parts: Iterable[tuple[int, int]], text: str) -> str:
    """Return parts of code in place, with a sign where text between them is left out."""
    found = list(parts)
    shown = [text[slice(*found[0])]]
    for (_, last), (start, end) in pairwise(found):
        is_cut = bool(text[last:start].strip())
        shown += ["\n…\n" if is_cut else text[last:start], text[start:end]]
    return "".join(shown)


FEWEST_LETTERS = 2
# Short answers to the question above them, such as "No."
BARE_VERDICT = re.compile(r"(?:yes|no(?:pe)?|ja|nein|s[ií]|oui|non)[.!]", re.IGNORECASE)
# "1.2 Scope ........ 7", and its rest where the dots are lost.
CONTENTS = re.compile(r"(?:\.\s?){4,}|…\s*\d+\s*$")
# The same, where the dots or the number after them look like the end of a sentence.
CONTENTS_GO_ON = re.compile(r"\.(?:\s?\.){3}|… ?\d+\s*(?:\n|$)")
QUESTION = re.compile(r"[?？؟][\"'”’»)\]]*$")
# The mark of a question in a list of questions and answers.
ASKED = re.compile(r"Q(?:uestion)?\s?\d*[.:]\s")
# Instructions to a model, which tell a reader nothing: "Ignore all previous …".
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
# The characters of drawn lines and boxes.
FRAME = re.compile(r"[*_=+|#~^-]")
# "(a) is trivial or obvious;", "ii) …": a clause of a list, unlike "(c) 2005 …".
CLAUSE = re.compile(
    r"(?!\(c\) (?:copyright\b|\d{4}\b))(?:\(\s?\d{1,2}|\(?\s?(?:[a-z]|[ivx]{1,4}))\s?\)\s+(?=\S)",
    re.IGNORECASE,
)
# Longest clause or item that is one unit, in characters; longer ones are split into sentences.
LONGEST_ITEM = 600
# Largest share of marks in a statement; rulers and frames have more.
MOST_MARKS = 0.5


class UnitForm(StrEnum):
    """The form of a unit."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    # Quoted only together with the text that it introduces.
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
    # The index of its block in the passage.
    block: int

    def quote(self, text: str) -> str:
        return text[self.start : self.end]


def list_units(passage: Passage) -> list[PassageUnit]:
    """Return the passage's units in order; one without a layout has sentences only."""
    text = passage.text
    spans: Sequence[Span] = passage.spans or [Span(0, len(text), BlockKind.PARAGRAPH)]
    return [unit for at, span in enumerate(spans) for unit in _split_span(text, span, at)]


def list_headed_units(passage: Passage) -> Iterator[tuple[PassageUnit, str]]:
    """Yield the units in order, each with the nearest heading or question above it."""
    heading = get_nearest_heading(passage.heading)
    for unit in list_units(passage):
        text = unit.quote(passage.text)
        is_heading = bool(passage.spans) and passage.spans[unit.block].kind == BlockKind.HEADING
        if unit.form is UnitForm.ABOVE and (is_heading or QUESTION.search(text)):
            heading = text
        yield unit, heading


def get_nearest_heading(path: str) -> str:
    """Return the last heading of a path, with its parent if it is a single word."""
    *_, parent, last = ("", "", *path.split(SEPARATOR))
    return f"{parent}\n{last}".strip() if len(last.split()) < 2 else last


def _split_span(text: str, span: Span, block: int) -> Iterator[PassageUnit]:
    form = FORMS.get(BlockKind(span.kind), UnitForm.SENTENCE)
    is_short = span.end - span.start <= LONGEST_ITEM
    if span.kind == BlockKind.PARAGRAPH and is_short and CLAUSE.match(text, span.start):
        form = UnitForm.ITEM
    if form is UnitForm.ITEM and not is_short:
        form = UnitForm.SENTENCE
    if form is UnitForm.CODE:
        for start, end in split_code(text[span.start : span.end]):
            yield PassageUnit(span.start + start, span.start + end, form, block)
        return
    if form is not UnitForm.SENTENCE:
        asks = form is UnitForm.ITEM and (
            QUESTION.search(text[: span.end][-8:]) or ORDERS.match(text, span.start, span.end)
        )
        yield PassageUnit(span.start, span.end, UnitForm.ABOVE if asks else form, block)
        return
    said = find_sentences(text[span.start : span.end])
    for start, end in said:
        stretch = text[span.start + start : span.start + end]
        # A statement is no instruction, question, line of contents or bare number.
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
    """Return whether the stretch is drawn rather than written."""
    drawn = len(FRAME.findall(stretch)) * (not stretch[:1].isalnum())
    return drawn > MOST_MARKS * len(stretch.replace(" ", ""))
