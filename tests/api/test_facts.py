"""The facts about a person beyond a session, over the API."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memory.jobs.queue import run_due
from memory.models import AuditEvent, Fact, Turn, User
from memory.recall.facts import undoing
from tests.api.conftest import Api, Json
from tests.api.test_errors import NOT_FOUND

pytestmark = pytest.mark.django_db

NOTHING = str(uuid4())


def allow(api: Api, given: bool = True) -> None:
    body = {"purpose": "recall", "given": given}
    assert api.post("/consents", body).status_code == 201


def facts(api: Api, query: str = "") -> list[Json]:
    response = api.get(f"/memory/facts{query}")
    assert response.status_code == 200, response.content
    return response.json()["facts"]


def test_what_was_said_is_listed_with_where_it_comes_from(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, "I live in Lisbon.")
    (fact,) = facts(api)
    assert (fact["text"], fact["kind"], fact["subject"]) == ("I live in Lisbon", "fact", "home")
    assert (fact["turn_id"], fact["position"]) == (turn["turn_id"], 1)
    assert (fact["state"], fact["shared"], fact["current"]) == ("found", False, True)
    assert turn["outcome"] == "noted"


def test_a_replaced_fact_is_listed_as_past(api: Api) -> None:
    path = api.begin()
    api.ask(path, "I live in Lisbon.")
    api.ask(path, "I moved to Porto.")
    assert [fact["text"] for fact in facts(api)] == ["I moved to Porto"]
    new, old = facts(api, "?past=true")
    assert (old["current"], old["replaced_by"]) == (False, new["fact_id"])
    assert old["valid_until"] == new["valid_from"]


def test_a_fact_is_confirmed_corrected_and_deleted(api: Api) -> None:
    allow(api)
    path = api.begin()
    api.ask(path, "I live in Lisbon.")
    place = f"/memory/facts/{facts(api)[0]['fact_id']}"
    confirmed = api.patch(place, {"confirmed": True}).json()
    assert (confirmed["state"], confirmed["shared"]) == ("confirmed", True)
    api.delete(path)
    assert api.get(place).json() == confirmed | dict.fromkeys(["session_id", "turn_id", "position"])
    assert api.patch(place, {"text": "I live in Porto"}).json()["text"] == "I live in Porto"
    assert api.delete(place).status_code == 204
    assert api.get(place).content == api.delete(place).content == NOT_FOUND
    events = (
        AuditEvent.objects.filter(subject="memory.fact").exclude(action="fact.read").order_by("id")
    )
    assert [event.action for event in events] == ["fact.confirmed", "fact.changed", "fact.deleted"]


def test_a_deletion_and_a_correction_are_undone_for_a_short_while(api: Api) -> None:
    allow(api)
    api.ask(api.begin(), "I live in Lisbon.")
    first = facts(api)[0]
    place = f"/memory/facts/{first['fact_id']}"
    assert api.post(f"{place}/undo").content == NOT_FOUND
    api.patch(place, {"text": "I live in Porto"})
    assert api.post(f"{place}/undo").json() == first
    assert api.post(f"{place}/undo").content == NOT_FOUND
    api.delete(place)
    assert facts(api, "?past=true") == []
    assert api.post(f"{place}/undo").json() == api.get(place).json() == first
    api.delete(place)
    Fact.objects.update(deleted_at=timezone.now() - undoing.UNDO_TIME)
    assert api.post(f"{place}/undo").content == NOT_FOUND


def test_writing_down_takes_consent(api: Api) -> None:
    body = {"text": "I prefer tea", "kind": "preference"}
    refused = api.post("/memory/facts", body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent_needed")
    allow(api)
    written = api.post("/memory/facts", body).json()
    assert (written["origin"], written["state"], written["turn_id"]) == (
        "written",
        "confirmed",
        None,
    )
    assert api.post("/memory/facts", {"text": "I prefer tea", "kind": "sport"}).status_code == 400
    assert api.post("/memory/facts", {"text": "x" * 241}).status_code == 400
    assert api.patch(f"/memory/facts/{written['fact_id']}", {"confirmed": False}).status_code == 400
    assert api.get(f"/memory/facts/{NOTHING}").content == NOT_FOUND


def test_the_list_comes_in_pages_that_do_not_shift(api: Api, owner: User) -> None:
    for number in range(5):
        Fact.objects.create(owner=owner, kind="fact", subject=f"s{number}", text=f"Fact {number}")
    first = api.get("/memory/facts?limit=2").json()
    Fact.objects.create(owner=owner, kind="fact", subject="new", text="Newer")
    second = api.get(f"/memory/facts?limit=2&cursor={first['next']}").json()
    third = api.get(f"/memory/facts?limit=2&cursor={second['next']}").json()
    shown = [fact["text"] for page in (first, second, third) for fact in page["facts"]]
    assert shown == [f"Fact {number}" for number in (4, 3, 2, 1, 0)]
    assert third["next"] is None
    assert facts(api, "?kind=wish") == []


@pytest.mark.usefixtures("library")
def test_earlier_sessions_are_searched_by_meaning_only_with_consent(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, "What is the Determination Date?")
    run_due()
    assert api.get("/memory/search?q=determination+date").status_code == 403
    allow(api)
    found = api.get("/memory/search?q=determination+date").json()
    assert [each["turn_id"] for each in found["turns"]] == [turn["turn_id"]]
    assert 0 < found["confidence"] <= 1
    allow(api, given=False)
    assert api.get("/memory/search?q=determination+date").status_code == 403


@pytest.mark.usefixtures("library")
def test_the_levels_count_what_there_is(api: Api) -> None:
    allow(api)
    for day in range(3):
        turn = api.ask(api.begin(), "What is the Determination Date?")
        before = timezone.now() - timedelta(days=day)
        Turn.objects.filter(pk=turn["turn_id"]).update(asked_at=before)
    api.ask(api.begin(), "I live in Lisbon and I prefer tea over coffee.")
    run_due()
    levels = api.get("/memory").json()
    assert levels["allowed"]
    assert levels["episodic"] == {"sessions": 4, "recallable": 4}
    assert levels["semantic"] == {"facts": 1, "confirmed": 0}
    assert levels["profile"] == {"preferences": 1, "wishes": 0}
    (returned,) = levels["derived"]["returned_to"]
    assert (returned["name"], returned["count"], returned["days"]) == ("Determination Date", 3, 3)
    assert returned["turns"][2]["turn_id"] == turn["turn_id"]
    assert returned["sessions"] == [each["session_id"] for each in returned["turns"]]
    allow(api, given=False)
    nothing = {"returned_to": [], "changed": [], "alike": []}
    assert api.get("/memory").json()["derived"] == nothing
    run_due()
    assert "Lisbon" not in json.dumps(facts(api))


def test_what_changed_and_what_is_of_one_kind_are_derived_with_their_facts(api: Api) -> None:
    allow(api)
    path = api.begin()
    for city in ("Lisbon", "Porto", "Faro"):
        turn = api.ask(path, f"I moved to {city}.")
    for tool in ("PostgreSQL", "Django", "Redis"):
        api.ask(path, f"We use {tool}.")
    derived = api.get("/memory").json()["derived"]
    (home,), (uses,) = derived["changed"], derived["alike"]
    assert (home["subject"], home["count"], uses["subject"], uses["count"]) == (
        "home",
        3,
        "uses",
        3,
    )
    assert [fact["text"] for fact in home["facts"]] == [
        "I moved to Lisbon",
        "I moved to Porto",
        "I moved to Faro",
    ]
    assert home["facts"][2]["turn_id"] == turn["turn_id"]
    api.delete(path)
    assert api.get("/memory").json()["derived"]["changed"] == []
