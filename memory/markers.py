"""The markers of citations in an answer: [1], [2][3], [1, 2], [^1], with the space before them."""

import re

MARKER = re.compile(r"\s*\[\^?(\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*)\]")


def without_markers(text: str) -> str:
    """Return an answer as later prompts see it: without the numbers of its time."""
    return MARKER.sub("", text) if "[" in text else text
