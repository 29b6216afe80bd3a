"""Words in texts: found whatever their case and accents, and shown where they stand."""

import pytest
from hypothesis import given, strategies as st

from memory.text.highlighting import (
    SNIPPET,
    find_spans,
    fold_text,
    has_all,
    make_snippet,
    split_query_words,
)

LETTERS = st.text(alphabet="aAéÉeßẞSsİiıﬁfﬀ가각ñn\u0303 .", max_size=40)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("resume", "My Résumés"),
        ("RÉSUMÉ", "a resume"),
        ("date determination", "The Determination Date"),
        ("strasse", "Straße"),
        ("istanbul", "İstanbul"),
        ("会議", "明日の会議室"),
        ("api", "使用API"),
        ("كتاب", "قرأت الكتاب"),
        ("3.1", "see §3.1.4"),
        ("file", "a ﬁle"),
        ("", "anything"),
    ],
)
def test_case_accents_and_order_do_not_matter(words: str, text: str) -> None:
    assert has_all(text, split_query_words(words))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("date time", "a date"),
        ("x", ""),
        ("dates", "date"),
        ("date", "an update"),
        ("rate", "accurate, generate"),
    ],
)
def test_all_words_have_to_occur(words: str, text: str) -> None:
    assert not has_all(text, split_query_words(words))


@given(LETTERS, LETTERS)
def test_what_is_found_is_marked(text: str, query: str) -> None:
    words = split_query_words(query)
    places = find_spans(text, words)
    if words and has_all(text, words):
        assert places
    assert places == sorted(places)
    for start, end in places:
        assert any(word in fold_text(text[start:end]) for word in words)


@given(LETTERS)
def test_a_text_is_folded_letter_by_letter(text: str) -> None:
    assert "".join(map(fold_text, text)) == fold_text(text)


def test_words_that_touch_or_overlap_are_marked_as_one() -> None:
    assert find_spans("foobar foo", split_query_words("foo foob bar")) == [(0, 4), (7, 10)]


def test_a_snippet_is_one_line_around_the_first_match() -> None:
    text = "filler " * 100 + "the Determination\nDate, " + "filler " * 100
    shown = make_snippet(text, split_query_words("date determination"))
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    assert len(shown.text) <= SNIPPET + 2
    assert [shown.text[start:end] for start, end in shown.matches] == ["Determination", "Date"]


def test_a_snippet_without_a_match_is_the_beginning() -> None:
    shown = make_snippet("word " * 100, ())
    assert shown.text.startswith("word word")
    assert shown.matches == ()


@given(LETTERS, LETTERS)
def test_matches_lie_inside_their_snippet(text: str, query: str) -> None:
    shown = make_snippet(text * 20, split_query_words(query))
    for start, end in shown.matches:
        assert 0 <= start < end <= len(shown.text)
