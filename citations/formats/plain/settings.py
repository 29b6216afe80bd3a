"""Files whose lines are their structure: settings with their comments, data for programs, logs.

Comments are what such a file says in sentences; everything else keeps its lines, as code.
"""

import json
import re
from collections.abc import Iterator, Sequence
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
    lines = laid_out(text).expandtabs(TAB).split("\n")
    for is_filled, chunk in groupby(lines, key=lambda line: bool(line.strip())):
        if is_filled and not sections.full:
            add_chunk(list(chunk), sections)
    return FileReading(sections=sections.finished(""), unread=sections.unread)


def laid_out(text: str) -> str:
    """Return JSON that a program wrote in one line with a line for each value."""
    if text.lstrip()[:1] not in ("{", "[") or max(map(len, text.split("\n"))) < LONGEST_LINE:
        return text
    try:
        return json.dumps(loaded(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text


def loaded(text: str) -> Any:
    """Return the value that JSON writes; raises ValueError where one of two would be lost."""
    try:
        return json.loads(text, object_pairs_hook=with_distinct_names)
    except RecursionError as error:
        raise BadFile("too_complex") from error


def with_distinct_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("two values of one name")
    return found


def add_chunk(lines: Sequence[str], sections: Sections) -> None:
    for is_said, run in groupby(lines, key=lambda line: COMMENT.match(line) is not None):
        if is_said:
            for said in comments(run):
                sections.paragraph(said)
            continue
        for is_group, group in groupby(run, key=lambda line: GROUP.fullmatch(line) is not None):
            if is_group:
                for line in group:
                    sections.heading(1, line.strip().strip("[]"))
            else:
                for part in parted(list(group)):
                    sections.add(BlockKind.CODE, "\n".join(line.rstrip() for line in part))


def comments(lines: Iterator[str]) -> Iterator[str]:
    """Yield what comments say, a paragraph between bare ones; lines that decorate say nothing."""
    said = (match["said"].strip() for line in lines if (match := COMMENT.match(line)))
    for is_filled, run in groupby(said, key=lambda line: SENTENCE.search(line) is not None):
        if is_filled:
            yield " ".join(line.rstrip("#").rstrip() for line in run)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def parted(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines in blocks that end, if they can, before a line that is indented least."""
    least = min(map(indent_of, lines[1:-1] or lines))
    begin = 0
    for at, line in enumerate(lines):
        count = at - begin
        is_least = indent_of(line) <= least and line.strip()[0] not in "]})"
        if (count >= MOST_LINES and is_least) or count >= 2 * MOST_LINES:
            yield lines[begin:at]
            begin = at
    yield lines[begin:]
