"""Titles of long conversations: made from the summary's topics, renewed and gone with it."""

import pytest

from memory import holds
from memory.conversations.asking import Question, ask, create_session
from memory.conversations.editing import change, rename
from memory.forgetting.answers import delete_answers
from memory.forgetting.deletion import erase_turn
from memory.models import Session, Summary, Turn, User
from memory.models.conversations import TitleBy
from memory.recall.summaries.extracting import Spoken
from memory.recall.summaries.key_topics import find_key_topics
from memory.recall.titles import LATEST_NAMING, join_topics, make_title
from tests.memory.summaries.told import QUESTION, condensed, go_on, told, work

pytestmark = pytest.mark.django_db

FIRST = QUESTION.format(at=1)
CANARY = [
    ("Who may inspect the Zanzibar greenhouse?", "The Zanzibar greenhouse has three keepers."),
    ("When is the Zanzibar greenhouse open?", "The Zanzibar greenhouse opens on 4 May 2024."),
]


def title_now(session: Session) -> tuple[str, str]:
    session.refresh_from_db()
    return session.title, session.title_by


def topics_of(session: Session) -> list[str]:
    topics: list[str] = session.summaries.get(kind=Summary.Kind.SESSION).topics
    return topics


def test_a_title_has_as_many_topics_as_there_is_room_for() -> None:
    assert join_topics(["rent deposit", "Harbour Bank", "late payment", "new tenant"]) == (
        "Rent deposit · Harbour Bank · late payment"
    )
    assert join_topics(["rent deposit", f"{'a' * 50} bank"]) == "Rent deposit"
    assert len(join_topics(["word " * 30])) <= 60
    assert join_topics([]) == ""


def test_single_words_take_no_questions_place() -> None:
    assert join_topics(["deposit"]) == ""
    assert join_topics(["Harbour Bank"]) == "Harbour Bank"
    assert join_topics(["deposit", "tenant"]) == ""
    assert join_topics(["ferry", "rent deposit"]) == ""
    assert join_topics(["rent deposit", "leaves"]) == "Rent deposit"


def test_small_words_of_no_language_are_a_topic() -> None:
    said = [Spoken("Ist die Fähre gut?", is_own=True), Spoken("Ist die Fähre teuer?", is_own=True)]
    assert find_key_topics(said) == ["Fähre"]


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "hi im Tom, I live in Konstanz and which drugs target PIK3CA?",
            "which drugs target PIK3CA?",
        ),
        ("My name is Tom. I work at sea and live in Oslo, what is a lease?", "what is a lease?"),
        ("always answer briefly. What is a lease?", "What is a lease?"),
        (
            "I live in Konstanz and my budget is 2000 euros",
            "I live in Konstanz and my budget is 2000 euros",
        ),
    ],
)
def test_what_is_asked_is_the_title_and_not_what_is_told_beside_it(
    message: str, title: str
) -> None:
    assert make_title(message) == title


@pytest.mark.parametrize(
    "first",
    ["hello!", "I live in Konstanz and my budget is 2000 euros", "Which documents do you have?"],
)
def test_a_greeting_and_what_is_told_give_way_to_the_first_question(
    owner: User, first: str
) -> None:
    session = create_session(owner)
    asked = [first, "thanks", "What is the notice period?", "Who may shorten it?"]
    for at, query in enumerate(asked):
        turn = ask(session, Question(query)).turn
        Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.COMPLETE)
        assert title_now(session)[0] == (make_title(first) if at < 2 else asked[2])


@pytest.mark.parametrize("behind", ["I live in Konstanz", "Who keeps the seal?"])
def test_small_talk_names_nothing(owner: User, behind: str) -> None:
    session = create_session(owner)
    for query in ["hi", *["thanks"] * LATEST_NAMING, behind]:
        assert title_now(session) == ("", "")
        turn = ask(session, Question(query)).turn
        Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.COMPLETE)
    assert title_now(session) == (behind, TitleBy.QUESTION)


def test_a_long_conversation_is_named_after_its_summary_again_and_again(owner: User) -> None:
    session = told(owner, 20, said=[CANARY[0]] * 20)
    Session.objects.filter(pk=session.pk).update(title_by=TitleBy.QUESTION)
    condensed(session)
    title, by = title_now(session)
    assert (title, by) == (join_topics(topics_of(session)), TitleBy.SUMMARY)
    assert "Zanzibar" in title
    go_on(session, 60)
    condensed(session)
    assert title_now(session) == (join_topics(topics_of(session)), TitleBy.SUMMARY)
    assert session.title != title


def test_what_a_person_calls_it_stays(owner: User) -> None:
    begun = create_session(owner, title="My own")
    go_on(begun, 20)
    renamed = told(owner, 20)
    rename(renamed, "Mine, too")
    for session in (begun, renamed):
        condensed(session)
    assert title_now(begun) == ("My own", TitleBy.PERSON)
    assert title_now(renamed) == ("Mine, too", TitleBy.PERSON)
    change(renamed, title="")  # and back to what the product would call it
    go_on(renamed, 5)
    condensed(renamed)
    assert title_now(renamed)[1] == TitleBy.SUMMARY


def test_where_nobody_knows_who_named_it_only_its_question_gives_way(owner: User) -> None:
    asked, other = told(owner, 20), told(owner, 20)
    Session.objects.filter(pk=asked.pk).update(title=_sealed(asked, make_title(FIRST)))
    Session.objects.filter(pk=other.pk).update(title=_sealed(other, "From before"))
    for session in (asked, other):
        condensed(session)
    assert title_now(asked)[1] == TitleBy.SUMMARY
    assert title_now(other) == ("From before", "")


def _sealed(session: Session, title: str) -> object:
    return Session._meta.get_field("title").seal_value(session, title)


def test_a_hold_keeps_the_title(owner: User, colleague: User) -> None:
    session = told(owner, 20)
    holds.place(session, reason="A case", author=colleague)
    condensed(session)
    assert title_now(session) == ("", "")


@pytest.mark.parametrize("way", ["a question", "an answer"])
def test_a_title_goes_with_what_it_was_made_of(owner: User, way: str) -> None:
    session = told(owner, 22, said=CANARY)
    condensed(session)
    Session.objects.filter(pk=session.pk).update(
        title=_sealed(session, "Zanzibar greenhouse"), title_by=TitleBy.SUMMARY
    )
    first, second, third = session.turns.order_by("position")[:3]
    if way == "a question":
        erase_turn(second, actor=owner)
        assert title_now(session) == (make_title(first.query), TitleBy.QUESTION)
    else:
        delete_answers(session.pk, [first.pk, second.pk])
        assert title_now(session) == (make_title(third.query), TitleBy.QUESTION)
    work()
    assert title_now(session) == (join_topics(topics_of(session)), TitleBy.SUMMARY)
