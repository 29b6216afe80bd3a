"""A conversation as each kind of file, opened again by another program."""

import io
import re
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx
import pypdf
import pytest
from django.test import Client
from docx.oxml.ns import qn
from lxml import etree, html
from markdown_it import MarkdownIt

from chat.exports import pdf
from chat.exports.word.equations import convert_formula
from chat.rendering.formulas import render_formula
from citations.models import Citation, Claim, Document, Passage, Source
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from tests.conftest import started_browser
from tests.pages.conversations import MISSING, page as address, turn_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.django_db

ANSWER = """## Dates

It is the fifteenth day [1]. Nobody knows the hour.

| Year | Day |
|------|----:|
| 2026 | 15 |

1. first
2. second
   - below

```python
def due(day): return day + 15
```

> It is the fifteenth day.

So $E = mc^2$ holds.
"""
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)> ]]> </w:t> & \"'",
    "\u202eright to left\u2066 and \u200fmore",
    "a\x00b\x01c\x0bd\x1fe\ufffef",
    f"| cell |\n|---|\n| {'x' * 100_000} |",
    "$$" + "{" * 1000 + "x" + "}" * 1000 + "$$ and \\(" + "\\frac{1}{" * 40 + "2\\)",
    "> " * 90 + "deep\n\n" + "".join(f"{'  ' * n}- item\n" for n in range(60)),
    "~~~\n]]> ``` </code></pre>\n~~~\n\n```python\n" + "(" * 150_000,
    "![](http://evil.example/a.png) [link](http://evil.example) <http://evil.example>",
]
NOTES = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def written(session: Session, passage: Passage) -> Session:
    """Store a conversation with all that an answer may have; its second turn is another matter."""
    turn = turn_of(session, passage, response=ANSWER, model="test-model")
    start = ANSWER.index("Nobody")
    Claim.objects.create(
        turn=turn, owner=turn.owner, start=start, end=start + 22, state="uncited", score=0.1
    )
    Turn.objects.filter(pk=turn.pk).update(asked_at=datetime(2026, 7, 1, 22, 30, tzinfo=UTC))
    quote("The fifteenth, in other words.")
    turn_of(session, query="And the second?", response="Something else.")
    Session.objects.filter(pk=session.pk).update(last_position=2, turn_count=2)
    User.objects.filter(pk=session.owner_id).update(time_zone="Asia/Tokyo")
    session.refresh_from_db()
    return session


def quote(words: str) -> None:
    citation = Citation.objects.get()
    citation.quote = words
    citation.save()


def exported(client: Client, session: Session, form: str, query: str = "") -> bytes:
    response = client.get(f"{address('export', session.pk, form)}?{query}")
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    return response.getvalue()


# --- What other programs read in a file ----------------------------------------------------------


def read_markdown(data: bytes) -> str:
    return MarkdownIt("commonmark").enable("table").render(data.decode())


def read_html(data: bytes) -> str:
    return data.decode()


def read_docx(data: bytes) -> str:
    """Read all words with python-docx: paragraphs, cells, footnotes."""
    document = docx.Document(io.BytesIO(data))
    body = document.element.body
    notes = next(
        part for part in document.part.package.iter_parts() if "footnotes" in part.partname
    )
    texts = [*body.iter(f"{NOTES}t"), *etree.fromstring(notes.blob).iter(f"{NOTES}t")]
    return "".join(text.text or "" for text in texts)


