"""The examination's own papers: what is asked is of documents that are listed."""

import re

from tests.examination.__main__ import HALVES, holds, questions, sources


def test_each_question_is_of_a_listed_document_and_says_what_it_wants() -> None:
    asked = questions(None)
    assert {line["half"] for line in asked} == set(HALVES)
    assert {line["document"] for line in asked if line["must"]} == {each.name for each in sources()}
    assert all(re.compile(pattern) for line in asked for pattern in line["must"])


def test_no_document_is_in_both_halves() -> None:
    paths = [(each.package, each.path) for each in sources()]
    assert len(paths) == len(set(paths))


def test_an_answer_is_right_that_has_all_that_it_must_whatever_is_set_off() -> None:
    line = {"must": ["keep|-k\\b", "original"]}
    assert holds("Use **-k**: the *original* stays.", line)
    assert not holds("Use -k.", line)
