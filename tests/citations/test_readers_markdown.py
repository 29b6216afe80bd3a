"""Markdown: front matter, headings, lists and tables; long files in stretches."""

import pytest

from citations.formats.html import markdown
from citations.formats.parts import Part, PartKind
from citations.formats.reading import BadFile, ReadingLimits, ignore_progress

LIMITS = ReadingLimits(pages=10)
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
    for note in (
        markdown.inspect(NOTE, LIMITS, ignore_progress),
        markdown.read(NOTE, LIMITS, ignore_progress),
    ):
        assert note.title == "Notes on TP53"
        assert note.authors == ["Olivier, Magali", "Hollstein, Monica"]
        assert note.year == 2010
        assert note.url == "https://doi.org/10.1101/cshperspect.a001008"


def test_markdown_becomes_text_under_its_headings():
    sections = markdown.read(NOTE, LIMITS, ignore_progress).sections
    assert [(part.headings, part.text) for part in sections] == [
        ([], "Opening words with a link."),
        (["The gene"], "First line second line.\n\n- one\n- two"),
        (["The gene", "Codons"], "codon | share\n175 | 6 %"),
        (["Use"], "# not a heading"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# From the heading\n\nText.", "From the heading"),
        ("Just text.", ""),
        ("---\nno end of it\n\nText.", ""),
        ("\ufeff---\ntitle: 'Quoted: yes'\n---\nText.", "Quoted: yes"),
        ("---\ntitle: A\u202e\u200bB\n---\nText.", "AB"),
        ("## Features\n\nIt floats.\n\n## Use\n\nRow.", ""),
        ("# Installation\n\nPull.\n\n# Use\n\nRow.", ""),
        ("Rows.\n\n## Why boats float\n\nAir.\n\n## How they sink\n\nWater.", ""),
        ("## On boats\n\nAir.\n\n## How they sink\n\nWater.", "On boats"),
        ("Rows.\n\n## Why boats float\n\nAir.\n\n### How much air\n\nMuch.", "Why boats float"),
        ('<h1 align="center">\n  <a href="x">Boats</a>\n</h1>\n\n## Features\n\nFloats.', "Boats"),
        ('<h1><img src="logo.svg" alt="Boats"></h1>\n\n## Features\n\nFloats.', "Boats"),
        ("# ![Boats](https://a.example/boats.svg)\n\n## Features\n\nFloats.", "Boats"),
        ("# [![Build](https://a.example/badge.png)](https://b.example)\n\n## Use\n\nRow.", ""),
        ("# Boats [![Build](https://a.example/badge.png)](https://b.example)\n\nRow.", "Boats"),
        ("4.19.2 / 2024-03-25\n===================\n\nMended.", ""),
        ("## [1.2.0] - 2024-03-25\n\nMended.", ""),
        ("# Changelog\n\n## 1.2.0\n\nMended.", "Changelog"),
        ("# Python 3.11\n\nText.", "Python 3.11"),
    ],
)
def test_the_title_comes_from_the_best_place_there_is(text, title):
    assert markdown.inspect(text.encode(), LIMITS, ignore_progress).title == title


def test_the_versions_of_a_history_stand_beside_one_another():
    text = "4.19.2 / 2024-03-25\n====\n\nMended.\n\n0.7.1 / 2010-03-16\n====\n\nBegun.\n"
    found = markdown.read(text.encode(), LIMITS, ignore_progress)
    headings = [section.headings for section in found.sections]
    assert headings == [["4.19.2 / 2024-03-25"], ["0.7.1 / 2010-03-16"]]


def test_contents_are_the_heading_of_nothing_else():
    text = "# Table of Contents\n\nSee below.\n\n## Berths\n\nMoor here.\n"
    found = markdown.read(text.encode(), LIMITS, ignore_progress)
    assert [section.headings for section in found.sections] == [["Table of Contents"], ["Berths"]]


def test_front_matter_that_makes_no_sense_is_no_error():
    data = b"---\ntitle:\nyear: about then\nauthors: ;\nurl: javascript:alert(1)\n---\r\nText."
    note = markdown.inspect(data, LIMITS, ignore_progress)
    assert (note.title, note.year, note.authors, note.url) == ("", None, [], "")


@pytest.mark.parametrize("text", ["---\ntitle: Only a title\n---\n", "# Only a heading\n"])
def test_a_file_without_text_is_empty(text):
    with pytest.raises(BadFile, match="empty"):
        markdown.inspect(text.encode(), LIMITS, ignore_progress)


