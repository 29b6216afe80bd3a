"""The page of a document beside an answer."""

import pytest
from django.test import Client

from citations.ingestion.adding import add_document
from citations.models import Citation, Document, OriginalFile
from memory.models import Session, User
from tests.citations import documents
from tests.citations.test_pages import NEXT
from tests.pages.conversations import HTMX, page, text, turn_of


@pytest.fixture
def document(owner: User) -> Document:
    return documents.read(add_document(NEXT, file_name="next.pdf", owner=owner))


@pytest.fixture
def citation(session: Session, document: Document) -> Citation:
    citation = turn_of(session, document.passages.first()).citations.get()
    citation.quote = "They say that the quokka"
    citation.save()
    return citation


def test_a_citation_of_a_pdf_offers_page_and_text(client: Client, citation: Citation) -> None:
    shown = text(client.get(page("citation", citation.pk), {"page": 2}, headers=HTMX))
    assert f'hx-get="/citations/{citation.pk}/page?page=2"' in shown
    assert "<mark>They say that the quokka</mark>" in shown


def test_the_page_has_its_words_marked_and_leads_to_the_next(
    client: Client, citation: Citation
) -> None:
    shown = text(client.get(page("citation_page", citation.pk)))
    assert "Page 1 of 2" in shown
    assert shown.count("page-mark") == 1
    assert f"/citations/{citation.pk}/page?page=2" in shown
    next_one = text(client.get(page("citation_page", citation.pk), {"page": 2}))
    assert "Page 2 of 2" in next_one
    assert "page-mark" not in next_one


def test_words_that_are_not_found_are_said_to_be(client: Client, citation: Citation) -> None:
    assert citation.passage is not None
    citation.passage.text = "The numbat eats termites all day."
    citation.passage.save()
    shown = text(client.get(page("citation_page", citation.pk)))
    assert "not found on this page" in shown
    assert "page-mark" not in shown


def test_a_page_that_cannot_be_drawn_says_so_and_leaves_the_text(
    client: Client, citation: Citation, document: Document
) -> None:
    original = OriginalFile.objects.get(document=document)
    original.file = b"%PDF-1.7 nothing"
    original.save()
    shown = text(client.get(page("citation_page", citation.pk)))
    assert "This page can’t be drawn: The file is damaged and can&#x27;t be read." in shown
    assert client.get(page("page_picture", document.pk, 1)).status_code == 422


@pytest.mark.parametrize("number", ["0", "3", "999999999"])
def test_a_page_that_is_not_there_is_said_to_be_gone(
    client: Client, citation: Citation, number: str
) -> None:
    assert "no such page" in text(client.get(page("citation_page", citation.pk), {"page": number}))


def test_pages_are_pictures_for_those_who_may_read_the_document(
    client: Client, document: Document, stranger: User, citation: Citation
) -> None:
    response = client.get(page("page_picture", document.pk, 1))
    assert (response["Content-Type"], response["Cache-Control"]) == ("image/png", "no-store")
    client.force_login(stranger)
    assert client.get(page("page_picture", document.pk, 1)).status_code == 404
    assert client.get(page("citation_page", citation.pk)).status_code == 404


def test_a_citation_leads_to_those_before_and_after_it(
    client: Client, session: Session, citation: Citation
) -> None:
    after = turn_of(session, citation.passage).citations.get()
    first = text(client.get(page("citation", citation.pk), headers=HTMX))
    assert f'href="/citations/{after.pk}" data-beside="Source" data-step="1"' in first
    assert 'data-step="-1"' not in first
    last = text(client.get(page("citation", after.pk)))
    assert f'href="/citations/{citation.pk}" data-step="-1"' in last
