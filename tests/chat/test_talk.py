"""Small talk, questions about the conversation and refusals: answered, and never remembered."""

from typing import Any

import pytest

from chat.models import ContextTurn
from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question
from memory.models import Session, Turn
from memory.recall.index.blocks import read_messages
from tests.chat.remembered import said_and_kept
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]

Outcome = Turn.Outcome
UNKNOWN = "Who won the chess championship of Reykjavik?"


def test_an_answer_is_marked_as_one(session: Session) -> None:
    turn = said_and_kept(session, "What is the Determination Date?")
    assert turn.outcome == Outcome.ANSWERED
    assert turn.answerability is not None
    assert 0 < turn.answerability <= 1


def test_nothing_is_made_shorter_where_nothing_was_found(session: Session) -> None:
    said_and_kept(session, UNKNOWN)
    turn = said_and_kept(session, "make it shorter")
    assert turn.response.startswith("Nothing was found for the previous question")
    assert (turn.outcome, turn.standalone_query) == (Outcome.ABOUT_CONVERSATION, turn.query)


@pytest.mark.parametrize("other", ["weather in paris today", "best pizza in naples"])
def test_a_question_of_another_matter_is_declined_like_a_first_one(
    session: Session, other: str
) -> None:
    said_and_kept(session, "What is the Determination Date?")
    turn = said_and_kept(session, other)
    assert turn.outcome == Outcome.NOTHING_FOUND


def test_what_came_closest_while_documents_were_read_can_be_spoken_of(session: Session) -> None:
    turn = said_and_kept(session, "What is the Determination Date?")
    assert turn.citations.exists()
    Turn.objects.filter(pk=turn.pk).update(outcome=Outcome.NOT_READ_YET)
    told = said_and_kept(session, "where does it say that")
    assert told.response.startswith("The previous answer is based on these words")


def test_that_nothing_was_read_yet_is_neither_shown_nor_summed_up(session: Session) -> None:
    turn = said_and_kept(session, UNKNOWN)
    turn.outcome, turn.response = Outcome.NOT_READ_YET, "Nothing was found yet. 1 document is read."
    turn.save(update_fields=["outcome", "response"])
    assert said_and_kept(session, "where does it say that").response.startswith(
        "Nothing was found for"
    )
    told = said_and_kept(session, "summarize our conversation").response
    assert UNKNOWN in told
    assert "Nothing was found yet" not in told


def test_what_was_only_told_is_no_subject_of_what_follows(session: Session) -> None:
    said_and_kept(session, "What is the Determination Date?")
    assert said_and_kept(session, "I am 34 and live in Munich").outcome == Outcome.NOTED
    turn = said_and_kept(session, "And what happens if it falls on a weekend?")
    assert turn.standalone_query == "And what happens if the Determination Date falls on a weekend?"


def test_small_talk_is_answered_without_a_search(session: Session) -> None:
    turn = said_and_kept(session, "Hello!")
    assert turn.response.startswith("Hello!")
    assert (turn.outcome, turn.answerability) == (Outcome.SMALL_TALK, None)
    assert not turn.citations.exists()
    assert not turn.context_records.get().passages.exists()


def test_small_talk_is_not_remembered(session: Session) -> None:
    said_and_kept(session, "What is the Determination Date?")
    said_and_kept(session, "Thanks!")
    turn = said_and_kept(session, "And what happens if it falls on a weekend?")
    assert turn.standalone_query == "And what happens if the Determination Date falls on a weekend?"
    assert set(read_messages(session).positions.tolist()) == {1, 3}
    assert not ContextTurn.objects.filter(position=2).exists()


def test_a_refusal_is_not_remembered(session: Session) -> None:
    refused = said_and_kept(session, UNKNOWN)
    assert refused.outcome == Outcome.NOTHING_FOUND
    said_and_kept(session, "What is the Servicer?")
    assert set(read_messages(session).positions.tolist()) == {2}
    assert not ContextTurn.objects.filter(position=1).exists()
    assert not session.entities.filter(turn=refused).exists()


def test_a_refusal_from_before_outcomes_is_known_by_its_text(session: Session) -> None:
    said_and_kept(session, UNKNOWN)
    Turn.objects.update(outcome="")
    said_and_kept(session, "What is the Servicer?")
    assert not ContextTurn.objects.filter(position=1).exists()


def test_what_was_asked_without_an_answer_can_be_followed_up(session: Session) -> None:
    said_and_kept(session, "Who won the chess championship of Reykjavik?")
    turn = said_and_kept(session, "And the year before that?")
    assert "library" not in str(turn.standalone_query)


def test_the_questions_of_a_conversation_are_told(session: Session) -> None:
    said_and_kept(session, "Hi")
    said_and_kept(session, "What is the Determination Date?")
    said_and_kept(session, "Which drugs target PIK3CA?")
    first = said_and_kept(session, "What did I ask first?")
    assert first.response.startswith("In turn 2 you asked: “What is the Determination Date?”")
    assert first.response.endswith("Your message before it was not a question.")
    assert first.outcome == Outcome.ABOUT_CONVERSATION
    last = said_and_kept(session, "What was my last question?")
    assert last.response == "In turn 3 you asked: “Which drugs target PIK3CA?”"
    listed = said_and_kept(session, "List my questions so far")
    assert [line[:11] for line in listed.response.splitlines()] == ["- In turn 2", "- In turn 3"]


def test_the_sources_of_a_conversation_are_told(session: Session) -> None:
    nothing = said_and_kept(session, "Which sources have you used so far?")
    assert nothing.response == "No document has been cited in this conversation yet."
    cited = said_and_kept(session, "What is the Determination Date?").citations.first()
    assert cited
    told = said_and_kept(session, "Which sources have you used so far?")
    assert cited.source.document
    assert "\n\n\\[1\\] *" not in told.response
    assert "\n\n\\[1\\] " in told.response
    assert cited.source.document.title in told.response.replace("\\", "")
    assert told.response.endswith("(turn 2)")
    assert not told.citations.exists()


def test_the_sources_are_told_in_the_language_of_the_question(session: Session) -> None:
    said_and_kept(session, "What is the Determination Date?")
    told = said_and_kept(session, "Muéstrame todas las fuentes usadas hasta ahora")
    assert told.response.startswith("Se ha")
    assert "(turno 1)" in told.response


def test_small_talk_needs_no_model(
    session: Session, model_server: ModelServer, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model_server.base_url, "test-model"
    turn = said_and_kept(session, "Thank you!")
    assert turn.outcome == Outcome.SMALL_TALK
    assert turn.model == "quoting"
    assert not model_server.requests


def test_what_an_answer_said_of_something_is_quoted_from_the_conversation(session: Session) -> None:
    said_and_kept(session, "What is the Determination Date?")
    said_and_kept(session, "What does TP53 do?")
    turn = said_and_kept(session, "remind me what you told me about the Determination Date")
    assert turn.outcome == Outcome.ABOUT_CONVERSATION
    assert turn.response.startswith("In turn 1 you asked: “What is the Determination Date?”")
    assert "fifteenth" in turn.response or "15th" in turn.response
    assert "TP53" not in turn.response
    nothing = said_and_kept(session, "what was that thing you said on hamsters?")
    assert nothing.response == "Nothing was said about “hamsters” in this conversation."


def test_small_talk_that_is_to_be_searched_as_typed_is_searched(session: Session) -> None:
    asked = take_turn(session, Question("Hello", standalone="Hello"))
    assert asked.attempt
    assert answer_now(asked.attempt).outcome != Outcome.SMALL_TALK
