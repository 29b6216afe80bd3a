"""P16: with a turn or a document goes what was made from it: later prompts, searches, titles and
streams hold nothing of it.
"""

import os

import pytest

from chat.models import ContextRecord, ContextTurn
from chat.prompting.drafts import Prompt
from chat.turns.pipeline import answer_now, prepare, take_turn
from chat.turns.recording import begin
from citations.deletion import delete_document
from citations.models import Citation, Document
from memory import holds
from memory.conversations.asking import Question, create_session, retry
from memory.conversations.attempts import Ending, LostAttempt, end_alone
from memory.conversations.message_search import Wanted, search_messages
from memory.errors import Held
from memory.forgetting.deletion import erase_turn
from memory.forgetting.erasure.lineage import CONTEXT_ERASED
from memory.jobs.queue import run_due
from memory.models import (
    Attempt,
    AuditEvent,
    ErasedRow,
    IdempotencyKey,
    Job,
    PackagePart,
    Session,
    Turn,
    User,
    VectorBlock,
    WaitingDeletion,
)
from memory.personal_data.packages import ask_for_package
from memory.recall.rewriting.exchanges import Rewrite
from memory.text.vectors import Block
from tests.citations.documents import add
from tests.promises.canaries import Canaries, asked

pytestmark = pytest.mark.django_db

TIMES = 4  # and all hundred by `make deep`


def positions_of(session: Session) -> set[int]:
    blocks = [Block.unpacked(row.payload) for row in VectorBlock.objects.filter(session=session)]
    return {int(position) for block in blocks for position in block.numbers[:, 0]}


def next_prompt(session: Session, question: str) -> tuple[str, Prompt]:
    """Return what the model would be sent for the question, as one text."""
    attempt = take_turn(Session.objects.get(pk=session.pk), Question(question)).attempt
    assert attempt
    prepared = prepare(attempt)
    text = "\n".join(str(message) for message in prepared.prompt.messages)
    end_alone(attempt, Ending(status=Turn.Status.FAILED, text="", failure="stopped"))
    return text + (prepared.recalled.rewrite.query or ""), prepared.prompt


def nothing_of_an_erased_turn_is_left(owner: User, times: int) -> None:
    for number in range(times):
        word = Canaries().next()
        session = create_session(owner)
        kept = asked(session, f"What is the Determination Date of {Canaries().next()}?")
        gone = asked(session, f"What is a Business Day in the {word} clause?", key=f"key-{number}")
        later = asked(session, "And what happens if it falls on a weekend?")
        run_due()
        assert word in next_prompt(session, "What was that clause?")[0], "it was there before"
        assert search_messages(owner, Wanted(words=word)).hits

        erase_turn(gone, actor=owner)

        assert word not in next_prompt(session, "What was that clause?")[0]
        assert not search_messages(owner, Wanted(words=word)).hits
        assert word not in "".join(
            f"{turn.query}{turn.standalone_query}{turn.response}" for turn in session.turns.all()
        )
        run_due()  # what was made from later turns is made again
        assert positions_of(session) == {kept.position, later.position}
        assert not ContextTurn.objects.filter(turn=gone.pk).exists()
        session.delete()


def test_p16_nothing_of_an_erased_turn_is_left(owner: User, library: None) -> None:
    nothing_of_an_erased_turn_is_left(owner, TIMES)


@pytest.mark.deep
def test_p16_nothing_of_a_hundred_erased_turns_is_left(owner: User, library: None) -> None:
    nothing_of_an_erased_turn_is_left(owner, 100)


@pytest.mark.postgresql
def test_p16_with_a_turn_go_its_rows_jobs_and_keys(owner: User, library: None) -> None:
    session = create_session(owner)
    turn = asked(session, "What is the Determination Date?", key="once")
    assert turn.citations.exists()
    assert Job.objects.filter(subject=turn.pk).exists()

    erase_turn(turn, actor=owner)

    for model in (Turn, Attempt, Citation, ContextRecord, IdempotencyKey):
        assert not model.objects.exists(), model
    assert not Job.objects.filter(subject=turn.pk).exists()
    assert ErasedRow.objects.get(pk=turn.pk).kind == "turn"
    event = AuditEvent.objects.get(action="turn.erased")
    assert (event.actor_id, event.subject_id) == (owner.pk, turn.pk)


