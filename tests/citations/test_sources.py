"""Sources: what a bibliography says of a document."""

from datetime import UTC, datetime
from time import perf_counter
from typing import Any

import pytest

from citations.formats.blocks import Block, BlockKind
from citations.formats.kinds import detect_kind
from citations.formats.reading import Section
from citations.ingestion.chunking import chunk_sections
from citations.ingestion.profiling import profile_document
from citations.models import Document
from citations.readers import read_file
from citations.sources.first_page import find_identifiers
from citations.sources.items import build_csl_item, build_item_columns, clean_item
from citations.sources.names import parse_name
from tests.citations.files import pdf

ARTICLE: dict[str, Any] = {
    "type": "article-journal",
    "title": "A strong candidate for the breast cancer gene",
    "author": [{"family": "Miki", "given": "Yoshio"}, {"family": "Swensen", "given": "Jeff"}],
    "container-title": "Science",
    "volume": "266",
    "issue": "5182",
    "page": "66-71",
    "DOI": "10.1126/science.7545954",
    "ISSN": "0036-8075",
    "issued": {"date-parts": [[1994, 10, 7]]},
}


def document(**fields: Any) -> Document:
    return Document(created_at=datetime(2026, 11, 28, tzinfo=UTC), **fields)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"DOI": "https://doi.org/10.1000/xyz123"}, {"DOI": "10.1000/xyz123"}),
        ({"DOI": "11.1000/xyz"}, {}),
        ({"ISBN": "978-0-306-40615-7"}, {"ISBN": "9780306406157"}),
        ({"ISBN": "0-306-40615-2"}, {"ISBN": "0306406152"}),
        ({"ISBN": "978-0-306-40615-8"}, {}),
        ({"ISSN": "03788408"}, {}),
        ({"issued": {"year": 2024, "month": 2, "day": 30}}, {}),
        ({"issued": {"date-parts": [["2024", "2"]]}}, {"issued": {"date-parts": [[2024, 2]]}}),
        ({"issued": "2024-02-29T10:00:00"}, {"issued": {"date-parts": [[2024, 2, 29]]}}),
        ({"issued": [[2024]]}, {}),
        ({"URL": "javascript:alert(1)"}, {}),
        ({"type": "secret"}, {}),
        ({"title": "<b onclick=x>Bold</b> &lt;i&gt;\u202egnp.exe"}, {"title": "Bold gnp.exe"}),
        ({"title": "x" * 5_000}, {"title": "x" * 499 + "…"}),
        ({"volume": 7}, {"volume": "7"}),
        ({"author": "Jane"}, {}),
        ({"author": [{"family": {"a": 1}}]}, {}),
        ({"author": [{}, {"family": "Doe", "suffix": "Jr"}]}, {"author": [{"family": "Doe"}]}),
        ({"unheard": 1}, {}),
    ],
)
def test_a_field_that_lies_is_left_out_and_told(given: Any, kept: Any) -> None:
    item, problems = clean_item(given)
    assert item == kept
    assert bool(problems) is (not kept)


def test_of_ten_thousand_authors_two_hundred_are_kept_and_the_count() -> None:
    item, problems = clean_item({"author": [f"Ann Other{number}" for number in range(10_000)]})
    assert len(item["author"]) == 200
    assert item["custom"] == {"author-count": 10_000}
    assert not problems


@pytest.mark.parametrize("name", [{"family": "<b>"}, {"literal": "\u202e"}, "<script>", " "])
def test_a_name_of_which_nothing_is_left_is_no_author(name: Any) -> None:
    item, _problems = clean_item({"author": [name, "Ann Other"], "editor": [name]})
    assert item == {"author": [{"family": "Other", "given": "Ann"}]}


def test_hostile_metadata_takes_linear_time() -> None:
    begun = perf_counter()
    for text in ("<a" * 500_000, "&amp;" * 500_000, "<" * 1_000_000, "10.1000/" + "." * 10**6):
        clean_item({"title": text, "DOI": text, "URL": text, "ISBN": text, "author": [text]})
    assert perf_counter() - begun < 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Doe, Jane", {"family": "Doe", "given": "Jane"}),
        ("Jane Q. Doe", {"family": "Doe", "given": "Jane Q."}),
        ("Ludwig van Beethoven", {"family": "van Beethoven", "given": "Ludwig"}),
        ("José Ortega y Gasset", {"family": "Gasset", "given": "José Ortega y"}),
        ("World Health Organization", {"literal": "World Health Organization"}),
        ("{Plain Words}", {"literal": "Plain Words"}),
        ("Throughline sample library", {"literal": "Throughline sample library"}),
        ("Halden Software", {"literal": "Halden Software"}),
        ("Kaleidoscope - kscope.io", {"literal": "Kaleidoscope - kscope.io"}),
        ("PepsiCo, Inc.", {"literal": "PepsiCo, Inc."}),
        ("Bank, Peter", {"family": "Bank", "given": "Peter"}),
        ("Ernst & Young", {"literal": "Ernst & Young"}),
        ("NASA", {"literal": "NASA"}),
    ],
)
def test_names_are_parted_as_bibliographies_write_them(text: str, name: Any) -> None:
    assert parse_name(text) == name


