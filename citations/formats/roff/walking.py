"""Walking: the lines of a roff source in order become headings and blocks."""

import re
from collections.abc import Callable, Sequence

from citations.formats.blocks import BULLET, BlockKind
from citations.formats.cleaning import clean
from citations.formats.reading import ReadingLimits
from citations.formats.roff.entries import Entries
from citations.formats.roff.escapes import arguments, expanded, printed
from citations.formats.roff.mdoc import MACROS, MacroLine
from citations.formats.roff.tables import rows_of
from citations.formats.sections import Sections

HEADINGS = {"SH": 1, "SS": 2, "Sh": 1, "Ss": 2, "NH": 1, "uh": 1}
# These end a list of terms, too.
APART = frozenset("PP P LP HP pp lp".split())
PARAGRAPHS = frozenset("PP P LP HP pp lp Pp sp br ll sp bp DS DE RS RE Pe (q )q (l )l".split())
# The words of these are printed, one behind the other or each in its own way.
FONTS = frozenset("B I SM SB R CW BR RB IR RI BI IB b i r u ul bi sm UR UE MT ME SY OP YS".split())
TOGETHER = frozenset("BR RB IR RI BI IB".split())
CODE_BEGINS = frozenset("nf EX Vb Bd_literal (b (c".split())
CODE_ENDS = frozenset("fi EE Ve Ed )b )c".split())
# Requests that set something, and don't end a paragraph; any other may be a macro of one's own.
QUIET = frozenset(
    "ft ne ps vs nr ds as tr ta hy nh na ad ll pl po lt mk rt ec eo so nx rm rn di da ev it wh ch"
    " dt lg cu fam hw hc ns rs ss cs bd fp lf pm tm IX PD TH Dd Dt Os Sm Bk Ek hla hlm hcode do cp"
    "".split()
)
# A letter alone is a key, or whatever else it is a term for.
NUMBER = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[a-z](?:\.\d{1,3})*[.)])\)?")
BULLETS = frozenset("•*-–o+·○◦▪")
# How an item ends that isn't only the name of what the paragraph below tells of.
SAYS_ALL = re.compile(r"[.;,!?…][\"'”’)]*$")
LITERAL = ("-literal", "-unfilled")
MOST_OPEN = 50


