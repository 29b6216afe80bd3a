"""Summaries over the API: read down to their turns, edited, made again."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import AuditEvent, Session, Summary, Turn, User
from tests.api.conftest import Api
from tests.memory.summaries.told import condensed, told, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(owner: User) -> Session:
    session = told(owner, 30)
    Turn.objects.filter(session=session, position__gte=12).update(topic=12)
    Turn.objects.filter(session=session, position=12).update(new_topic=True)
    condensed(session)
    return session


def path_of(session: Session) -> str:
    return f"/sessions/{session.pk}"


def test_a_long_conversation_is_read_from_its_summary_down_to_its_turns(
    api: Api, session: Session
) -> None:
    path = path_of(session)
    whole = api.get(f"{path}/summary").json()
    assert whole["summary"]
    assert whole["key_topics"]
    assert {each["topic"] for each in whole["contents"]} == set(whole["key_topics"])
    known = [each for each in whole["contents"] if each["turn_id"]]
    assert known
    for each in known:
        turn = session.turns.get(pk=each["turn_id"])
        assert each["position"] == turn.position
        assert each["topic"] in f"{turn.query} {turn.response}"
    positions = [each["position"] for each in whole["contents"]]
    assert positions == sorted(positions)
    assert whole["model"] == "extract"
    assert whole["covers"] == {"first_position": 1, "last_position": 30}
    top = api.get(f"{path}/summaries/{whole['summary_id']}").json()
    assert [part["kind"] for part in top["parts"]] == ["section", "segment"]
    section = api.get(f"{path}/summaries/{top['parts'][0]['summary_id']}").json()
    assert [part["covers"]["first_position"] for part in section["parts"]] == [1, 6, 11, 16, 21]
    segment = api.get(f"{path}/summaries/{section['parts'][1]['summary_id']}").json()
    turns = [part["turn_id"] for part in segment["parts"]]
    positions = Turn.objects.filter(pk__in=turns).values_list("position", flat=True)
    assert sorted(positions) == [6, 7, 8, 9, 10]


def test_summaries_in_ones_own_words_are_told_of_before_a_deletion(
    api: Api, session: Session
) -> None:
    summary = session.summaries.filter(kind="segment").order_by("first_position").first()
    assert summary
    api.patch(f"{path_of(session)}/summaries/{summary.pk}", {"text": "Of deposits."})
    turn = session.turns.get(position=3)
    for place in (path_of(session), f"{path_of(session)}/turns/{turn.pk}"):
        assert api.get(f"{place}/deletion").json() == {"answers": 0, "edited_summaries": 1}


def test_summaries_of_a_kind_come_by_page(api: Api, session: Session) -> None:
    seen, cursor = [], ""
    while cursor is not None:
        page = api.get(f"{path_of(session)}/summaries?limit=4&cursor={cursor}").json()
        seen += [row["covers"]["first_position"] for row in page["summaries"]]
        cursor = page["next"]
    assert seen == [1, 6, 11, 16, 21, 26]
    assert api.get(f"{path_of(session)}/summaries?kind=other").status_code == 400


def test_topics_are_listed_with_the_turns_they_begin_at(api: Api, session: Session) -> None:
    page = api.get(f"{path_of(session)}/topics?limit=1").json()
    assert [(each["position"], each["turns"]) for each in page["topics"]] == [(1, 11)]
    last = api.get(f"{path_of(session)}/topics?cursor={page['next']}").json()
    assert [(each["position"], each["turns"]) for each in last["topics"]] == [(12, 19)]
    assert last["next"] is None
    assert last["topics"][0]["title"].startswith("What does clause 12")


def test_a_summary_is_edited_taken_back_and_made_anew(api: Api, session: Session) -> None:
    path = path_of(session)
    whole = api.get(f"{path}/summary").json()
    own = f"{path}/summaries/{whole['summary_id']}"
    changed = api.patch(own, {"text": "All of it in my words."})
    assert changed.status_code == 200
    assert changed.json()["edited"]
    assert api.get(f"{path}/summary").json()["summary"] == "All of it in my words."
    assert api.patch(own, {"text": None}).json()["text"] == whole["summary"]
    assert api.patch(own, {"text": None}).json()["error"]["code"] == "summary_not_edited"
    for wrong in ({}, {"text": ""}, {"text": 7}, {"text": "x" * 8001}, {"other": "x"}):
        assert api.patch(own, wrong).status_code == 400, wrong
    assert api.post(f"{own}/again", {}).status_code == 202
    assert api.get(f"{path}/summary").json()["awaited"]
    work()
    again = api.get(f"{path}/summary").json()
    assert again["summary"] == whole["summary"]
    assert again["summary_id"] != whole["summary_id"]
    assert AuditEvent.objects.filter(action="summary.made_anew").count() == 1


def test_a_summary_of_another_session_is_unknown(api: Api, owner: User, session: Session) -> None:
    other = api.begin()
    row = Summary.objects.filter(session=session).first()
    assert row
    assert api.get(f"{other}/summaries/{row.pk}").status_code == 404
    assert api.get(f"{path_of(session)}/summaries/{session.pk}").status_code == 404


def test_however_long_it_is_the_summary_takes_as_many_queries(api: Api, owner: User) -> None:
    counts = []
    api.get("/sessions")  # what is asked once
    for turns in (25, 75):
        session = told(owner, turns)
        condensed(session)
        with CaptureQueriesContext(connection) as queries:
            api.get(f"{path_of(session)}/summary")
        counts.append(len(queries))
    assert counts[0] == counts[1]
