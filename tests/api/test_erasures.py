"""Erasing by program: a turn at once; everything or the account only once a person confirms."""

import pytest
from django.test import Client

from memory import holds
from memory.forgetting.erasure import requests
from memory.jobs.queue import run_due
from memory.models import ErasureRequest, Scope, Session, User
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db


def test_a_turn_is_erased(api: Api) -> None:
    session = api.begin()
    turn = api.ask(session, "What is the fee?")
    api.ask(session, "And when is it due?")
    place = f"{session}/turns/{turn['turn_id']}"
    assert api.delete(place).status_code == 204
    assert api.get(place).status_code == 404
    assert api.delete(place).status_code == 404
    history = api.get(f"{session}/history").json()
    assert (history["total_turns"], [each["position"] for each in history["turns"]]) == (1, [2])


def test_a_reader_s_token_erases_nothing(owner: User, api: Api) -> None:
    session = api.begin()
    turn = api.ask(session, "What is the fee?")
    reader = Api(owner, scope=Scope.READ)
    assert reader.delete(f"{session}/turns/{turn['turn_id']}").status_code == 403
    assert reader.post("/erasures", {"scope": "account"}).status_code == 403


def test_what_a_hold_keeps_is_409_and_goes_at_its_end(
    api: Api, owner: User, colleague: User
) -> None:
    session = api.begin()
    turn = api.ask(session, "What is the fee?")
    hold = holds.place(Session.objects.get(), reason="A trial", author=colleague)
    for place in (f"{session}/turns/{turn['turn_id']}", session):
        refused = api.delete(place)
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "held"
    holds.release(hold, actor=colleague)
    run_due()
    assert api.get(session).status_code == 404


def test_what_a_hold_is_on_is_409_to_who_would_change_it(
    api: Api, owner: User, colleague: User
) -> None:
    session = api.begin(title="Dates", metadata={"case": 1})
    turn = f"{session}/turns/{api.ask(session, 'What is the fee?')['turn_id']}"
    assert api.patch(turn, {"rating": 1}).status_code == 200
    thing = api.post(f"{session}/memory/entities", {"name": "Maria", "kind": "name"}).json()
    entity = f"{session}/memory/entities/{thing['entity_id']}"
    holds.place(Session.objects.get(), reason="A trial", author=colleague)
    for refused in (
        api.patch(session, {"title": "Nothing", "pinned": True}),
        api.patch(session, {"metadata": {}}),
        api.patch(turn, {"rating": -1}),
        api.patch(entity, {"snippet": "Nobody."}),
        api.delete(entity),
    ):
        assert refused.status_code == 409
        assert refused.json()["error"]["code"] == "held"
    assert api.patch(session, {"pinned": True, "archived": True}).json()["title"] == "Dates"
    assert api.ask(session, "And then?")["status"] == "complete"


def test_a_program_asks_and_only_a_person_confirms(api: Api, owner: User) -> None:
    session = api.begin()
    asked = api.post("/erasures", {"scope": "everything"})
    assert asked.status_code == 201
    said = asked.json()
    assert (said["status"], said["due_at"]) == ("unconfirmed", None)
    assert said["requested_at"].endswith("+00:00")  # as all times here
    assert said["confirm_path"] == "/account/data/erasure/everything"
    run_due()
    assert api.get(session).status_code == 200
    browser = Client(headers=api.headers)
    assert browser.post(said["confirm_path"], {"sure": "on"}).status_code == 302
    assert ErasureRequest.objects.get().status == "unconfirmed"
    listed = api.get("/erasures").json()["erasures"]
    assert [row["erasure_id"] for row in listed] == [said["erasure_id"]]
    again = api.post("/erasures", {"scope": "account"})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "erasure_asked_already")


def test_a_request_is_taken_back(api: Api, strangers_api: Api) -> None:
    place = f"/erasures/{api.post('/erasures', {'scope': 'account'}).json()['erasure_id']}"
    assert strangers_api.get(place).status_code == 404
    assert strangers_api.delete(place).status_code == 404
    assert api.get(place).json()["status"] == "unconfirmed"
    assert api.delete(place).json()["status"] == "cancelled"
    late = api.delete(place)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "erasure_under_way")


def test_what_a_person_confirmed_no_token_takes_back(api: Api, owner: User) -> None:
    place = f"/erasures/{api.post('/erasures', {'scope': 'account'}).json()['erasure_id']}"
    requests.confirm(ErasureRequest.objects.get(), actor=owner.pk)
    refused = api.delete(place)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "erasure_confirmed")
    assert "in your account" in refused.json()["error"]["message"]
    assert ErasureRequest.objects.get().status == "waiting"
    browser = Client()
    browser.force_login(owner)
    assert browser.delete(f"/api/v1{place}").json()["status"] == "cancelled"
