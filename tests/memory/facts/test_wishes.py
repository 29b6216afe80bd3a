"""Wishes and facts as people word them in four languages: learned, taken back, or left alone."""

from pathlib import Path

import pytest

from memory.recall.facts.extraction import learned
from memory.recall.facts.extraction.ended_wishes import WishRule, same_thing
from memory.recall.facts.extraction.statements import Learned, key

pytestmark = pytest.mark.once

LINES = [
    line
    for line in (Path(__file__).parent / "wishes.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
RULES = ("always", "never", WishRule.EITHER)


def is_meant(wanted: str, got: Learned) -> bool:
    """Return whether it is what a line names."""
    mark, named = (wanted[0], wanted[1:]) if wanted[0] in "!?" else ("", wanted)
    name, _, thing = named.partition(":")
    if mark == "?":
        is_thing = same_thing(f"{WishRule.EITHER}:{key(named)}", got.otherwise)
        return got.ends and bool(got.otherwise) and (named == got.subject or is_thing)
    is_same = got.subject.partition(":")[0] == name and got.ends == bool(mark)
    if name in RULES and thing:
        return is_same and same_thing(f"{WishRule.EITHER}:{key(thing)}", got.subject)
    return got.ends == bool(mark) and (got.subject.startswith(named) or named.startswith("speak"))


@pytest.mark.parametrize("line", LINES)
def test_what_is_said_is_learned_and_nothing_else_is(line: str) -> None:
    wanted, _, sentence = line.partition(" | ")
    got = [each for each in learned(sentence) if not each.ends or wanted != "budget"]
    if wanted == "-":
        assert got == []
    else:
        assert [is_meant(wanted, each) for each in got][:1] == [True], got
