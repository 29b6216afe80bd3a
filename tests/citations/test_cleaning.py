"""Cleaning: what is made of text before anything else looks at it."""

import unicodedata

import pytest
from django.test import Client

from chat.templatetags import conversations
from citations.formats.cleaning import MAX_URL, clean, parse_http_address, split_names
from citations.models import Document
from memory.models import User

WRONG = ["http://[x", "https://[::1", "http://]/", "https://?q", "javascript:alert(1)", ""]


@pytest.mark.parametrize("text", ["https://example.org/a?b=c#d", "http://[::1]/", "HTTP://x"])
def test_an_address_of_the_web_stays(text: str) -> None:
    assert parse_http_address(text) == conversations.web_address(text) == text


@pytest.mark.parametrize("text", [*WRONG, "https://example.org/" + "a" * MAX_URL])
def test_what_nothing_can_open_is_no_address(text: str) -> None:
    assert parse_http_address(text) == ""


@pytest.mark.parametrize(
    "program",
    [
        "openpyxl",
        "python-docx",
        "LibreOffice",
        "LibreOffice 7.4",
        "Microsoft Office User",
        "Unknown",
    ],
)
def test_a_program_is_nobody_who_wrote_it(program: str) -> None:
    assert split_names(program) == []
    assert split_names(f"{program}; Unity Office") == ["Unity Office"]


@pytest.mark.django_db
@pytest.mark.parametrize("url", WRONG)
def test_a_page_of_a_document_with_a_wrong_address_is_shown(
    client: Client, owner: User, url: str
) -> None:
    document = Document.objects.create(
        owner=owner, title="A fund", authors=[], url=url, unread=[], status="ready", checksum="1"
    )
    client.force_login(owner)
    answer = client.get(f"/library/{document.pk}")
    assert answer.status_code == 200
    assert b'href="http://[' not in answer.content


@pytest.mark.parametrize("text", ["Zu\u0308rich", "nai\u0308ve", "か\u3099", "ཀ\u0f73", "🎉" * 40])
def test_marks_of_real_text_stay(text: str) -> None:
    assert clean(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\U0001d165\U0001d16d", "\U0001d165\u0323"])
def test_a_pile_of_marks_is_made_lower(marks: str) -> None:
    text = clean("a" + marks * 1000 + "b")
    assert text.endswith("b")
    assert len(text) < 70
