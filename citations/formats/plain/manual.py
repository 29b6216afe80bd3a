"""Manual pages as `man` prints them: what is indented below a term is said of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.pdf.words import join_lines
from citations.formats.plain.lines import MANUAL_PAGE, dedented, indent_of, is_prose
from citations.formats.plain.pages import lines_of
from citations.formats.plain.typed import Typed
from citations.formats.sections import Sections

# "GNU grep 3.8            2019-12-29            GREP(1)"
FOOT = re.compile(r"\S.{0,80}?\s{2,}\S.{0,40}?\s{2,}\S{1,60}")
GLANCE = 1000  # characters, in which the first line stands
OUT = 5  # columns within which headings begin
SYNOPSIS = frozenset("synopsis übersicht sinopsis résumé обзор sintassi 書式 概要".split())
# Columns that a meaning stands further in than its term; what man itself takes.
LEAST_HANG, MOST_HANG, USUAL_HANG = 2, 32, 7
MOST_TERMS = 8  # that one text says the meaning of
DEEPEST = 20
BULLETS = frozenset("•·*o-○◦▪")
BULLETED = re.compile(r"\s*[•·*o○◦▪-]\s{2,}(?=\S)")
NUMBER = re.compile(r"\(?(?:\d{1,2}[.)]|[a-z]\)|\[\d{1,3}\])")
SPACED = re.compile(r"  +")
# Of a list's terms that have more than a paragraph each is a heading, if there are so many.
MANY, TERM_LEVEL = 3, 6


@dataclass
class Part:
    """Lines that stand together; or terms with the first lines about them, and what is below."""

    indent: int
    lines: list[str]
    terms: list[str] = field(default_factory=list)
    hang: int = 0  # what belongs to the terms stands so far in, or further
    below: list["Part"] = field(default_factory=list)

    @property
    def names(self) -> bool:
        """Whether it has terms, and no bullet or number."""
        return bool(self.terms) and not is_mark(self.terms)


class Manual:
    """Reads a page and gives its blocks to the sections."""

    def __init__(self, text: str, sections: Sections) -> None:
        self._sections = sections
        self._typed = Typed(text, "", sections)
        self._chunks = chunks_of(text)
        self._hangs = hangs_of(self._chunks)
        self._is_synopsis = False

    def read(self) -> None:
        section: list[Part] = []
        # The terms that the next lines may belong to, outermost first.
        open_: list[Part] = []
        for lines in self._chunks:
            begin = 0
            while begin < len(lines) and is_heading(lines[begin : begin + 2]):
                self._add(section)
                section, open_ = [], []
                self._heading(lines[begin])
                begin += 1
            for part in self._parts(lines[begin:]):
                while open_ and part.indent < open_[-1].hang:
                    open_.pop()
                (open_[-1].below if open_ else section).append(part)
                if part.terms and len(open_) < DEEPEST:
                    open_.append(part)
        self._add(section)

    def _heading(self, line: str) -> None:
        text = line.strip()
        self._is_synopsis = text.casefold() in SYNOPSIS
        self._sections.heading(1 if line[:1].strip() else 2, text)

    # --- Parts ------------------------------------------------------------------------------------

    def _parts(self, lines: Sequence[str]) -> Iterator[Part]:
        """Yield terms with the lines behind and below them, and the lines that are no terms."""
        at = 0
        while at < len(lines):
            indent, first = indent_of(lines[at]), at
            at += 1
            is_cut = self._cut(lines, first) > 0
            while not is_cut and at < len(lines) and indent_of(lines[at]) == indent:
                if self._cut(lines, at):
                    break
                at += 1
            heads, below = lines[first:at], at
            while at < len(lines) and indent_of(lines[at]) > indent:
                at += 1
            yield from self._part(heads, lines[below:at], self._cut(lines, first))

    def _part(self, heads: Sequence[str], said: Sequence[str], cut: int) -> Iterator[Part]:
        indent = indent_of(heads[0])
        if cut:
            begun = " " * cut + heads[0][cut:]
            yield Part(indent, [begun, *said], [heads[0][:cut].strip()], cut)
        elif said and self._are_terms(heads, said):
            terms = [line.strip() for line in heads]
            yield Part(indent, list(said), terms, indent_of(said[0]))
        else:
            yield Part(indent, list(heads))
            if said:
                yield Part(indent_of(said[0]), list(said))

    def _are_terms(self, heads: Sequence[str], said: Sequence[str]) -> bool:
        """Return whether lines only name what the lines that are indented below them tell of."""
        hang = indent_of(said[0]) - indent_of(heads[0])
        if not LEAST_HANG <= hang <= MOST_HANG or len(heads) > MOST_TERMS or self._is_synopsis:
            return False
        last = heads[-1].rstrip()
        is_lead = last.endswith((".", ":", ";", "{")) and not last.endswith("...")
        return not is_lead or is_prose([line.strip() for line in said])

    def _cut(self, lines: Sequence[str], at: int) -> int:
        """Return where in a line the meaning of the term that it begins with stands, or 0."""
        line, after = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        indent, below = indent_of(line), indent_of(after)
        if self._is_synopsis:
            return 0
        if after and LEAST_HANG <= below - indent <= MOST_HANG and is_gap(line, below, 1):
            # What is filled goes on in the next line only where no word of it has room left.
            is_full = len(line.rstrip()) + 1 + len(after.split()[0]) > self._typed.width
            return below if is_full or is_gap(line, below, 2) else 0
        return self._known_cut(line, after)

    def _known_cut(self, line: str, after: str) -> int:
        """Return where a line alone is cut: where others are, if nothing else is so spread."""
        indent = indent_of(line)
        if (bullet := BULLETED.match(line)) and indent_of(after) <= indent:
            return bullet.end()
        for hang in self._hangs.get(indent, ()):
            term = line[:hang].strip()
            is_named = term.startswith("-") or " " not in term
            if is_gap(line, hang, 2) and is_named and not SPACED.search(term):
                goes_on = after and indent_of(after) == indent and not is_gap(after, hang, 2)
                return 0 if goes_on else hang
            is_sign = term.startswith("-") or term.isupper()
            if not after and is_gap(line, hang, 1) and is_sign and " " not in term:
                return hang
        return 0

    # --- Blocks -----------------------------------------------------------------------------------

    def _add(self, parts: Sequence[Part]) -> None:
        """Add what stands under a heading; long lists of long entries name each as a heading."""
        parts = [with_its_name(part) for part in parts]
        entries = [part for part in parts if part.names]
        long = [part for part in entries if part.below]
        are_headings = len(long) >= MANY and 2 * len(long) >= len(entries)
        for part, before in zip(parts, [None, *parts], strict=False):
            if part.names and are_headings:
                self._sections.heading(TERM_LEVEL, ", ".join(part.terms).rstrip(":"))
            elif not part.names:
                self._sections.leave(TERM_LEVEL)
            self._add_part(part, before, 0)

    def _add_part(self, part: Part, before: Part | None, level: int) -> None:
        if not part.terms:
            self._add_lines(part.lines, before.lines if before else [])
            return
        deep = indent_of(part.lines[0])
        said = list(takewhile(lambda line: indent_of(line) <= deep, part.lines))
        self._add_entry(part.terms, join_lines([" ".join(line.split()) for line in said]), level)
        if rest := part.lines[len(said) :]:
            self._add_lines(rest, said)
        inside = [with_its_name(below) for below in part.below]
        for below, above in zip(inside, [part, *inside], strict=False):
            self._add_part(below, above, level + 1)

    def _add_entry(self, terms: Sequence[str], said: str, level: int) -> None:
        term = ", ".join(terms)
        if term in BULLETS:
            self._sections.item(said, BULLET, level)
        elif NUMBER.fullmatch(term):
            self._sections.item(said, f"{term} ", level)
        else:
            self._sections.item(f"{term.rstrip(':')}: {said}", BULLET, level)

    def _add_lines(self, lines: Sequence[str], before: Sequence[str]) -> None:
        is_in = bool(before) and indent_of(lines[0]) > indent_of(before[-1])
        is_typed = is_in or self._is_synopsis
        if is_typed and not is_prose([line.strip() for line in lines]):
            self._sections.add(BlockKind.CODE, dedented(lines))
        else:
            self._typed.add(list(lines), before)


def is_mark(terms: Sequence[str]) -> bool:
    term = ", ".join(terms)
    return term in BULLETS or NUMBER.fullmatch(term) is not None


def with_its_name(part: Part) -> Part:
    """Return what stands behind a bullet as a term, if it only names what is said below."""
    is_line = len(part.terms) == len(part.lines) == 1 and part.terms[0] in BULLETS
    named = part.lines[0].strip() if is_line else ""
    if not named.endswith(":") or not part.below or part.below[0].terms:
        return part
    first, *rest = part.below
    return Part(part.indent, first.lines, [named], part.hang, rest)


def is_manual(text: str) -> bool:
    """Return whether a text begins as man begins a page."""
    first = text[:GLANCE].lstrip("\n").partition("\n")[0]
    return MANUAL_PAGE.fullmatch(first.strip()) is not None


def chunks_of(text: str) -> list[list[str]]:
    """Return the lines between empty lines, without the first and the last one of the page."""
    lines = lines_of(text)
    filled = [at for at, line in enumerate(lines) if line.strip()]
    lines = lines[filled[0] + 1 : filled[-1] + 1]
    if lines and not lines[-1].startswith(" ") and FOOT.fullmatch(lines[-1].strip()):
        lines.pop()
    grouped = groupby(lines, key=lambda line: bool(line.strip()))
    return [[line.rstrip() for line in group] for is_filled, group in grouped if is_filled]


def is_heading(lines: Sequence[str]) -> bool:
    """Return whether the first line stands further out than text does."""
    indent = indent_of(lines[0])
    return (
        indent == 0
        or (indent < OUT and len(lines) == 1)
        or (indent < OUT and indent_of(lines[1]) > indent)
    )


def is_gap(line: str, at: int, least: int) -> bool:
    """Return whether a word begins there, behind so many spaces and some text."""
    return (
        line[at : at + 1].strip() != ""
        and not line[at - least : at].strip()
        and (line[: at - least].strip() != "")
    )


def hangs_of(found: Sequence[Sequence[str]]) -> dict[int, list[int]]:
    """Return, for each indentation, where what is said behind a term begins."""
    hangs: dict[int, list[int]] = {}
    for lines in found:
        for line, after in pairwise(lines):
            indent, below = indent_of(line), indent_of(after)
            known = hangs.setdefault(indent, [indent + USUAL_HANG])
            if below not in known and is_gap(line, below, 2) and below - indent <= MOST_HANG:
                known.append(below)
    return hangs
