"""P30: each read, change and refusal leaves exactly one event, in the transaction of the act."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db import OperationalError, transaction
from django.http import HttpResponseBase
from django.test import Client

from memory.audit.accesses import LISTS, OBJECTS
from memory.models import AuditEvent, Usage, User
from tests.accounts.conftest import prove
from tests.isolation.belongings import Belongings, belongings_of, digest
from tests.isolation.routes import OWN, PERSON, STAFF, Route, routes
from tests.isolation.test_isolation import FIXED, body_of
from tests.people import person

pytestmark = pytest.mark.django_db

# The event that each change leaves. The words are the body's, as JSON or as a form.
CHANGES = """
api:sessions POST session.created {"title": "T"}
api:session PATCH session.changed {"title": "Mine"}
api:session DELETE session.erased
api:extend POST session.extended
api:one_summary PATCH summary.edited {"text": "Short."}
api:summary_again POST summary.made_anew
api:entities POST entity.added {"name": "Rust", "kind": "name"}
api:entity PATCH entity.changed {"name": "Cat"}
api:entity DELETE entity.removed
api:standing PUT document.stands {"standing": "muted"}
api:turns POST turn.asked {"query": "Which fee?"}
api:turn PATCH turn.rated {"rating": 1}
api:turn DELETE turn.erased
api:facts POST fact.added {"text": "I live in Rome", "kind": "fact"}
api:fact PATCH fact.changed {"text": "I live in Paris"}
api:fact DELETE fact.deleted
api:query POST query.asked {"query": "Which fee?"}
api:consents POST consent.withdrawn {"purpose": "recall", "given": false}
api:packages POST package.asked
api:package_link POST package.link_made
api:package DELETE package.discarded
api:erasure DELETE erasure.cancelled
api:documents POST document.added {"title": "T", "text": "A text on fees."}
api:document PATCH document.changed {"title": "Other"}
api:document DELETE document.removed
chat:title POST session.renamed {"title": "T"}
chat:delete POST session.erased
chat:style POST session.changed {"citation_format": "apa"}
chat:lifetime POST session.lifetime_changed {"lifetime": "3600"}
chat:extend POST session.extended
chat:arrange POST session.changed {"how": "archive"}
chat:limit POST session.limited
chat:forget POST entity.removed
chat:standing POST document.stands {"standing": "muted"}
chat:one_summary POST summary.edited {"text": "Short."}
chat:summary_again POST summary.made_anew
chat:ask POST turn.asked {"query": "Which fee?"}
chat:feedback POST turn.rated {"rating": "1"}
chat:delete_turn POST turn.erased
chat:edit POST document.changed {"title": "Other"}
chat:delete_document POST document.removed
chat:settings POST person.display_changed {"language": "es", "time_zone": "UTC"}
chat:keeping POST person.lifetime_changed {"lifetime": "3600"}
chat:write_fact POST fact.added {"text": "I like tea", "kind": "fact"}
chat:correct_fact POST fact.changed {"text": "I like rum", "kind": "fact"}
chat:confirm_fact POST fact.confirmed
chat:delete_fact POST fact.deleted
chat:sign_out_device POST device.signed_out
chat:end_access POST access.ended
chat:new_token POST token.made {"name": "x", "scope": "read", "days": "7"}
chat:revoke_token POST token.revoked
chat:ask_for_package POST package.asked
chat:package_link POST package.link_made
chat:discard_package POST package.discarded
chat:cancel_erasure POST erasure.cancelled
"""
# Further effects of the act, each with an event of its own.
BESIDES = {"answer.withdrawn"}
Change = tuple[str, str, str, str]
# Forms that need a file or a state that these belongings lack, and those of allauth.
ELSEWHERE = frozenset(
    """
    account_change_password account_email account_reauthenticate account_set_password
    mfa_activate_totp mfa_add_webauthn mfa_deactivate_totp mfa_download_recovery_codes
    mfa_edit_webauthn mfa_generate_recovery_codes mfa_reauthenticate mfa_reauthenticate_webauthn
    mfa_remove_webauthn usersessions_list
    api:continue api:erasures api:import_sources api:reread api:retry api:stop api:undo_fact
    api:verify chat:close chat:confirm_erasure chat:activity chat:continue chat:decide chat:entity
    chat:import_sources chat:keep_both chat:reach chat:remember chat:reopen chat:replace
    chat:reread chat:restore chat:retry chat:start chat:stop chat:summary_back
    chat:take_over_sources chat:undo_edit chat:undo_fact chat:upload
    """.split()
)
READS = (".read", ".listed")
EXPECTED = {200: [("done", 1)]} | {status: [("denied", 1)] for status in (401, 403, 404)}


def list_changes() -> Iterator[Change]:
    for line in CHANGES.strip().splitlines():
        name, method, action, *body = line.split(" ", 3)
        yield name, method, action, body[0] if body else "{}"


@pytest.fixture
def belongings(owner: User) -> Belongings:
    return belongings_of(owner)


@pytest.fixture
def client(belongings: Belongings) -> Client:
    """The owner's browser, after the password was given, which is proof enough here."""
    Authenticator.objects.filter(user=belongings.owner).delete()
    client = Client(raise_request_exception=False)
    client.force_login(belongings.owner)
    prove(client)
    return client


