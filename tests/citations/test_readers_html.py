"""HTML: what a reader of the page sees, under its headings, whatever the encoding."""

import pytest

from citations.formats import html
from citations.formats.parts import Part, PartKind, Reason
from citations.formats.reading import (
    MAX_CHARACTERS,
    BadFile,
    FileReading,
    ReadingLimits,
    glance,
    ignore_progress,
)

LIMITS = ReadingLimits(pages=10)


def read(body: str) -> FileReading:
    return html.read(
        f"<!doctype html><html><body>{body}</body></html>".encode(), LIMITS, ignore_progress
    )


def texts(body: str) -> list[str]:
    return [section.text for section in read(body).sections]


def test_the_head_says_what_the_page_is():
    page = b"""<!doctype html><html><head><title>A page | Our site</title>
    <meta name="citation_title" content="A page"><meta name="citation_author" content="Doe, Jane">
    <meta name="citation_author" content="Roe, John"><meta name="date" content="2021-03-04">
    <link rel="canonical" href="https://example.org/a"></head><body>Text.</body></html>"""
    found = glance(html.read, page, LIMITS)
    assert (found.title, found.authors) == ("A page", ["Doe, Jane", "Roe, John"])
    assert (found.year, found.url) == (2021, "https://example.org/a")


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>Plain &amp; simple</title>", "Plain & simple"),
        ("</head><body><h1>A heading</h1><h2>Another</h2>", "A heading"),
        ('<title>X</title><meta property="og:title" content="Open">', "Open"),
        ("<title>A - B - C</title></head><body><h1>Else</h1>", "A - B - C"),
        ('<link rel=canonical href="javascript:alert(1)">', ""),
    ],
)
def test_the_title_comes_from_the_best_place_there_is(head, title):
    found = glance(html.read, f"<html><head>{head}</head><body>Text".encode(), LIMITS)
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
    ) == ["One bold word.\n\nTwo\nthree\n\n- a\n- b"]
    rows = "<tr><th>k</th><th>v</th></tr><tr><td><p>1</p><p>2</p></td><td></td><td>3</td></tr>"
    assert texts(f"<table>{rows}</table>") == ["k | v\n1 2 |  | 3"]
    assert texts("<pre>def f():\n    pass</pre>") == ["def f():\n    pass"]


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
        "<svg><path d=ghost /></svg>",
    ],
)
def test_what_is_not_seen_is_not_read(hidden):
    assert texts(f"<p>Before</p>{hidden} after") == ["Before\n\nafter"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>ghost</p>",
        '<p style="color: red; DISPLAY : none">ghost</p>',
        '<p style="visibility:hidden">gh<script>x</script>ost</p>',
    ],
)
def test_what_is_hidden_is_marked_or_left_out_and_counted(hidden):
    page = f"<p>Before</p>{hidden} after".encode()
    found = html.read(page, LIMITS, ignore_progress)
    assert found.sections[0].text == "Before\n\n[hidden: ghost]\n\nafter"
    assert found.parts == [Part(PartKind.HIDDEN_TEXT, 1)]
    many = texts("<div hidden><p>One.</p><p>Two.</p></div>Seen.")
    assert many == ["[hidden: One.]\n\n[hidden: Two.]\n\nSeen."]
    bare = html.read(page, ReadingLimits(pages=10, hidden=False), ignore_progress)
    assert bare.sections[0].text == "Before\n\nafter"
    assert bare.parts == [Part(PartKind.HIDDEN_TEXT, 1, Reason.LEFT_OUT)]


def test_fields_of_a_form_are_read_with_their_labels_and_values():
    page = """<form><p><label>Name <input value="Ida Voss"></label><p><label>Phone <input></label>
    <p><input type=checkbox checked> insured<p><input type=radio> not
    <p>Berth <select><option>A<option selected>B</select><p>Notes: <textarea>late</textarea>
    <input type=hidden value=token><input type=submit value=Send></form>"""
    found = read(page)
    assert [block.text for block in found.sections[0].blocks] == [
        "Name Ida Voss",
        "Phone ____",
        "☒ insured",
        "☐ not",
        "Berth B",
        "Notes: late",
    ]
    assert found.parts == [Part(PartKind.FIELD, 6)]


def test_pictures_are_read_by_their_alternative_text_or_counted():
    page = (
        '<p>Seen: <img alt="A crane"> <img src=a.png> <img alt=""> <img alt=ci src=badge.svg></p>'
    )
    found = read(f'<h1><img alt="Our Port"></h1>{page}')
    assert (found.title, found.sections[0].text) == ("Our Port", "Seen: [Image: A crane]")
    assert found.parts == [
        Part(PartKind.IMAGE, 2),
        Part(PartKind.IMAGE, 1, Reason.NO_TEXT),
    ]
    chart = read("<p>Sales:</p><svg><title>By month</title><g><text>May 71</text></g></svg>")
    assert chart.sections[0].text == "Sales:\n\n[Image: By month May 71]"
    assert read("<p>Sales:</p><canvas></canvas>").parts == [Part(PartKind.IMAGE, 1, Reason.NO_TEXT)]


def test_a_page_with_one_main_part_is_that_part():
    assert texts("<header>Menu</header><main><p>Text</p></main><div>Advert</div>") == ["Text"]


def blocks(body: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for part in read(body).sections for block in part.blocks]


LINKS = "".join(f'<li><a href="/{n}.html">Chapter {n} of it</a></li>' for n in range(6))
INNER = "".join(f'<li><a href="#s{n}">Section {n}</a></li>' for n in range(6))


