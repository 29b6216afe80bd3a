"""Inert Markdown: images and links of an answer are shown as typed, so that nothing is loaded."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from chat.rendering.drawing import EITHER
from chat.rendering.formulas import FORMULA

# Markup of images, links, addresses and HTML, which untrusted documents may contain.
LIVE = r"(?<=!)\[|<(?=[A-Za-z/!?])|(?<=\])[(:]"
ESCAPED = r"\\."
# Code within a line and within one cell of a table.
CODE = r"(?<!`)(?P<ticks>`{1,3})(?!`)[^`|\n]{1,300}(?<!`)(?P=ticks)(?!`)"
KEPT = re.compile(f"{ESCAPED}|{CODE}")
ACTIVE = re.compile(f"(?P<kept>{ESCAPED})|{LIVE}")
ACTIVE_BESIDE_CODE = re.compile(f"(?P<kept>{ESCAPED}|{CODE})|{LIVE}")


def neutralise_markdown(text: str) -> str:
    """Return an answer's Markdown without working images, links and HTML; code is unchanged."""
    lines = text.split("\n")
    is_code = [False] * len(lines)
    # Parsed as it will be rendered: without HTML and reference definitions.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("reference")
    for token in parser.parse(text):
        if token.type in ("fence", "code_block") and token.map:
            first, last = token.map
            is_code[first:last] = [True] * (last - first)
    by_line = list(zip(lines, is_code, strict=True))
    # With an unmatched backtick, code can't be told from the text between.
    is_clear = not any("`" in KEPT.sub("", line) for line, code in by_line if not code)
    active = ACTIVE_BESIDE_CODE if is_clear else ACTIVE
    return "\n".join(
        line if code else active.sub(_neutralise_match, line) for line, code in by_line
    )


def _neutralise_match(found: re.Match[str]) -> str:
    return found["kept"] or f"\\{found[0]}"


# --- Parser rules of pages -----------------------------------------------------------------------


def take_formula(state: StateInline, silent: bool) -> bool:
    """Parse the text between TeX delimiters as a formula."""
    found = FORMULA.match(state.src, state.pos, state.posMax)
    if found is None or EITHER.search(found[0]):
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content = found[0]
    state.pos = found.end()
    return True


def take_image(state: StateInline, silent: bool) -> bool:
    """Parse the beginning of an image as text, so that the rest is no link."""
    if not state.src.startswith("![", state.pos):
        return False
    if not silent:
        state.pending += "!["
    state.pos += len("![")
    return True
