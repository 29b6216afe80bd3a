"""Words for failures: every code has its own, and pages are named as people write them."""

import re

import pytest

from citations.readers import file_failures
from citations.readers.part_sentences import format_page_ranges
from tests.surroundings import ROOT


def test_every_code_that_the_code_uses_has_words():
    folders = [ROOT / "citations", ROOT / "memory" / "text" / "embedding"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    pattern = re.compile(r"(?:BadFile|EmbeddingError)\(\s*\"(\w+)\"")
    used = {code for path in sources for code in pattern.findall(path.read_text())}
    assert {"encrypted", "too_large", "engine_unavailable"} <= used
    assert used <= set(file_failures.MESSAGES)


def test_an_unknown_code_has_words_too():
    assert file_failures.get_failure_sentence(
        "something_new"
    ) == file_failures.get_failure_sentence("gave_up")


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ([3], "3"),
        ([3, 7], "3 and 7"),
        ([1, 2, 3, 7, 9, 10], "1–3, 7 and 9–10"),
        (list(range(1, 100, 2)), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and more"),
    ],
)
def test_pages_are_named_as_people_write_them(pages, words):
    assert format_page_ranges(pages) == words