def send(client: Client, change: Change, belongings: Belongings) -> HttpResponseBase:
    name, method, _action, body = change
    path = next(route for route in routes() if route.name == name).path(FIXED | belongings.ids)
    if name.startswith("api:"):
        return client.generic(method, path, body, content_type="application/json")
    return client.post(path, json.loads(body))


@contextmanager
def left_behind() -> Iterator[Counter[tuple[str, str | None]]]:
    """Count the events by action and outcome that the block leaves, and take it back."""
    left: Counter[tuple[str, str | None]] = Counter()
    with transaction.atomic():
        before = Counter(AuditEvent.objects.values_list("action", "outcome"))
        yield left
        left.update(Counter(AuditEvent.objects.values_list("action", "outcome")) - before)
        transaction.set_rollback(True)


def test_p30_each_change_leaves_one_event_of_its_own(
    client: Client, belongings: Belongings
) -> None:
    wrong = {}
    for change in list_changes():
        with left_behind() as left:
            answer = send(client, change, belongings)
            body_of(answer)
        own = {key: times for key, times in left.items() if key[0] not in BESIDES}
        if own != {(change[2], "done"): 1}:
            wrong[change[:2]] = answer.status_code, own
    assert not wrong


def test_p30_a_change_that_can_not_be_recorded_is_not_done(
    client: Client, belongings: Belongings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise OperationalError("disk full")

    client.get("/account/settings")  # the device was seen
    monkeypatch.setattr(AuditEvent, "save", fail)
    Usage.objects.all().delete()
    before, done = digest(belongings.owner), set()
    for change in list_changes():
        with left_behind():
            answer = send(client, change, belongings)
            Usage.objects.all().delete()  # requests are counted, whatever becomes of them
            if answer.status_code != 503 or digest(belongings.owner) != before:
                done.add((*change[:2], answer.status_code))
    assert not done


def test_p30_each_route_that_changes_something_is_tried_or_named(
    client: Client, belongings: Belongings
) -> None:
    changing = set()
    for route in routes():
        if route.access in (OWN, PERSON):
            with left_behind():
                if _takes_changes(client, route, belongings):
                    changing.add(route.name)
    assert changing - {change[0] for change in list_changes()} == ELSEWHERE


def _takes_changes(client: Client, route: Route, belongings: Belongings) -> bool:
    path = route.path(FIXED | belongings.ids)
    if route.name.startswith("api:"):
        allowed = client.options(path).headers.get("Allow", "").split(", ")
        return not {"POST", "PATCH", "PUT", "DELETE"}.isdisjoint(allowed)
    return client.post(path).status_code != 405


def test_p30_each_read_and_each_refusal_leaves_one_event(
    client: Client, belongings: Belongings, stranger: User
) -> None:
    other, wrong = Client(), {}
    other.force_login(stranger)
    for route in routes():
        is_read = set(route.parameters) & set(OBJECTS) or route.name in LISTS
        if route.access not in (OWN, PERSON) or not is_read:
            continue
        for browser in (client, other):
            with left_behind() as left:
                answer = browser.get(route.path(FIXED | belongings.ids))
                body_of(answer)
            reads = [(key[1], n) for key, n in left.items() if key[0].endswith(READS)]
            if reads != EXPECTED.get(answer.status_code, []):
                wrong[route.name, browser is client] = answer.status_code, dict(left)
    assert not wrong


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_p30_each_page_of_the_admin_leaves_one_event(belongings: Belongings, method: str) -> None:
    client, wrong = Client(raise_request_exception=False), {}
    client.force_login(person("boss", is_staff=True, is_superuser=True))
    for route in routes():
        if route.access != STAFF or "logout" in route.name:
            continue
        path = route.path(dict.fromkeys(route.parameters, belongings.owner.pk))
        with left_behind() as left:
            answer = client.generic(method, path)
            body_of(answer)
        reads = [(key[1], n) for key, n in left.items() if key[0] == "admin.read"]
        if reads != EXPECTED.get(answer.status_code, []):
            wrong[route.name] = answer.status_code, dict(left)
    assert not wrong
