"""The page of a long conversation's summary and topics."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question
from memory.forgetting.deletion import erase_turn
from memory.models import Session, Summary, Turn, User
from memory.recall.summaries import editing
from tests.memory.summaries.told import condensed, told, work
from tests.pages.conversations import HTMX

# One engine is enough: tests/migrations/test_updates.py opens each page on either.
pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def session(owner: User) -> Session:
    session = told(owner, 30)
    condensed(session)
    return session


def whole_of(session: Session) -> Summary:
    return session.summaries.get(kind=Summary.Kind.SESSION)


def shown(browser: Client, name: str, *ids: object) -> str:
    response = browser.get(reverse(f"chat:{name}", args=ids))
    assert response.status_code == 200
    return response.content.decode()


def test_it_shows_the_summary_its_topics_and_what_it_is_made_of(
    browser: Client, session: Session
) -> None:
    page = shown(browser, "summary", session.pk)
    assert "Turns 1 to 30 in short" in page
    assert "without a language model" in page
    contents = page.partition("Key topics")[2].partition("</ol>")[0]
    assert contents.count("<li>") == len(whole_of(session).topics)
    assert "#turn-1" in contents
    assert "Turns 1 to 25" in page
    assert "from turn 1, 30 turns" in page
    section = session.summaries.get(kind=Summary.Kind.SECTION)
    below = shown(browser, "one_summary", session.pk, section.pk)
    assert "Turns 6 to 10" in below
    turn = session.summaries.get(kind=Summary.Kind.TURN, first_position=7)
    assert "#turn-7" in shown(browser, "one_summary", session.pk, turn.pk)


def test_a_short_conversation_says_that_it_has_none(browser: Client, owner: User) -> None:
    page = shown(browser, "summary", told(owner, 3).pk)
    assert "not long enough for a summary yet: it gets one from 20 questions on" in page


def test_it_is_edited_taken_back_and_made_anew(browser: Client, session: Session) -> None:
    whole = whole_of(session)
    own = [session.pk, whole.pk]
    path = reverse("chat:one_summary", args=own)
    assert browser.post(path, {"text": ""}).status_code == 400
    assert browser.post(path, {"text": "In <b>my</b> words."}).status_code == 302
    page = shown(browser, "one_summary", *own)
    assert "In &lt;b&gt;my&lt;/b&gt; words." in page
    assert "Go back to what was made" in page
    browser.post(reverse("chat:summary_back", args=own))
    assert whole_of(session).text == whole.text
    browser.post(reverse("chat:summary_again", args=own))
    assert "The summary is being made." in shown(browser, "summary", session.pk)
    work()
    assert "Turns 1 to 30 in short" in shown(browser, "summary", session.pk)


def test_who_deletes_a_turn_is_told_that_an_edited_summary_goes_with_it(
    browser: Client, session: Session
) -> None:
    turn = session.turns.get(position=7)
    assert "A summary that you edited" not in shown(browser, "delete_turn", session.pk, turn.pk)
    editing.edit(whole_of(session), "Mine.")
    assert "A summary that you edited" in shown(browser, "delete_turn", session.pk, turn.pk)


def asked(session: Session, question: str) -> Turn:
    attempt = take_turn(session, Question(question)).attempt
    assert attempt
    return answer_now(attempt)


def test_the_conversation_says_which_turns_stand_in_prompts_as_a_summary(
    browser: Client, owner: User
) -> None:
    session = told(owner, 95)
    condensed(session)
    assert "In prompts as a summary" not in shown(browser, "conversation", session.pk)
    turn = asked(session, "What did we say about the deposit of the Fernhill agreement?")
    line = "In prompts as a summary: turns 2–"
    whole = whole_of(session)
    page = shown(browser, "conversation", session.pk)
    assert line in page
    assert escape(whole.text) in page
    live = browser.get(reverse("chat:turn", args=[session.pk, turn.pk]), headers=HTMX)
    assert line in live.content.decode()
    # Pages of older turns don't mention prompts or deleted turns.
    before = reverse("chat:conversation", args=[session.pk]) + "?before=40"
    assert line not in browser.get(before).content.decode()
    erase_turn(session.turns.get(position=7), actor=owner)
    assert line not in shown(browser, "conversation", session.pk)