def test_a_long_file_reads_as_a_short_one_does(monkeypatch):
    text = "".join(
        f"## Part {n}\n\nText {n}.\n\n```\n# code {n}\n```\n\n" for n in range(50)
    ).encode()
    whole = markdown.read(b"# Top\n\n" + text, LIMITS, ignore_progress)
    monkeypatch.setattr(markdown, "STRETCH", 100)
    told: list[tuple[int, int]] = []
    parted = markdown.read(b"# Top\n\n" + text, LIMITS, lambda *far: told.append(far))
    assert parted == whole
    assert len(whole.sections) == 50
    assert whole.sections[7].text == "Text 7.\n\n# code 7"
    assert len(told) > 10
    assert told[-1][0] == told[-1][1]


def blocks(text: str) -> list[tuple[str, str]]:
    (section,) = markdown.read(text.encode(), LIMITS, ignore_progress).sections
    return [(block.kind, block.text) for block in section.blocks]


def test_each_block_is_what_it_was_written_as():
    text = "Do this:\n\n3. first\n\n   more\n   - inner\n4. second\n\n```sh\nls \\\n  -l\n```\n"
    assert blocks(text) == [
        ("paragraph", "Do this:"),
        ("item", "3. first"),
        ("paragraph", "more"),
        ("item", "  - inner"),
        ("item", "4. second"),
        ("code", "ls \\\n  -l"),
    ]


def test_a_table_has_its_caption_header_and_empty_cells():
    assert blocks("Table 1: Sales\n\n| | 2020 | |\n|-|-|-|\n| North | | 3 |\n| South | 4 | |") == [
        ("caption", "Table 1: Sales"),
        ("header", " | 2020"),
        ("row", "North |  | 3"),
        ("row", "South | 4"),
    ]


def test_a_heading_without_text_stands_above_what_follows():
    (section,) = markdown.read(
        b"# T\n\n## Part\n\n## Next\n\nText.", LIMITS, ignore_progress
    ).sections
    assert (section.headings, section.text) == (["Next"], "Part\n\nText.")


def test_what_is_beyond_the_limit_of_characters_is_left_out_and_said():
    reading = markdown.read(
        b"# A\n\n" + b"word " * 100, ReadingLimits(pages=1, characters=40), ignore_progress
    )
    assert len(reading.sections[0].text) <= 40
    assert [part.kind for part in reading.parts if part.reason] == ["text"]


def test_badges_contents_and_callouts_of_a_readme_are_read_as_a_person_does():
    badge = "[![build](https://img.shields.io/b)](https://ci.example.org)"
    contents = "## Contents\n\n- [Use](#use)\n  - [More](#more)\n- [End](#end)\n"
    text = (
        f"# scale {badge}\n\n{badge} {badge}\n\n{contents}\n## Use\n\n> [!WARNING]\n> Sit still.\n"
    )
    found = markdown.read(text.encode(), LIMITS, ignore_progress)
    assert found.title == "scale"
    assert [(part.headings, part.text) for part in found.sections] == [
        (["Use"], "WARNING: Sit still.")
    ]
    links = "- [a](https://example.org/a)\n- [b](#b)\n- [c](#c)\n"
    assert markdown.read(links.encode(), LIMITS, ignore_progress).sections


REMARKS = """!!! warning
    Not for cats.

    - One at a time.

??? note "On doses"
    Never more than two.

:::danger
Do not eat.
:::

::: {.callout-tip title="A tip"}
Drink water.
:::

Apple
: A fruit.

> Said[^1].

- [x] washed
- [ ] peeled

<!-- nothing -->

[^1]: Where. <b>Here</b>.
"""


def test_remarks_terms_tasks_and_notes_are_read_as_they_are_shown():
    found = markdown.read(REMARKS.encode(), LIMITS, ignore_progress)
    assert [(str(kind), text) for part in found.sections for kind, text in part.blocks] == [
        ("paragraph", "Warning"),
        ("paragraph", "Not for cats."),
        ("item", "- One at a time."),
        ("paragraph", "On doses"),
        ("paragraph", "Never more than two."),
        ("paragraph", "danger"),
        ("paragraph", "Do not eat."),
        ("paragraph", "tip"),
        ("paragraph", "Drink water."),
        ("item", "- Apple: A fruit."),
        ("paragraph", "Said[1]."),
        ("item", "- ☒ washed"),
        ("item", "- ☐ peeled"),
        ("footnote", "[1] Where. Here."),
    ]
    assert found.parts == [Part(PartKind.FIELD, 2)]


def test_a_table_of_html_is_a_table_with_empty_lines_in_it_or_without():
    rows = "<tr><th>Plant</th><th>Height</th></tr>\n{}<tr><td>Rose</td>\n<td>2 m</td></tr>"
    for gap in ("", "\n"):
        text = f"Before.\n\n<table>\n{rows.format(gap)}\n</table>\n\nBehind.\n"
        found = markdown.read(text.encode(), LIMITS, ignore_progress).sections
        assert [(str(block.kind), block.text) for block in found[0].blocks] == [
            ("paragraph", "Before."),
            ("header", "Plant | Height"),
            ("row", "Rose | 2 m"),
            ("paragraph", "Behind."),
        ]
