"""Joining: lines as one text, with the words broken at line ends made whole."""

import re
from collections.abc import Collection, Sequence

HYPHENATED = re.compile(r"[^\W\d_][-\u2010]$")
LONGEST_WORD = 100  # characters
# English words that nearly always keep the hyphen of a compound: "well-known", "self-evident".
PREFIXES = frozenset({"well", "self"})


def join_lines(lines: Sequence[str], known: Collection[str] = ()) -> str:
    """Return lines as one; a hyphen at a line's end stays if the document has the word with it."""
    done: list[str] = []
    text = lines[0]
    for line in lines[1:]:
        # Only the last word can change.
        at = max(text.rfind(" ") + 1, len(text) - LONGEST_WORD)
        done.append(text[:at])
        begun = text[at:]
        if HYPHENATED.search(begun) and line[:1].isalpha():
            text = (begun[:-1] if is_broken(begun, line, known) else begun) + line
        elif begun.endswith(("-", "/")) and begun[-2:-1].isalnum() and line[:1].isalnum():
            text = begun + line
        else:
            text = f"{begun} {line}"
    return "".join([*done, text])


def is_broken(begun: str, line: str, known: Collection[str]) -> bool:
    """Return whether the line break made the hyphen; unknown words keep it before a capital."""
    rest = line.partition(" ")[0].strip(".,;:)”")
    whole, compound = (begun[:-1] + rest).lower(), (begun + rest).lower()
    is_compound = compound in known or begun[:-1].lower() in PREFIXES
    return whole in known or (line[:1].islower() and not is_compound)
