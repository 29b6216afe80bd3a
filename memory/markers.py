"""The markers of citations in an answer: [1], [2][3], [1, 2], [^1], with the space before them."""

import re
from collections.abc import Iterator

# A run of white space is looked at once, from its beginning: it may be very long.
MARKER = re.compile(r"(?<!\s)\s*\[\^?(\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*)\]")
# As answers are stored: one number each. Whatever else stands in brackets is text.
STORED = re.compile(r"(?<!\s)\s*\[(\d{1,3})\]")
FENCE, TICK = "```", "`"


def without_markers(text: str) -> str:
    """Return an answer as later prompts see it: without the numbers of its time."""
    return MARKER.sub("", text) if "[" in text else text


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
    return line.replace(FENCE, "").count(TICK) % 2 == 1
