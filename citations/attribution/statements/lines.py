"""Lines: an answer line by line, without the parts that belong to no statement."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.attribution.statements.signs import SEPARATOR
from memory.text.citation_markers import FENCE
from memory.text.words import extract_terms, find_sentences, split_words

# Maximum length of the line between a table's header and its rows.
LONGEST_SEPARATOR = 1500


@dataclass
class Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blank_spans(text: str, *spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with blanks in place of these spans."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted(span for group in spans for span in group):
        pieces += [text[at:start], " " * (end - max(at, start))]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


def split_lines(text: str) -> Iterator[Line]:
    at = 0
    for line in text.split("\n"):
        yield Line(at, line)
        at += len(line) + 1


def skip_fence(lines: Sequence[Line], at: int) -> int:
    ends = (
        each for each in range(at + 1, len(lines)) if lines[each].text.lstrip().startswith(FENCE)
    )
    return next(ends, len(lines) - 1) + 1


def is_table_separator(line: str) -> bool:
    return "-" in line and len(line) <= LONGEST_SEPARATOR and SEPARATOR.match(line) is not None


def split_row(row: str) -> list[str]:
    return [" ".join(cell.split()) for cell in row.strip("|").split("|")]


# Overlap: the share of a claim's words in a passage, for citations without a check.

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NUMBER_MISSING = 0.3


def find_best_sentence(claim: str, passage: str) -> tuple[str, float]:
    """Return the sentence that has most of the claim's terms, and the passage's share of them."""
    claimed = set(extract_terms(claim))
    spans = [passage[start:end] for start, end in find_sentences(passage)]
    if not claimed or not spans:
        return (spans[0] if spans else ""), 0.0
    best = max(spans, key=lambda sentence: len(claimed.intersection(extract_terms(sentence))))
    score = len(claimed.intersection(extract_terms(passage))) / len(claimed)
    figures = set(NUMBER.findall(claim)) - set(NUMBER.findall(passage))
    if figures - set(split_words(passage)):  # a wrong number is a wrong claim
        score = min(score, NUMBER_MISSING)
    return best, round(score, 3)
