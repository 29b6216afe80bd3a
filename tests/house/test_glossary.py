"""docs/glossary.md is what the code says."""

from collections import Counter
from pkgutil import resolve_name

import pytest

from tests.house.papers import ROOT, code, rows

WORDS = list(rows((ROOT / "docs" / "glossary.md").read_text()))


def test_each_word_stands_once_with_its_meaning() -> None:
    assert max(Counter(row[0] for row in WORDS).values()) == 1
    assert all(row[1] for row in WORDS)


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[0])
def test_each_word_is_in_the_code_at_its_place(row: list[str]) -> None:
    places = code(row[2])
    assert places
    for place in places:
        resolve_name(place)
