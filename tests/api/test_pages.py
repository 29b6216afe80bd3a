"""Pages of documents over the API: pictures, and the rectangles of cited words."""

import pytest

from citations.formats.reading import BadFile
from citations.ingestion.adding import add_document
from citations.models import Citation, Document, OriginalFile, Passage
from citations.pages import drawing
from memory.conversations.asking import create_session
from memory.models import User
from tests.api.conftest import Api
from tests.citations import documents
from tests.citations.test_pages import NEXT, ONE
from tests.pages.conversations import turn_of

UNKNOWN = "01999999-0000-7000-8000-000000000000"


@pytest.fixture
def document(owner: User) -> Document:
    return documents.read(add_document(ONE, file_name="beasts.pdf", owner=owner))


@pytest.fixture
def citation(owner: User, document: Document) -> Citation:
    return cited(owner, document.passages.get(), "The quokka lives on Rottnest Island.")


def cited(owner: User, passage: Passage, quote: str) -> Citation:
    citation = turn_of(create_session(owner), passage).citations.get()
    citation.quote = quote
    citation.save()
    return citation


def test_a_page_is_a_picture_in_two_sizes(api: Api, document: Document) -> None:
    path = f"/documents/{document.pk}/pages/1"
    normal, large = api.get(path), api.get(f"{path}?size=large")
    assert (normal.status_code, normal["Content-Type"]) == (200, "image/png")
    assert normal["Cache-Control"] == "no-store"
    assert len(large.content) > len(normal.content)
    assert api.get(f"{path}?size=huge").status_code == 400


def test_the_cited_words_have_rectangles(api: Api, citation: Citation) -> None:
    answer = api.get(f"/citations/{citation.pk}/pages").json()
    assert answer["document_id"] == str(citation.source.document_id)
    [page] = answer["pages"]
    assert (page["page"], page["width"], page["height"]) == (1, 595, 842)
    [rectangle] = page["rectangles"]
    assert rectangle["x"] == pytest.approx(72 / 595, abs=0.002)
    assert 0.1 < rectangle["y"] < 0.13
    assert 0.25 < rectangle["width"] < 0.4


def test_a_quotation_over_the_end_of_a_page_has_two(api: Api, owner: User) -> None:
    document = documents.read(add_document(NEXT, file_name="next.pdf", owner=owner))
    passage = document.passages.first()
    assert passage is not None
    passage.text = "They say that the quokka lives on Rottnest Island. And what follows."
    passage.save()
    citation = cited(owner, passage, "the quokka lives on Rottnest Island.")
    pages = api.get(f"/citations/{citation.pk}/pages").json()["pages"]
    assert [(page["page"], len(page["rectangles"])) for page in pages] == [(1, 2), (2, 1)]


@pytest.mark.parametrize("number", ["0", "2", "-1", "one", "99999999999999999999"])
def test_a_page_that_there_is_not_is_not_found(api: Api, document: Document, number: str) -> None:
    assert api.get(f"/documents/{document.pk}/pages/{number}").status_code == 404


def test_nobody_sees_the_pages_of_another(
    document: Document, citation: Citation, stranger: User
) -> None:
    other = Api(stranger)
    assert other.get(f"/documents/{document.pk}/pages/1").status_code == 404
    assert other.get(f"/citations/{citation.pk}/pages").status_code == 404
    assert other.get(f"/citations/{UNKNOWN}/pages").status_code == 404


def test_the_pages_of_a_removed_document_are_not_found(api: Api, citation: Citation) -> None:
    citation.source.document = None
    citation.source.save()
    assert api.get(f"/citations/{citation.pk}/pages").status_code == 404


def test_a_page_that_cannot_be_drawn_says_why(api: Api, document: Document) -> None:
    original = OriginalFile.objects.get(document=document)
    original.file = b"%PDF-1.7 nothing"
    original.save()
    response = api.get(f"/documents/{document.pk}/pages/1")
    assert (response.status_code, response.json()["error"]["code"]) == (422, "page_not_drawn")
    assert "damaged" in response.json()["error"]["message"]


def test_while_others_are_drawn_one_is_told_to_come_again(
    api: Api, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*order: object) -> None:
        raise BadFile("busy")

    monkeypatch.setattr(drawing, "run_apart", busy)
    response = api.get(f"/documents/{document.pk}/pages/1")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    monkeypatch.undo()
    assert api.get(f"/documents/{document.pk}/pages/1").status_code == 200
