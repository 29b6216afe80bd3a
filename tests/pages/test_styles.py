"""Citation styles on the page, and their choice."""

import pytest
from django.test import Client

from citations.models import Passage
from memory.models import Session, Turn, User
from tests.pages.conversations import HTMX, page, text, turn_of


def test_the_style_of_a_conversation_is_chosen_for_its_next_answers(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage)
    address = page("style", session.pk)
    assert "<html" in text(client.get(address))
    assert "<html" not in text(client.get(address, headers=HTMX))
    for style in ("footnote", "reference", ""):
        response = client.post(address, {"style": style})
        assert response.status_code == 302
        session.refresh_from_db()
        assert session.style == style
        assert f'value="{style}"' in text(client.get(address))
    assert client.post(address, {"style": "loud"}).status_code == 400
    assert Turn.objects.get().style == "inline"


def test_footnotes_lead_to_their_notes_and_back(
    client: Client, session: Session, passage: Passage
) -> None:
    turn = turn_of(session, passage, style="footnote")
    shown = text(client.get(page("conversation", session.pk)))
    citation = turn.citations.get()
    assert f'<sup><a class="footnote" id="mark-{citation.pk}" href="#note-1-1"' in shown
    assert 'id="note-1-1"' in shown
    assert f'href="#mark-{citation.pk}"' in shown
    assert "[^1]: Ames" in shown  # to be copied


def test_a_reference_answer_has_no_numbers_but_its_sources(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage, style="reference")
    shown = text(client.get(page("conversation", session.pk)))
    assert "<p>The fifteenth.</p>" in shown
    assert 'class="sources"' in shown


@pytest.mark.parametrize("style", ["inline", "footnote", "reference"])
def test_markers_in_code_are_text_in_every_style(
    client: Client, session: Session, passage: Passage, style: str
) -> None:
    turn_of(session, passage, style=style, response="`x [1]`")
    assert "<code>x [1]</code>" in text(client.get(page("conversation", session.pk)))


def test_the_format_of_a_bibliography_is_chosen_for_a_conversation_and_a_person(
    client: Client, session: Session, owner: User
) -> None:
    assert client.post(page("style", session.pk), {"citation_format": "mla"}).status_code == 302
    settings = {"time_zone": "", "theme": "", "citation_format": "ieee"}
    assert client.post("/account/settings", settings).status_code == 302
    session.refresh_from_db()
    owner.refresh_from_db()
    assert (session.citation_format, owner.citation_format) == ("mla", "ieee")