@pytest.mark.parametrize(
    "around",
    [
        f'<div class="sidebar"><p>Ghost</p><ul>{LINKS}</ul></div>',
        f'<ul id="main-menu">{LINKS}</ul>',
        f"<div><p>On this page</p><ul>{INNER}</ul></div>",
        '<div role="complementary">Ghost</div>',
        '<div class="cookie-banner">We use cookies. <button>OK</button></div>',
        '<p class="breadcrumbs"><a href="/">Home</a> > <a href="/a">A</a></p>',
        '<table class="navheader"><tr><td><a href=a>Prev</a></td><td>Ghost</td></tr></table>',
    ],
)
def test_what_leads_elsewhere_is_not_read(around):
    text = "<p>The text says where <a href=x>more</a> is, and so on.</p>"
    whole = f"<div>{around}</div><div>{text}</div>{around}"
    assert texts(whole) == ["The text says where more is, and so on."]


def test_a_list_of_links_that_is_the_text_is_read():
    assert len(blocks(f"<h1>Where to go</h1><p>See:</p><ul>{LINKS}</ul>")) == 7


def test_lists_have_their_numbers_and_levels():
    body = "<ol start=3><li>a<ul><li>b</ul><li value=9><p>c</p><p>d</p></ol>"
    assert blocks(body) == [
        ("item", "3. a"),
        ("item", "  - b"),
        ("item", "9. c"),
        ("paragraph", "d"),
    ]


def test_terms_stand_with_what_is_said_of_them():
    body = (
        "<dl><dt>-v</dt><dt>--verbose:</dt><dd><p>Say more.</p><p>A lot.</p></dd><dt>-q</dt></dl>"
    )
    assert blocks(body) == [
        ("item", "- -v, --verbose: Say more."),
        ("paragraph", "A lot."),
        ("item", "- -q"),
    ]


def test_tables_keep_caption_header_and_columns():
    body = """<table><caption>Sales</caption><thead><tr><th rowspan=2>k<th colspan=2>Year</tr>
    <tr><th>2020<th>2021</tr></thead><tr><th>a<td><td>1</tr><tr><td rowspan=0>b<td>2<td>3
    <tr><td>4<td>5</table>"""
    assert blocks(body) == [
        ("caption", "Sales"),
        ("header", "k | Year › 2020 | Year › 2021"),
        ("row", "a |  | 1"),
        ("row", "b | 2 | 3"),
        ("row", "b | 4 | 5"),
    ]


def test_a_table_that_only_places_things_is_no_table():
    body = "<table><tr><td><h2>Part</h2><p>Text.</p></td><td><p>More.</p></td></tr></table>"
    assert blocks(body) == [("paragraph", "Text."), ("paragraph", "More.")]


def test_code_scripts_formulas_and_notes_are_told():
    body = """<pre><span>if x:</span>\n    <b>y</b> = 1\n</pre>
    <p>2<sup>31</sup>, H<sub>2</sub>O, words<sup><a href=#n>1</a></sup>, 1<sup>st</sup>.</p>
    <math><msup><mi>x</mi><mn>2</mn></msup></math>
    <section class=footnotes><ol><li><p>Where. <a href=#b>↩</a></p></ol></section>"""
    assert blocks(body) == [
        ("code", "if x:\n    y = 1"),
        ("paragraph", "2^31, H_2O, words[1], 1st."),
        ("paragraph", "x^2"),
        ("footnote", "[1] Where."),
    ]


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
    assert (
        html.read(page.encode(encoding), LIMITS, ignore_progress).sections[0].text == "naïve café"
    )


def test_deep_nesting_is_read_up_to_a_depth_and_refused_beyond():
    assert texts("<div>" * 1500 + "deep") == ["deep"]
    with pytest.raises(BadFile, match="too_complex"):
        read("<div>" * 5000 + "too deep")


def test_a_line_of_ten_megabytes_is_read_up_to_the_limit():
    reading = read("<p>" + "word " * 2_100_000)
    size = sum(len(section.text) for section in reading.sections)
    assert size in (MAX_CHARACTERS - 1, MAX_CHARACTERS)
    assert [part.kind for part in reading.parts if part.reason] == ["text"]


@pytest.mark.parametrize(
    "asked",
    [
        "<p><b>Q: Who pays?</b></p><p>",
        '<div role="heading" aria-level="3">Who pays?</div><div>',
    ],
)
def test_a_question_that_only_looks_like_a_heading_is_one(asked: str):
    found = read(f"<h1>Returns</h1><p>Ask us.</p>{asked}You do, unless we erred.").sections
    assert [(part.headings, part.text) for part in found] == [
        ([], "Ask us."),
        (["Who pays?"], "You do, unless we erred."),
    ]


@pytest.mark.parametrize(
    "bold",
    [
        "<p><b>Leave.</b> Ask early.</p>",
        "<p>Ask <b>early</b></p>",
        "<p><b>You need:</b></p>",
        "<ul><li><b>Milk</b></ul>",
        "<ul><li><p><b>Milk</b></p></ul>",
        "<ul><li>One: <p><b>Milk</b></p><p>And bread.</ul>",
        "<p class=title><b>Table 1. Prices</b></p>",
        "<table><tr><td><p><b>Milk</b></p><td>1</table>",
    ],
)
def test_what_is_bold_within_text_is_no_heading(bold: str):
    assert {tuple(part.headings) for part in read(f"{bold}<p>More.").sections} == {()}


def test_a_term_stands_above_the_table_that_says_what_it_means():
    table = "<table><tr><td>rows</td><td>how many</td></tr></table>"
    body = f"<p>Text.</p><dl><dt>Parameters</dt><dd>{table}</dd></dl><p>More.</p>"
    assert blocks(body)[1:3] == [
        ("item", "- Parameters"),
        ("row", "rows | how many"),
    ]
