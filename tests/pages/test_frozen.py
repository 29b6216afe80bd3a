"""Held rows on the pages: refused changes give the reason, and leave the row unchanged."""

import pytest
from django.test import Client

from citations.ingestion.adding import add_document
from memory import holds
from memory.conversations import editing
from memory.models import Consent, Entity, Purpose, Session, Turn, User
from memory.personal_data import consent
from memory.recall import entity_corrections
from tests.pages.conversations import HTMX, page, text, turn_of

# One engine is enough: tests/migrations/test_updates.py opens each page on either.

KEPT = "nothing is deleted before it ends. If you delete it now, that is done then."
WHY = "A legal hold is on this: it can&#x27;t be changed until the hold ends."


@pytest.fixture
def held(session: Session, colleague: User) -> Session:
    """A conversation with an answer, a rating of it, and a thing remembered."""
    turn = turn_of(session, status="interrupted", response_tokens=3)
    consent.decide(session.owner, {Purpose.IMPROVE: True}, source=Consent.Source.PAGE)
    editing.rate_answer(turn, rating=1, feedback="Right.")
    entity_corrections.add(session, name="Maria", kind="name", snippet="A person.")
    holds.place(session, reason="A case", author=colleague)
    return session


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_its_title_stays(client: Client, held: Session, headers: dict[str, str]) -> None:
    answer = client.post(page("title", held.pk), {"title": "Nothing"}, headers=headers)
    assert answer.status_code == (200 if headers else 409)
    assert WHY in text(answer)
    assert Session.objects.get().title == "Dates"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_it_remembers_stays(client: Client, held: Session, headers: dict[str, str]) -> None:
    entity = Entity.objects.get()
    corrected = {"name": "Maria", "kind": "name", "snippet": "Nobody."}
    for place, form in (("entity", corrected), ("forget", {})):
        answer = client.post(page(place, held.pk, entity.pk), form, headers=headers)
        assert answer.status_code == (200 if headers else 409)
        assert WHY in text(answer)
    entity.refresh_from_db()
    assert (entity.standing, entity.snippet) == ("kept", "A person.")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_its_ratings_and_answers_stay(
    client: Client, held: Session, headers: dict[str, str]
) -> None:
    turn = Turn.objects.get()
    places = [("feedback", {"rating": "-1", "feedback": "Wrong."}), ("retry", {})]
    for place, form in places[: 1 if headers else 2]:
        answer = client.post(page(place, held.pk, turn.pk), form, headers=headers, follow=True)
        assert WHY in text(answer)
    turn.refresh_from_db()
    assert (turn.rating, turn.feedback, turn.status) == (1, "Right.", "interrupted")


def test_a_held_document_keeps_its_title(client: Client, owner: User, colleague: User) -> None:
    document = add_document(b"Some words of it.", file_name="notes.txt", owner=owner)
    before = document.title
    holds.place(document, reason="A case", author=colleague)
    answer = client.post(page("edit", document.pk), {"title": "Nothing", "authors": "", "url": ""})
    assert answer.status_code == 409
    assert WHY in text(answer)
    document.refresh_from_db()
    assert document.title == before


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_deletion_that_a_hold_will_keep_waiting_says_so_before(
    client: Client, held: Session, owner: User, colleague: User, headers: dict[str, str]
) -> None:
    document = add_document(b"Some words of it.", file_name="notes.txt", owner=owner)
    places = [
        page("delete", held.pk),
        page("delete_turn", held.pk, Turn.objects.get().pk),
        page("delete_document", document.pk),
    ]
    is_said = [KEPT in text(client.get(place, headers=headers)) for place in places]
    assert is_said == [True, True, False]
    holds.place(document, reason="A case", author=colleague)
    assert KEPT in text(client.get(places[2], headers=headers))


def test_a_hold_that_nobody_is_to_be_told_of_is_not_told_by_the_dialog(
    client: Client, session: Session, colleague: User
) -> None:
    holds.place(session, reason="A case", author=colleague, tells_person=False)
    assert "hold" not in text(client.get(page("delete", session.pk), headers=HTMX))


def test_a_first_question_that_is_refused_says_why_while_its_person_is_held(
    client: Client, owner: User, colleague: User
) -> None:
    holds.place(owner, reason="A case", author=colleague)
    question = "word " * 3000
    answer = client.post(page("start"), {"query": question})
    assert answer.status_code == 400
    assert "too long" in text(answer)
