"""Limits by tier: exact under races, given back by what is rolled back, new with each window."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections, transaction

from memory.conversations.asking import Question, ask, create_session, retry
from memory.models import Turn, Usage, User
from memory.people import rate_limits
from memory.people.rate_limits import LimitReached, take_request, take_turn
from tests.api.conftest import Api
from tests.people import person

pytestmark = pytest.mark.postgresql

HOUR_BEGAN = 1_800_000_000 // 3600 * 3600


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds since 1970, to be set by the test."""
    now = [float(HOUR_BEGAN)]
    monkeypatch.setattr(rate_limits.time, "time", lambda: now[0])
    return now


# A window that ends between two of a test's requests would give their places back.
in_one_window = pytest.mark.usefixtures("clock")


def test_each_take_leaves_one_less_until_none_is_left(
    owner: User, settings: object, clock: list[float]
) -> None:
    settings.TURNS_PER_HOUR = 3
    clock[0] += 600
    assert [take_turn(owner).remaining for _ in range(3)] == [2, 1, 0]
    with pytest.raises(
        LimitReached, match=r"3 questions within the hour.*in 50 minutes"
    ) as refused:
        take_turn(owner)
    assert refused.value.allowance == rate_limits.Allowance(3, 0, 3000)


def test_a_new_window_begins_anew_in_the_same_row(
    owner: User, settings: object, clock: list[float]
) -> None:
    settings.REQUESTS_PER_MINUTE = 1
    take_request(owner)
    with pytest.raises(LimitReached):
        take_request(owner)
    clock[0] += 60
    assert take_request(owner).remaining == 0
    assert Usage.objects.filter(owner=owner).count() == 1


def test_a_clock_that_is_a_little_behind_or_set_back_locks_nobody_out(
    owner: User, settings: object, clock: list[float]
) -> None:
    settings.REQUESTS_PER_MINUTE = 2
    clock[0] += 60
    take_request(owner)
    clock[0] -= 1  # another process has the window before
    assert take_request(owner).remaining == 0
    with pytest.raises(LimitReached):
        take_request(owner)
    clock[0] -= 3600
    assert take_request(owner).remaining == 1


@in_one_window
def test_what_is_rolled_back_gives_its_place_back(owner: User, settings: object) -> None:
    settings.TURNS_PER_HOUR = 1
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        take_turn(owner)
        raise ZeroDivisionError
    assert take_turn(owner).remaining == 0


@in_one_window
def test_a_question_over_the_limit_stores_nothing_and_a_retry_counts(
    owner: User, settings: object
) -> None:
    settings.TURNS_PER_HOUR = 2
    session = create_session(owner)
    turn = ask(session, Question("What is the Determination Date?")).turn
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED)
    turn.attempts.update(finished_at=turn.asked_at)
    retry(turn)
    with pytest.raises(LimitReached):
        ask(create_session(owner), Question("And the Closing Date?"))
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED)
    with pytest.raises(LimitReached):
        retry(turn)
    assert Turn.objects.get().status == Turn.Status.FAILED


@pytest.mark.django_db(transaction=True)
@in_one_window
def test_a_hundred_at_once_get_exactly_the_limit(owner: User, settings: object) -> None:
    settings.TURNS_PER_HOUR = 20
    start = threading.Barrier(20)

    def take(number: int) -> bool:
        if number < 20:
            start.wait(timeout=30)
        try:
            take_turn(owner)
        except LimitReached:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(20) as threads:
        assert sum(threads.map(take, range(100))) == 20


@in_one_window
def test_the_api_says_what_is_left_and_when_to_come_back(settings: object, db: None) -> None:
    settings.REQUESTS_PER_MINUTE = 2
    api = Api(person("owner"))
    first = api.get("/sessions")
    assert (first["RateLimit-Limit"], first["RateLimit-Remaining"]) == ("2", "1")
    assert api.get("/sessions/unknown")["RateLimit-Remaining"] == "0"
    refused = api.get("/sessions")
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "limit_reached"
    assert refused["RateLimit-Remaining"] == "0"
    assert 0 < int(refused["Retry-After"]) <= 60
