"""Consent and packages by the API: what the page can, with the same words and the same limits."""

import io
import json
from zipfile import ZipFile

import pytest

from memory.jobs.queue import run_due
from memory.models import AuditEvent, Consent, Purpose, Scope, User
from memory.personal_data.consent import TEXTS, decide
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db


def withdraw(api: Api, purpose: str) -> None:
    assert api.post("/consents", {"purpose": purpose, "given": False}).status_code == 201


def test_what_one_allows_is_told_with_its_words(api: Api) -> None:
    listed = api.get("/consents").json()["consents"]
    assert {one["purpose"]: one["allowed"] for one in listed} == {
        "store": True, "recall": False, "improve": True, "share": False
    }  # fmt: skip
    unused = {one["purpose"] for one in listed if not one["in_use"]}
    assert unused == {"share"}, "nothing asks for their consent yet"
    store = listed[0]
    assert store["text"] == TEXTS["store"][0]
    assert store["decision"]["source"] == "presumed"
    assert next(one for one in listed if one["purpose"] == "share")["decision"] is None


def test_a_decision_counts_at_once_and_is_on_record(api: Api, owner: User) -> None:
    answer = api.post("/consents", {"purpose": "share", "given": True})
    assert answer.status_code == 201
    assert answer.json()["consents"][-1]["allowed"]
    withdraw(api, "share")
    decisions = api.get("/consents/decisions").json()
    newest = [(one["purpose"], one["given"]) for one in decisions["decisions"][:2]]
    assert newest == [("share", False), ("share", True)]
    assert decisions["next"] is None
    done = list(AuditEvent.objects.filter(actor_id=owner.pk).values_list("action", flat=True))
    assert "consent.given" in done
    assert "consent.withdrawn" in done


def test_decisions_are_paged(api: Api, owner: User) -> None:
    for number in range(60):
        decide(owner, {Purpose.SHARE: number % 2 == 0}, source=Consent.Source.API)
    first = api.get("/consents/decisions").json()
    assert len(first["decisions"]) == 50
    rest = api.get(f"/consents/decisions?cursor={first['next']}").json()
    assert len(rest["decisions"]) == 12
    assert rest["next"] is None
    assert api.get("/consents/decisions?cursor=x").status_code == 400


@pytest.mark.parametrize("body", [{}, {"purpose": "spy", "given": True}, {"purpose": "store"},
                                  {"purpose": "store", "given": "yes"},
                                  {"purpose": "store", "given": True, "for": "ever"}])  # fmt: skip
def test_a_decision_is_said_plainly_or_refused(api: Api, body: dict[str, object]) -> None:
    assert api.post("/consents", body).status_code == 400


def test_without_consent_only_temporary_sessions_begin(api: Api) -> None:
    kept = api.begin()
    api.ask(kept, "What is the Determination Date?")
    withdraw(api, "store")
    for answer in (
        api.post("/sessions", {}),
        api.post(f"{kept}/turns", {"query": "And then?"}),
        api.post("/query", {"query": "x", "session_id": "01970000-0000-7000-8000-00000000ffff"}),
    ):
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "consent_needed"
    assert api.get(f"{kept}/history").json()["total_turns"] == 1
    temporary = api.begin(temporary=True)
    assert api.ask(temporary, "What is the Determination Date?")["status"] == "complete"
    assert api.post("/query", {"query": "What is the Determination Date?"}).status_code == 200
    api.post("/consents", {"purpose": "store", "given": True})
    api.ask(kept, "And then?")


def test_ratings_take_the_consent_to_their_use(api: Api) -> None:
    session = api.begin()
    turn = f"{session}/turns/{api.ask(session, 'What is it?')['turn_id']}"
    assert api.patch(turn, {"rating": 1, "feedback": "Right."}).status_code == 200
    withdraw(api, "improve")
    refused = api.patch(turn, {"rating": -1})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent_needed")
    run_due()
    left = api.get(turn).json()
    assert (left["rating"], left["feedback"]) == (None, "")


def test_a_package_is_asked_for_followed_and_fetched_once(api: Api) -> None:
    session = api.begin(title="Dates")
    api.ask(session, "What is the Determination Date?")
    asked = api.post("/packages")
    assert asked.status_code == 201
    place = f"/packages/{asked.json()['package_id']}"
    assert asked.json()["status"] == "waiting"
    assert api.post(f"{place}/link").json()["error"]["code"] == "package_not_ready"
    run_due()
    ready = api.get(place).json()
    assert (ready["status"], ready["progress"]) == ("ready", 100)
    link = api.post(f"{place}/link")
    assert link.status_code == 201
    path = link.json()["path"].removeprefix("/api/v1")
    file = api.get(path)
    assert file["Content-Type"] == "application/zip"
    with ZipFile(io.BytesIO(file.getvalue())) as archive:
        data = json.loads(archive.read("data.json"))
    assert data["digest"] == ready["digest"]
    assert [row["title"] for row in data["tables"]["memory.session"]] == ["Dates"]
    assert api.get(path).status_code == 404
    assert api.get(place).json()["status"] == "fetched"


def test_a_package_can_be_deleted_unfetched(api: Api) -> None:
    place = f"/packages/{api.post('/packages').json()['package_id']}"
    run_due()
    assert api.delete(place).status_code == 204
    assert api.get(place).json()["status"] == "discarded"
    assert api.post(f"{place}/link").status_code == 409


def test_another_person_and_a_reading_token_get_nothing(
    api: Api, strangers_api: Api, owner: User
) -> None:
    place = f"/packages/{api.post('/packages').json()['package_id']}"
    run_due()
    path = api.post(f"{place}/link").json()["path"].removeprefix("/api/v1")
    for answer in (
        strangers_api.get(place),
        strangers_api.post(f"{place}/link"),
        strangers_api.delete(place),
        strangers_api.get(path),
        api.get("/packages/x"),
    ):
        assert answer.status_code == 404
    reader = Api(owner, scope=Scope.READ)
    assert reader.post("/packages").status_code == 403
    assert reader.post("/consents", {"purpose": "share", "given": True}).status_code == 403
    assert api.get(path).status_code == 200
