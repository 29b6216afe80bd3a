"""A filled installation of each release is updated by `migrate` alone, and all of it works then."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, connections
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from memory.audit import append_only
from memory.fields import SealedTextField
from memory.forgetting.erasure import requests
from memory.forgetting.retention import sweeping
from memory.jobs import run_due
from memory.models import (
    ApiToken,
    AuditEvent,
    Certificate,
    ErasureRequest,
    Session,
    Tier,
    Turn,
    User,
)
from memory.sealing.cipher import key_ring
from tests.isolation.routes import OWN, PERSON, PUBLIC, STAFF, Route, routes
from tests.isolation.test_isolation import FIXED, identities
from tests.migrations.releases import SECRETS, put_up, releases
from tests.migrations.schema import Schema, schema_of
from tests.people import token_of
from tests.promises.packed import packed

pytestmark = pytest.mark.postgresql


@dataclass(frozen=True)
class Updated:
    """An installation that was updated, and what one that is made now would be like."""

    version: str
    fresh: dict[str, Schema]


@pytest.fixture(scope="module", params=releases())
def updated(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Updated]:
    """Each release in turn, put up and updated as README.md says."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        for name, value in SECRETS.items():
            patch.setattr(settings, name, value)
        fresh = {alias: schema_of(alias) for alias in connections}
        with put_up(request.param, tmp_path_factory.mktemp("release")):
            key_ring.clear()
            call_command("migrate", interactive=False, verbosity=0)
            as_on_the_day_of_the_release()
            yield Updated(request.param, fresh)
        key_ring.clear()


def as_on_the_day_of_the_release() -> None:
    """Let nothing have expired because this test runs later than its release was packed."""
    # The update's own events, such as those of the roles' rights, have no actor.
    age = timezone.now() - AuditEvent.objects.exclude(actor_id=None).latest("at").at
    for model in apps.get_models():
        if any(field.name == "expires_at" for field in model._meta.fields):
            model._base_manager.update(expires_at=F("expires_at") + age)


@pytest.mark.django_db  # for the databases that are made now
def test_its_schema_is_that_of_an_installation_made_now(updated: Updated) -> None:
    assert all(updated.fresh.values())
    for alias, fresh in updated.fresh.items():
        now = schema_of(alias)
        assert sorted(now.keys() ^ fresh.keys()) == []
        assert {name: now[name] for name in now if now[name] != fresh[name]} == {}
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_what_is_written_once_still_is(updated: Updated) -> None:
    assert AuditEvent in append_only.models()
    for model in append_only.models():
        rows = model._base_manager.all()
        assert rows.exists() or model is not AuditEvent
        name = model._meta.pk.name
        for row in rows[:1]:
            with pytest.raises(IntegrityError):
                model._base_manager.filter(pk=row.pk).update(**{name: row.pk})
            with pytest.raises(IntegrityError):
                model._base_manager.filter(pk=row.pk)._raw_delete(row._state.db)




def test_every_page_and_every_route_of_the_api_answers(updated: Updated) -> None:
    owner = User.objects.get(username="owner")
    ids = FIXED | ids_of(owner)
    browser = Client(raise_request_exception=True)
    browser.force_login(owner)
    program = Client(headers={"Authorization": f"Bearer {token_of(owner)}"})
    answers: dict[str, int] = {}
    for route in routes():
        if route.access in (OWN, PERSON, PUBLIC) and "logout" not in route.name:
            client = program if route.name.startswith("api:") else browser
            answers[route.name] = status(client, route, ids)
    assert not {name: code for name, code in answers.items() if code >= 500}
    there = [name for name, code in answers.items() if code == 200]
    assert {"chat:conversation", "chat:context", "chat:citation", "chat:document", "chat:memory",
            "chat:certificate", "api:session", "api:context", "api:history", "api:passages",
            "api:package", "api:export", "api:erasure"} <= set(there)  # fmt: skip


def status(client: Client, route: Route, ids: dict[str, Any]) -> int:
    response = client.get(route.path(ids))
    if response.streaming:
        b"".join(response)
    return response.status_code


def ids_of(owner: User) -> dict[str, Any]:
    """Return the newest of everything that the owner has, by the names that routes have for it."""
    turn = Turn.objects.get(owner=owner)
    own = {"document_id": "documents", "older_id": "documents", "package_id": "packages"}
    return {
        "session_id": turn.session_id,
        "turn_id": turn.pk,
        "citation_id": turn.citations.all()[0].pk,
        "entity_id": turn.session.entities.all()[0].pk,
        "summary_id": turn.pk,  # it is not long enough to have one
        "fact_id": turn.pk,  # nor did its person tell of themselves
        "token_id": ApiToken.objects.filter(user=owner).latest("created").pk,
        "erasure_id": requests.list_requests(owner)[0].pk,
        "certificate_id": Certificate.objects.latest("pk").pk,
        "pk": 555_001,
        "device_id": 555_002,
    } | {name: getattr(owner, rows).latest("pk").pk for name, rows in own.items()}


def test_every_page_of_the_admin_answers(updated: Updated) -> None:
    browser = Client()
    browser.force_login(User.objects.get(username="boss"))
    answers = {
        route.name: status(browser, route, dict.fromkeys(route.parameters, identities(route)[0]))
        for route in routes()
        if route.access == STAFF and "logout" not in route.name
    }
    assert not {name: code for name, code in answers.items() if code >= 500}
    assert list(answers.values()).count(200) > 40




def test_a_person_is_erased_with_a_certificate(updated: Updated) -> None:
    person = User.objects.get(tier=Tier.ENTERPRISE)
    request = requests.ask(person, ErasureRequest.Scope.ACCOUNT, actor=person.pk)
    requests.confirm(request, actor=person.pk, at_once=True)
    run_due()
    request.refresh_from_db()
    assert request.status == ErasureRequest.Status.VERIFIED, request.delay
    assert not User.objects.filter(pk=person.pk).exists()


def test_what_has_expired_is_purged_and_what_is_held_is_kept(updated: Updated) -> None:
    owner, held = (User.objects.get(username=name) for name in ("owner", "research"))
    Session.objects.filter(owner__in=(owner, held)).update(expires_at=timezone.now())
    sweeping.sweep_all()
    run_due()
    assert not Session.objects.filter(owner=owner).exists()
    assert Session.objects.filter(owner=held).exists()
