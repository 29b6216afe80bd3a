"""The memory of a session, over the API."""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from citations.models import Document
from memory.jobs.queue import run_due
from memory.models import AuditEvent, Entity, Session
from tests.api.conftest import Api, Json
from tests.api.test_errors import NOT_FOUND

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]

QUESTION = "What is the Determination Date?"
NOTHING = str(uuid4())


@pytest.fixture
def session(api: Api) -> str:
    """A session in which one question was answered, and what it names is remembered."""
    path = api.begin()
    api.ask(path, QUESTION)
    run_due()
    return path


def memory(api: Api, session: str) -> Json:
    response = api.get(f"{session}/memory")
    assert response.status_code == 200, response.content
    return response.json()


def sample(file_name: str) -> str:
    """Return the id of a document of the sample library."""
    return str(next(row.pk for row in Document.objects.all() if row.file_name == file_name))


def term(api: Api, session: str) -> Json:
    return next(row for row in memory(api, session)["entities"] if row["kind"] == "term")


def test_it_tells_what_was_named_and_what_was_cited(api: Api, session: str) -> None:
    remembered = memory(api, session)
    found = term(api, session)
    assert found["name"] == "Determination Date"
    assert "fifteenth day" in found["snippet"]
    turn = api.get(f"{session}/history").json()["turns"][0]
    assert (found["turn_id"], found["last_position"]) == (turn["turn_id"], 1)
    (document,) = remembered["documents"]
    assert document["document_id"] == turn["sources"][0]["document_id"]
    assert (document["standing"], document["last_position"], document["turns"]) == (None, 1, 1)
    assert remembered["sections"][0]["heading"].endswith("Dates and periods")


def test_a_session_without_turns_remembers_nothing(api: Api) -> None:
    remembered = memory(api, api.begin())
    assert (remembered["entities"], remembered["documents"], remembered["sections"]) == ([], [], [])


def test_it_costs_the_same_however_much_there_is(api: Api, session: str) -> None:
    with CaptureQueriesContext(connection) as few:
        memory(api, session)
    for number in range(20):
        api.post(f"{session}/memory/entities", {"name": f"Person{number} Smith"})
    with CaptureQueriesContext(connection) as many:
        assert len(memory(api, session)["entities"]) > 20
    # the entities; what is said, what is cited, the documents; the sections
    assert len(many) == len(few)


def test_an_entity_is_written_down_corrected_and_removed(api: Api, session: str) -> None:
    written = {"name": "Backup  Servicer", "kind": "term", "snippet": "Steps in for the Servicer."}
    response = api.post(f"{session}/memory/entities", written)
    assert response.status_code == 201
    entity = response.json()
    assert entity["name"] == "Backup Servicer"
    assert (entity["kept"], entity["turn_id"]) == (True, None)
    place = f"{session}/memory/entities/{entity['entity_id']}"
    changed = api.patch(place, {"snippet": "It takes over."})
    assert changed.json() == entity | {"snippet": "It takes over."}
    assert api.patch(place, {}).json() == changed.json()
    assert api.delete(place).status_code == 204
    assert api.delete(place).content == NOT_FOUND
    assert api.patch(place, {"name": "Back"}).content == NOT_FOUND
    assert "Backup Servicer" not in json.dumps(memory(api, session))
    actions = AuditEvent.objects.filter(subject_id=entity["entity_id"]).order_by("id")
    assert [event.action.partition(".")[2] for event in actions] == ["added", "changed", "removed"]


def test_what_was_removed_stays_away_until_it_is_written_down_again(api: Api, session: str) -> None:
    found = term(api, session)
    api.delete(f"{session}/memory/entities/{found['entity_id']}")
    api.ask(session, QUESTION)
    run_due()
    assert "Determination Date" not in [row["name"] for row in memory(api, session)["entities"]]
    again = {name: found[name] for name in ("name", "kind", "snippet", "turn_id")}
    assert api.post(f"{session}/memory/entities", again).json()["turn_id"] == found["turn_id"]


def test_two_of_one_name_are_a_conflict(api: Api, session: str) -> None:
    found = term(api, session)
    response = api.post(f"{session}/memory/entities", {"name": "the determination DATE"})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "entity_exists")
    other = api.post(f"{session}/memory/entities", {"name": "Other"}).json()["entity_id"]
    response = api.patch(f"{session}/memory/entities/{other}", {"name": found["name"]})
    assert response.status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": " \n "},
        {"name": "x" * 81},
        {"name": 7},
        {"name": "X", "kind": "person"},
        {"name": "X", "snippet": "x" * 301},
        {"name": "X", "weight": 1},
        {},
    ],
)
def test_what_makes_no_sense_is_refused(api: Api, session: str, body: Json) -> None:
    before = Entity.objects.count()
    assert api.post(f"{session}/memory/entities", body).status_code == 400
    assert Entity.objects.count() == before


