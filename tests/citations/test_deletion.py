"""Removing documents: what goes, what stays, and answers that are being written meanwhile."""

from collections.abc import Collection
from uuid import UUID

import pytest
from django.contrib.auth.models import Group

from chat.models import ContextPassage
from chat.turns import recording
from chat.turns.pipeline import answer_now, prepare, take_turn
from chat.turns.recording import record
from citations import deletion, retrieval
from citations.deletion import Loss, delete_document, describe_loss
from citations.index.scope import Scope
from citations.ingestion.adding import add_document
from citations.library import may_change
from citations.models import Citation, Document, Passage, PassageVectors, PassageWords, Source
from memory import holds
from memory.conversations.asking import Question, retry
from memory.conversations.attempts import Ending, begin, end_alone
from memory.errors import Held, NotFound
from memory.jobs.queue import run_due
from memory.models import Attempt, AuditEvent, LegalHold, Session, Turn, User, VectorBlock
from memory.models.turns import WITHDRAWN
from memory.people.staff.roles import ensure_roles
from memory.text.vectors import Block
from tests.citations.documents import add, found_by_vector, found_by_words

pytestmark = pytest.mark.django_db

SECRET = "The Zanzibar clause sets the termination fee at 4711 guilders."
QUESTION = "What termination fee does the Zanzibar clause set?"


def answered(session: Session, question: str = QUESTION) -> Turn:
    asked = take_turn(session, Question(question))
    assert asked.attempt
    turn = answer_now(asked.attempt)
    run_due()
    return turn


def writing(session: Session, **options: object) -> Attempt:
    """Return an attempt whose answer has been begun."""
    attempt = take_turn(session, Question(QUESTION), **options).attempt
    assert attempt
    begin(attempt, opening={})
    return attempt


def finish(attempt: Attempt, prepared: object) -> Turn:
    prepared.citing.feed("The fee is 4711 guilders [1].")
    prepared.citing.close()
    record(prepared, status=Turn.Status.COMPLETE, failure="")
    return Turn.objects.get(pk=attempt.turn_id)


def test_of_a_shared_document_the_quotes_stay_and_are_marked(session: Session) -> None:
    document = add(SECRET)
    turn = answered(session)
    assert describe_loss(document, reader=session.owner) == Loss(1, 1, is_shared=True)
    delete_document(document, actor=None)
    citation = Citation.objects.get(turn=turn)
    assert citation.quote == SECRET
    assert citation.passage is None
    assert Source.objects.get().document is None
    assert "4711" in Turn.objects.get().response


def test_with_an_own_document_go_the_quotes_and_the_answers_built_on_it(
    session: Session, owner: User
) -> None:
    add("Herons stand in shallow water.")
    kept = answered(session, "Where do herons stand?")
    document = add(SECRET, owner)
    turn = answered(session)
    assert "4711" in turn.response
    assert positions(session) == {kept.position, turn.position}
    before = Session.objects.get().context_tokens
    assert describe_loss(document, reader=owner) == Loss(1, 1, is_shared=False)

    delete_document(document, actor=owner)

    turn = Turn.objects.get(pk=turn.pk)
    assert (turn.status, turn.failure, turn.response) == ("failed", WITHDRAWN, "")
    assert turn.query == QUESTION
    assert turn.standalone_query is None
    assert not Citation.objects.filter(turn=turn).exists()
    assert Session.objects.get().context_tokens < before
    assert positions(session) == {kept.position}
    assert Turn.objects.get(pk=kept.pk).response == kept.response
    actions = list(AuditEvent.objects.values_list("action", flat=True).order_by("id"))[-2:]
    assert actions == ["answer.withdrawn", "document.removed"]


def positions(session: Session) -> set[int]:
    blocks = [Block.unpacked(row.payload) for row in VectorBlock.objects.filter(session=session)]
    return {int(position) for block in blocks for position in block.numbers[:, 0]}


def test_nothing_of_a_removed_document_is_left_or_found(owner: User) -> None:
    document = add(SECRET, owner)
    scope = Scope(owner=owner.pk)
    assert found_by_words("Zanzibar clause", scope)
    assert found_by_vector("Zanzibar clause", scope)
    delete_document(document, actor=owner)
    assert not found_by_words("Zanzibar clause", scope)
    assert not found_by_vector("Zanzibar clause", scope)
    for model in (Document, Passage, PassageVectors, PassageWords):
        assert not model.objects.exists()
    with pytest.raises(NotFound):
        delete_document(document, actor=owner)


def test_a_withdrawn_answer_can_be_asked_for_again(session: Session, owner: User) -> None:
    document = add(SECRET, owner)
    turn = answered(session)
    delete_document(document, actor=owner)
    again = answer_now(retry(turn))
    assert again.status == "complete"
    assert "4711" not in again.response


