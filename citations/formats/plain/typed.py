"""Typed text: what lines are, told by their indentation, numbers, empty lines and repetition."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.captions import is_caption
from citations.formats.pdf import tables
from citations.formats.pdf.lines import TextLine
from citations.formats.pdf.segments import Segment
from citations.formats.pdf.words import join_lines
from citations.formats.plain import options
from citations.formats.plain.borders import bordered_rows
from citations.formats.plain.contents import without_contents
from citations.formats.plain.entries import Entry, with_entries
from citations.formats.plain.headings import (
    NUMBERED,
    RELEASE,
    NamedHeadings,
    asked_in,
    heading_level,
    with_names_apart,
    with_titles_apart,
)
from citations.formats.plain.lines import (
    ANSWER,
    ENDS,
    FENCE,
    MANUAL_PAGE,
    are_records,
    chunks,
    dedented,
    fields_of,
    indent_of,
    is_command,
    is_justified,
    is_prose,
    is_underlined,
    level_over_indented,
    stands_out_of,
    terms_of,
)
from citations.formats.plain.pages import lines_of
from citations.formats.sections import BELOW, Sections

# A file is wrapped by hand if nearly no line is longer.
WRAPPED_AT = 120
# At most this wide, if lines that are nearly full go on in the next.
WIDEST, MOSTLY_FULL, FEWEST_FULL = 160, 0.75, 3
SHORTEST_FULL = 40
INDENTED = 4  # spaces beyond the text: an example
NEARLY_ALL = 0.95

ITEM = re.compile(
    r"(?P<bullet>[-*•–—o·])\s+|(?P<number>\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)](?=\s)"
    # Notes at the foot of a text: "[1]: …", "¹ …", and the address behind "[wiki]" or "2:".
    r"|\^?\[\d{1,3}\][.:]?(?=\s|$)|[¹²³⁴-⁹]{1,3}(?=\s)"
    r"|(?:\[[\w-]{1,20}\]:?|\d{1,3}:)(?=\s+(?:https?|ftp)://))\s*"
)
TERM = re.compile(r"(\S.{0,80}?)::$")
PROMPT = re.compile(r"\s*(?:[$#%>]|>>>|\.\.\.|[A-Z]:\\.*>|\w+@\w+.*[$#])\s+\S")
CODE = re.compile(r"[{};=<>|\\$`]|--\w|\w\(|/\w+/|^[#/*]|\+-|\s{3,}\S|\w_\w|::|\.\w+$")
URL = re.compile(r"(?:https?://|www\.)\S*")
GAP = re.compile(r"\s{2,}|\t+")


class Typed:
    """Reads the lines of a text and gives its blocks to the sections."""

    def __init__(self, text: str, title: str, sections: Sections) -> None:
        self._sections = sections
        self._title = title
        said = without_contents(list(chunks(lines_of(text))))
        self._chunks = with_entries(with_titles_apart(with_names_apart(said)))
        lengths = sorted(len(line) for chunk in self._chunks for line in chunk if len(line) > 40)
        longest = lengths[int(len(lengths) * NEARLY_ALL)] if lengths else 0
        self._is_wrapped = longest <= WRAPPED_AT or are_wrapped(self._chunks, longest)
        self.width = longest
        self._base = base_of(self._chunks)
        self._underlines: list[str] = []
        self._names = NamedHeadings()
        # Of the items that the next one may belong to.
        self._indents: list[int] = []

    def read(self) -> None:
        for at, chunk in enumerate(self._chunks):
            if self._sections.full:
                return
            is_title = [line.strip() for line in chunk] == [self._title]
            if at == 0 and (is_title or MANUAL_PAGE.fullmatch(chunk[0].strip())):
                continue
            before = self._chunks[at - 1] if at else []
            after = self._chunks[at + 1] if at + 1 < len(self._chunks) else []
            self._chunk(chunk, before, after)

    def _chunk(self, lines: list[str], before: list[str], after: list[str]) -> None:
        if isinstance(lines, Entry):
            self._sections.item(lines.text, BULLET, 0)
            return
        if FENCE.fullmatch(lines[0].strip()) and len(lines) > 1:
            fenced = lines[1:-1] if FENCE.fullmatch(lines[-1].strip()) else lines[1:]
            self._fenced(lines[0].strip()[0], fenced)
            return
        if is_underlined(lines):
            sign = lines[1].strip()[0]
            if sign not in self._underlines:
                self._underlines.append(sign)
            self._sections.heading(1 + self._underlines.index(sign), lines[0].strip())
            lines = lines[2:]
        elif heading := self._heading(lines, before, after):
            self._sections.heading(*heading)
            return
        while level := level_over_indented(lines, self._base):
            self._sections.heading(level, lines[0].strip())
            lines = lines[1:]
        if not lines:
            return
        if (mark := ANSWER.match(lines[0].lstrip())) and asked_in(before):
            lines = [lines[0].lstrip()[mark.end() :], *lines[1:]]
        self.add(lines, before)

    def add(self, lines: list[str], before: Sequence[str] = ()) -> None:
        """Add lines that are no heading: code, rows, or text."""
        if found := options.option_lists(lines):
            options.add_options(found, self._sections, self._text)
            return
        if indent_of(lines[0]) == 0:
            self._sections.leave(BELOW)
        is_code = self._is_code(lines)
        if not is_code and self._table(lines):
            return
        is_item = ITEM.match(lines[0].strip()) is not None
        if is_code or (is_command(before, lines) and not is_item):
            self._sections.add(BlockKind.CODE, dedented(lines))
        else:
            self._text(lines)

    def _heading(
        self, lines: list[str], before: list[str], after: list[str]
    ) -> tuple[int, str] | None:
        """Return the level and the text of a heading: one line, two if it has a number, or what
        a list of questions and answers marks as asked.
        """
        if asked := asked_in(lines):
            return 6, asked
        if len(lines) > 2 or (len(lines) == 2 and not self._is_wrapped_heading(lines)):
            return None
        text = join_lines([line.strip() for line in lines])
        if RELEASE.fullmatch(lines[0]):
            return 4, text
        if text.endswith(":") and after and options.begins_option(after[0]):
            return BELOW, text.rstrip(":")
        level = self._names.level(text) if after else 0
        level = level or heading_level(text, before, after)
        level = level or stands_out_of(self._base, lines, after)
        return (level, text) if level else None

    def _is_wrapped_heading(self, lines: Sequence[str]) -> bool:
        numbered = NUMBERED.match(lines[0].strip())
        is_deep = numbered is not None and "." in numbered[1]
        is_full = len(lines[0].strip()) > 0.7 * self.width
        return is_deep and is_full and not NUMBERED.match(lines[1].strip())

    def _fenced(self, sign: str, lines: list[str]) -> None:
        """Add a program, or what stands between two rules if half of it is sentences."""
        parts = list(chunks(lines))
        told = sum(is_prose([line.strip() for line in part]) for part in parts)
        if sign in "`~" or told * 2 < len(parts):
            self._sections.add(BlockKind.CODE, dedented(lines))
            return
        for at, part in enumerate(parts):
            self._chunk(part, parts[at - 1] if at else [], parts[at + 1] if parts[at + 1 :] else [])

    def _is_code(self, lines: Sequence[str]) -> bool:
        if sum(PROMPT.match(line) is not None for line in lines) * 2 > len(lines):
            return True
        indent = min(map(indent_of, lines))
        bare = [line.strip() for line in lines]
        if indent < self._base + INDENTED or ITEM.match(bare[0]) or is_prose(bare):
            return False
        coded = sum(CODE.search(URL.sub("", line)) is not None for line in bare)
        return coded * 2 > len(bare) or not any(" " in line for line in bare)

    def _table(self, lines: Sequence[str]) -> bool:
        """Add the lines if they are rows: with bars, or with cells below one another."""
        if barred := bordered_rows(lines):
            for row, is_header in barred:
                self._sections.row(row, is_header=is_header)
            return True
        if is_justified(lines):
            return False
        rows = [line_of(line, -12.0 * at) for at, line in enumerate(lines)]
        if len(lines) < 3 or sum(len(row.segments) > 1 for row in rows) * 3 < len(rows) * 2:
            return False
        found = tables.find_tables(rows)
        if len(found) != 1 or len(found[0][0]) < len(rows) - 1:
            return False
        self._text(lines[: found[0][0].start])
        for cells, is_header in found[0][1].texts():
            self._sections.row(cells, is_header=is_header)
        self._text(lines[found[0][0].stop :])
        return True

    def _text(self, lines: Sequence[str]) -> None:
        """Add paragraphs and items; what stands before an item in one chunk is its lead."""
        group: list[str] = []
        last = ""
        for line in lines:
            is_said_of_term = group and TERM.fullmatch(group[-1].strip())
            item = ITEM.match(line.strip())
            number = item["number"].strip("().") if item and item["number"] else ""
            # "… under section", and in the next line "7. This requirement …".
            goes_on = bool(group) and number.isdecimal() and self._goes_on(group[-1], number, last)
            begins = (item and not goes_on) or not self._is_wrapped
            last = number if begins and number else last
            if group and begins and not is_said_of_term:
                self._paragraph(group)
                group = []
            group.append(line)
        if group:
            self._paragraph(group)

    def _goes_on(self, above: str, number: str, last: str) -> bool:
        """Return whether a number at the beginning of a line belongs to the sentence above it."""
        is_next = number == "1" or (last.isdecimal() and int(number) == int(last) + 1)
        is_full = len(above.rstrip()) > max(0.7 * self.width, SHORTEST_FULL)
        return self._is_wrapped and is_full and not is_next and ENDS.search(above.rstrip()) is None

    def _paragraph(self, lines: Sequence[str]) -> None:
        stripped = [" ".join(line.split()) for line in lines]
        item = ITEM.match(stripped[0])
        if item is not None and len(stripped[0]) > item.end():
            stripped[0] = stripped[0][item.end() :]
            mark = BULLET if item["bullet"] else f"{item['number']} "
            # A short first line that is the item's title keeps a line of its own.
            first, *rest = stripped
            is_title = rest and len(first) < 0.6 * self.width and rest[0][:1].isupper()
            is_title = is_title and not ENDS.search(first)
            text = f"{first}\n{join_lines(rest)}" if is_title else join_lines(stripped)
            self._sections.item(text, mark, self._level(indent_of(lines[0])))
            return
        self._indents = []
        terms = terms_of(lines, self.width)
        if (term := TERM.fullmatch(stripped[0])) and len(stripped) > 1:
            terms = [term[1]]
        if terms:
            said = join_lines(stripped[len(terms) :])
            self._sections.item(f"{', '.join(terms)}: {said}", BULLET)
            return
        short = self._is_wrapped and max(map(len, stripped)) * 2 < self.width
        kept = fields_of(lines) or (stripped if short or are_records(stripped) else [])
        text = "\n".join(kept) if len(kept) > 1 else join_lines(stripped)
        self._sections.add(BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH, text)

    def _level(self, indent: int) -> int:
        """Return how deep an item is below those before it."""
        while self._indents and self._indents[-1] > indent + 1:
            self._indents.pop()
        if not self._indents or indent > self._indents[-1] + 1:
            self._indents.append(indent)
        return len(self._indents) - 1


# --- Lines ----------------------------------------------------------------------------------------


def are_wrapped(found: Iterable[Sequence[str]], longest: int) -> bool:
    """Return whether most long lines go on in the middle of a sentence on the next."""
    full = int(MOSTLY_FULL * longest)
    following = [
        below.strip()[:1].islower()
        for lines in found
        for line, below in pairwise(lines)
        if len(line) > full
    ]
    return longest <= WIDEST and sum(following) * 2 > len(following) > FEWEST_FULL


def base_of(found: Sequence[Sequence[str]]) -> int:
    """Return how far most long lines are indented."""
    long = [line for chunk in found for line in chunk if len(line.strip()) > 40]
    indents = Counter(indent_of(line) for line in long if not ITEM.match(line.strip()))
    return indents.most_common(1)[0][0] if indents else 0


def line_of(text: str, y: float) -> TextLine:
    """Return the line as if it were printed: with its cells in their places."""
    segments = []
    at = indent_of(text)
    for part in GAP.split(text.strip()):
        at = text.find(part, at)
        segments.append(
            Segment(part, 6.0 * at, 6.0 * (at + len(part)), y, 10.0, bold=0.0, mono=0.0, math=0.0)
        )
        at += len(part)
    return TextLine(segments)
