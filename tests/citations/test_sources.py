"""Sources: what a bibliography says of a document."""

from datetime import UTC, datetime
from time import perf_counter
from typing import Any

import pytest

from citations.models import Document
from citations.sources import clean_item, csl_item, item_columns, parse_name

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
        ("NASA", {"literal": "NASA"}),
    ],
)
def test_names_are_parted_as_bibliographies_write_them(text: str, name: Any) -> None:
    assert parse_name(text) == name


def test_any_document_has_a_complete_item() -> None:
    bare = document(title="", file_name="notes.txt", authors=[], media_type="text/plain")
    assert csl_item(bare) == {"id": str(bare.pk), "type": "article", "title": "notes.txt"}
    page = document(
        title="Guidelines", authors=["Jane Doe"], year=2020, date="2020-05", language="en",
        url="https://example.org/a", media_type="text/html", file_name="a.html", csl="broken",
    )  # fmt: skip
    assert csl_item(page) == {
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
    known = document(media_type="application/pdf", file_name="a.pdf", **item_columns(item))
    assert csl_item(known) == {"id": str(known.pk)} | ARTICLE
    known.title, known.authors, known.year = "Renamed", ["Ann Lee"], 1995
    changed = csl_item(known)
    assert changed["title"] == "Renamed"
    assert changed["author"] == [{"family": "Lee", "given": "Ann"}]
    assert changed["issued"] == {"date-parts": [[1995]]}
    assert changed["volume"] == "266"