def test_an_answer_being_written_on_an_own_document_goes_with_it(
    session: Session, owner: User
) -> None:
    document = add(SECRET, owner)
    attempt = writing(session)
    prepared = prepare(attempt)
    delete_document(document, actor=owner)
    turn = finish(attempt, prepared)
    assert (turn.status, turn.failure, turn.response) == ("failed", WITHDRAWN, "")
    assert not Citation.objects.exists()
    assert ContextPassage.objects.get().passage is None


def test_an_answer_being_written_on_a_shared_document_keeps_its_quote(session: Session) -> None:
    document = add(SECRET)
    attempt = writing(session)
    prepared = prepare(attempt)
    delete_document(document, actor=None)
    turn = finish(attempt, prepared)
    assert (turn.status, turn.response) == ("complete", "The fee is 4711 guilders [1].")
    citation = Citation.objects.get()
    assert (citation.quote, citation.passage, citation.source.document) == (SECRET, None, None)


def rescued(attempt: Attempt) -> Turn:
    """End the attempt as if its process had died in the middle of the answer."""
    end_alone(attempt, Ending(status=Turn.Status.INTERRUPTED, text=SECRET, failure="x"))
    return Turn.objects.get(pk=attempt.turn_id)


def test_what_was_rescued_of_an_answer_goes_with_the_document_it_was_offered(
    session: Session, owner: User
) -> None:
    document = add(SECRET, owner)
    attempt = take_turn(session, Question(QUESTION)).attempt
    recording.begin(prepare(attempt), {})
    assert rescued(attempt).response == SECRET
    assert describe_loss(document, reader=owner).answers == 1
    delete_document(document, actor=owner)
    assert Turn.objects.get().response == ""


def test_nothing_is_rescued_of_an_answer_whose_document_is_gone(
    session: Session, owner: User
) -> None:
    document = add(SECRET, owner)
    attempt = take_turn(session, Question(QUESTION)).attempt
    recording.begin(prepare(attempt), {})
    delete_document(document, actor=owner)
    turn = rescued(attempt)
    assert (turn.status, turn.failure, turn.response) == ("interrupted", WITHDRAWN, "")


def test_an_answer_that_cites_nothing_goes_with_what_it_was_offered(
    session: Session, owner: User, settings: object
) -> None:
    document = add(SECRET, owner)
    attempt = take_turn(session, Question(QUESTION)).attempt
    prepared = prepare(attempt)
    recording.begin(prepared, {})
    prepared.citing.feed("It is 4711, but I cite nothing.")
    prepared.citing.close()
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "a model"
    record(prepared, status=Turn.Status.COMPLETE, failure="")
    delete_document(document, actor=owner)
    assert Turn.objects.get().response == ""


def test_an_answer_that_found_nothing_stays(session: Session, owner: User) -> None:
    document = add(SECRET, owner)
    turn = answered(session, "Who painted the ceiling?")
    assert "nothing on this question" in turn.response
    delete_document(document, actor=owner)
    assert Turn.objects.get().response == turn.response


def test_a_limit_to_documents_that_are_gone_finds_nothing(session: Session, owner: User) -> None:
    add("The Zanzibar clause of everyone sets no fee.")
    document = add(SECRET, owner)
    attempt = writing(session, documents=[document.pk])
    assert [found.passage.document_id for found in prepare(attempt).found] == [document.pk]
    delete_document(document, actor=owner)
    assert not prepare(attempt).found
    assert retrieval.find_passages(QUESTION, scope=Scope(owner=owner.pk))


def test_a_hold_that_comes_during_the_removal_keeps_the_answers(
    session: Session, owner: User, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = add(SECRET, owner=owner)
    turn = answered(session)
    assert turn.citations.exists()
    withdraw = deletion.delete_answers

    def placed_before(session_id: UUID, turns: Collection[UUID]) -> None:
        holds.place(session, reason="A case", author=colleague)
        withdraw(session_id, turns)

    monkeypatch.setattr(deletion, "delete_answers", placed_before)
    with pytest.raises(Held):
        delete_document(document, actor=owner)
    monkeypatch.undo()
    turn.refresh_from_db()
    assert (turn.status, turn.citations.exists()) == ("complete", True)
    assert Document.objects.filter(pk=document.pk).exists()
    holds.release(LegalHold.objects.get(), actor=colleague)
    run_due()
    assert not Document.objects.filter(pk=document.pk).exists()
    assert Turn.objects.get(pk=turn.pk).failure == WITHDRAWN


def test_only_the_role_library_lets_staff_change_what_all_share(owner: User) -> None:
    ensure_roles()
    document = add_document(b"The pier closes at six.", file_name="pier.txt")
    rows = User.objects.filter(pk=owner.pk)
    rows.update(is_staff=True)
    for role, may in (("Audit", False), ("Library", True)):
        owner.groups.set([Group.objects.get(name=role)])
        assert may_change(document, rows.get()) is may
