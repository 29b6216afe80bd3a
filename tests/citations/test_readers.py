"""Readers: files become text under headings, and what can't be read is refused with a code."""

import pytest

from citations.readers import Unreadable, read

pytestmark = pytest.mark.once

NOTE = b"""---
title: Notes on TP53
authors: Olivier, Magali; Hollstein, Monica
year: 2010
url: https://doi.org/10.1101/cshperspect.a001008
---

# Notes on TP53

Opening *words* with a [link](https://example.org).

## The gene

First line
second line.

- one
- two

### Codons

| codon | share |
| ----- | ----- |
| 175   | 6 %   |

## Use

```
# not a heading
```
"""


def test_front_matter_says_what_the_document_is():
    note = read(NOTE, "tp53.md")
    assert note.title == "Notes on TP53"
    assert note.authors == ["Olivier, Magali", "Hollstein, Monica"]
    assert note.year == 2010
    assert note.url == "https://doi.org/10.1101/cshperspect.a001008"
    assert note.media_type == "text/markdown"


def test_markdown_becomes_text_under_its_headings():
    sections = read(NOTE, "tp53.md").sections
    assert [(part.headings, part.text) for part in sections] == [
        ([], "Opening words with a link."),
        (["The gene"], "First line second line.\n\none\ntwo"),
        (["The gene", "Codons"], "codon | share\n175 | 6 %"),
        (["Use"], "# not a heading"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (b"# From the heading\n\nText.", "From the heading"),
        (b"Just text.", "Annual report 2024"),
        (b"---\nno end of it\n\nText.", "Annual report 2024"),
        ("\ufeff---\ntitle: 'Quoted: yes'\n---\nText.".encode(), "Quoted: yes"),
    ],
)
def test_the_title_comes_from_the_best_place_there_is(text, title):
    assert read(text, "annual-report_2024.md").title == title


def test_front_matter_with_a_strange_year_or_an_empty_field_is_no_error():
    note = read(b"---\ntitle:\nyear: about then\nauthors: ;\n---\r\nText.", "a.md")
    assert (note.title, note.year, note.authors) == ("A", None, [])


def test_plain_text_loses_its_wraps_and_keeps_paragraphs_and_lists():
    reading = read(b"A line\r\nthat goes on.\r\n\r\n\r\nItems:\n- one\n- two\n", "notes.txt")
    assert reading.sections[0].text == "A line that goes on.\n\nItems:\n- one\n- two"
    assert reading.media_type == "text/plain"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "a.md", "empty"),
        (b" \n\t ", "a.txt", "empty"),
        (b"---\ntitle: Only a title\n---\n", "a.md", "empty"),
        (b"# Only a heading\n", "a.md", "empty"),
        ("naïve".encode("latin-1"), "a.txt", "not_utf8"),
        (b"\x00\x01\x02text", "a.md", "binary"),
        (b"%PDF-1.7 text", "a.txt", "unsupported"),
        (b"PK\x03\x04", "a.docx", "unsupported"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code_and_words(data, name, code):
    with pytest.raises(Unreadable) as refusal:
        read(data, name)
    assert refusal.value.code == code
    assert refusal.value.message


def test_a_file_over_the_limit_is_refused(settings):
    settings.MAX_DOCUMENT_BYTES = 10
    assert read(b"0123456789", "a.txt")
    with pytest.raises(Unreadable) as refusal:
        read(b"0123456789a", "a.txt")
    assert refusal.value.code == "too_large"