def test_p16_the_counters_are_right_and_positions_are_not_given_again(
    session: Session, library: None
) -> None:
    first, second, third = (asked(session, f"What is date {number}?") for number in range(3))
    erase_turn(second, actor=session.owner)
    session.refresh_from_db()
    assert session.turn_count == 2
    assert session.context_tokens == first.tokens + third.tokens
    assert [turn.position for turn in session.turns.order_by("position")] == [1, 3]
    assert asked(session, "And now?").position == 4


def test_p16_a_title_made_of_the_question_is_made_anew(session: Session) -> None:
    first = asked(session, "What is the secret of the Zanzibar fee?")
    second = asked(session, "And who pays?")
    erase_turn(first, actor=session.owner)
    session.refresh_from_db()
    assert session.title == "And who pays?"
    erase_turn(second, actor=session.owner)
    session.refresh_from_db()
    assert session.title == ""


def titled(session: Session, title: str) -> bytes:
    return Session._meta.get_field("title").seal_value(session, title)


def test_p16_an_answer_being_written_with_it_as_context_ends(session: Session) -> None:
    first = asked(session, "What is the Zanzibar fee?")
    attempt = take_turn(session, Question("And when is it due?")).attempt
    assert attempt
    begin(prepare(attempt), {"standalone_query": "Zanzibar"})

    erase_turn(first, actor=session.owner)

    with pytest.raises(LostAttempt):
        end_alone(
            attempt,
            Ending(status="complete", text="Zanzibar", rewrite=Rewrite("Zanzibar", "given")),
        )
    turn = session.turns.get()
    assert (turn.status, turn.failure, turn.response) == ("interrupted", CONTEXT_ERASED, "")
    assert answer_now(retry(turn)).status == "complete"


def test_p16_what_was_packed_to_be_taken_away_goes(session: Session) -> None:
    turn = asked(session, "What is the Zanzibar fee?")
    ask_for_package(session.owner)
    run_due()
    assert PackagePart.objects.exists()
    erase_turn(turn, actor=session.owner)
    run_due()
    assert not PackagePart.objects.exists()


def test_p16_with_an_own_document_go_the_answers_built_on_it_and_their_traces(
    session: Session, owner: User
) -> None:
    word = Canaries().next()
    document = add(f"The {word} clause sets the termination fee at 4711 guilders.", owner)
    built = asked(session, f"What fee does the {word} clause set?")
    asked(session, "Who are you?")
    run_due()
    assert "4711" in built.response
    delete_document(document, actor=owner)
    assert "4711" not in next_prompt(session, "What was the fee?")[0]
    assert built.position not in positions_of(session)
    assert not Document.objects.exists()
    assert ErasedRow.objects.get(pk=document.pk).kind == "document"


def test_p16_a_hold_refuses_and_what_was_wished_happens_at_its_end(
    session: Session, owner: User, colleague: User
) -> None:
    turn = asked(session, "What is the fee?")
    document = add(f"The Zanzibar clause {os.urandom(4).hex()} sets a fee.", owner)
    on_person = holds.place(owner, reason="A trial", author=colleague)
    for erase in (
        lambda: erase_turn(turn, actor=owner),
        lambda: delete_document(document, actor=owner),
    ):
        with pytest.raises(Held):
            erase()
    assert {wish.kind for wish in WaitingDeletion.objects.open()} == {"turn", "document"}
    holds.release(on_person, actor=colleague)
    run_due()
    assert not Turn.objects.exists()
    assert not Document.objects.exists()
    assert Session.objects.get().turn_count == 0


def test_p16_a_hold_on_a_conversation_keeps_the_documents_its_answers_stand_on(
    session: Session, owner: User, colleague: User
) -> None:
    document = add("The Zanzibar clause sets the termination fee at 4711 guilders.", owner)
    asked(session, "What termination fee does the Zanzibar clause set?")
    holds.place(session, reason="A trial", author=colleague)
    with pytest.raises(Held):
        delete_document(document, actor=owner)
    assert "4711" in Turn.objects.get().response