def test_any_document_has_a_complete_item() -> None:
    bare = document(title="", file_name="notes.txt", authors=[], media_type="text/plain")
    assert build_csl_item(bare) == {"id": str(bare.pk), "type": "article", "title": "notes.txt"}
    page = document(
        title="Guidelines", authors=["Jane Doe"], year=2020, date="2020-05", language="en",
        url="https://example.org/a", media_type="text/html", file_name="a.html", csl="broken",
    )  # fmt: skip
    assert build_csl_item(page) == {
        "id": str(page.pk),
        "type": "webpage",
        "title": "Guidelines",
        "author": [{"family": "Doe", "given": "Jane"}],
        "issued": {"date-parts": [[2020, 5]]},
        "URL": "https://example.org/a",
        "language": "en",
        "accessed": {"date-parts": [[2026, 11, 28]]},
    }


def test_a_later_change_of_a_column_counts_more_than_the_item() -> None:
    item, _ = clean_item(ARTICLE)
    known = document(media_type="application/pdf", file_name="a.pdf", **build_item_columns(item))
    assert build_csl_item(known) == {"id": str(known.pk)} | ARTICLE
    known.title, known.authors, known.year = "Renamed", ["Ann Lee"], 1995
    changed = build_csl_item(known)
    assert changed["title"] == "Renamed"
    assert changed["author"] == [{"family": "Lee", "given": "Ann"}]
    assert changed["issued"] == {"date-parts": [[1995]]}
    assert changed["volume"] == "266"


def reading_of(data: bytes, name: str) -> Any:
    """Return the item that is made of a file's own words."""
    reading = read_file(data, detect_kind(data, name))
    return profile_document(
        reading.title, reading, list(chunk_sections(reading.sections, title=""))
    ).csl


META = """<html lang=en><head><title>A study</title>
<meta name="citation_journal_title" content="Nature">
<meta name="citation_author" content="Doe, Jane">
<meta name="citation_volume" content="7"><meta name="citation_firstpage" content="12">
<meta name="citation_lastpage" content="19"><meta name="citation_doi" content="10.1000/xyz">
<meta name="citation_issn" content="0028-0836"></head><body><p>The text of the study.</p></body>"""
LINKED = """<html><head><title>News</title><meta property="og:site_name" content="The Site">
<script type="application/ld+json">{"@graph": [{"@type": "Organization", "name": "X"},
{"@type": "NewsArticle", "headline": "News", "author": {"@type": "Person", "name": "Ann Lee"},
"publisher": {"name": "The Paper"}, "datePublished": "2021-03-04T10:00:00Z"}]}</script></head>
<body><p>Something happened in the town.</p></body></html>"""
FRONT = """---
title: Notes
journal: "The Journal"
volume: 3
pages: 1-9
doi: doi:10.1000/abc
isbn: 9780306406158
type: article-journal
---
Some text of the notes.
"""
XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://r/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"><rdf:Description
 prism:publicationName="Cell"><prism:doi>10.1016/j.cell.1</prism:doi><dc:creator><rdf:Seq>
 <rdf:li>Jane Doe</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"""


@pytest.mark.parametrize(
    ("data", "name", "item"),
    [
        (
            META.encode(),
            "a.html",
            {
                "type": "article-journal", "container-title": "Nature", "volume": "7",
                "page": "12-19", "DOI": "10.1000/xyz", "ISSN": "0028-0836",
                "author": [{"family": "Doe", "given": "Jane"}],
            },
        ),
        (
            LINKED.encode(),
            "a.html",
            {
                "type": "article-newspaper", "container-title": "The Site",
                "publisher": "The Paper", "author": [{"family": "Lee", "given": "Ann"}],
                "issued": {"date-parts": [[2021, 3, 4]]},
            },
        ),
        (
            FRONT.encode(),
            "a.md",
            {
                "type": "article-journal", "container-title": "The Journal", "volume": "3",
                "page": "1-9", "DOI": "10.1000/abc",
            },
        ),
        (
            pdf(["The words of a page that is long enough."]) + XMP,
            "a.pdf",
            {
                "container-title": "Cell", "DOI": "10.1016/j.cell.1",
                "author": [{"family": "Doe", "given": "Jane"}],
            },
        ),
    ],
    ids=["meta tags", "linked data", "front matter", "XMP"],
)  # fmt: skip
def test_what_a_file_declares_becomes_its_item(data: bytes, name: str, item: Any) -> None:
    assert reading_of(data, name) == item


@pytest.mark.parametrize("hostile", ["[" * 100_000, '{"@type": 7, "author": [[[]]]}', "null", '"'])
def test_linked_data_that_is_broken_says_nothing(hostile: str) -> None:
    page = f"<script type='application/ld+json'>{hostile}</script><p>Words of the page.</p>"
    assert reading_of(page.encode(), "a.html") == {}


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["A title", "https://doi.org/10.1000/own. Received in May."], {"DOI": "10.1000/own"}),
        (["A title", "References", "Doe. 2001. doi:10.1000/cited"], {}),
        (["A title", "[1] Doe. 2001. doi:10.1000/cited"], {}),
        (["As in 10.1000/one and 10.1000/two"], {}),
        (["ISBN 978-0-306-40615-7 (hardback)"], {"ISBN": "9780306406157"}),
        (["ISBN 978-0-306-40615-8"], {}),
        (["The number 9780306406157 alone"], {}),
    ],
)
def test_only_its_own_identifiers_are_taken(texts: list[str], found: Any) -> None:
    blocks = [Block(BlockKind.PARAGRAPH, text) for text in texts]
    assert find_identifiers([Section([], blocks, page=1)]) == found
    assert "DOI" not in find_identifiers([Section([], blocks, page=2)])
