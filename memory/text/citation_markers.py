"""The markers of citations in an answer: [1], [2][3], [1, 2], [^1], with the space before them.

Also the lines behind quotations that state their place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Each run of white space is matched only from its beginning: it may be very long.
MARKER = re.compile(r"(?<!\s)\s*\[\^?(\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*)\]")
# As answers are stored: one number each. Anything else in brackets is text.
STORED = re.compile(r"(?<!\s)\s*\[(\d{1,3})\]")
# The line behind a quotation that states its place. Behind other text, it needs a path or a page;
# behind a table, a list or code, it must not be a sentence.
PLACE = re.compile(r"(?<=\n)(?P<said>[^\n]*)\n\n\*(?P<place>(?:\\.|[^*\\\n])+)\*(?=\n|$)")
PATH_OR_PAGE = re.compile(r" › |· ?pp?\. ?[0-9]")
ENDS_A_QUOTATION = re.compile(r">|[ \t]*$")
ENDS_A_BLOCK = re.compile(r"[ \t]*(?:\||```|(?:[-*+]|\d{1,3}[.)])[ \t])")
SENTENCE_END = (".", "!", "?", "…", "。")
FENCE, TICK = "```", "`"
SIGN = re.compile(r"`+|[\\\n]")
# Signs of quotations and headings, and emphasis; not the power in 2**31.
LINE_SIGN = re.compile(r"^(?:[ \t]{0,8}(?:>|#{1,6}(?=[ \t])))+[ \t]*", re.MULTILINE)
SET_OFF = re.compile(r"(?<!\w)\*\*(?=\S)([^*\n]{1,200})(?<=\S)\*\*(?!\w)")


def strip_markers(text: str) -> str:
    """Return an answer for later prompts: without citation numbers, except in code."""
    if "[" not in text:
        return text
    if TICK not in text:
        return MARKER.sub("", text)
    code, kept, read, copied = Code(), [], 0, 0
    for marker in MARKER.finditer(text):
        code.feed(text[read : marker.start()])
        read = marker.start()
        if not code.is_open:
            kept.append(text[copied:read])
            copied = marker.end()
    return "".join([*kept, text[copied:]])


def strip_places(answer: str) -> str:
    """Remove the lines that name the sources of quotations."""
    return PLACE.sub(_strip_place, f"\n{answer}")[1:]


def _strip_place(found: re.Match[str]) -> str:
    said, place = found["said"], found["place"]
    is_behind_block = ENDS_A_BLOCK.match(said) and not place.endswith(SENTENCE_END)
    if ENDS_A_QUOTATION.match(said) or PATH_OR_PAGE.search(place) or is_behind_block:
        return said
    return found[0]


def strip_markdown(text: str) -> str:
    """Remove the Markdown of quotations, headings and emphasis."""
    return SET_OFF.sub(r"\1", LINE_SIGN.sub("", text))


def find_stored_markers(text: str, after: int = 0) -> Iterator[re.Match[str]]:
    """Yield the markers of a stored answer, in order, except those in code.

    Those that end before the character `after` may be left out: reading begins a line earlier,
    where only a code block can be open.
    """
    at = text.rfind("\n", 0, after) + 1
    at = text.rfind("\n", 0, len(text[:at].rstrip())) + 1
    code = Code(text.count(FENCE, 0, at))
    for marker in STORED.finditer(text, at):
        code.feed(text[at : marker.start()])
        at = marker.start()
        if not code.is_open:
            yield marker


@dataclass
class Code:
    """Tracks, over a text in pieces, whether its end is inside a code block or span."""

    _fences: int = 0
    # Ticks at the very end: three of them are a fence, the remainder opens or closes a span.
    _run: int = 0
    _in_span: bool = False
    _is_escaped: bool = False

    def feed(self, text: str) -> None:
        at = 0
        for sign in SIGN.finditer(text):
            if sign.start() > at:
                self._pass(" ")
            self._pass(sign.group())
            at = sign.end()
        if at < len(text):
            self._pass(" ")

    @property
    def is_open(self) -> bool:
        in_span, _ = self._end_run()
        return (self._fences + self._run // 3) % 2 == 1 or in_span

    def _pass(self, sign: str) -> None:
        if sign[0] == TICK:
            self._run += len(sign)
            return
        self._in_span, self._is_escaped = self._end_run()
        self._fences, self._run = self._fences + self._run // 3, 0
        if sign == "\n":
            self._in_span = False
        self._is_escaped = sign == "\\" and not self._in_span and not self._is_escaped

    def _end_run(self) -> tuple[bool, bool]:
        in_span, is_escaped = self._in_span, self._is_escaped
        for _ in range(self._run % 3):
            in_span, is_escaped = (not in_span and not is_escaped), False
        return in_span, is_escaped
