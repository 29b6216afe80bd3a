"""The bibliography of a conversation: filtered, in a format, page by page, as a file."""

import re

import pytest
from django.test import Client

from citations.models import Citation, Document, Passage, Source
from memory.conversations.asking import create_session
from memory.models import AuditEvent, Session, User
from tests.pages.conversations import HTMX, page, text, turn_of


@pytest.fixture
def address(session: Session) -> str:
    """Store an answer that cites 25 documents of different years."""
    turn = turn_of(session)
    for number in range(1, 26):
        document = Document.objects.create(
            owner=session.owner,
            checksum=str(number),
            title=f"Title {number:02}",
            authors=["Ames, Ann"],
            year=1990 + number,
            unread=[],
        )
        source = Source.objects.create(session=session, document=document, number=number)
        Citation.objects.create(
            turn=turn,
            owner=turn.owner,
            source=source,
            start=number,
            claim_start=0,
            quote="",
            score=1,
        )
    return page("sources", session.pk)


def test_entries_are_filtered_and_written_in_the_chosen_format(
    client: Client, address: str
) -> None:
    shown = text(client.get(f"{address}?style=apa&q=ames+1994", headers=HTMX))
    assert "Ames, A. (1994). <i>Title 04</i>." in shown
    assert "Title 05" not in shown
    assert "Ames A. Title 04. 1994." in text(client.get(f"{address}?style=vancouver&q=1994"))
    Document.objects.filter(sources__number=4).update(status=Document.Status.REPLACED)
    shown = text(client.get(f"{address}?style=apa&q=1994", headers=HTMX))
    assert "[from an earlier version]" in shown
    assert "No source fits" in text(client.get(f"{address}?style=apa&q=nothing", headers=HTMX))
    assert "Title 01" in text(client.get(f"{address}?style=<b>&q="))


def test_sources_of_one_author_and_year_have_letters_on_every_page(
    client: Client, address: str
) -> None:
    Document.objects.filter(sources__number__in=[4, 25]).update(year=1994)
    last = text(client.get(f"{address}?style=apa&after=24", headers=HTMX))
    assert "Ames, A. (1994b). <i>Title 25</i>." in last
    assert "Ames, A. (1994a)." in client.get(f"{address}?style=apa&format=text").getvalue().decode()
    assert "Ames, Ann. <i>Title 25</i>. 1994." in text(client.get(f"{address}?style=mla&after=24"))


def test_more_entries_follow_on_the_next_page(client: Client, address: str) -> None:
    first = text(client.get(address))
    assert first.count('class="source-number"') == 20
    assert "after=20" in first
    rest = text(client.get(f"{address}?style=apa&q=&after=20", headers=HTMX))
    assert rest.count('class="source-number"') == 5
    assert "after=" not in rest


def test_the_bibliography_is_downloaded_and_that_is_noted(client: Client, address: str) -> None:
    answer = client.get(f"{address}?format=bibtex&style=apa")
    assert answer.getvalue().decode().count("@misc{ames") == 25
    assert AuditEvent.objects.filter(action="session.exported").count() == 1
    assert client.get(f"{address}?format=exe").status_code == 404


def test_a_document_lists_the_persons_own_answers_that_cite_it(
    client: Client, session: Session, passage: Passage, stranger: User
) -> None:
    for number in range(12):
        turn_of(session, passage, query=f"Question {number:02}?")
    turn_of(create_session(stranger), passage, query="Of a stranger?")
    shown = text(client.get(page("document", passage.document_id)))
    assert "Question 11?" in shown
    assert "Question 01?" not in shown
    assert "Of a stranger?" not in shown
    [more] = re.findall(r'href="([^"]*\?answers=[^"]*)"', shown)
    rest = text(client.get(more, headers=HTMX))
    assert "Question 01?" in rest
    assert "Question 02?" not in rest
    assert "Of a stranger?" not in rest
