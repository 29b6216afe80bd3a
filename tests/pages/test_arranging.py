"""Conversations arranged: pinned, archived, by age; their sources and their export."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.suggestions import SAMPLE, SAMPLE_NEXT, follow_ups
from chat.templatetags.conversations import age, is_made_of_earlier, was_searched_otherwise
from citations.ingestion.preparing import CHECK_QUESTIONS
from citations.models import Document, Passage
from memory.conversations.asking import create_session
from memory.conversations.listing import conversations
from memory.jobs import enqueue, run_due
from memory.models import AuditEvent, Session, Turn, User
from tests.pages.conversations import HTMX, MISSING, page, text, turn_of

pytestmark = pytest.mark.django_db


def arrange(client: Client, session: Session, how: str) -> str:
    posted = client.post(page("arrange", session.pk), {"how": how}, follow=True)
    assert posted.status_code == 200
    return text(posted)


def profile(document: Document, **fields: Any) -> None:
    for name, value in ({"language": "en"} | fields).items():
        setattr(document, name, value)
    document.save()


def titles(sessions: list[Session]) -> list[str]:
    return [session.title for session in sessions]


def test_what_is_pinned_stands_above_the_others_once(client: Client, owner: User) -> None:
    first, second = (create_session(owner, title=title) for title in ("First", "Second"))
    moved = first.last_activity
    arrange(client, first, "pin")
    listed = conversations(owner)
    assert (titles(listed.pinned), titles(listed.sessions)) == (["First"], ["Second"])
    first.refresh_from_db()
    assert first.last_activity == moved
    assert "Pinned" in arrange(client, second, "pin")
    arrange(client, first, "unpin")
    assert titles(conversations(owner).pinned) == ["Second"]


def test_the_archive_takes_a_conversation_out_of_the_list_and_can_be_undone(
    client: Client, session: Session, owner: User
) -> None:
    shown = arrange(client, session, "archive")
    assert "The conversation is in the archive." in shown
    assert f'action="{page("arrange", session.pk)}"' in shown
    assert "Undo" in shown
    assert not conversations(owner).sessions
    archive = text(client.get(page("conversations"), {"archived": "1"}))
    assert "Dates" in archive
    assert titles(conversations(owner, words="dates").sessions) == ["Dates"]
    assert "Bring back" in text(client.get(page("conversation", session.pk)))
    arrange(client, session, "unarchive")
    assert titles(conversations(owner).sessions) == ["Dates"]
    assert "Nothing is archived." in text(client.get(page("conversations"), {"archived": "1"}))


def test_only_the_owner_arranges_and_only_in_ways_that_there_are(
    client: Client, session: Session, stranger: User
) -> None:
    assert client.post(page("arrange", session.pk), {"how": "owner"}).status_code == 404
    assert client.get(page("arrange", session.pk)).status_code == 405
    client.force_login(stranger)
    for key in (session.pk, MISSING):
        assert client.post(page("arrange", key), {"how": "archive"}).status_code == 404
        assert client.get(page("sources", key)).status_code == 404
        assert client.get(page("export", key, "json")).status_code == 404
    session.refresh_from_db()
    assert not session.archived


def test_every_source_of_the_conversation_stands_in_one_list(
    client: Client, session: Session, passage: Passage
) -> None:
    empty = text(client.get(page("sources", session.pk)))
    assert "cites a document yet" in empty
    turn_of(session)
    turn_of(session, passage)
    turn_of(session, passage)
    for headers in ({}, HTMX):
        shown = text(client.get(page("sources", session.pk), headers=headers))
        assert "Agreement &lt;1&gt;" in shown
        assert "Cited in answers" in shown
        assert "?before=3#turn-2" in shown
    Document.objects.all().delete()
    assert "Removed from the library" in text(client.get(page("sources", session.pk)))


def test_a_conversation_is_downloaded_and_that_is_noted(
    client: Client, session: Session, passage: Passage
) -> None:
    turn_of(session, passage)
    Session.objects.filter(pk=session.pk).update(last_position=1)
    as_json = client.get(page("export", session.pk, "json"))
    assert json.loads(as_json.getvalue())["turns"][0]["response"] == "The fifteenth [1]."
    as_markdown = client.get(page("export", session.pk, "markdown"))
    assert as_markdown["Content-Disposition"].endswith('.md"')
    assert AuditEvent.objects.filter(action="session.exported").count() == 2
    assert client.get(page("export", session.pk, "odt")).status_code == 404


def test_a_list_is_parted_by_age(client: Client, owner: User) -> None:
    for days, title in ((0, "a"), (1, "b"), (5, "c"), (20, "d"), (300, "e")):
        session = create_session(owner, title=title)
        moment = timezone.now() - timedelta(days=days)
        Session.objects.filter(pk=session.pk).update(last_activity=moment)
    shown = text(client.get(page("home")))
    headings = ["Today", "Yesterday", "Previous 7 days", "Previous 30 days"]
    places = [shown.index(f'<li class="age">{heading}</li>') for heading in headings]
    assert places == sorted(places)


def test_ages_are_counted_in_the_persons_days() -> None:
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    assert age(midnight) == "Today"
    assert age(midnight - timedelta(microseconds=1)) == "Yesterday"
    assert age(datetime(2020, 3, 5, tzinfo=midnight.tzinfo)) == "March 2020"
    assert age(None) == ""


def test_the_next_page_goes_on_under_the_same_heading(client: Client, owner: User) -> None:
    for number in range(35):
        create_session(owner, title=f"Talk {number}")
    after = conversations(owner).next
    older = text(client.get(page("conversations"), {"after": after}, headers=HTMX))
    assert "Talk 0" in older
    assert "Today" not in older


def test_after_the_first_answer_something_to_ask_on_is_offered(
    client: Client, session: Session, passage: Passage
) -> None:
    asked, other = "What is the Determination Date?", "How high is the servicing fee?"
    profile(passage.document, questions=[asked, other])
    turn = turn_of(session, passage, outcome=Turn.Outcome.ANSWERED)
    Session.objects.filter(pk=session.pk).update(turn_count=1)
    assert follow_ups(Turn.objects.get()) == [other]
    shown = text(client.get(page("conversation", session.pk)))
    assert f'value="{other}"' in shown
    turn_of(session, passage, outcome=Turn.Outcome.ANSWERED)
    Session.objects.filter(pk=session.pk).update(turn_count=2)
    assert other not in text(client.get(page("conversation", session.pk)))
    assert follow_ups(Turn.objects.exclude(pk=turn.pk).get()) == []


def test_where_nothing_was_found_something_to_ask_instead_is_offered(
    client: Client, session: Session, passage: Passage
) -> None:
    other = "How high is the servicing fee?"
    profile(passage.document, questions=[other])
    shown = {}
    for position, outcome in ((1, Turn.Outcome.NOTHING_FOUND), (2, Turn.Outcome.UNSURE)):
        turn_of(session, passage, outcome=outcome)
        Session.objects.filter(pk=session.pk).update(turn_count=position, last_position=position)
        shown[position] = text(client.get(page("conversation", session.pk)))
    assert f'value="{other}"' in shown[1]
    assert f'value="{other}"' not in shown[2]


@pytest.mark.parametrize(
    ("reason", "model", "searched", "drawn"),
    [
        ("reference_resolved", "quoting", True, False),
        ("of_the_answer", "quoting", False, False),
        ("reference_resolved", "test-model", True, True),
        ("earlier_session", "quoting", True, True),
    ],
)
def test_chips_say_what_was_done(reason: str, model: str, *, searched: bool, drawn: bool) -> None:
    turn = Turn(query="shorter", rewrite_reason=reason, model=model)
    turn.standalone_query = "What is the Determination Date?"
    assert (was_searched_otherwise(turn), is_made_of_earlier(turn)) == (searched, drawn)


def test_what_asks_the_same_is_not_offered(session: Session, passage: Passage) -> None:
    same = "What's the Determination Date?"
    profile(passage.document, questions=[same, "How high is the servicing fee?"])
    turn_of(session, passage, outcome=Turn.Outcome.ANSWERED)
    assert follow_ups(Turn.objects.get()) == ["How high is the servicing fee?"]


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        ("What is the Determination Date?", Turn.Outcome.UNSURE),
        ("¿Cuál es la fecha de determinación?", Turn.Outcome.ANSWERED),
    ],
)
def test_no_question_is_offered_in_doubt_or_in_another_language(
    session: Session, passage: Passage, query: str, outcome: str
) -> None:
    profile(passage.document, questions=["How high is the servicing fee?"])
    turn_of(session, passage, query=query, outcome=outcome)
    assert follow_ups(Turn.objects.get()) == []


def test_what_follows_a_question_of_the_sample_library_follows_no_other(
    session: Session, passage: Passage
) -> None:
    title, [asked, *_] = "Model Pooling and Servicing Agreement", list(SAMPLE.values())
    profile(passage.document, title=title)
    turn = turn_of(session, passage, query=asked, outcome=Turn.Outcome.ANSWERED)
    assert follow_ups(Turn.objects.get()) == [SAMPLE_NEXT[title]]
    turn.query = "Who pays the servicing fee?"
    turn.save()
    assert follow_ups(Turn.objects.get()) == []


@pytest.mark.usefixtures("library")
def test_a_question_is_offered_only_if_the_document_answers_it() -> None:
    [document] = [each for each in Document.objects.all() if "Servicing" in each.title]
    good, others = "What is the Determination Date?", ["Who won?", "Which drugs target PIK3CA?"]
    document.questions = [others[0], good, others[1]]
    document.save()
    enqueue(CHECK_QUESTIONS, document.pk)
    run_due()
    document.refresh_from_db()
    assert document.questions == [good]
