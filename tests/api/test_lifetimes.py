"""The API on how long sessions are kept."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memory import holds
from memory.models import User
from tests.api.conftest import Api
from tests.memory.retained import session_of

pytestmark = pytest.mark.django_db


HOUR = timedelta(hours=1)


def test_a_session_is_begun_and_changed_with_a_lifetime_of_its_own(api: Api) -> None:
    path = api.begin(own_lifetime=3600)
    begun = api.get(path).json()
    assert begun["own_lifetime"] == 3600
    ends, last = (parse_datetime(begun[name]) for name in ("expires_at", "last_activity"))
    assert ends
    assert last
    assert ends - last == HOUR
    shorter = api.patch(path, {"own_lifetime": 600, "title": "Short"}).json()
    assert (shorter["own_lifetime"], shorter["title"]) == (600, "Short")
    usual = api.patch(path, {"own_lifetime": None}).json()
    assert usual["own_lifetime"] is None
    assert usual["expires_at"] > begun["expires_at"] > shorter["expires_at"]


@pytest.mark.parametrize("seconds", [86_401, 59, 0, -1, "3600", 3600.5, True])
def test_a_lifetime_that_cannot_be_is_400(api: Api, seconds: object) -> None:
    path = api.begin()
    before = api.get(path).json()
    for answer in (
        api.patch(path, {"own_lifetime": seconds}),
        api.post("/sessions", {"own_lifetime": seconds}),
    ):
        assert answer.status_code == 400
    assert api.get(path).json() == before


def test_a_session_is_extended_without_a_question(api: Api, owner: User) -> None:
    session = session_of(owner, idle=20 * HOUR)
    path = f"/sessions/{session.pk}"
    answer = api.post(f"{path}/extend")
    assert answer.status_code == 200
    ends = parse_datetime(answer.json()["expires_at"])
    assert ends
    assert ends > timezone.now() + 23 * HOUR
    assert parse_datetime(answer.json()["last_activity"]) == session.last_activity
    assert api.post(f"{path}/extend", {"lifetime": 9}).status_code == 400


def test_a_deletion_that_a_hold_refuses_is_409_and_waits(
    api: Api, owner: User, colleague: User
) -> None:
    session = session_of(owner)
    holds.place(session, reason="A case", author=colleague)
    answer = api.delete(f"/sessions/{session.pk}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "held")
    assert api.get(f"/sessions/{session.pk}").status_code == 200
