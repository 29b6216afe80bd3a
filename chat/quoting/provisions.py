"""Provisions: a numbered part of a document that a question asks to see, quoted whole.

Laws, terms and standards are cited by number, and who asks "what does § 3 say" wants this part and
no other one, in its own words. It is found by its heading, or by the number that it begins with.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from django.utils.translation import gettext as _

from chat.quoting.kinds import kinds_of
from chat.quoting.references import (
    WHOLE,
    PartReference,
    calls_by,
    number_alike,
    part_named,
)
from chat.quoting.spans import Quote
from chat.quoting.writing import written_quotes
from citations.formats.blocks import BULLET, BlockKind
from citations.ingestion.chunking import SEPARATOR
from citations.models import Document, Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit, units_of
from memory.text.words import terms

# Documents that are looked through, passages of one, and words and passages that are quoted.
MOST_DOCUMENTS, LONGEST, MOST_WORDS, MOST_PASSAGES = 4, 1500, 330, 4
# "Article 5 – Powers", "§ 3", "5.3.2 DISTRIBUTION", "8. Termination."
HEADED = re.compile(
    rf"(?:(?P<word>(?i:{WHOLE}))\s{{0,2}})?(?P<number>\d{{1,3}}[a-z]?(?:\.\d{{1,3}}){{0,5}}"
    r"|[A-Z]\.\d{1,3}(?:\.\d{1,3}){0,4}|[IVX]{1,6}|[A-H])(?=[\s.:)–—-]|[.:)]?[A-Z]|$)"
)
# What a part of a part begins with: "(1)", "2.", "b)", "3 ".
MARKED = re.compile(
    r"\s*(?:- )?(?P<open>\(?)(?P<mark>\d{1,2}(?=[.)\s])|[a-z]{1,4}(?=[.)]))(?P<close>[.)]?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ProvisionLine:
    """A block of a document, as a part is looked for: its units, and the headings above it."""

    passage: Passage
    path: tuple[str, ...]
    units: tuple[PassageUnit, ...]
    kind: str

    @property
    def text(self) -> str:
        return self.passage.text[self.units[0].start : self.units[-1].end]


@dataclass(frozen=True)
class Provision:
    """A part of a document that was asked for, as an answer of its own."""

    lines: Sequence[ProvisionLine]
    question: str

    @property
    def passages(self) -> list[Passage]:
        """The passages that it stands in, as far as it is quoted."""
        return list(self._shown())

    def written(self, labels: Mapping[int, int]) -> str:
        """Return it as quotations; `labels` are those of the passages' keys."""
        shown = self._shown()
        quotes = [
            Quote(passage, tuple(units), (), 1.0)
            for passage, units in shown.items()
            if passage.pk in labels
        ]
        text = written_quotes(quotes, labels, kinds_of(self.question), "")
        is_whole = sum(len(units) for units in shown.values()) == sum(
            len(line.units) for line in self.lines
        )
        return text if is_whole or not text else f"{text}\n\n{_('It goes on there.')}"

    def _shown(self) -> dict[Passage, list[PassageUnit]]:
        """Return its units by passages: whole blocks, as many as may be quoted."""
        found: dict[Passage, list[PassageUnit]] = {}
        said = 0
        for line in self.lines:
            said += len(line.text.split())
            is_more = line.passage not in found and len(found) == MOST_PASSAGES
            if found and (said > MOST_WORDS or is_more):
                break
            found.setdefault(line.passage, []).extend(line.units)
        return found


def provision(question: str, found: Sequence[Found]) -> Provision | None:
    """Return the part of a document that the question asks for by its number, if it asks for
    nothing else and that document is plain: by its name, or as the first that has such a part.
    """
    wanted = part_named(question)
    if wanted is None:
        return None
    asked = frozenset(terms(question))
    documents = dict.fromkeys(each.passage.document for each in found)
    named = [each for each in documents if calls_by(wanted.beside, *names_of(each))]
    # "The statutes" are a kind of document, and what some of them are called.
    named.sort(key=lambda each: -len(asked.intersection(terms(" ".join(names_of(each))))))
    for document in named[:MOST_DOCUMENTS]:
        if lines := part_of(document, wanted):
            return Provision(lines, question)
    return None


def names_of(document: Document) -> tuple[str, str]:
    return document.title, document.file_name.rpartition(".")[0]