def read_pdf(data: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    # Lines may break behind the signs of an address.
    return " ".join(" ".join(page.extract_text() for page in pages).split()).replace("/ ", "/")


READERS: dict[str, Callable[[bytes], str]] = {
    "markdown": read_markdown,
    "html": read_html,
    "docx": read_docx,
    "pdf": read_pdf,
}


def read_as(client: Client, session: Session, form: str, query: str = "") -> str:
    return READERS[form](exported(client, session, form, query))


@pytest.mark.parametrize("form", READERS)
def test_a_file_keeps_numbers_quotations_states_sources_and_local_time(
    client: Client, written: Session, form: str
) -> None:
    read = read_as(client, written, form)
    for said in (
        "What is the Determination Date?",
        "2026-07-02 07:30 JST",
        "[1]" if form != "html" else ">1</a>",
        "The fifteenth, in other words.",
        "Statements supported: 0 of 1",
        "Without a source",
        "(2026).",
        "https://example.org/agreement",
        "Something else.",
    ):
        assert said in read, said


@pytest.mark.parametrize("form", READERS)
def test_turns_and_the_format_of_sources_are_chosen(
    client: Client, written: Session, form: str
) -> None:
    read = read_as(client, written, form, "first=2&last=2")
    assert "Something else." in read
    assert "Determination" not in read
    assert "example.org" not in read
    formats = {read_as(client, written, form, f"citation_format={one}") for one in ("apa", "mla")}
    assert len(formats) == 2


@pytest.mark.parametrize("form", READERS)
def test_a_source_that_was_replaced_is_marked(client: Client, written: Session, form: str) -> None:
    assert "from an earlier version" not in read_as(client, written, form)
    Document.objects.update(status=Document.Status.REPLACED)
    assert "[from an earlier version]" in read_as(client, written, form)


def test_a_pdf_numbers_its_sources_as_its_answers_do(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage, response="It is the fifteenth day [1].")
    Source.objects.update(number=7)
    assert "7. " in read_as(client, session, "pdf", "citation_format=apa").split("1 of 1")[0]


def test_word_has_headings_tables_code_lists_and_real_footnotes(
    client: Client, written: Session
) -> None:
    document = docx.Document(io.BytesIO(exported(client, written, "docx")))
    styled = {(each.style.name, each.text) for each in document.paragraphs}
    assert ("Title", "Dates") in styled
    assert ("Heading 2", "Dates") in styled
    assert ("Code", "def due(day): return day + 15\n") in styled
    assert ("List Number", "second") in styled
    assert ("List Bullet 2", "below") in styled
    assert ("Quote", "It is the fifteenth day.") in styled
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells == [["Year", "Day"], ["2026", "15"]]
    marks = list(document.element.body.iter(f"{NOTES}footnoteReference"))
    assert [mark.getparent().getprevious().text for mark in marks] == ["[1]"]
    [formula] = document.element.body.iter(qn("m:oMath"))
    assert [part.tag for part in formula] == [qn("m:r")] * 3 + [qn("m:sSup")]
    assert "".join(text.text for text in formula.iter(qn("m:t"))) == "E=mc2"


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        (r"\frac{1}{2}", "f num r t den r t"),
        (r"\binom{n}{k}", "d dPr begChr endChr e f fPr type num r t den r t"),
        (r"\sqrt[3]{x}", "rad deg r t e r t"),
        (r"\sum_{i}^{n}", "nary naryPr chr limLoc sub r t sup r t e r t"),
        (r"\bar{x}", "acc accPr chr e r t"),
        (r"\begin{cases} a \end{cases}", "d dPr begChr endChr e m mr e r t"),
        (r"\left( \frac{a}{b} \right)", "d dPr begChr endChr e f num r t den r t"),
        (r"\underbrace{x}_{n}", "limLow e limLow e r t lim r t lim r t"),
    ],
)
def test_formulas_of_word_are_built_of_their_parts(latex: str, parts: str) -> None:
    formula = convert_formula(html.fromstring(render_formula(f"${latex}$")))
    assert " ".join(etree.QName(part).localname for part in formula.iterdescendants()) == parts


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", READERS)
def test_hostile_words_break_no_file(
    client: Client,
    session: Session,
    passage: Passage,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    text: str,
) -> None:
    passage.document.title = text[:300]
    passage.document.save()
    session.last_position, session.title = 1, text[:100]
    session.save()
    turn_of(session, passage, query=text[:2000], response=f"Yes [1].\n\n{text}\n")
    quote(text[:1000])
    if form == "pdf" and len(text) > 1000:  # laying out may take longer than it may
        monkeypatch.setattr(pdf, "LAYING_OUT", replace(pdf.LAYING_OUT, seconds=3))
        response = client.get(address("export", session.pk, form))
        assert response.status_code in (200, 413)
        return
    read = read_as(client, session, form)
    assert "Yes" in read
    assert form in ("docx", "pdf") or not {"<script", "<img"} & set(re.findall("<[a-z]+", read))


def test_turns_that_make_no_range_are_refused_in_the_dialog(
    client: Client, written: Session
) -> None:
    response = client.get(f"{address('export', written.pk, 'html')}?first=2&last=1")
    assert response.status_code == 400
    assert b"The first question comes after the last one." in response.content


def test_a_word_file_has_a_most_of_turns(client: Client, session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(last_position=1001)
    response = client.get(address("export", session.pk, "docx"))
    assert response.status_code == 413
    assert b"1000" in response.content


@pytest.mark.parametrize("name", ["exports", "export"])
def test_nobody_exports_what_is_not_theirs(client: Client, stranger: User, name: str) -> None:
    theirs = create_session(stranger)
    for key in (theirs.pk, MISSING):
        extra = ("html",) if name == "export" else ()
        assert client.get(address(name, key, *extra)).status_code == 404


def test_an_html_file_loads_nothing_and_is_read_in_light_dark_and_print(
    client: Client, written: Session, tmp_path: Path
) -> None:
    file = tmp_path / "export.html"
    file.write_bytes(exported(client, written, "html"))
    # Its loop would keep the other tests of the module from the database.
    with contextmanager(started_browser)() as browser:
        look_at(browser, file)


def look_at(browser: "Browser", file: Path) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    grounds: list[Any] = []
    for scheme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        page.emulate_media(color_scheme=scheme, media=media)
        grounds.append(page.evaluate("getComputedStyle(document.querySelector('h1')).color"))
    assert grounds[0] == grounds[2] != grounds[1]
    assert page.locator("math msup").count() == 1
    colours = page.locator("pre .k").first.evaluate("(word) => getComputedStyle(word).color")
    assert colours != page.locator("pre").evaluate("(code) => getComputedStyle(code).color")
    page.locator("a.footnote").click()
    assert page.locator(".notes li:target q").is_visible()
    assert asked == [file.as_uri()]
    assert said == []
    context.close()
