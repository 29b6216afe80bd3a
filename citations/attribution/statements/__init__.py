"""Statements: the claims of an answer, sentence by sentence, in one pass over its text.

A sentence, a list item, a table row and a quotation are statements. A marker belongs to the
sentence that contains or precedes it; one that opens a line belongs to the text after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from citations.attribution.offers import Marker
from citations.attribution.statements import signs
from citations.attribution.statements.lines import (
    Line,
    blank_spans,
    is_table_separator,
    skip_fence,
    split_lines,
    split_row,
)
from memory.recall.talk.refusals import is_refusal
from memory.text.citation_markers import FENCE, strip_markdown, strip_markers
from memory.text.words import find_sentences, split_words

# Maximum number of statements checked in an answer, and maximum length of each.
MOST, LONGEST, LONGEST_QUOTATION = 200, 1500, 20_000


@dataclass
class Statement:
    """A stretch of the answer that claims something, with its markers."""

    start: int
    end: int
    # Its text for the checker: without markers and formatting, with its heading or lead.
    said: str
    is_quotation: bool = False
    # Whether a number can be drawn at its end.
    is_open: bool = True
    markers: list[Marker] = field(default_factory=list)


@dataclass(frozen=True)
class Clause:
    """The part of a statement that a marker ends: its start and its words."""

    start: int
    said: str


def split_statements(
    text: str, markers: Sequence[Marker], asides: Sequence[tuple[int, int]] = ()
) -> list[Statement]:
    """Return the statements of the answer, in order, each with its markers."""
    return Reader(text, markers, asides).read()


class Reader:
    """Reads an answer line by line."""

    def __init__(
        self, text: str, markers: Sequence[Marker], asides: Sequence[tuple[int, int]]
    ) -> None:
        self._text = text
        self._blank = blank_spans(text, [(each.start, each.end) for each in markers], asides)
        self._markers = list(markers)
        self._next = 0  # the index of the next marker
        self._found: list[Statement] = []
        # Markers that wait for the next statement.
        self._waiting: list[Marker] = []
        self._lead = ""  # the text that introduces a list or a table
        self._header: list[str] = []
        self._last: Statement | None = None
        self._quotes = False  # whether the last line was a quotation, or its place

    def read(self) -> list[Statement]:
        lines = list(split_lines(self._blank))
        at = 0
        while at < len(lines):
            line = lines[at]
            stripped = line.text.lstrip()
            if stripped.startswith(FENCE):
                at = skip_fence(lines, at)
                self._take_markers(lines[at - 1].end)
                self._quotes = False
            elif stripped.startswith(signs.QUOTED):
                at = self._quotation(lines, at)
            else:
                following = lines[at + 1].text if at + 1 < len(lines) else ""
                self._line(line, is_header="|" in line.text and is_table_separator(following))
                at += 1
        return self._found[:MOST]

    def _line(self, line: Line, *, is_header: bool) -> None:
        named = self._take_markers(line.end)
        bare = line.text.strip()
        if not split_words(bare):
            self._belongs_to_last(named)
        elif self._quotes and signs.PLACE.match(line.text):
            self._belongs_to_last(named)
            return
        elif signs.HEADING.match(line.text):
            self._waiting += named
            self._lead, self._header = "", []
        elif is_header:
            self._header = split_row(bare)
            self._waiting += named
        elif "|" in bare and (bare.startswith("|") or self._header):
            self._row(line, named)
        else:
            self._header = []
            self._sentences(line, named)
        if bare:
            self._quotes = False
        elif self._header:
            self._header = []

    def _row(self, line: Line, named: list[Marker]) -> None:
        start = line.start + len(line.text) - len(line.text.lstrip(" \t|"))
        end = line.start + len(line.text.rstrip(" \t|"))
        row = split_row(line.text.strip())
        heads = self._header + [""] * (len(row) - len(self._header))
        pairs = zip(heads, row, strict=False)
        said = "; ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell)
        # The last cell may be nothing but a marker.
        end = max([end, *(marker.end for marker in named)])
        self._keep(Statement(start, end, _strip_formatting(f"{self._lead} {said}")), named)

    def _quotation(self, lines: Sequence[Line], at: int) -> int:
        """Take a quotation, which is one statement however many sentences it has."""
        first = at
        while at < len(lines) and lines[at].text.lstrip().startswith(signs.QUOTED):
            at += 1
        last = lines[at - 1]
        named = self._take_markers(last.end)
        start = lines[first].start + len(lines[first].text) - len(lines[first].text.lstrip("> \t"))
        end = max([last.start + len(last.text.rstrip()), *(marker.end for marker in named)])
        said = "\n".join(line.text.lstrip("> \t") for line in lines[first:at])
        is_open = not last.text.rstrip().endswith((FENCE, "|")) or bool(named)
        if split_words(said):
            made = Statement(
                start, end, said[:LONGEST_QUOTATION], is_quotation=True, is_open=is_open
            )
            self._keep(made, named)
        else:
            self._belongs_to_last(named)
        self._quotes, self._header = True, []
        return at

    def _sentences(self, line: Line, named: list[Marker]) -> None:
        item = signs.ITEM.match(line.text)
        inner = line.start + (item.end() if item else 0)
        spans = [
            (inner + first, inner + last)
            for first, last in find_sentences(self._blank[inner : line.end])
            if split_words(self._blank[inner + first : inner + last])
        ]
        shared = _assign_markers(spans, named)
        for index, (span, own) in enumerate(zip(spans, shared, strict=True)):
            said = self._blank[slice(*span)]
            plain = _strip_formatting(said)
            is_last = index == len(spans) - 1
            if is_last and said.rstrip("*_ \t").endswith((":", "：")) and not own:
                self._lead = plain.rstrip(":： ")
                continue
            if said.rstrip(signs.CLOSING).endswith(("?", "？", "؟")):
                self._waiting += own
                continue
            if len(split_words(plain)) < (1 if item and self._lead else 2):
                continue  # "One" is no claim, even with a marker
            if not own and (signs.EMPTY.match(plain) or is_refusal(plain)):
                continue
            self._sentence(span, own, lead=self._lead if item else "")
        if spans and not item and not self._blank[slice(*spans[-1])].rstrip("*_ \t").endswith(":"):
            self._lead = ""

    def _sentence(self, span: tuple[int, int], own: list[Marker], *, lead: str) -> None:
        start, end = span
        said = _strip_formatting(self._blank[start:end])
        if said != (told := signs.ATTRIBUTED.sub("", said, count=1) if own else said):
            said = told if len(split_words(told)) > 1 else said
        if lead and len(split_words(said)) <= signs.SHORT_ITEM:
            said = f"{lead}: {said}"
        end = max([end, *(marker.end for marker in own)])
        self._keep(Statement(start, end, said[:LONGEST]), own)

    def _keep(self, statement: Statement, named: list[Marker]) -> None:
        statement.markers = [*self._waiting, *named]
        self._waiting = []
        self._last = statement
        self._found.append(statement)

    def _belongs_to_last(self, named: list[Marker]) -> None:
        if self._last is None:
            self._waiting += named
        elif named:
            self._last.markers += named

    def _take_markers(self, end: int) -> list[Marker]:
        begun = self._next
        while self._next < len(self._markers) and self._markers[self._next].start < end:
            self._next += 1
        return self._markers[begun : self._next]


def is_unfinished(text: str, statement: Statement) -> bool:
    """Return whether the text ends with the statement, without a full stop or a marker."""
    said = text[statement.start : statement.end].rstrip(signs.CLOSING.replace("]", ""))
    is_last = not text[statement.end :].strip(signs.CLOSING)
    return (
        is_last and not statement.is_quotation and not said.endswith((*signs.ENDING.strip(), "]"))
    )


def place_of_number(text: str, start: int, end: int) -> int:
    """Return the position of a claim's number: before the sentence's final punctuation."""
    return start + len(text[start:end].rstrip(signs.ENDING))


def split_clauses(text: str, statement: Statement) -> list[Clause]:
    """Split the statement at its markers; one that opens it applies to all of it."""
    clauses: list[Clause] = []
    start = behind = statement.start
    for marker in statement.markers:
        if behind < marker.start and len(split_words(text[behind : marker.start][:LONGEST])) > 1:
            start = behind
        said = strip_markers(text[start : marker.start][:LONGEST])
        said = signs.ATTRIBUTED.sub("", _strip_formatting(said), count=1)
        if statement.is_quotation and start < marker.start:
            clauses.append(Clause(start, statement.said))
        elif len(split_words(said)) < 2:
            clauses.append(Clause(marker.end, statement.said))
        else:
            clauses.append(Clause(start, said))
        behind = max(behind, marker.end)
    return clauses


def _assign_markers(
    spans: Sequence[tuple[int, int]], named: Sequence[Marker]
) -> list[list[Marker]]:
    """Return the markers of each sentence of a line.

    They follow their sentences, unless the line opens with a marker and doesn't end with one.
    """
    shared: list[list[Marker]] = [[] for _ in spans]
    if not spans:
        return shared
    opens = any(marker.start < spans[0][0] for marker in named)
    leads = opens and not any(marker.start >= spans[-1][1] - 8 for marker in named)
    at = 0
    for marker in named:
        while at + 1 < len(spans) and spans[at + 1][0] <= marker.start:
            at += 1
        is_behind = marker.start >= spans[at][1] and at + 1 < len(spans)
        shared[at + (leads and is_behind)].append(marker)
    return shared


def _strip_formatting(said: str) -> str:
    plain = " ".join(strip_markdown(said[: 2 * LONGEST]).replace("**", "").split())
    return signs.BEFORE_SIGN.sub(r"\1", plain)
