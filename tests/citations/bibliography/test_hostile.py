"""Metadata of any kind: an entry is made of it, and nothing in it is markup."""

import re
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from citations.bibliography.formatting import format_item
from citations.bibliography.styles import STYLES
from citations.sources.items import FIELDS, clean_item

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["family", "given", "literal", "date-parts"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(["article-journal", "book", "webpage", "report", "document", "nonsense"])


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(FIELDS)), ANYTHING, max_size=8), TYPES)
def test_an_item_of_any_content_has_an_entry(item: dict[str, Any], kind: str) -> None:
    valid, _problems = clean_item({**item, "type": kind})
    for style in STYLES:
        text, html = format_item(valid, style, "en")
        assert "\ue000" not in text + html
        assert set(re.findall(r"<(\w+)", html)) <= {"i", "b", "sup", "sub", "a"}


@pytest.mark.parametrize("style", STYLES)
def test_markup_and_hidden_characters_of_metadata_are_text(style: str) -> None:
    title = '<script>alert("1")</script> AT&T <i onload=x> \u202egnp.exe'
    item = {"type": "book", "title": title, "author": [{"literal": "<b>Ann</b>"}]}
    text, html = format_item(item, style, "en")
    assert "<script" not in html.lower()
    assert "<i onload" not in html.lower()
    assert "&lt;script&gt;" in html.lower()
    assert "at&t" in text.lower()
    assert "\u202e" not in text


def test_ten_thousand_authors_and_a_title_without_end_are_cut() -> None:
    authors = [{"family": f"Name{number}", "given": "A."} for number in range(10_000)]
    item = {"type": "book", "title": "word " * 100_000, "author": authors}
    before = process_time()
    text, _html = format_item(item, "apa", "en")
    assert process_time() - before < 1
    assert "… Name9999, A." in text
    assert len(text) < 3_000


def test_addresses_are_links_and_nothing_else() -> None:
    item = {"type": "webpage", "title": "A", "URL": 'https://example.org/?a=1&b="onclick=alert(1)'}
    _text, html = format_item(item, "apa", "en")
    address = "https://example.org/?a=1&amp;b="
    link = f'<a href="{address}" rel="noopener noreferrer nofollow">{address}</a>'
    assert html.endswith(f'{link}"onclick=alert(1)')
