"""The memory of a conversation, on its page: with htmx in a dialog, without as a page."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.models import ContextPassage, ContextRecord
from citations.models import Document, Passage
from citations.session_focus.active import set_standing
from memory.models import Entity, Session
from memory.recall import entities, entity_corrections
from memory.recall.naming import find_named_entities
from tests.pages.conversations import HTMX, MISSING, page, text, turn_of

# One engine is enough: tests/migrations/test_updates.py opens each page on either.


@pytest.fixture
def entity(session: Session) -> Entity:
    """A term that the first answer of the session defined."""
    answer = "“Determination Date” means the <fifteenth> day."
    turn = turn_of(session, response=answer)
    entities.remember(turn, find_named_entities(turn.query, answer))
    Session.objects.update(last_position=1)
    session.refresh_from_db()
    return Entity.objects.get()


def test_it_shows_what_was_named_with_the_turn_it_comes_from(
    client: Client, session: Session, entity: Entity
) -> None:
    shown = text(client.get(page("memory", session.pk)))
    assert "Determination Date" in shown
    assert "Defined term" in shown
    assert "&lt;fifteenth&gt; day" in shown
    assert f"{page('conversation', session.pk)}?before=2#turn-1" in shown
    assert "<html" in shown
    assert "<html" not in text(client.get(page("memory", session.pk), headers=HTMX))


def test_an_empty_conversation_says_so(client: Client, session: Session) -> None:
    shown = text(client.get(page("memory", session.pk)))
    assert "No recent answer cites a document." in shown
    assert "Nothing yet." in shown


def test_it_shows_the_documents_and_how_they_stand(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage)
    Session.objects.update(last_position=1)
    place = page("standing", session.pk, passage.document_id)
    for standing, label in (("muted", "Held back"), ("boosted", "Preferred"), ("", "Normal")):
        assert client.post(place, {"standing": standing}).status_code == 302
        shown = text(client.get(page("memory", session.pk)))
        assert f'value="{standing}" aria-pressed="true">{label}<' in shown
        assert shown.count('aria-pressed="true"') == 2  # and how far it goes
    assert "Cited in 1 recent answer," in shown
    assert "Agreement &lt;1&gt;" in shown
    assert client.post(place, {"standing": "loud"}).status_code == 404
    assert text(client.post(place, {"standing": "muted"}, headers=HTMX)).count("<section") == 1


def test_it_is_corrected_in_place(client: Client, session: Session, entity: Entity) -> None:
    place = page("entity", session.pk, entity.pk)
    assert 'value="Determination Date"' in text(client.get(place))
    corrected = {"name": "Record Date", "kind": "term", "snippet": "It is the last day."}
    assert client.post(place, corrected).status_code == 302
    entity.refresh_from_db()
    assert (entity.name, entity.snippet, entity.is_kept) == (*list(corrected.values())[::2], True)
    refused = client.post(place, {"name": "", "kind": "term"})
    assert refused.status_code == 400
    assert 'role="alert"' in text(refused)
    # Shown where it was typed: htmx swaps only what succeeds.
    assert client.post(place, {"name": "", "kind": "term"}, headers=HTMX).status_code == 200


def test_what_is_removed_can_be_brought_back_at_once(
    client: Client, session: Session, entity: Entity
) -> None:
    shown = text(client.post(page("forget", session.pk, entity.pk)))
    assert "“Determination Date” is forgotten" in shown
    assert not Entity.objects.remembered().exists()
    undo = {
        "name": "Determination Date",
        "kind": "term",
        "snippet": "It means the day.",
        "turn": str(session.turns.get().pk),
    }
    assert client.post(page("remember", session.pk), undo).status_code == 302
    back = Entity.objects.remembered().get()
    assert (back.name, back.turn) == ("Determination Date", session.turns.get())


def test_something_is_added_once(client: Client, session: Session, entity: Entity) -> None:
    place = page("remember", session.pk)
    given = {"name": "Maria", "kind": "name", "snippet": ""}
    assert client.post(place, given).status_code == 302
    again = client.post(place, given)
    assert again.status_code == 409
    assert "already remembers something by this name" in text(again)
    assert client.post(place, {"name": " ", "kind": "name"}).status_code == 400
    assert client.post(place, given | {"turn": MISSING}).status_code == 404


def test_it_costs_the_same_however_much_there_is(
    client: Client, session: Session, passage: Passage
) -> None:
    client.get(page("memory", session.pk), headers=HTMX)
    with CaptureQueriesContext(connection) as few:
        client.get(page("memory", session.pk), headers=HTMX)
    for number in range(10):
        turn_of(session, passage, response=f"Name{number} Smith is one. [1]")
        entity_corrections.add(session, name=f"Person{number}", kind="name")
    Session.objects.update(last_position=10)
    set_standing(session, passage.document_id, "boosted")
    with CaptureQueriesContext(connection) as many:
        shown = text(client.get(page("memory", session.pk), headers=HTMX))
    assert shown.count("Remove") == 10
    # Without anything cited, the documents are not read.
    assert len(many) <= len(few) + 1


def test_a_new_topic_is_marked_where_it_begins(client: Client, session: Session) -> None:
    turn_of(session)
    assert "New topic" not in text(client.get(page("conversation", session.pk)))
    turn_of(session, new_topic=True)
    shown = text(client.get(page("conversation", session.pk)))
    assert shown.count('class="new-topic"') == 1
    assert shown.index('id="turn-2"') < shown.index('class="new-topic"')


def test_the_context_shows_what_moved_a_passage(
    client: Client, session: Session, passage: Passage
) -> None:
    turn = turn_of(session, passage)
    record = ContextRecord.objects.create(
        turn=turn, attempt=1, window=100, prompt_tokens=10, strategy="sequential"
    )
    values = {"record": record, "passage": passage, "score": 0.5, "tokens": 9}
    ContextPassage.objects.create(rank=1, label=1, bias=1.15, carried_over=True, **values)
    ContextPassage.objects.create(rank=2, label=2, **values)
    shown = text(client.get(page("context", session.pk, turn.pk)))
    assert shown.count("raised: its document is in use here") == 1
    assert shown.count("carried over from the previous answer") == 1


def test_a_document_that_is_gone_is_not_listed(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage)
    set_standing(session, passage.document_id, "muted")
    Document.objects.all().delete()
    assert "No recent answer cites a document." in text(client.get(page("memory", session.pk)))
