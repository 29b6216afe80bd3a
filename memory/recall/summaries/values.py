"""Values that a summary must not lose or make up: numbers, dates, amounts and names. Pure."""

import re

# Figures with their separators: 2.5, 1,000, 2024-03-15, 10:30, 12%, 3rd.
_FIGURE = re.compile(r"\d+(?:[.,:/-]\d+)*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# Runs of words that begin with a capital, of at most five.
_CAPITAL = r"[^\W\d_a-zà-ÿ][\w'’&-]*(?:\.\w[\w'’&-]*)*"
_NAME = re.compile(
    rf"\b{_CAPITAL}(?:[ \u00a0](?:(?:of|de|del|la|van|von|the|&) )?{_CAPITAL}){{0,4}}"
)
_ENDS = ".!?…:\n\"“”'‘’«»()[]•*-–—>|"
MONTHS = frozenset(
    """january february march april may june july august september october november december enero
    febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre monday
    tuesday wednesday thursday friday saturday sunday""".split()
)
# Words with a capital that name nothing.
_PLAIN = frozenset(
    "i i'm i've i'd i'll ok okay yes no the a an it this that what how why when where who".split()
)
LONGEST = 20_000


def find_numbers(text: str) -> list[str]:
    """Return the figures of the text, each once, in order: "1,000" is "1000"."""
    plain = _GROUPED.sub("", text[:LONGEST])
    return list(dict.fromkeys(match.group() for match in _FIGURE.finditer(plain)))


def find_names(text: str) -> list[str]:
    """Return the names of the text in small letters, each once, in order.

    A single word with a capital only at the beginning of a sentence is no name, except months and
    days.
    """
    found = []
    text = text[:LONGEST]
    for match in _NAME.finditer(text):
        name = match.group().rstrip(".'’-&").lower()
        before = text[: match.start()].rstrip(" \t")[-1:]
        opens = not before or before in _ENDS
        is_acronym = any(letter.isupper() for letter in match.group()[1:])
        is_plain = " " not in name and name not in MONTHS and not is_acronym
        if name in _PLAIN or (opens and is_plain):
            continue
        found.append(name)
    return list(dict.fromkeys(found))


def find_values(text: str) -> list[str]:
    """Return the numbers and names of the text, each once."""
    return [*find_numbers(text), *find_names(text)]
