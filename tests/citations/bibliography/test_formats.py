"""Twelve sources in eight formats, compared with what the manuals print (golden.toml)."""

import re
import tomllib
from html import unescape
from pathlib import Path

import pytest

from citations.bibliography.formatting import format_item
from citations.bibliography.styles import STYLES

GOLDEN = tomllib.loads((Path(__file__).parent / "golden.toml").read_text())
SOURCES = GOLDEN["sources"]
SOURCES["many"]["author"] = [{"family": f"Name{n:02}", "given": "Ann"} for n in range(1, 26)]
CASES = [(style, name) for style in STYLES for name in SOURCES]
KNOWN = GOLDEN["known"]
LACKS = ("no-author", "no-year", "only-title")
LANGUAGES = {
    "es": "Smith, J.A. y Doe, J. (2010) «Hereditary cancer», en C. Brown (ed.)",
    "de": "Smith, J.A. und Doe, J. (2010) „Hereditary cancer“, in C. Brown (Hrsg.)",
    "fr": "Smith, J.A. et Doe, J. (2010) «\xa0Hereditary cancer\xa0», in C. Brown (éd.)",
}


def printed(style: str, name: str, language: str = "en") -> str:
    _text, html = format_item(SOURCES[name], style, language)
    return unescape(re.sub(r"</?a\b[^>]*>", "", html))


@pytest.mark.parametrize(("style", "name"), CASES)
def test_an_entry_is_as_the_manual_has_it(style: str, name: str) -> None:
    expected = KNOWN.get(style, {}).get(name) or GOLDEN[style][name]
    assert printed(style, name) == expected


def test_fifteen_of_sixteen_entries_are_the_manuals() -> None:
    departing = [(style, name) for style in KNOWN for name in KNOWN[style]]
    assert all(KNOWN[style][name] != GOLDEN[style][name] for style, name in departing)
    assert len(departing) <= len(CASES) / 16


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", LACKS)
def test_what_is_missing_leaves_no_title_twice_and_no_sign_alone(style: str, name: str) -> None:
    entry = printed(style, name).lower()
    assert entry.count(SOURCES[name]["title"].lower()) == 1
    assert not re.search(r"[,.;:] ?[,.;:]|\(\)|None", entry.replace("n.d..", "").replace(".).", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_are_those_of_the_language(language: str) -> None:
    assert printed("harvard", "chapter", language).startswith(LANGUAGES[language])