def test_a_document_stands_as_the_person_says(api: Api, session: str) -> None:
    document = memory(api, session)["documents"][0]["document_id"]
    place = f"{session}/memory/documents/{document}"
    for standing in ("boosted", "muted", "required", None):
        response = api.request("PUT", place, {"standing": standing})
        assert (response.status_code, response.json()["standing"]) == (200, standing)
        assert memory(api, session)["documents"][0]["standing"] == standing
    for body in ({}, {"standing": "loud"}, {"standing": "boosted", "more": 1}):
        assert api.request("PUT", place, body).status_code == 400
    other = sample("tp53.md")
    api.request("PUT", f"{session}/memory/documents/{other}", {"standing": "required"})
    listed = memory(api, session)["documents"]
    assert [row["document_id"] for row in listed] == [other, document]
    assert (listed[0]["last_position"], listed[0]["turns"]) == (None, 0)


def test_the_effect_is_stored_with_each_passage(api: Api, session: str) -> None:
    document, required = memory(api, session)["documents"][0]["document_id"], sample("tp53.md")
    api.request("PUT", f"{session}/memory/documents/{required}", {"standing": "required"})
    question = "And does it depend on the gene TP53?"

    def passages() -> list[Json]:
        turn = api.ask(session, question)
        return api.get(f"{session}/turns/{turn['turn_id']}/context").json()["passages"]

    biases = {row["document_id"]: row["bias"] for row in passages()}
    assert biases[document] == 1.15
    assert biases[required] == 1.0
    api.request("PUT", f"{session}/memory/documents/{document}", {"standing": "muted"})
    found = passages()
    assert {row["bias"] for row in found if row["document_id"] == document} <= {0.4}
    assert found[0]["document_id"] != document
    assert all(0 <= row["score"] <= 1 and not row["carried_over"] for row in found)


def test_bias_makes_no_answer_out_of_what_does_not_fit(api: Api, session: str) -> None:
    document = memory(api, session)["documents"][0]["document_id"]
    api.request("PUT", f"{session}/memory/documents/{document}", {"standing": "boosted"})
    turn = api.ask(session, "How do I bake sourdough bread in a cast iron pot at home?")
    assert "holds nothing" in turn["response"]
    assert turn["citations"] == []


def test_the_export_brings_it_along(api: Api, session: str) -> None:
    document = memory(api, session)["documents"][0]["document_id"]
    api.request("PUT", f"{session}/memory/documents/{document}", {"standing": "muted"})
    exported = json.loads(api.get(f"{session}/export").getvalue())
    assert exported["memory"] == memory(api, session)
    markdown = api.get(f"{session}/export?format=markdown").getvalue().decode()
    assert "## What this conversation remembers" in markdown
    assert "- Determination Date (Defined term): " in markdown
    assert "- Model Pooling and Servicing Agreement: Held back" in markdown


def test_another_persons_document_or_turn_is_none(
    api: Api, strangers_api: Api, session: str
) -> None:
    note = strangers_api.post("/documents", {"title": "Theirs", "text": "It says so."}).json()
    theirs = strangers_api.begin()
    turn = strangers_api.ask(theirs, QUESTION)["turn_id"]
    for document in (note["document_id"], NOTHING, "none"):
        place = f"{session}/memory/documents/{document}"
        assert api.request("PUT", place, {"standing": "muted"}).content == NOT_FOUND
    for named in (turn, NOTHING, "none"):
        body = {"name": "X", "turn_id": named}
        assert api.post(f"{session}/memory/entities", body).content == NOT_FOUND


def test_it_is_gone_with_an_expired_session(api: Api, session: str) -> None:
    entity = term(api, session)["entity_id"]
    Session.objects.update(expires_at="2020-01-01T00:00:00Z")
    assert api.get(f"{session}/memory").content == NOT_FOUND
    assert api.delete(f"{session}/memory/entities/{entity}").content == NOT_FOUND


def test_a_temporary_session_remembers_as_any_other(api: Api) -> None:
    path = api.begin(temporary=True)
    api.ask(path, QUESTION)
    run_due()
    assert term(api, path)["name"] == "Determination Date"
    api.delete(path)
    assert not Entity.objects.exists()
