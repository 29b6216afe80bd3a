"""An answer as plain text, without Markdown."""

import re

from memory.text.citation_markers import FENCE, strip_markdown

SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*")
EMPHASISED = re.compile(r"(?<![\w*\\])\*(?=\S)((?:\\.|[^*\\\n]){1,300})(?<=\S)\*(?![\w*])")
CODE_SPAN = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
BULLET = re.compile(r"(?m)^([ \t]{0,12})[*+-][ \t]+")


def render_plain_text(markdown: str) -> str:
    """Return the answer's plain text: table rows with tabs, items with a dot, code unchanged."""
    parts = markdown.split(FENCE)
    # Every second part is between two fences; it begins with the name of its language.
    return "".join(
        part.partition("\n")[2] if at % 2 else _render_prose(part) for at, part in enumerate(parts)
    )


def join_lines(text: str, most: int | None = None) -> str:
    """Put the text on one line, without citations, for use in a sentence."""
    line = " ".join(text.replace("[", "(").replace("]", ")").split())
    return line if most is None or len(line) <= most else f"{line[:most]}…"


def _render_prose(text: str) -> str:
    lines = [
        _render_row(line)
        for line in strip_markdown(text).split("\n")
        if "|" not in line or SEPARATOR.fullmatch(line) is None
    ]
    prose = EMPHASISED.sub(r"\1", BULLET.sub(r"\1• ", "\n".join(lines)))
    return ESCAPED.sub(r"\1", CODE_SPAN.sub(r"\1", prose))


def _render_row(line: str) -> str:
    """Return a row of a table with tabs between its cells; any other line unchanged."""
    bare = line.strip()
    if len(bare) < 2 or not (bare[0] == bare[-1] == "|"):
        return line
    cells = bare[1:-1].replace("\\|", "\0").split("|")
    return "\t".join(cell.strip() for cell in cells).replace("\0", "|")