def part_of(document: Document, wanted: PartReference) -> list[ProvisionLine]:
    """Return the blocks of the part; none, if there is no such one."""
    if not 0 < document.passage_count <= LONGEST:
        return []
    rows = document.passages.order_by("position").select_related("document")
    lines = [line for passage in rows for line in lines_of(passage)]
    part = under_heading(lines, wanted) or begun_by_number(lines, wanted)
    for mark in wanted.parts:
        part = marked(part, mark)
    return part


def lines_of(passage: Passage) -> Iterator[ProvisionLine]:
    """Yield the blocks of a passage."""
    path = tuple(passage.heading.split(SEPARATOR)) if passage.heading else ()
    blocks: dict[int, list[PassageUnit]] = {}
    for unit in units_of(passage):
        blocks.setdefault(unit.block, []).append(unit)
    for block, units in blocks.items():
        kind = passage.spans[block].kind if passage.spans else BlockKind.PARAGRAPH
        yield ProvisionLine(passage, path, tuple(units), kind)


def under_heading(lines: Sequence[ProvisionLine], wanted: PartReference) -> list[ProvisionLine]:
    """Return what stands under the heading that has the number: one with the word of the question,
    or with none, before one with another.
    """
    best: tuple[int, tuple[str, ...]] = (0, ())
    for path in dict.fromkeys(line.path for line in lines):
        for depth, heading in enumerate(path, start=1):
            worth = fitness(heading, wanted)
            if worth > best[0]:
                best = worth, path[:depth]
    above = best[1]
    own = [line for line in lines if line.path[: len(above)] == above] if above else []
    return [line for line in own if line.kind != BlockKind.HEADING or len(own) > 1]


def fitness(heading: str, wanted: PartReference) -> int:
    """Return how well a heading is that of the part: 0 if it isn't."""
    headed = HEADED.match(heading)
    if headed is None or not number_alike(headed["number"], wanted.number):
        return 0
    word = (headed["word"] or "").lower().rstrip(".")
    if word and wanted.word and word[:3] == wanted.word[:3]:
        return 3
    return 1 if word and wanted.word else 2


def begun_by_number(lines: Sequence[ProvisionLine], wanted: PartReference) -> list[ProvisionLine]:
    """Return the blocks from the one that begins with the number to the next that begins with one
    that is not of it, under the same headings.
    """
    starts = [at for at, line in enumerate(lines) if begins(line, wanted)]
    if not starts or (len(starts) > 1 and not wanted.is_deep):
        return []
    first = starts[0]
    path = lines[first].path
    rest = takewhile(
        lambda line: line.path == path and not is_next(line, wanted), lines[first + 1 :]
    )
    return [lines[first], *rest]


def begins(line: ProvisionLine, wanted: PartReference) -> bool:
    """Return whether a block begins with the number, and is no item of a list that anything has."""
    headed = HEADED.match(line.text.removeprefix(BULLET))
    if headed is None or not number_alike(headed["number"], wanted.number):
        return False
    is_heading = line.kind == BlockKind.HEADING or headed["word"] is not None
    return wanted.is_deep or is_heading or line.kind == BlockKind.PARAGRAPH


def is_next(line: ProvisionLine, wanted: PartReference) -> bool:
    """Return whether a block begins another part, as deep as the one wanted or less so."""
    headed = HEADED.match(line.text.removeprefix(BULLET))
    if headed is None or line.text[:1] == "(":
        return False
    number = headed["number"].lower()
    is_part = "." in number or line.kind == BlockKind.HEADING or not wanted.is_deep
    is_within = number.startswith(f"{wanted.number}.")
    return is_part and not is_within and line.kind != BlockKind.ROW


def marked(lines: Sequence[ProvisionLine], mark: str) -> list[ProvisionLine]:
    """Return the blocks of a part from the one that has this mark to the next of its style."""
    for at, line in enumerate(lines):
        own = MARKED.match(line.text)
        if own is None or not number_alike(own["mark"], mark):
            continue
        following = lines[at + 1 :]
        end = next(
            (to for to, each in enumerate(following) if has_style(each, style_of(own))), None
        )
        return [line, *following[:end]]
    return []


def style_of(own: re.Match[str]) -> tuple[str, str, bool]:
    return own["open"], own["close"], own["mark"].isdecimal()


def has_style(line: ProvisionLine, style: tuple[str, str, bool]) -> bool:
    own = MARKED.match(line.text)
    is_listed = own is not None and (own["close"] != "" or line.kind == BlockKind.ITEM)
    return own is not None and is_listed and style_of(own) == style
