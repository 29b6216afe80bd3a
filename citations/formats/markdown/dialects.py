"""Dialects: what MkDocs, Docusaurus, Pandoc, Quarto and Sphinx add to Markdown, as CommonMark."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.markdown.definitions import as_items

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# "!!! note "Title"", "??? tip", "=== "Linux"": what is indented below belongs to it.
INDENTED = re.compile(
    r"(?P<indent> {0,12})(?:!!!|\?\?\?\+?|===)\s+(?P<kind>[\w-]{0,30})[^\"\n]{0,60}"
    r"(?:\"(?P<title>[^\"\n]{0,150})\")?\s*"
)
# ":::note Title", "::: {.callout-tip title="…"}"; "```{warning} Title".
OPENS = re.compile(
    r" {0,12}(?::{3,}\s*|(?:`{3,}|~{3,})\s?(?=\{[a-z]))\{?[.#]?(?:callout-)?"
    r"(?P<kind>[A-Za-z][\w-]{0,30})\}?(?P<rest>[^\n]{0,200})"
)
CLOSES = re.compile(r" {0,12}:{3,}\s*")
TITLE = re.compile(r"(?:title=\"([^\"]{1,150})\"|\[([^\]]{1,150})\])")
REMARKS = frozenset(
    "note tip hint info warning caution important danger attention error success question bug"
    " example quote abstract summary failure seealso admonition details".split()
)
# A program that is run and not shown: "```{r setup, include=FALSE}", "#| include: false".
CHUNK = re.compile(
    r"\s*(?:`{3,}|~{3,})\s*\{\s*(?:r|python|julia|sql|bash)\b(?P<options>[^}\n]{0,300})"
)
NOT_SHOWN = re.compile(r"\b(?:include|echo)\s*[=:]\s*(?:FALSE|F|false)\b|\bsetup\b", re.IGNORECASE)
OPTION = re.compile(r"#\|")
# "(label)=" and "% a remark" of Sphinx.
LABEL = re.compile(r"\([\w-]{1,80}\)=\s*")
ROLE = re.compile(r"\{[a-z:]{2,30}\}`([^`<\n]{1,200}?)\s?(?:<[^>`\n]{1,200}>)?`")
# "[@roe2020; see @poe, p. 3]", but no link to "@roe".
BRACKETED = re.compile(r"\[([^\[\]\n]{1,300})\](?![(:])")
KEY = re.compile(r"(?<![\w.])-?@(?=\w)")
REFERENCE = re.compile(r"\s?\\@ref\([\w:-]{1,80}\)")
FORMULA = re.compile(r"(?<![\\$\w])\$(?=[^\s$])([^$\n]{1,200})(?<=[^\s\\])\$(?![\w$])")
COMMAND = re.compile(r"\\([a-zA-Z]{2,12})(?![a-zA-Z])")
SIGNS = {
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "∼",
    "infty": "∞",
    "to": "→",
    "ldots": "…",
    "rightarrow": "→",
    "leftarrow": "←",
    "in": "∈",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "chi": "χ",
    "theta": "θ",
    "eta": "η",
    "omega": "ω",
    "psi": "ψ",
    "Delta": "Δ",
    "Sigma": "Σ",
    "Omega": "Ω",
    "deg": "°",
    "circ": "°",
    "degree": "°",
    "dots": "…",
    "mid": "|",
}
TABLE_OPENS, TABLE_CLOSES = re.compile(r"\s*<table\b", re.I), re.compile(r"</table>", re.I)


def common(text: str) -> str:
    """Return the text as CommonMark that says the same."""
    return "\n".join(as_items(rewritten(text.split("\n"))))


def rewritten(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines; those of programs stay as they are."""
    at, inside = 0, Insets()
    last_table = max((n for n, line in enumerate(lines) if TABLE_CLOSES.search(line)), default=-1)
    while at < len(lines):
        line = inside.taken_out(lines[at])
        at += 1
        if fence := FENCE.match(line):
            remark = OPENS.fullmatch(line) if "{" in line else None
            if remark and remark["kind"].lower() in REMARKS:
                inside.fences.append(fence[1])
                yield from said_by(remark["kind"], remark["rest"])
            elif inside.fences and line.strip() == inside.fences[-1]:
                inside.fences.pop()
                yield ""
            else:
                end = end_of_fence(lines, at, fence[1])
                if not is_unseen(line, lines[at : at + 5]):
                    yield from (line, *map(inside.taken_out, lines[at:end]))
                at = end
        elif at <= last_table and TABLE_OPENS.match(line) and not TABLE_CLOSES.search(line):
            # An empty line would end it.
            yield line
            while not TABLE_CLOSES.search(lines[at]):
                at += 1
                yield from filter(str.strip, lines[at - 1 : at])
        else:
            yield from inside.line(line)


