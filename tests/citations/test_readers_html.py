"""HTML: what a reader of the page sees, under its headings, whatever the encoding."""

import pytest

from citations.formats import html
from citations.formats.reading import MAX_CHARACTERS, Limits, Reading, Refused, silent

pytestmark = pytest.mark.once

LIMITS = Limits(pages=10)


def read(body: str) -> Reading:
    return html.read(f"<!doctype html><html><body>{body}</body></html>".encode(), LIMITS, silent)


def texts(body: str) -> list[str]:
    return [section.text for section in read(body).sections]


def test_the_head_says_what_the_page_is():
    page = b"""<!doctype html><html><head><title>A page | Our site</title>
    <meta name="citation_title" content="A page"><meta name="citation_author" content="Doe, Jane">
    <meta name="citation_author" content="Roe, John"><meta name="date" content="2021-03-04">
    <link rel="canonical" href="https://example.org/a"></head><body>Text.</body></html>"""
    found = html.inspect(page, LIMITS)
    assert (found.title, found.authors) == ("A page", ["Doe, Jane", "Roe, John"])
    assert (found.year, found.url) == (2021, "https://example.org/a")


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Plain &amp; simple</title>", "Plain & simple"),
        ("</head><body><h1>A heading</h1><h2>Another</h2>", "A heading"),
        ('<title>X</title><meta property="og:title" content="Open">', "Open"),
        ('<link rel=canonical href="javascript:alert(1)">', ""),
    ],
)
def test_the_title_comes_from_the_best_place_there_is(head, title):
    found = html.inspect(f"<html><head>{head}</head><body>Text".encode(), LIMITS)
    assert (found.title, found.url) == (title, "")


def test_text_stands_under_its_headings_without_the_page_s_own_title():
    sections = read(
        "<h1>Top</h1><p>One</p><h2>Part</h2>Two<h3>Deep</h3><p>Three</p><h2>Last</h2>4"
    ).sections
    assert [(part.headings, part.text) for part in sections] == [
        ([], "One"),
        (["Part"], "Two"),
        (["Part", "Deep"], "Three"),
        (["Last"], "4"),
    ]


def test_paragraphs_items_rows_and_breaks_are_kept_apart():
    assert texts(
        "<p>One <b>bold</b>\n word.</p>Two<br>three<ul><li>a</li><li><p>b</p></li></ul>"
    ) == ["One bold word.\n\nTwo\nthree\n\na\nb"]
    rows = "<tr><th>k</th><th>v</th></tr><tr><td><p>1</p><p>2</p></td><td></td><td>3</td></tr>"
    assert texts(f"<table>{rows}</table>") == ["k | v\n1 2 | 3"]
    assert texts("<pre>def f():\n    pass</pre>") == ["def f():\n    pass"]


def test_an_inner_table_is_part_of_its_cell():
    inner = "<table><tr><td>in</td><td>ner</td></tr></table>"
    assert texts(f"<table><tr><td>a</td><td>{inner}</td></tr></table>") == ["a | in ner"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>ghost()</script>",
        "<style>.ghost{}</style>",
        "<nav>ghost</nav>",
        "<div role=navigation>ghost</div>",
        "<footer>ghost</footer>",
        "<template>ghost</template>",
        "<noscript>ghost</noscript>",
        "<!-- ghost -->",
        "<p hidden>ghost</p>",
        '<p style="color: red; DISPLAY : none">ghost</p>',
        '<p style="visibility:hidden">ghost</p>',
        '<span style="font-size:0">ghost</span>',
        "<svg><text>ghost</text></svg>",
        "<select><option>ghost</select>",
    ],
)
def test_what_is_not_seen_is_not_read(hidden):
    assert texts(f"<p>Before</p>{hidden} after") == ["Before\n\nafter"]


def test_a_page_with_one_main_part_is_that_part():
    assert texts("<header>Menu</header><main><p>Text</p></main><div>Advert</div>") == ["Text"]


@pytest.mark.parametrize(
    ("encoding", "label"),
    [
        ("utf-8", "utf-8"),
        ("latin-1", "iso-8859-1"),
        ("windows-1252", "windows-1252"),
        ("windows-1252", ""),
        ("utf-16", ""),
        ("iso-8859-15", "ISO-8859-15"),
        ("utf-8", "rot13"),
        ("utf-8", "unicode_escape"),
    ],
)
def test_the_encoding_is_what_the_page_says_or_the_likeliest(encoding, label):
    page = f'<html><head><meta charset="{label}"></head><body>naïve café</body></html>'
    assert html.read(page.encode(encoding), LIMITS, silent).sections[0].text == "naïve café"


def test_broken_bytes_and_nul_are_passed_over():
    page = b'<meta charset="utf-8"><body>na\xefve \x00text</body>'
    assert html.read(page, LIMITS, silent).sections[0].text == "na\ufffdve text"


def test_deep_nesting_is_read_up_to_a_depth_and_refused_beyond():
    assert texts("<div>" * 1500 + "deep") == ["deep"]
    with pytest.raises(Refused, match="too_complex"):
        read("<div>" * 5000 + "too deep")


def test_a_line_of_ten_megabytes_is_read_up_to_the_limit():
    reading = read("<p>" + "word " * 2_100_000)
    size = sum(len(section.text) for section in reading.sections)
    assert size in (MAX_CHARACTERS - 1, MAX_CHARACTERS)
    assert [note.code for note in reading.unread] == ["cut_off"]
