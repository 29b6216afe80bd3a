"""Spelling: a word of a question that no passage holds may be one of the library's, mistyped.

One letter too many, too few, another or two in each other's place: what such a slip may stand for
is written out and looked up, so words of private passages are found as well, which are known by
their checksums only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase

# In letters: shorter words are near too many others. And so many words of a question.
SHORTEST, LONGEST, MOST = 5, 20, 3


def meant_by(
    unknown: Iterable[str], held_by: Callable[[Sequence[str]], Mapping[str, int]]
) -> list[str]:
    """Return for each of some unknown terms the one that it may stand for, if there is one: of
    several the one that most passages hold.
    """
    near = {term: one_away(term) for term in [*filter(is_spelled, unknown)][:MOST]}
    if not near:
        return []
    held = held_by([other for others in near.values() for other in others])
    found = ([other for other in others if other in held] for others in near.values())
    return [max(each, key=lambda other: (held[other], other)) for each in found if each]


def is_spelled(term: str) -> bool:
    return SHORTEST <= len(term) <= LONGEST and term.isascii() and term.isalpha()


def one_away(term: str) -> list[str]:
    """Return all that is one slip away from the term; its first letter is seldom mistyped."""
    ends = [(term[:at], term[at:]) for at in range(1, len(term) + 1)]
    fewer = [before + after[1:] for before, after in ends if after]
    swapped = [before + after[1] + after[0] + after[2:] for before, after in ends if len(after) > 1]
    others = [
        before + letter + after[taken:]
        for before, after in ends
        for letter in ascii_lowercase
        for taken in (0, 1)
    ]
    return [each for each in dict.fromkeys([*swapped, *fewer, *others]) if each != term]