class RoffWalk:
    """Gives what a source prints to the sections."""

    def __init__(self, limits: ReadingLimits) -> None:
        self.sections = Sections(limits)
        self._entries = Entries(self.sections)
        self._name = ""
        self._words: list[str] = []
        self._code: list[str] | None = None
        self._terms: list[str] = []
        self._mark = ""
        # What the next line of text is, if it is not a part of the text.
        self._next: Callable[[str], None] | None = None
        # Of mdoc: the kinds of the open lists, and how many items each has.
        self._lists: list[list[str | int]] = []
        self._level = 0

    def read(self, text: str) -> None:
        """Read all lines."""
        lines = clean(text).split("\n")
        at = 0
        while at < len(lines) and not self.sections.full:
            line = lines[at]
            at += 1
            if line.startswith((".", "'")) and not line.startswith(("'\\\"", '.\\"')):
                at = self._request(line, lines, at)
            elif not line.startswith(("'\\\"", '.\\"', '\\"')):
                self._text(line)
        self._flush()
        self._end_code()
        self._entries.end()

    # --- Requests ---------------------------------------------------------------------------------

    def _request(self, line: str, lines: Sequence[str], at: int) -> int:
        """Carry out a request; return where the lines go on."""
        name, _, rest = line[1:].strip().partition(" ")
        if "\t" in name:
            name, _, rest = name.partition("\t")
        rest = rest.partition('\\"')[0].strip()
        if name == "TS":
            end = end_of(lines, at, ".TE")
            self._table(lines[at:end])
            return end + 1
        if name in ("de", "de1", "ig", "am"):
            return end_of(lines, at, f".{rest.partition(' ')[2].strip() or '.'}") + 1
        if name in ("if", "ie", "el", "while"):
            return past_condition(line, lines, at)
        if name == "EQ":
            return end_of(lines, at, ".EN") + 1
        self._carry_out(name, rest)
        return at

    def _carry_out(self, name: str, rest: str) -> None:
        if name in HEADINGS or name == "sh":
            self._heading(name, rest)
        elif name in ("Bl", "El", "It", "Bd", "Ed", "D1", "Dl"):
            self._of_mdoc(name, rest)
        elif name in CODE_BEGINS:
            self._flush()
            self._code = []
        elif name in CODE_ENDS:
            self._end_code()
        elif name in PARAGRAPHS:
            self._flush()
            self._level += (name == "RS") - (name == "RE")
            if name in APART or (name == "Pp" and not self._lists):
                self._entries.end()
        elif name in ("TP", "TQ"):
            self._flush(keeps_terms=name == "TQ")
            self._next = self._terms.append
        elif name in ("IP", "ip"):
            self._begin_item(rest)
        elif name in ("np", "bu"):
            self._flush()
            self._mark = BULLET
        elif name in MACROS:
            self._of_line(name, rest)
        elif name in FONTS:
            words = arguments(rest)
            said = printed("".join(words) if name in TOGETHER else " ".join(words))
            self._said(f"<{said}>" if name in ("UR", "MT") and said else said)
        elif name not in QUIET:
            self._flush()

    def _heading(self, name: str, rest: str) -> None:
        self._end_code()
        self._flush()
        self._entries.end()
        words = arguments(rest)
        level = HEADINGS.get(name, 1)
        if name in ("sh", "NH") and words and words[0].isdecimal():
            level, words = min(int(words[0][:2]), 6), words[1:2]
        self._level = 0
        if words:
            self.sections.heading(level, printed(" ".join(words)))
        else:
            self._next = lambda text: self.sections.heading(level, text)

    def _of_line(self, name: str, rest: str) -> None:
        line = MacroLine(self._name)
        self._said(line.of([name, *arguments(rest)]))
        self._name = self._name or line.name

    def _of_mdoc(self, name: str, rest: str) -> None:
        words = arguments(rest)
        if name == "It":
            self._item(words)
        elif name == "Bl":
            self._flush()
            if len(self._lists) < MOST_OPEN:
                self._lists.append([words[0] if words else "-item", 0])
        elif name == "El":
            self._flush()
            if self._lists:
                self._lists.pop()
            if not self._lists:
                self._entries.end()
        elif name == "Bd":
            self._flush()
            self._code = [] if any(word in LITERAL for word in words) else None
        elif name == "Ed":
            self._flush()
            self._end_code()
        elif name in ("D1", "Dl"):
            self._flush()
            self._code = [MacroLine(self._name).of(words)]
            self._end_code()

    def _item(self, words: list[str]) -> None:
        """Begin an item of the open list."""
        kind = str(self._lists[-1][0]) if self._lists else "-tag"
        if kind == "-column":
            self._flush()
            cells = " ".join(words).split(" Ta ")
            self._row([MacroLine(self._name).of(arguments(cell)) for cell in cells])
            return
        if kind in ("-tag", "-hang", "-inset", "-ohang", "-diag"):
            self._flush(keeps_terms=not self._words)
            self._terms.append(MacroLine(self._name).of(words))
            return
        self._flush()
        if kind == "-enum":
            count = int(self._lists[-1][1]) + 1
            self._lists[-1][1] = count
            self._mark = f"{count}. "
        elif kind != "-item":
            self._mark = BULLET

    def _begin_item(self, rest: str) -> None:
        words = arguments(rest)
        is_name = self._mark == BULLET and self._words and not SAYS_ALL.search(self._words[-1])
        if is_name and not words:  # of a bullet as Ronn writes terms
            self._terms, self._words, self._mark = [" ".join(self._words)], [], ""
            return
        self._flush()
        mark = printed(words[0]).strip() if words else ""
        if mark in BULLETS:
            self._mark = BULLET
        elif NUMBER.fullmatch(mark):
            self._mark = f"{mark} "
        elif mark:
            self._terms = [mark]

    def _table(self, lines: Sequence[str]) -> None:
        self._flush()
        for cells, is_header in rows_of(lines):
            self._row(cells, is_header=is_header)

    def _row(self, cells: Sequence[str], *, is_header: bool = False) -> None:
        self._entries.add(lambda: self.sections.row(cells, is_header=is_header))

    # --- Text -------------------------------------------------------------------------------------

    def _text(self, line: str) -> None:
        if self._code is not None and self._next is None:
            self._code.append(expanded(line))
            return
        if not line.strip() or (line[0] == " " and not self._next):
            self._flush()
        self._said(printed(line).strip())

    def _said(self, text: str) -> None:
        if not text:
            return
        if self._next is not None:
            take, self._next = self._next, None
            take(text)
        elif self._code is not None:
            self._code.append(text)
        else:
            self._words.append(text)

    def _end_code(self) -> None:
        code, self._code = self._code, None
        if code:
            self._entries.add(lambda: self.sections.add(BlockKind.CODE, "\n".join(code)))

    def _flush(self, *, keeps_terms: bool = False) -> None:
        """End a paragraph or an item."""
        text = " ".join(" ".join(self._words).split())
        self._words = []
        level = max(len(self._lists) - 1, self._level, 0)
        if self._terms and (text or not keeps_terms):
            term, self._terms = ", ".join(self._terms), []
            self._entries.begin(term, text, level)
        elif self._mark and text:
            mark, self._mark = self._mark, ""
            self._entries.add(lambda: self.sections.item(text, mark, level))
        elif text:
            self._entries.add(lambda: self.sections.paragraph(text))


def end_of(lines: Sequence[str], at: int, end: str) -> int:
    """Return where the line stands that ends what began."""
    while at < len(lines) and lines[at].rstrip() != end:
        at += 1
    return at


def past_condition(line: str, lines: Sequence[str], at: int) -> int:
    """Return where the lines go on behind what is printed on some condition only."""
    depth = line.count("\\{") - line.count("\\}")
    while depth > 0 and at < len(lines):
        depth += lines[at].count("\\{") - lines[at].count("\\}")
        at += 1
    return at
