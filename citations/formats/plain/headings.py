"""Headings that people type: by number, by capitals, and as laws and contracts name them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from citations.formats.plain.lines import ENDS, LONGEST_HEADING, SPOKEN
from citations.formats.titles import PARTS

NUMBERED = re.compile(r"((?:\d{1,2}|[A-Z])(?:\.\d{1,3}){0,5})[.:]?\s+(?=[^\W\d_]|[\"“¿(/])")
ASKED = re.compile(r"Q(?:uestion)?\s?\d{0,3}\s?[.:)]\s+(.{3,240}\?)$")
NUMBER = r"(?:\d{1,4}[a-z]?|[IVXLC]{1,6})\b"
NAMED = re.compile(
    r"(?:(?P<name>part|book|title|amendment|chapter|appendix|annex|section|article|schedule|libro|título"
    r"|capítulo|sección|artículo|anexo|teil|kapitel|abschnitt|artikel|anhang|partie|chapitre|annexe"
    rf"|глава|раздел|статья)\s+|(?P<sign>§\s?|art\.\s?|sec\.\s?)){NUMBER}",
    re.IGNORECASE,
)
HIGH = frozenset("part book title amendment libro título teil partie раздел".split())
MIDDLE = frozenset(
    "chapter appendix annex schedule capítulo anexo kapitel anhang chapitre annexe глава".split()
)
# "rotate (1.2-3) unstable; urgency=low", as Debian's lists of changes name a release.
RELEASE = re.compile(r"[a-z0-9][a-z0-9+.-]{1,60} \([^()\s]{1,60}\) [\w -]{1,60}; urgency=\w.{0,80}")
ALONE = re.compile(rf"{NAMED.pattern}[.:]?", re.IGNORECASE)
# "Article 5. Powers of the Board."
TITLED = re.compile(rf"{NAMED.pattern}\s?[.:–—-]\s+(?P<title>\S.{{0,80}}?)\.?", re.IGNORECASE)
# "1.Definitions", "4.2. Compatibilité", right above what the section says.
NUMBERED_TITLE = re.compile(
    r"\s{0,8}(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s{0,4}(?P<title>[^\W\d_].{2,80}?)\s*"
)
FEWEST_SECTIONS = 3


class NamedHeadings:
    """Tells the levels of the headings that a text names: articles may hold sections, or
    sections articles; what comes first in it holds the other.
    """

    def __init__(self) -> None:
        self._order: list[str] = []

    def level(self, line: str) -> int:
        """Return the level of a line that stands alone, from 1, or 0 if it is no such heading."""
        found = NAMED.match(line)
        is_open = line.endswith((".", ",", ";")) and not is_whole(line)
        if found is None or is_open or len(line) > LONGEST_HEADING:
            return 0
        name = (found["name"] or found["sign"]).strip().lower()
        if name in HIGH or name in MIDDLE:
            return 1 + (name in MIDDLE)
        if name not in self._order:
            self._order.append(name)
        return 3 + min(self._order.index(name), 1)


def is_whole(line: str) -> bool:
    """Return whether a line that ends in a full stop is a name with its title, and no sentence."""
    titled = TITLED.fullmatch(line)
    is_title = titled is not None and are_capitalised(titled["title"].split())
    return ALONE.fullmatch(line) is not None or is_title


def with_names_apart(found: Iterable[list[str]]) -> list[list[str]]:
    """Return the lines with the name and number of an article on a line of their own, and with
    the title that stands on the next one.
    """
    parted: list[list[str]] = []
    for lines in found:
        begin = 0
        while begin + 1 < len(lines) and ALONE.fullmatch(lines[begin].strip()):
            parted.append([lines[begin]])
            begin += 1
        parted.append(lines[begin:])
    return list(joined_titles(parted))


def joined_titles(parted: Sequence[list[str]]) -> Iterator[list[str]]:
    at = 0
    while at < len(parted):
        name, below = parted[at], parted[at + 1 : at + 3]
        at += 1
        if len(below) == 2 and len(name) == 1 and is_title_of(name[0].strip(), below[0]):
            yield [f"{name[0].rstrip().rstrip('.:')} {below[0][0].strip()}"]
            at += 1
        else:
            yield name


def is_title_of(name: str, lines: Sequence[str]) -> bool:
    """Return whether one line below a bare name and number says what the article is called."""
    title = lines[0].strip()
    is_line = len(lines) == 1 and len(name) + len(title) < LONGEST_HEADING
    is_worded = title[:1].isupper() and ENDS.search(title) is None and title[-1:] != ","
    is_numbered = NAMED.match(title) or NUMBERED.match(title)
    return is_line and is_worded and not is_numbered and ALONE.fullmatch(name) is not None


def with_titles_apart(found: Sequence[list[str]]) -> list[list[str]]:
    """Return the lines with the numbered title of a section on a line of its own, where each of
    several stands right above its text, and their numbers go up from the first.
    """
    titled = {
        at: NUMBERED_TITLE.fullmatch(lines[0])
        for at, lines in enumerate(found)
        if is_above_text(lines)
    }
    matches = {at: match for at, match in titled.items() if match}
    numbers = [tuple(map(int, match["number"].split("."))) for match in matches.values()]
    are_sections = len(numbers) >= FEWEST_SECTIONS and numbers[0][0] < 2
    if not are_sections or any(below <= above for above, below in pairwise(numbers)):
        return list(found)
    return [part for at, lines in enumerate(found) for part in parted(lines, matches.get(at))]


def parted(lines: list[str], title: re.Match[str] | None) -> list[list[str]]:
    return [[f"{title['number']}. {title['title']}"], lines[1:]] if title else [lines]


def is_above_text(lines: Sequence[str]) -> bool:
    """Return whether the first of several lines may be the title of what the others say."""
    first, second = lines[0].strip(), lines[1].strip() if len(lines) > 1 else ""
    title = first.lstrip("0123456789.) ")
    number = first[: len(first) - len(title)].strip()
    is_title = title[:1].isupper() and ENDS.search(first) is None and first[-1:] != ","
    is_part = second.startswith(f"{number.rstrip('.')}.") and number != ""
    return is_title and (is_part or (second[:1].isalpha() and not second[:1].islower()))


def asked_in(lines: Sequence[str]) -> str:
    """Return the question that the lines are, if a list of questions and answers marks them so."""
    asked = ASKED.match(" ".join(line.strip() for line in lines))
    return asked[1] if asked else ""


def heading_level(line: str, before: Sequence[str], after: Sequence[str]) -> int:
    """Return the level of a line that stands alone, if it is a heading, else 0."""
    text = line.strip()
    letters = sum(char.isalpha() for char in text)
    if after and is_numbered_title(text) and not is_next(text, after[0].strip()):
        text = text[:-1]
    if not after or len(text) > LONGEST_HEADING or letters < 2 or text[-1] in ".,;":
        return 0
    if numbered := NUMBERED.match(text):
        number = numbered[1]
        is_list = is_next(text, after[0].strip()) or (before and is_next(before[0].strip(), text))
        return 0 if is_list or text[-1] == ":" else 5 + number.count(".")
    if text[-1] == ":" or letters < 3 or SPOKEN.fullmatch(text):
        return 0
    if text.isupper():
        return 5
    if PARTS.fullmatch(text):
        return 6
    is_question = (text[-1] == "?" and text[:1].isupper()) or text.startswith("¿")
    return 6 if is_question or (is_titled(text) and not is_titled(after[0].strip())) else 0


def is_numbered_title(text: str) -> bool:
    """Return whether a number, a few words with capitals and a full stop name a section of
    terms.
    """
    numbered = NUMBERED.match(text)
    if numbered is None or not text.endswith(".") or len(text) > LONGEST_HEADING:
        return False
    title = text[numbered.end() : -1]
    return title[:1].isupper() and (is_titled(title) or title.isalpha())


def is_titled(text: str) -> bool:
    """Return whether nearly all words of a short line are capitalised."""
    words = [word.strip("\"“”'()") for word in text.split()]
    begins = words[0][:1].isupper() and text[-1] not in ".!?:;,"
    return begins and 1 < len(words) < 12 and are_capitalised(words)


def are_capitalised(words: Iterable[str]) -> bool:
    """Return whether nearly all words that aren't small have a capital, and there is one."""
    long = [word for word in words if len(word) > 3]
    return sum(word[:1].isupper() for word in long) >= 0.7 * len(long) > 0


def is_next(above: str, below: str) -> bool:
    """Return whether two lines begin with a number and the one after it: then both are items."""
    first, second = NUMBERED.match(above), NUMBERED.match(below)
    if first is None or second is None or not first[1].isdecimal():
        return False
    return second[1] == str(int(first[1]) + 1)
