"""Reading: the transcript, the passage behind a number, what the model saw."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from citations.models import Passage
from memory.models import Session, Turn, User
from tests.pages.conversations import HTMX, QUESTION, STREAM, page, text, turn_of

NOTHING = Turn.Outcome.NOTHING_FOUND


def test_an_answer_shows_its_citations_and_sources(
    client: Client, session: Session, passage: Passage
) -> None:
    turn = turn_of(session, passage)
    citation = turn.citations.get()
    shown = text(client.get(page("conversation", session.pk)))
    assert f'<a class="citation" href="/citations/{citation.pk}"' in shown
    assert "Agreement &lt;1&gt;" in shown
    assert "Ames, A.; Bell, B.; Cole, C. and 1 other, 2026" in shown


def test_a_source_is_named_with_the_pages_it_is_cited_from(
    client: Client, session: Session, passage: Passage
) -> None:
    passage.page = 4
    passage.save()
    turn_of(session, passage)
    assert ">p.\u00a04</span>" in text(client.get(page("conversation", session.pk)))


@pytest.mark.parametrize(
    ("standalone", "is_said"),
    [
        (QUESTION, False),
        ("what is the determination date", False),
        ("What is the Determination Date of the agreement?", True),
        (None, False),
    ],
)
def test_what_was_searched_for_is_said_only_if_it_has_other_words(
    client: Client, session: Session, standalone: str | None, is_said: bool
) -> None:
    turn_of(session, standalone_query=standalone, rewriting="automatic")
    shown = text(client.get(page("conversation", session.pk)))
    body, _template = shown.split('<template id="new-turn">')
    assert ("Searched for" in body) == is_said
    assert ("Search exactly what I typed" in body) == is_said


@pytest.mark.parametrize(
    ("model", "name"), [("", "How this answer was made"), ("llama", "What the model saw")]
)
def test_what_an_answer_was_made_from_is_named_after_who_answers(
    client: Client, session: Session, settings: object, model: str, name: str
) -> None:
    settings.LLM_BASE_URL = settings.LLM_MODEL = model
    turn = turn_of(session)
    for shown in (
        client.get(page("conversation", session.pk)),
        client.get(page("context", session.pk, turn.pk)),
        client.get(page("context", session.pk, turn.pk), headers=HTMX),
    ):
        assert name in text(shown)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("answered", None),
        ("small_talk", None),
        ("cut", "stopped before its answer was complete"),
        ("filtered", "Held back."),
        ("empty", "was asked twice"),
        ("looped", "Going in circles."),
        ("other_language", "in the language of the question"),
        ("refused", "own refusal"),
        ("unsure", "These come closest:"),
        ("nothing_found", "Nothing found."),
        ("not_read_yet", "2 documents are still being read: "),
    ],
)
def test_how_it_came_out_is_said_where_it_is_no_plain_answer(
    outcome: str, said: str | None
) -> None:
    context = {"outcome": outcome, "reading": ["One <1>", "Two"]}
    shown = render_to_string("chat/_outcome.html", context)
    assert said in shown if said else not shown.strip()
    assert ("One &lt;1&gt;" in shown) == (outcome == "not_read_yet")


def test_what_is_still_being_read_is_said_once_and_can_be_asked_again(
    client: Client, session: Session
) -> None:
    said = "Nothing was found yet. 1 document is still being read: *One*."
    turn_of(session, response=said, outcome="not_read_yet")
    shown = text(client.get(page("conversation", session.pk)))
    assert "being read" in shown
    assert "Nothing was found yet" not in shown.partition('class="copy-text"')[0]
    assert "They are in the library now." in shown
    assert "Ask again" in shown


def test_that_nothing_was_found_is_said_once_and_what_else_an_answer_says_stays(
    client: Client, session: Session
) -> None:
    turn_of(session, response="The library holds nothing on this question.", outcome=NOTHING)
    turn_of(session, response="No agreement names a third date.", outcome=NOTHING)
    shown = text(client.get(page("conversation", session.pk)))
    answers = re.sub(r'(?s)<template class="copy-text">.*?</template>', "", shown)
    assert answers.count("Nothing found.") == 2
    assert "The library holds nothing on this question." not in answers
    assert "No agreement names a third date." in answers


def test_of_what_is_not_read_yet_the_closest_is_shown_as_not_sure_yet(
    session: Session, passage: Passage
) -> None:
    turn = turn_of(session, passage, outcome="not_read_yet")
    context = {"outcome": turn.outcome, "reading": ["One"], "turn": turn}
    unsure = render_to_string("chat/_outcome.html", context | {"sources": [1]})
    assert "Not sure yet." in unsure
    assert "One</cite>. So far, these come closest:" in unsure
    assert "Nothing found yet." in render_to_string("chat/_outcome.html", context)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_citation_opens_its_passage_with_the_sentence_marked(
    client: Client, session: Session, passage: Passage, headers: dict[str, str]
) -> None:
    citation = turn_of(session, passage).citations.get()
    shown = text(client.get(page("citation", citation.pk), headers=headers))
    assert "Before. <mark>It is the fifteenth day.</mark> After." in shown
    assert 'href="https://example.org/agreement" rel="noopener noreferrer"' in shown
    assert ("<nav" in shown) == (not headers)


def test_an_address_that_is_not_of_the_web_is_no_link(
    client: Client, session: Session, passage: Passage
) -> None:
    passage.document.url = "javascript:alert(1)"
    passage.document.save()
    citation = turn_of(session, passage).citations.get()
    assert "javascript:" not in text(client.get(page("citation", citation.pk)))


def test_the_quote_of_a_removed_document_stays(
    client: Client, session: Session, passage: Passage
) -> None:
    citation = turn_of(session, passage).citations.get()
    passage.document.delete()
    shown = text(client.get(page("citation", citation.pk)))
    assert "<mark>It is the fifteenth day.</mark>" in shown
    assert "Removed from the library" in shown


def test_an_open_turn_can_be_read_and_stopped_without_a_script(
    client: Client, session: Session
) -> None:
    turn = turn_of(session, status="answering", response="")
    lease = timezone.now() + timedelta(minutes=1)
    attempt = turn.attempts.create(
        owner=session.owner, number=1, lease_until=lease, partial="So far"
    )
    shown = text(client.get(page("conversation", session.pk)))
    assert '<div class="written streaming">So far</div>' in shown
    assert '<meta http-equiv="refresh"' in shown
    client.post(page("stop", session.pk, turn.pk))
    attempt.refresh_from_db()
    assert attempt.stop_requested


def test_a_failed_answer_says_why_and_can_be_tried_again(client: Client, session: Session) -> None:
    turn = turn_of(session, status="failed", response="", failure="model_timeout")
    shown = text(client.get(page("conversation", session.pk)))
    assert "took too long" in shown
    response = client.post(page("retry", session.pk, turn.pk))
    assert response["Location"] == f"/conversations/{session.pk}#turn-1"
    turn.refresh_from_db()
    assert turn.status == Turn.Status.COMPLETE


def test_an_answer_that_is_whole_cannot_be_tried_again(client: Client, session: Session) -> None:
    turn = turn_of(session)
    refused = client.post(page("retry", session.pk, turn.pk), headers=STREAM)
    assert refused.status_code == 409
    shown = client.post(page("retry", session.pk, turn.pk), follow=True)
    assert "can be tried again" in text(shown)


@pytest.mark.usefixtures("library")
def test_what_the_model_saw_is_shown(client: Client, owner: User) -> None:
    client.post(page("start"), {"query": QUESTION})
    turn = Turn.objects.get(owner=owner)
    for headers in ({}, HTMX):
        shown = text(client.get(page("context", turn.session_id, turn.pk), headers=headers))
        assert "there are only a few earlier turns" in shown
        assert "Model Pooling and Servicing Agreement" in shown
        assert "<rect width=" in shown


def test_a_long_conversation_shows_its_newest_turns_and_earlier_ones_by_page(
    client: Client, session: Session
) -> None:
    for _ in range(35):
        turn_of(session)
    newest = text(client.get(page("conversation", session.pk)))
    assert 'id="turn-35"' in newest
    assert 'id="turn-5"' not in newest
    assert "?before=6" in newest
    for headers in ({}, HTMX):
        earlier = text(client.get(page("conversation", session.pk) + "?before=6", headers=headers))
        assert 'id="turn-5"' in earlier
        assert 'id="turn-6"' not in earlier


def test_a_conversation_takes_the_same_queries_however_long_it_is(
    client: Client, session: Session, passage: Passage
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page("conversation", session.pk)).status_code == 200
        return len(captured)

    turn_of(session, passage)
    queries()  # the first visit of a browser is noted
    few = queries()
    for _ in range(29):
        turn_of(session, passage)
    # cookie's session, person, session, turns, citations, claims, turns drawn on, the newest
    # prompt's gaps, sidebar, pinned, policy, holds, its own, consent, a waiting
    # erasure, an emergency access unseen, whether the read is recorded
    assert queries() == few == 20
