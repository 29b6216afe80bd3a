"""Health: alive needs nothing, ready needs everything, and neither says more than it must."""

from collections.abc import Callable
from datetime import timedelta
from threading import Event

import httpx
import pytest
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from uuid_utils.compat import uuid7

from config import health
from memory.jobs import enqueue
from tests.servers import Redis, Web
from tests.surroundings import PATIENCE, wait_until

PARTS = {"database", "keys", "migrations", "broker", "counters", "disk"}


@pytest.fixture(autouse=True)
def _look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    health._check_migrations.cache_clear()
    monkeypatch.setattr(health, "PATIENCE", PATIENCE)


@pytest.fixture
def ready() -> Callable[[], dict[str, str]]:
    """Return the checks of /readyz, whose status code must fit them."""

    def ask() -> dict[str, str]:
        answer = Client().get("/readyz")
        checks: dict[str, str] = answer.json()["checks"]
        failing = {name for name, word in checks.items() if word == "failing"}
        status = "failing" if failing - {"broker"} else "limited" if failing else "ok"
        assert answer.json()["status"] == status
        assert answer.status_code == (503 if status == "failing" else 200)
        assert set(answer.json()) == {"status", "checks", "metrics"}
        return checks

    return ask


def test_a_living_process_says_so_without_a_database() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_health_is_asked_without_https_and_cannot_be_posted_to() -> None:
    assert Client().get("/healthz", secure=False).status_code == 200
    assert Client().post("/healthz").status_code == 405


@pytest.mark.django_db
def test_health_touches_no_database(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_num_queries(0):
        Client().get("/healthz")


@pytest.mark.django_db(transaction=True)
def test_with_every_part_working_it_is_ready(ready: Callable[[], dict[str, str]]) -> None:
    assert ready() == dict.fromkeys(PARTS, "ok")


@pytest.mark.django_db(transaction=True)
def test_the_age_of_the_oldest_work_of_each_class_stands_beside() -> None:
    enqueue("test", uuid7(), delay=timedelta(seconds=-90))
    metrics = Client().get("/readyz").json()["metrics"]
    assert 90 <= metrics["oldest_conversations_seconds"] < 150
    assert metrics["oldest_rights_seconds"] == metrics["oldest_bulk_seconds"] == 0


@pytest.mark.parametrize("alias", ["default", "keys"])
@pytest.mark.django_db(transaction=True)
def test_a_missing_migration_of_either_database_is_not_ready(
    ready: Callable[[], dict[str, str]], alias: str
) -> None:
    recorder = MigrationRecorder(connections[alias])
    name = max(name for app, name in recorder.applied_migrations() if app == "memory")
    recorder.record_unapplied("memory", name)
    try:
        assert ready() == dict.fromkeys(PARTS, "ok") | {"migrations": "failing"}
    finally:
        recorder.record_applied("memory", name)
    assert ready()["migrations"] == "ok"


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_not_ready(
    ready: Callable[[], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FREE_BYTES", 2**62)
    assert ready() == dict.fromkeys(PARTS, "ok") | {"disk": "failing"}


@pytest.mark.django_db(transaction=True)
def test_a_part_that_hangs_is_not_waited_for(
    ready: Callable[[], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    over = Event()
    monkeypatch.setattr(health, "PATIENCE", 0.2)
    # A request that waited for the check would report it as working.
    monkeypatch.setitem(health.CHECKS, "broker", lambda: over.wait(PATIENCE))
    try:
        assert ready()["broker"] == "failing"
    finally:
        over.set()


def told(web: Web, different: dict[str, str]) -> httpx.Response:
    """Return what a server says once all parts but these work: a busy one may be late with some."""
    client, checks = web.client(), dict.fromkeys(PARTS, "ok") | different

    def so() -> httpx.Response | None:
        answer = client.get("/readyz")
        return answer if answer.json()["checks"] == checks else None

    return wait_until(so, what=str(checks))


def test_without_its_broker_it_serves_and_says_so_and_the_address_stays_inside(
    start_web: Callable[..., Web], redis_server: Redis
) -> None:
    whole = told(start_web(CELERY_BROKER_URL=redis_server.url), {})
    assert (whole.status_code, whole.json()["status"]) == (200, "ok")
    gone = "redis://user:secret@127.0.0.1:1/0"
    answer = told(start_web(CELERY_BROKER_URL=gone), {"broker": "failing"})
    assert (answer.status_code, answer.json()["status"]) == (200, "limited")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_a_database_that_is_gone_is_not_ready(start_web: Callable[..., Web]) -> None:
    web = start_web()
    (web.data_dir / "keys.sqlite3").unlink()
    (web.data_dir / "keys.sqlite3").mkdir()
    answer = told(web, {"keys": "failing", "migrations": "failing"})
    assert answer.status_code == 503
