"""Files whose lines are their structure: settings with their comments, data for programs, logs.

Comments are what such a file says in sentences; everything else keeps its lines, as code.
"""

import json
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from citations.formats.blocks import BlockKind
from citations.formats.cleaning import clean
from citations.formats.plain.encodings import decode_text
from citations.formats.reading import BadFile, FileReading, Progress, ReadingLimits, silent
from citations.formats.sections import Sections

# "# What it is for", but "#port 22" is a setting that isn't set.
# One far in goes on with a comment behind a setting.
COMMENT = re.compile(r"\s{0,12}(?:#+|;+|//+)(?:\s+|$)(?P<said>.*)")
GROUP = re.compile(r"\[\[?[\w .:/-]{1,100}\]\]?\s*")
MARKED = re.compile(r"\s*[#;]")
SET = re.compile(r"\s*[\w.-]{1,60}\s*=")
STAMPED = re.compile(
    r"\W?(?:(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[/.]\d\d[/.]\d{2,4}|[A-Z][a-z]{2} [ \d]\d)[T,]?\s?"
    r"\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3} )"
)
# A name or a value behind the first bracket.
JSON = re.compile(r'\s*(?:\{\s*"[^"\n]{0,200}"\s*:|\[\s*(?:[\[{"]|-?\d[\d.]*\s*,))')
# Of the first lines, so many, and such a share of all that are filled.
FEWEST, MARKED_SHARE, SET_SHARE, STAMPED_SHARE = 5, 0.4, 0.6, 0.6
MOST_LINES, LONGEST_LINE = 25, 500  # of a block of code
TAB = 8
CARD = "BEGIN:V"  # a calendar, or the card of a person
# What stands around a number, and how JSON writes that.
MARK, NUMBER = "\x00", re.compile(r'"\\u0000([^"\\]*)\\u0000"')
SENTENCE = re.compile(r"[^\W\d_]{2,}")


def is_settings(text: str) -> bool:
    """Return whether a text keeps settings, data or a log, by its first lines."""
    lines = [line for line in text.split("\n")[:-1] if line.strip()]
    if JSON.match(text):
        return True
    shares = ((MARKED, MARKED_SHARE), (SET, SET_SHARE), (STAMPED, STAMPED_SHARE))
    return len(lines) >= FEWEST and any(
        sum(form.match(line) is not None for line in lines) >= share * len(lines)
        for form, share in shares
    )


def inspect(data: bytes, limits: ReadingLimits, progress: Progress = silent) -> FileReading:
    """Look whether there is text: such a file says nothing else of itself."""
    if not clean(decode_text(data)).strip():
        raise BadFile("empty")
    return FileReading()


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return comments as paragraphs, groups as headings, and the rest as code."""
    sections = Sections(limits)
    text = clean(decode_text(data))
    if text.startswith(CARD):  # a line that begins with a space goes on with the one above
        text = text.replace("\n ", "")
    lines = indent_json(text).expandtabs(TAB).split("\n")
    for kind, run in groupby(lines, key=kind_of_line):
        if kind == "comment":
            add_comments(run, sections)
        elif kind == "group":
            for line in run:
                sections.heading(1, line.strip().strip("[]"))
        elif kind == "code":
            code = [line.rstrip() for line in run]
            for at in range(0, len(code), MOST_LINES):
                sections.add(BlockKind.CODE, "\n".join(code[at : at + MOST_LINES]))
    return FileReading(sections=sections.finished(""), parts=sections.parts.found)


def kind_of_line(line: str) -> str:
    """Return the kind of a line: a comment, a group's name, code, or empty."""
    if COMMENT.match(line):
        return "comment"
    return "group" if GROUP.fullmatch(line) else "code" if line.strip() else ""


def add_comments(lines: Iterable[str], sections: Sections) -> None:
    """Add what comments say, a paragraph between bare ones; lines that decorate say nothing."""
    said = (match["said"].strip("# ") for line in lines if (match := COMMENT.match(line)))
    for is_filled, run in groupby(said, key=lambda line: SENTENCE.search(line) is not None):
        if is_filled:
            sections.paragraph(" ".join(run))


def indent_json(text: str) -> str:
    """Return JSON that a program wrote in one line with a line for each value."""
    if text.lstrip()[:1] not in ("{", "[") or max(map(len, text.split("\n"))) < LONGEST_LINE:
        return text
    try:
        return dumped(loaded(text), indent=2)
    except ValueError:
        return text


def loaded(text: str) -> Any:
    """Return the value that JSON writes, its numbers as they are written, between marks.

    Raises ValueError where one of two values would be lost.
    """
    form = f"{MARK}{{}}{MARK}".format
    numbers: dict[str, Any] = {"parse_float": form, "parse_int": form}
    try:
        return json.loads(text, object_pairs_hook=refuse_duplicates, **numbers)
    except RecursionError as error:
        raise BadFile("too_complex") from error


def dumped(value: Any, indent: int | None = None) -> str:
    """Return a value that was loaded as JSON."""
    return NUMBER.sub(r"\1", json.dumps(value, indent=indent, ensure_ascii=False))


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("two values of one name")
    return found