class Insets:
    """The remarks that are open: those that indentation holds, and those between two marks."""

    def __init__(self) -> None:
        self.fences: list[str] = []
        self._indents: list[int] = []

    def taken_out(self, line: str) -> str:
        """Return the line without the indentation of the remark that it is in."""
        if not self._indents or not line.strip():
            return line
        depth = len(line) - len(line.lstrip(" "))
        while self._indents and depth < self._indents[-1]:
            self._indents.pop()
        return line[self._indents[-1] if self._indents else 0 :]

    def line(self, line: str) -> Iterator[str]:
        """Yield a line of text, or what a mark in its place says."""
        marked = INDENTED.fullmatch(line)
        if marked and (marked["kind"] or marked["title"]):
            inner = len(marked["indent"]) + 4
            self._indents.append(inner + (self._indents[-1] if self._indents else 0))
            yield from said_by(marked["kind"], marked["title"] or "")
        elif CLOSES.fullmatch(line) or LABEL.fullmatch(line):
            yield ""
        elif line.lstrip().startswith(":::") and (opened := OPENS.fullmatch(line)):
            yield from said_by(opened["kind"], opened["rest"])
        else:
            yield plain_inline(line)


def said_by(kind: str, rest: str) -> Iterator[str]:
    """Yield what a remark is called: by its title, else by its kind if that is a word."""
    titled = TITLE.search(rest)
    title = (titled[1] or titled[2]) if titled else "" if "=" in rest else rest.strip(" }")
    name = kind.capitalize() if kind.lower() in REMARKS else ""
    yield from ("", f"**{title.rstrip(':')}:**" if title else name, "")


def end_of_fence(lines: Sequence[str], at: int, mark: str) -> int:
    """Return where the lines go on behind a program."""
    while at < len(lines):
        at += 1
        closing = FENCE.match(lines[at - 1].lstrip())
        if closing and closing[1].startswith(mark) and lines[at - 1].strip() == closing[1]:
            break
    return at


def is_unseen(line: str, below: Sequence[str]) -> bool:
    """Return whether a program is run where the document is made, and not shown."""
    chunk = CHUNK.match(line)
    options = [each for each in below if OPTION.match(each.strip())]
    return chunk is not None and any(map(NOT_SHOWN.search, (chunk["options"], *options)))


def plain_inline(line: str) -> str:
    """Return the line with references and small formulas as they would be printed."""
    if "$" in line:
        line = FORMULA.sub(written_formula, line)
    if "@" in line:
        line = REFERENCE.sub("", BRACKETED.sub(without_keys, line))
    return ROLE.sub(r"\1", line) if "}`" in line else line


def without_keys(found: re.Match[str]) -> str:
    """Return what is cited in brackets, without the signs before the keys."""
    said = KEY.sub("", found[1])
    return f"({said})" if said != found[1] else found[0]


def written_formula(found: re.Match[str]) -> str:
    """Return a formula with signs for their names, without its marks if that is all in it."""
    said = COMMAND.sub(lambda command: SIGNS.get(command[1], command[0]), found[1])
    return said if said != found[1] and "\\" not in said else found[0]
