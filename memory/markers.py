"""The markers of citations in an answer: [1], [2][3], [1, 2], [^1], with the space before them."""

import re
from collections.abc import Iterator

# A run of white space is looked at once, from its beginning: it may be very long.
MARKER = re.compile(r"(?<!\s)\s*\[\^?(\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*)\]")
# As answers are stored: one number each. Whatever else stands in brackets is text.
STORED = re.compile(r"(?<!\s)\s*\[(\d{1,3})\]")
FENCE, TICK = "```", "`"
# What neither is in a code span nor opens one: a tick that is escaped, and a span with its end.
CLOSED = re.compile(r"\\[\\`]|`[^`]*`")
# What begins a quotation or a heading, and what sets words off; not the power in 2**31.
LINE_SIGN = re.compile(r"^(?:[ \t]{0,8}(?:>|#{1,6}(?=[ \t])))+[ \t]*", re.MULTILINE)
SET_OFF = re.compile(r"(?<!\w)\*\*(?=\S)([^*\n]{1,200})(?<=\S)\*\*(?!\w)")


def without_markers(text: str) -> str:
    """Return an answer as later prompts see it: without the numbers of its time."""
    return MARKER.sub("", text) if "[" in text else text


def without_signs(text: str) -> str:
    """Return an answer's words without the Markdown that quotes, heads and sets them off."""
    return SET_OFF.sub(r"\1", LINE_SIGN.sub("", text))


def in_code(text: str) -> bool:
    """Tell whether the text ends inside a code block or code span."""
    return text.count(FENCE) % 2 == 1 or _in_span(text[text.rfind("\n") + 1 :])


def stored_markers(text: str) -> Iterator[re.Match[str]]:
    """Yield the markers of a stored answer, in order; what looks like one in code is code."""
    at = fences = 0
    for marker in STORED.finditer(text):
        fences += text.count(FENCE, at, marker.start())
        at = marker.start()
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if fences % 2 == 0 and not _in_span(line):
            yield marker


def _in_span(line: str) -> bool:
    return TICK in CLOSED.sub("", line.replace(FENCE, ""))
