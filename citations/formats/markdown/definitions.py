"""Lists of definitions, as PHP Markdown Extra and Pandoc write them, as lists of CommonMark.

Term
: What it means.
"""

import re
from collections.abc import Iterable

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
DEFINES = re.compile(r" {0,3}:[ \t]+(?=\S)")
# A line of text, which no sign makes anything else.
TERM = re.compile(r" {0,3}(?![#>|<~:`=+]|[-*](?:\s|[-*])|\d{1,9}[.)]\s|\[\^)\S")
INDENTED = re.compile(r"(?: {2,}|\t)\s*(?=\S)")


def as_items(lines: Iterable[str]) -> list[str]:
    """Return the lines with each term as an item that says what it means, and what is said of it
    besides under that.
    """
    found: list[str] = []
    fence, inside = "", False
    for line in lines:
        if mark := FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        defined = None if fence else DEFINES.match(line)
        if defined and (term := term_above(found, inside=inside)):
            while not found[-1].strip():
                found.pop()
            found[-1:] = [f"- {term}: {line[defined.end() :]}"]
            inside = True
        elif defined and inside and found[-1].startswith(("- ", "  ")):
            found.append(f"  - {line[defined.end() :]}")
        elif inside and (deeper := INDENTED.match(line)):
            found.append(f"  {line[deeper.end() :]}")
        else:
            inside = inside and (not line.strip() or TERM.match(line) is not None)
            found.append(line)
    return found


def term_above(found: list[str], *, inside: bool) -> str | None:
    """Return the line that a definition is of: right above it or above an empty line, and alone, or
    right behind the definition before.
    """
    above = found[:-1] if found and not found[-1].strip() else found
    behind = ("- ", "  ") if inside else ()
    is_alone = len(above) < 2 or not above[-2].strip() or above[-2].startswith(behind)
    is_term = bool(above) and is_alone and TERM.match(above[-1]) is not None
    return above[-1].strip() if is_term and not above[-1].startswith("  ") else None
