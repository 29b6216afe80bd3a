"""Imports: entries of reference managers, matched with documents."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from citations.readers import Unreadable
from citations.sources.imports import apply_matches, preview_import
from citations.sources.items import build_csl_item
from memory.models import User
from tests.citations.documents import add
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return person("owner")


BIBTEX = rb"""@string{sci = "Science"}
@article{miki, title = {A strong {BRCA1} candidate}, author = {Miki, Yoshio and {World Bank}},
  journal = sci, year = 1994, month = oct, pages = {66--71}, doi = {10.1126/science.7545954}}
@book{muller, title = {Andere B\"ucher}, author = {M\"uller, J\"org},
  file = {PDF:files/7/note.txt:text/plain}}
@book{broken, title = {never closed
@misc{lost, title = {Nobody has this}}
"""
RIS = b"""TY  - JOUR
TI  - A strong BRCA1 candidate
AU  - Miki, Yoshio
AU  - {World Bank}
JO  - Science
PY  - 1994/10//
SP  - 66
EP  - 71
DO  - 10.1126/science.7545954
ER  -
"""
CSL = b"""[{"id": "x",
"type": "article-journal", "title": "A strong BRCA1 candidate", "page": "66-71",
"author": [{"family": "Miki", "given": "Yoshio"}, {"literal": "World Bank"}],
"container-title": "Science", "issued": {"date-parts": [["1994", "10"]]},
"DOI": "10.1126/science.7545954", "abstract": "Left out"}]"""
ITEM = {
    "type": "article-journal", "title": "A strong BRCA1 candidate", "page": "66-71",
    "author": [{"family": "Miki", "given": "Yoshio"}, {"literal": "World Bank"}],
    "container-title": "Science", "issued": {"date-parts": [[1994, 10]]},
    "DOI": "10.1126/science.7545954",
}  # fmt: skip


@pytest.mark.parametrize("data", [BIBTEX, RIS, CSL, BIBTEX.decode().encode("utf-16")])
def test_an_entry_describes_the_document_of_its_title(owner: User, data: bytes) -> None:
    document = add("The gene.", owner, title="A Strong BRCA1-Candidate")
    add("The gene.", person("other"), title="A Strong BRCA1-Candidate")
    found = preview_import(data, actor=owner)
    [match] = [each for each in found.matches if each.by == "title"]
    assert (match.document, match.item) == (document, ITEM)
    apply_matches(found.matches, actor=owner)
    document.refresh_from_db()
    assert build_csl_item(document) == {"id": str(document.pk)} | ITEM


def test_what_fits_nothing_or_is_broken_is_told(owner: User) -> None:
    add("The books.", owner, title="Something")
    found = preview_import(BIBTEX, actor=owner)
    assert [(each.by, each.item["title"]) for each in found.matches] == [("file", "Andere Bücher")]
    assert found.matches[0].item["author"] == [{"family": "Müller", "given": "Jörg"}]
    assert found.unmatched == ["A strong BRCA1 candidate", "Nobody has this"]
    assert [each.entry for each in found.failures] == ["broken"]


@pytest.mark.parametrize(
    ("data", "bad"),
    [
        (
            b"""[{"id": "a", "title": "First"}, {"id": "b", "title": "Bad",, "author": [
{"family": "A"}, {"family": "B"}]}, {"id": "c", "title": "Last"}]""",
            ["b"],
        ),
        (b'{"items": [{"title": "First"}, 5, {"title": "Last"}]}', ["#2"]),
        (
            b"TY  - JOUR\nTI  - First\nER  -\nTY  - BOOK\nTI  - Cut\n"
            b"TY  - BOOK\nTI  - Last\nER  -\nTY  - BOOK\nID  - k7\nTI  - Cut",
            ["#2", "k7"],
        ),
        (
            b"@book{a, title = {First}}\n@book{b, title = {Cut\n@book{c, title = {Last}}\n"
            b"@book{a, title = {Again}}\n@book{d, title = {One}, title = {Two}}",
            ["b", "a", "d"],
        ),
    ],
)
def test_a_bad_entry_is_told_and_the_others_are_taken(
    owner: User, data: bytes, bad: list[str]
) -> None:
    found = preview_import(data, actor=owner)
    assert found.unmatched == ["First", "Last"]
    assert [each.entry for each in found.failures] == bad
    assert all(each.reason for each in found.failures)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"nothing of the kind", "no_references"), (b"[{", "broken"), (b"[" * 200_000, "too_complex")],
)
def test_a_file_of_another_kind_is_refused_in_words(owner: User, data: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        preview_import(data, actor=owner)
    assert (refused.value.code, bool(refused.value.message)) == (code, True)


@pytest.mark.parametrize(
    "data",
    [
        b"@article{k, title={" + b"{" * 300_000,
        b"@article{" * 20_000,
        b"@misc{x, title=a}" * 20_000,
        b"".join(b"@misc{k%d, title={T %d}, author={%s}}\n" % (n, n, b"A B and " * 9)
                 for n in range(5_000)),
    ],
    ids=["braces", "heads", "one key", "entries"],
)  # fmt: skip
def test_hostile_files_end(owner: User, data: bytes) -> None:
    found = preview_import(data, actor=owner)
    assert found.failed + len(found.unmatched) >= 1


def test_an_import_is_previewed_and_confirmed_on_the_page(owner: User) -> None:
    document, browser = add("The gene.", owner, title="A strong BRCA1 candidate"), Client()
    browser.force_login(owner)
    file = SimpleUploadedFile("a.bib", BIBTEX)
    shown = browser.post(reverse("chat:import_sources"), {"file": file}).content.decode()
    assert "1 document matches" in shown
    assert "Nobody has this" in shown
    assert "1 entry could not be read" in shown
    assert "<bdi>broken</bdi>: It breaks off or isn&#x27;t well formed." in shown
    document.refresh_from_db()
    assert not document.csl or "DOI" not in document.csl
    form = {"document": str(document.pk), f"item-{document.pk}": json.dumps(ITEM)}
    browser.post(reverse("chat:take_over_sources"), form)
    document.refresh_from_db()
    assert build_csl_item(document) == {"id": str(document.pk)} | ITEM
    theirs = add("The gene.", person("other"))
    form = {"document": str(theirs.pk), f"item-{theirs.pk}": json.dumps(ITEM)}
    assert browser.post(reverse("chat:take_over_sources"), form).status_code == 404
