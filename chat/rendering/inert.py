"""Inert Markdown: images and links of an answer are shown as typed, so that nothing is loaded."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from chat.rendering.drawing import EITHER
from chat.rendering.formulas import FORMULA

# What Markdown takes for an image, a link, an address or HTML: a document may say anything.
LIVE = r"(?<=!)\[|<(?=[A-Za-z/!?])|(?<=\])[(:]"
ESCAPED = r"\\."
# Code within a line, but not over the cells of a table, which end it.
CODE = r"(?<!`)(?P<ticks>`{1,3})(?!`)[^`|\n]{1,300}(?<!`)(?P=ticks)(?!`)"
KEPT = re.compile(f"{ESCAPED}|{CODE}")
ACTIVE = re.compile(f"(?P<kept>{ESCAPED})|{LIVE}")
ACTIVE_BESIDE_CODE = re.compile(f"(?P<kept>{ESCAPED}|{CODE})|{LIVE}")


def neutralise_markdown(text: str) -> str:
    """Return an answer's Markdown with nothing in it to load, follow or run; code is as it was."""
    lines = text.split("\n")
    is_code = [False] * len(lines)
    # Read as what it becomes: without HTML, and without definitions of references.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("reference")
    for token in parser.parse(text):
        if token.type in ("fence", "code_block") and token.map:
            first, last = token.map
            is_code[first:last] = [True] * (last - first)
    by_line = list(zip(lines, is_code, strict=True))
    # With a tick left over, what is code and what stands between two pieces of it can't be told.
    is_clear = not any("`" in KEPT.sub("", line) for line, code in by_line if not code)
    active = ACTIVE_BESIDE_CODE if is_clear else ACTIVE
    return "\n".join(
        line if code else active.sub(_neutralise_match, line) for line, code in by_line
    )


def _neutralise_match(found: re.Match[str]) -> str:
    return found["kept"] or f"\\{found[0]}"


# --- Rules of the parser for pages ---------------------------------------------------------------


def take_formula(state: StateInline, silent: bool) -> bool:
    """Take what stands between signs of TeX as a formula."""
    found = FORMULA.match(state.src, state.pos, state.posMax)
    if found is None or EITHER.search(found[0]):
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content = found[0]
    state.pos = found.end()
    return True


def take_image(state: StateInline, silent: bool) -> bool:
    """Take what begins an image as it was typed, so that the rest of it isn't read as a link."""
    if not state.src.startswith("![", state.pos):
        return False
    if not silent:
        state.pending += "!["
    state.pos += len("![")
    return True
