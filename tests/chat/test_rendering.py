"""Rendering of a model's text: Markdown, but nothing that fetches, runs or leads elsewhere."""

from html.parser import HTMLParser
from uuid import UUID

import pytest
from markdown_it import MarkdownIt

from chat.rendering.html import OPEN, frame_html, render_answer
from chat.rendering.inert import neutralise_markdown
from citations.models import Citation, Claim, Source
from tests.chat.payloads import E_URL, FIRST, PAYLOADS

SECOND = UUID("01999999-0000-7000-8000-000000000002")
OURS = {f"/citations/{FIRST}", f"/citations/{SECOND}"}


class Reader(HTMLParser):
    """Collects the tags and attributes of a piece of HTML, as a browser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def links(self) -> list[str | None]:
        return [value for _, name, value in self.attributes if name == "href"]


def cited(text: str, *citations: tuple[int, UUID, int]) -> str:
    """Render the text with citations given as number, id and offset."""
    rows = [
        Citation(id=pk, start=start, source=Source(number=number))
        for number, pk, start in citations
    ]
    return render_answer(text, rows)


def claimed(text: str, *claims: tuple[str, str], added: str = "") -> str:
    """Render the text with claims given as their words and state, a number behind `added`."""
    rows = [
        Claim(start=text.index(words), end=text.index(words) + len(words), state=state)
        for words, state in claims
    ]
    numbers = []
    if added:
        place = text.index(added) + len(added)
        source = Source(number=7)
        numbers = [Citation(id=FIRST, start=place, source=source, is_added=True)]
    return render_answer(text, numbers, rows)


ALLOWED = {
    "span": {"class", "title"},
    "a": {"class", "href", "aria-label"},
    "ol": {"start"},
    "p": {"class"},
    "td": {"class"},
    "th": {"class"},
}


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("where", ["{}", "Text [1] {} and more", "- {}\n\n[1]", "> {} [1]"])
def test_p42_nothing_a_model_writes_fetches_runs_or_links(payload: str, where: str) -> None:
    text = where.format(payload)
    start = text.find("[1]")
    citations = [(1, FIRST, start)] if start >= 0 else []
    read = Reader(cited(text, *citations))
    assert not {"img", "script", "style", "iframe", "svg", "form", "link", "base"} & set(read.tags)
    assert set(read.links) <= OURS
    assert all(name in ALLOWED.get(tag, set()) for tag, name, _ in read.attributes)
    assert len(read.links) <= len(citations)


def test_a_citation_is_a_link_to_its_passage() -> None:
    html = cited("The fifteenth day [2].", (2, FIRST, 18))
    assert f'href="/citations/{FIRST}"' in html
    assert ">2</a>." in html
    assert "[2]" not in html


def test_the_space_before_a_citation_goes_so_that_it_never_starts_a_line() -> None:
    assert "day<a " in cited("The fifteenth day [2].", (2, FIRST, 18))


def test_citations_that_touch_are_two_links() -> None:
    read = Reader(cited("Both [1][2]", (1, FIRST, 5), (2, SECOND, 8)))
    assert read.links == [f"/citations/{FIRST}", f"/citations/{SECOND}"]


def test_a_marker_without_a_citation_is_text() -> None:
    assert cited("See [7].") == "<p>See [7].</p>\n"


def test_a_citation_whose_marker_is_not_there_is_left_out() -> None:
    assert cited("Nothing here.", (1, FIRST, 3), (2, SECOND, 900)) == "<p>Nothing here.</p>\n"


@pytest.mark.parametrize("text", ["`a [1]`", "```\na [1]\n```", "    a [1]"])
def test_a_marker_in_code_stays_as_it_was_written(text: str) -> None:
    html = cited(text, (1, FIRST, text.index("[1]")))
    assert "a [1]" in html
    assert "<a " not in html


def test_markers_work_inside_markdown() -> None:
    text = "- **bold [1]**\n\n| a |\n|---|\n| b [2] |"
    read = Reader(cited(text, (1, FIRST, text.index("[1]")), (2, SECOND, text.index("[2]"))))
    assert read.links == [f"/citations/{FIRST}", f"/citations/{SECOND}"]


def test_offsets_count_characters_beyond_ascii() -> None:
    text = "Café 🙂 über [1]"
    assert f"/citations/{FIRST}" in cited(text, (1, FIRST, text.index("[1]")))


def test_private_use_characters_of_a_model_are_neutralised() -> None:
    text = f"{OPEN}0\ue001 [1]"
    read = Reader(cited(text, (1, FIRST, text.index("[1]"))))
    assert read.links == [f"/citations/{FIRST}"]
    assert "\ufffd0\ufffd" in read.text


def test_a_link_is_shown_as_its_text_and_address() -> None:
    assert Reader(cited(f"[click]({E_URL})")).text.strip() == f"click ({E_URL})"


def test_an_address_on_its_own_is_shown_once() -> None:
    assert Reader(cited(f"<{E_URL}>")).text.strip() == E_URL


def test_markdown_is_rendered() -> None:
    text = "# Title\n\n1. *one*\n2. **two**\n\n| a | b |\n|--:|:-:|\n| 1 | ~~2~~ |\n\n---\n\n`code`"
    html = cited(text)
    for piece in ("<h3>", "<ol>", "<em>", "<strong>", 'class="align-right"', "<s>", "<code>"):
        assert piece in html


def test_a_cell_with_a_date_or_an_amount_is_not_broken() -> None:
    html = cited("| a | b |\n|---|--:|\n| 1947-01-08 | 2.5 m |\n| in the year 1947 it was | two |")
    assert '<td class="unbroken">1947-01-08</td><td class="align-right unbroken">2.5 m' in (
        html.replace("\n", "")
    )
    assert html.count("unbroken") == 2


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("# a\n\n## b\n\n###### c\n\n## d\n\n# e", ["h3", "h4", "h5", "h4", "h3"]),
        ("### a\n\n# b\n\n### c", ["h3", "h3", "h4"]),
        ("# a\n\n## b\n\n### c\n\n#### d\n\n##### e", ["h3", "h4", "h5", "h6", "h6"]),
    ],
)
def test_headings_go_on_below_those_of_the_page(text: str, tags: list[str]) -> None:
    assert Reader(cited(text)).tags == tags


def test_a_number_that_stands_alone_behind_quoted_code_is_told_from_a_paragraph() -> None:
    text = "> Run:\n>\n> ```\n> apt update\n> ```\n>\n> [1]\n\nSo it is [1]."
    at = text.index("[1]")
    html = cited(text, (1, FIRST, at), (1, FIRST, text.index("[1]", at + 1)))
    assert html.count('<p class="numbers"><a class="citation"') == 1
    assert "<p>So it is" in html


@pytest.mark.parametrize(
    "line",
    [
        "Constitution › 5.2 Appointment · p. 4",
        "Constitution · p. 4",
        "Constitution ·pp. 4–5",
        "*Constitution, 5.2*",
        "*Constitution, 5.2* [1]",
    ],
)
def test_a_line_behind_a_quotation_that_says_where_it_stands_is_marked(line: str) -> None:
    text = f"> It is so.\n\n{line}\n\nMore."
    citations = [(1, FIRST, text.index("[1]"))] if "[1]" in text else []
    html = cited(text, *citations)
    assert html.count('<p class="place">') == 1
    assert "</blockquote>\n<p class=" in html


@pytest.mark.parametrize(
    "text",
    [
        "> It is so.\n\nA › B is what the second document says of it.",
        "> It is so.\n\n*One* thing and *another*",
        "> It is so.\n\n*One* thing",
        "> It is so.\n\nOne › two\nthree › four",
        "> It is so.\n\n" + "a › b " * 60,
        "> It is so.\n\n- One › two",
        "Constitution › 5.2 Appointment · p. 4",
    ],
)
def test_other_paragraphs_are_as_large_as_the_rest(text: str) -> None:
    assert "class=" not in cited(text)


def test_tables_and_code_stand_in_frames_that_scroll() -> None:
    text = "| a |\n|---|\n| <table> |\n\n```\n<pre> & <table>\n```\n\n> ```\n> b\n> ```"
    html = frame_html(cited(text), copy="<button></button>")
    read = Reader(html)
    assert read.tags.count("table") == 1
    assert read.tags.count("pre") == read.tags.count("button") == 2
    assert [value for _, name, value in read.attributes if name == "class"].count("frame") == 3
    assert "<pre> & <table>" in read.text
    assert html.count("<div") == html.count("</div>")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_frame_brings_nothing_else_along(payload: str) -> None:
    plain = cited(payload)
    tags = Reader(frame_html(plain, copy="")).tags
    assert [tag for tag in tags if tag != "div"] == Reader(plain).tags


# --- Claims ---------------------------------------------------------------------------------------

SIGN = '<span class="claim-sign is-uncited" title="Without a source">'


def test_a_claim_without_a_source_is_underlined_and_has_a_sign() -> None:
    html = claimed("One thing. The fee is 5. More.", ("The fee is 5.", "uncited"))
    assert f'One thing. <span class="claim is-uncited">The fee is 5</span>{SIGN}' in html
    assert "(Without a source)</span></span>. More." in html


def test_a_supported_claim_looks_as_ever() -> None:
    assert claimed("The fee is 5.", ("The fee is 5.", "supported")) == "<p>The fee is 5.</p>\n"


def test_a_number_that_was_added_stands_before_the_full_stop() -> None:
    html = claimed("The fee is 5. More.", added="The fee is 5")
    assert f'The fee is 5<a class="citation" href="/citations/{FIRST}"' in html
    assert ">7</a>. More." in html


@pytest.mark.parametrize(
    "text",
    [
        "**The fee** is `5`.",
        "**The fee is 5.**",
        "_The_ fee is _5_.",
        "*The fee* is ~~4~~ **5**",
        "`The` fee is `5`",
        "- The fee is 5.\n- More.",
        "1. The fee is 5.\n2. More.",
        "> The fee is 5.",
        "> 1. The fee\n> 2. is 5.",
        "| The fee | is 5 |\n|---|---|\n| 4 | 6 |",
        "> ```\n> The fee is 5\n> ```",
        "[The fee](http://evil.example) is 5.",
    ],
)
@pytest.mark.parametrize("state", ["partly", "elsewhere", "unsupported", "uncited"])
def test_a_mark_never_changes_what_is_marked(text: str, state: str) -> None:
    marked = render_answer(text, [], [_all_of(text, state)])
    read, plain = Reader(marked), Reader(render_answer(text, []))
    assert [tag for tag in read.tags if tag != "span"] == plain.tags
    label = f" ({Claim.State(state).label})"
    assert read.text.replace(label, "") == plain.text
    assert marked.count("<span") == marked.count("</span>")


def _all_of(text: str, state: str) -> Claim:
    start = len(text) - len(text.lstrip("-|> 0123456789."))
    end = text.find("\n") if text[0] in "-1|" else len(text)
    return Claim(start=start, end=len(text[:end].rstrip("| ")), state=state)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_claim_lets_nothing_through(payload: str) -> None:
    claim = Claim(start=0, end=len(payload), state="uncited")
    number = Citation(id=FIRST, start=len(payload), source=Source(number=1), is_added=True)
    read = Reader(render_answer(payload, [number], [claim]))
    assert not {"img", "script", "style", "iframe", "svg", "form", "link", "base"} & set(read.tags)
    assert set(read.links) <= OURS
    assert all(name in ALLOWED.get(tag, set()) for tag, name, _ in read.attributes)


def test_a_claim_that_is_not_there_is_left_out() -> None:
    claims = [Claim(start=50, end=60, state="uncited"), Claim(start=3, end=2, state="partly")]
    assert render_answer("Nothing here.", [], claims) == "<p>Nothing here.</p>\n"


@pytest.mark.parametrize(
    ("typed", "tags", "text"),
    [
        ("so $E = mc^2$ holds", {"msup"}, "so E=mc2 holds"),
        (r"\( \frac{a}{b} \) and *x*", {"mfrac", "em"}, "ab and x"),
        (r"\[ \sum_i x*y*z \]", {"munder"}, "∑ix*y*z"),
        ("\\[\na * b\n\\]", {"mrow"}, "a*b"),
        ("$$a * b * c$$", {"mrow"}, "a*b*c"),
        (r"$\text{<b>&c}$", {"mtext"}, "<b>&c"),
        ("| a |\n|---|\n| $x^2$ |", {"msup", "td"}, "x2"),
    ],
)
def test_a_formula_is_drawn(typed: str, tags: set[str], text: str) -> None:
    read = Reader(render_answer(typed, []))
    assert {"math", *tags} <= set(read.tags)
    assert text in read.text


@pytest.mark.parametrize(
    "typed",
    [
        r"\( \frac{a}{b \)",
        r"$\unknown{x}$",
        r"$\def\x{\x\x}\x$",
        "$x_1_2$",
        "$$" + "{" * 240 + "x" + "}" * 240 + "$$",
        r"\(" + r"\left(" * 60 + "x" + r"\right)" * 10 + r"\)",
        "$5 million and US$",
    ],
)
def test_a_formula_that_cannot_be_read_is_shown_as_it_was_typed(typed: str) -> None:
    html = render_answer(f"so {typed}", [])
    assert Reader(html).text == f"so {typed}\n"
    assert "<code>" in html


@pytest.mark.parametrize("typed", [r"as \[in the text\] of it", "It costs $5 and $10, or $5-$10."])
def test_what_only_looks_like_a_formula_is_text(typed: str) -> None:
    assert Reader(render_answer(typed, [])).tags == ["p"]


@pytest.mark.parametrize(
    "payload",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(//evil.example)}{x}",
        r"\class{citation}{x}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\text{</mtext><script>alert(1)</script>}",
    ],
)
def test_a_formula_leads_nowhere_and_runs_nothing(payload: str) -> None:
    read = Reader(render_answer(f"$$x {payload}$$", []))
    assert not {"img", "script", "a"} & set(read.tags)
    assert not {"href", "style", "class", "onerror"} & {name for _, name, _ in read.attributes}


def test_code_has_the_colours_of_the_language_that_its_fence_names() -> None:
    code = "def f(x):\n    return '<b>'  # yes\n"
    html = render_answer(f"```python\n{code}```", [])
    assert '<span class="k">def</span>' in html
    assert Reader(html).text.strip() == code.strip()
    for plain in (f"```\n{code}```", f"```nosuch\n{code}```", f"```python\n{code * 1000}```"):
        assert set(Reader(render_answer(plain, [])).tags) == {"pre", "code"}


def test_a_place_does_not_part_a_page_from_its_number() -> None:
    html = render_answer("> It is so.\n\n*Constitution · p. 136*", [])
    assert "· p.&nbsp;136" in html


def test_what_begins_an_image_is_shown_as_it_was_typed() -> None:
    assert f"![pixel]({E_URL})" in render_answer(f"> ![pixel]({E_URL})", [])


# Signs of code that might hide what stands behind them.
HIDING = [
    "{}",
    "> {}",
    "| `a | {} ` |",
    "a `b\n- {} `",
    "`a\nb` {} `",
    "`\\` {} `",
    "```` a ``` ```` {} ```",
    "```\ncode\n```\n{}",
    "- ```\n  code\n  ```\n\n  {}",
    "> ```\n{}",
    "<!--\n```\n-->\n\n```\n{}\n```",
    "[a]: x\n    {}",
]


@pytest.mark.parametrize("around", HIDING)
def test_what_is_taken_away_as_markdown_loads_and_links_nothing(around: str) -> None:
    harmless = set(
        "p pre code blockquote ul ol li table thead tbody tr th td strong em h1 br hr".split()
    )
    for hostile in PAYLOADS:
        text = neutralise_markdown(around.replace("{}", hostile))
        for parser in (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable("table")):
            assert set(Reader(parser.render(text)).tags) <= harmless, text


def test_what_is_taken_away_keeps_code_and_reads_as_before() -> None:
    kept = "Type `a < b` or `<b>` [1].\n\n```html\n<b>![x](y)</b>\n```"
    assert neutralise_markdown(kept) == kept
    plain = MarkdownIt().render(neutralise_markdown("One [1]: 2 < 3 and <b> ![x](y)"))
    assert plain == "<p>One [1]: 2 &lt; 3 and &lt;b&gt; ![x](y)</p>\n"
