"""Questions about the conversation are answered from it, by turn, without a search."""

import pytest

from chat.turns.replies import make_reply
from memory.models import Session, User
from memory.recall import Given, Past, Stored
from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.talk.conversation import ABOUT_CONVERSATION, find_subject
from tests.memory.summaries.told import condensed, told

pytestmark = pytest.mark.django_db


def reply(question: str, past: Past) -> str:
    return make_reply(ReadQuestion(question), ABOUT_CONVERSATION, past).text


def past_of(session: Session) -> Stored:
    return Stored(session, session.last_position + 1)


@pytest.mark.parametrize(
    "question",
    [
        "Summarise everything that we have discussed so far",
        "Resume todo lo que hemos hablado hasta ahora",
        "What have we discussed?",
    ],
)
def test_a_long_conversation_is_summarised_from_its_summaries(owner: User, question: str) -> None:
    session = told(owner, 33)
    condensed(session)
    said = reply(question, past_of(session))
    assert "Turns 1 to 25: " in said
    assert "Turn 33: “What does clause 33 of the Fernhill agreement say" in said
    assert "Clause 33 sets the deposit at 3350 euros" in said
    assert "[1]" not in said


def test_a_short_one_is_summarised_turn_by_turn(owner: User) -> None:
    said = reply("Summarise our conversation", past_of(told(owner, 2)))
    assert "Turn 1: “What does clause 1 of the Fernhill agreement say" in said
    assert "Clause 1 sets the deposit at 150 euros" in said
    assert "Turn 2: " in said
    empty = reply("Summarise our conversation", past_of(told(owner, 0)))
    assert empty == "You have asked nothing in this conversation yet."


def test_where_a_quotation_stands_is_no_sentence_of_a_summary(owner: User) -> None:
    answers = "> Gates open at six. [1]", "| Gate | Opens |\n| --- | --- |\n| North | at six | [1]"
    talk = [
        (f"What opens as number {at}?", f"{answer}\n\n*Handbook › {at} Gates and Locks*")
        for at, answer in enumerate(answers, start=1)
    ]
    session = told(owner, 25, said=talk)
    assert "›" not in reply("Summarise our conversation", past_of(session))
    condensed(session)
    said = reply("Summarise our conversation", past_of(session))
    assert "at six" in said
    assert "›" not in said


def test_what_was_asked_about_something_is_told_with_the_turns(owner: User) -> None:
    talk = [("When does the heron hatch?", "In May."), ("And who pays the deposit?", "The tenant.")]
    past = past_of(told(owner, 2, said=talk))
    said = reply("What did I ask about herons?", past)
    assert said == "In turn 1 you asked: “When does the heron hatch?”"
    assert "turn 2" in reply("What did I ask you about the deposit?", past)
    nothing = reply("What did I ask about [1] submarines?", past)
    assert nothing == "You have asked nothing about “1 submarines” in this conversation."


def test_the_last_answer_and_question_are_repeated(owner: User) -> None:
    talk = [("When does the heron hatch?", "> In **May**. [1]"), ("Who pays?", "The tenant. [2]")]
    past = past_of(told(owner, 2, said=talk))
    for question in ("what did you just say", "wiederhole das"):
        said = reply(question, past)
        assert said == "In turn 2 you asked: “Who pays?” The answer was:\n\nThe tenant."
    assert reply("what was the last question", past) == "In turn 2 you asked: “Who pays?”"
    nothing = past_of(told(owner, 0))
    assert reply("repeat that", nothing) == "Nothing has been answered in this conversation yet."
    assert reply("how many questions did i ask", nothing).startswith("You have asked nothing")


def test_what_a_client_brings_is_recounted_as_well() -> None:
    past = Given([Exchange("When does the heron hatch?", "In May, on 3 May 2024.", 1)])
    assert "3 May 2024" in reply("Summarise so far", past)


def test_a_subject_is_what_was_asked_about_and_nothing_else() -> None:
    assert find_subject("What did I ask about the deposit?") == "the deposit"
    assert find_subject("¿Qué te pregunté sobre el depósito?") == "el depósito"
    for question in (
        "What did I ask about first?",
        "What did I ask?",
        "What is the deposit about?",
    ):
        assert find_subject(question) == ""
