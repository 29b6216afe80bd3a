"""Alignment: the places of a passage's words in the text of a page.

Both are compared by letters and digits alone: spaces, hyphens at line ends, ligatures, accents,
case and the signs of lists and tables make no difference. The longest contiguous match wins at any
place, since a page's text may be stored out of order.
"""

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

# Equal letters with which a match begins, and places of the page that are tried. More made no
# difference on the quotations of tests.examination.highlights.
SEED, MOST_PLACES = 8, 16


class Match(NamedTuple):
    """Equal letters: their start in the passage and on the page, and their number."""

    start: int
    place: int
    length: int


@dataclass(frozen=True)
class Letters:
    """A text with its folded letters and digits."""

    text: str

    @cached_property
    def _folded(self) -> list[tuple[str, int]]:
        return [(sign, at) for at, char in enumerate(self.text) for sign in fold(char)]

    @cached_property
    def folded(self) -> str:
        return "".join(sign for sign, _ in self._folded)

    @cached_property
    def places(self) -> list[int]:
        """The position in the text of each folded letter."""
        return [at for _, at in self._folded]

    @cached_property
    def seeds(self) -> dict[str, list[int]]:
        """The positions of each sequence of SEED folded letters, in order."""
        found = defaultdict[str, list[int]](list)
        for at in range(len(self.folded) - SEED + 1):
            found[self.folded[at : at + SEED]].append(at)
        return found


@lru_cache(maxsize=4096)
def fold(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char).casefold()
    return "".join(sign for sign in plain if sign.isalnum())


def align(passage: Letters, page: Letters) -> list[Match]:
    """Return the matches of the passage's folded letters with the page's, in the passage's order.

    Linear in the length of both.
    """
    found = _find_matches(passage.folded, page)
    matches = list(_fill(found, passage.folded, page.folded))
    if not matches and 0 < len(passage.folded) < SEED:
        place = page.folded.find(passage.folded)
        return [Match(0, place, len(passage.folded))] if place >= 0 else []
    return matches


def _find_matches(wanted: str, page: Letters) -> list[Match]:
    matches: list[Match] = []
    at = expected = 0
    while at <= len(wanted) - SEED:
        places = _select_nearest_places(page.seeds.get(wanted[at : at + SEED], ()), expected)
        found = [
            Match(at, place, _count_equal_letters(wanted, at, page.folded, place))
            for place in places
        ]
        if found:
            best = max(found, key=lambda each: (each.length, -abs(each.place - expected)))
            at, expected = at + best.length, best.place + best.length
            _add_match(matches, best, wanted, page.folded)
        else:
            at, expected = at + 1, expected + 1
    return matches


def _add_match(matches: list[Match], new: Match, wanted: str, page: str) -> None:
    """Add a match, which first takes over letters that a shorter one before it took by accident."""
    start, place, length = new
    while matches and matches[-1].length < length:
        before = matches.pop()
        end = before.start + before.length
        while start > before.start and place and wanted[start - 1] == page[place - 1]:
            start, place, length = start - 1, place - 1, length + 1
        if start >= before.start + 1:
            matches.append(before._replace(length=min(end, start) - before.start))
            break
    matches.append(Match(start, place, length))


def _select_nearest_places(places: Sequence[int], expected: int) -> Sequence[int]:
    middle = bisect_left(places, expected)
    first = max(min(middle - MOST_PLACES // 2, len(places) - MOST_PLACES), 0)
    return places[first : first + MOST_PLACES]


def _count_equal_letters(wanted: str, at: int, page: str, place: int) -> int:
    """Return the number of equal letters from these places on."""
    most, length = min(len(wanted) - at, len(page) - place), SEED
    while length < most and wanted[at + length] == page[place + length]:
        length += 1
    return length


def _fill(matches: Sequence[Match], wanted: str, page: str) -> Iterator[Match]:
    """Yield the matches, and between them equal stretches shorter than a seed."""
    at = place = 0
    for match in [*matches, Match(len(wanted), len(page), 0)]:
        gap = wanted[at : match.start]
        far = place + 2 * (len(gap) + SEED)
        if gap and (found := page.find(gap, place, min(far, max(match.place, place)))) >= 0:
            yield Match(at, found, len(gap))
        if match.length:
            yield match
        at, place = match.start + match.length, match.place + match.length
