"""Reads and refused attempts are recorded: by whom, of what, and how they ended."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin import site
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import DatabaseError
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from django.views.generic import RedirectView

from config.celery import app as celery
from memory import audit
from memory.audit import accesses, circumstances, expiry, recording
from memory.audit.accesses import ADMIN_READ, LISTS, OBJECTS, Access, find_access
from memory.jobs import enqueue, kinds, run_due
from memory.models import (
    AuditAddress,
    AuditDetail,
    AuditEvent,
    ErasureRequest,
    RetentionPolicy,
    Session,
    Tier,
    User,
)
from memory.people.staff.content_commands import ContentCommand
from memory.people.staff.operators import RecordedCommand
from memory.personal_data import consent
from memory.recall.index.indexing import EMBED_SESSION
from tests.isolation.routes import PUBLIC, Route, routes

pytestmark = pytest.mark.django_db

# Routes that read nothing of anyone, or whose act is recorded by itself.
SILENT = frozenset(
    """
    metrics api:models chat:start chat:upload chat:write_fact chat:end_access chat:new_token
    chat:decide chat:ask_for_package chat:confirm_erasure chat:cancel_erasure chat:examples
    chat:sign_out_device chat:activity schema docs api/docs/ api/schema/ account_change_password
    account_set_password account_reauthenticate mfa_reauthenticate mfa_activate_totp
    mfa_deactivate_totp mfa_generate_recovery_codes mfa_add_webauthn mfa_reauthenticate_webauthn
    mfa_remove_webauthn mfa_edit_webauthn chat:take_over_sources
    """.split()
)


@pytest.fixture
def visitor(owner: User) -> Client:
    visitor = Client()
    visitor.force_login(owner)
    return visitor


def _is_named(route: Route) -> bool:
    return bool(set(route.parameters) & set(OBJECTS))


def test_p30_each_route_has_an_audit_class() -> None:
    unknown = {
        route.name
        for route in routes()
        if not route.name.startswith("admin:")
        and route.access != PUBLIC
        and not _is_named(route)
        and route.name not in LISTS | SILENT
    }
    assert not unknown


# Other views of the admin, by audit class. The read alone records those that show, lead elsewhere
# or save one's own filters; the act itself records those that act.
ADMIN_READS = """
auditevent: csv chain save_filter delete_filter
certificate: download
document: hold
emergencyaccess: read session go_to_reading
erasurerequest: queue open_queue
retentionrun: csv
session: hold
user: hold
"""
ADMIN_ACTS = """
document: reread_chosen hold_chosen erase_chosen erase
emergencyaccess: end
erasurerequest: not_ours cancel
legalhold: release_chosen release
modelprofile: test
pendingact: refuse approve
retentionpolicy: propose preview_purge
retentionrun: confirm stop again
session: hold_chosen erase_chosen open_in_emergency erase
turn: erase_chosen erase
user: hold_chosen change_tier send_link suspend readmit open_in_emergency erase
"""
DJANGO_READS = {"changelist", "add", "history", "delete", "change"}
ACTIONS = ("actions_list", "actions_detail", "actions_row", "actions_submit_line")


def _read_classes(text: str) -> dict[str, set[str]]:
    lines = (line.split(":") for line in text.strip().splitlines())
    return {model: set(names.split()) for model, names in lines}


def test_p30_each_view_and_action_of_the_admin_has_an_audit_class(rf: RequestFactory) -> None:
    reads, acts = _read_classes(ADMIN_READS), _read_classes(ADMIN_ACTS)
    request, key, found = rf.get("/"), uuid4(), {}
    request.user = User(is_staff=True, is_superuser=True)
    for model, shown in site._registry.items():
        place = f"{model._meta.app_label}_{model._meta.model_name}_"
        actions = {name for each in ACTIONS for name in getattr(shown, each, None) or ()}
        found[model._meta.model_name] = {*actions, *shown.get_actions(request)} - DJANGO_READS
        for pattern in shown.get_urls():
            if pattern.name is None:  # it leads to the page of the row
                assert pattern.callback.view_class is RedirectView
                continue
            ids = dict.fromkeys(pattern.pattern.converters, str(key))
            access = find_access(resolve(reverse(f"admin:{pattern.name}", kwargs=ids)))
            expected = Access(ADMIN_READ, model._meta.label_lower, key if ids else None)
            assert access == expected, pattern.name
            found[model._meta.model_name] |= {pattern.name.removeprefix(place)} - DJANGO_READS
    classed = {model: reads.get(model, set()) | acts.get(model, set()) for model in found}
    assert found == classed
    assert not {model for model in reads.keys() & acts.keys() if reads[model] & acts[model]}


def events(action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action).order_by("id"))


def test_a_read_of_a_conversation_is_recorded_once_in_a_quarter_of_an_hour(
    visitor: Client, owner: User, session: Session
) -> None:
    for _time in range(3):
        assert visitor.get(f"/conversations/{session.pk}").status_code == 200
    (event,) = events("session.read")
    assert (event.actor_id, event.subject_id) == (owner.pk, session.pk)
    assert event.outcome == "done"
    assert event.credential.startswith("session:")
    assert event.request
    assert event.address


def test_a_refused_attempt_is_recorded_as_denied(
    visitor: Client, stranger: User, session: Session
) -> None:
    other = Client()
    other.force_login(stranger)
    for _time in range(2):
        assert other.get(f"/conversations/{session.pk}").status_code == 404
    denied = events("session.read")
    assert [(event.actor_id, event.outcome) for event in denied] == [(stranger.pk, "denied")] * 2


def test_an_address_is_kept_as_long_as_the_tier_says_and_its_digest_stays(
    visitor: Client, owner: User, session: Session
) -> None:
    visitor.get(f"/conversations/{session.pk}")
    (event,) = events("session.read")
    row = AuditAddress.objects.get(owner=owner)
    assert (row.digest, row.address) == (event.address, "127.0.0.1")
    AuditAddress.objects.update(last_used_on=timezone.now() - timedelta(days=20))
    expiry.purge_words()
    assert AuditAddress.objects.exists()
    terms = {"tier": owner.tier, "version": 1, "lifetime": 3600, "max_turns": 100}
    RetentionPolicy.objects.create(**terms, address_lifetime=10 * 86_400)
    visitor.get("/account/data")
    expiry.purge_words()
    assert AuditAddress.objects.exists(), "it was used again"
    AuditAddress.objects.update(last_used_on=timezone.now() - timedelta(days=20))
    expiry.purge_words()
    assert not AuditAddress.objects.exists()
    assert AuditEvent.objects.get(pk=event.pk).address == row.digest


def test_no_address_is_noted_after_the_request_or_once_the_erasure_has_begun(
    visitor: Client, owner: User
) -> None:
    visitor.get("/account/data")
    assert AuditAddress.objects.get(owner=owner)
    AuditAddress.objects.all().delete()
    assert not audit.record("signed_in", actor=owner.pk).address
    erasure = ErasureRequest(person_id=owner.pk, scope="account", status="shredding")
    erasure.save(force_insert=True)
    circumstances.note(address="127.0.0.1")
    assert audit.record("signed_in", actor=owner.pk).address
    circumstances.end()
    assert not AuditAddress.objects.exists()


def test_attempts_of_nobody_are_recorded_once_a_minute(session: Session) -> None:
    accesses._anonymous.clear()
    for _time in range(3):
        assert Client().get(f"/api/v1/sessions/{session.pk}").status_code == 401
    (event,) = events("session.read")
    assert (event.actor_id, event.outcome) == (None, "denied")


def test_failed_sign_ins_and_sign_outs_leave_events(visitor: Client, owner: User) -> None:
    Client().post("/account/login/", {"login": owner.username, "password": "wrong"})
    (failed,) = [event for event in events("signed_in") if event.outcome == "failed"]
    assert failed.subject_id == owner.pk
    visitor.post("/account/logout/")
    assert [event.actor_id for event in events("signed_out")] == [owner.pk]


@pytest.mark.parametrize(
    ("audit_setting", "tier", "status"),
    [
        ("normal", Tier.RESEARCH, 200),
        ("strict", Tier.RESEARCH, 503),
        ("normal", Tier.ENTERPRISE, 503),
    ],
)
def test_p33_nothing_is_read_that_can_not_be_recorded(
    visitor: Client,
    owner: User,
    session: Session,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    audit_setting: str,
    tier: str,
    status: int,
) -> None:
    settings.AUDIT = audit_setting
    User.objects.filter(pk=owner.pk).update(tier=tier)

    def fail(*args: Any, **options: Any) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(recording, "record_access", fail)
    answer = visitor.get(f"/conversations/{session.pk}")
    assert answer.status_code == status
    assert (b"conversation" in answer.content) or status == 503


def test_nothing_of_an_unknown_route_is_recorded() -> None:
    assert find_access(None) is None


def test_p30_each_command_is_recorded_or_changes_nothing_of_people() -> None:
    silent = {
        "data_map",
        "processing_record",
        "verify_certificate",
        "evaluate",
        "prepare",
        "serve",
        "work",
        "migrate",
    }
    ours = {
        name: load_command_class(app, name)
        for name, app in get_commands().items()
        if app in ("memory", "citations", "chat", "config")
    }
    unrecorded = {name for name, each in ours.items() if not isinstance(each, RecordedCommand)}
    assert unrecorded == silent | {"context_config"}


# Routes without content: they make, check, count or seal.
SHOW_NO_CONTENT = frozenset(
    """
    account_unsetmultipleprimaryemails audit backup check clearsessions collectstatic
    compilemessages context_config createcachetable createsuperuser data_map diffsettings
    erase_person evaluate findstatic flush generateschema import_package ingest inspectdb loaddata
    makemessages makemigrations migrate model optimizemigration prepare processing_record
    reapply_erasures reindex remove_stale_contenttypes reread restore rotate_keys runserver scrub
    sendtestemail serve showmigrations spectacular sqlflush sqlmigrate sqlsequencereset
    squashmigrations startapp startproject test testserver verify_certificate work
    """.split()
)
# Routes that open an account; for another person's they require a reason (tests/accounts).
OPEN_ACCOUNTS = frozenset({"changepassword", "create_token", "sign_in_link"})


def test_each_command_that_shows_content_asks_who_reads_it_and_why() -> None:
    found = {name: load_command_class(app, name) for name, app in get_commands().items()}
    asking = {name for name, each in found.items() if isinstance(each, ContentCommand)}
    assert asking == {"shell", "dbshell", "dumpdata"}
    assert found.keys() - asking - OPEN_ACCOUNTS == SHOW_NO_CONTENT
    for name in asking:
        for given in ({}, {"operator": "Anna"}, {"reason": "A repair"}, {"reason": " "}):
            with pytest.raises(CommandError, match="--operator and --reason"):
                call_command(name, **given)


def test_a_command_that_shows_content_is_recorded_before_it_does() -> None:
    call_command("dumpdata", "auth.group", operator="Anna", reason="A repair", output="/dev/null")
    (event,) = events("command.dumpdata_begun")
    assert event.operator
    assert "(for: Anna)" in event.operator
    assert event.reason
    assert AuditDetail.objects.get(event_id=event.pk).reason == "A repair"


def test_p30_each_kind_of_job_and_each_periodic_task_has_an_audit_class() -> None:
    assert not set(kinds._handlers) - set(kinds._audited)
    ours = {name for name in celery.tasks if not name.startswith("celery.")}
    # They ask for jobs and link events that were recorded.
    assert ours == {"memory.tasks.work", "memory.tasks.sweep", "memory.tasks.clean_up"}


def test_a_job_that_changes_what_is_a_persons_is_recorded_with_its_end(owner: User) -> None:
    for kind in (consent.DELETE_FACTS, EMBED_SESSION):
        enqueue(kind, owner.pk, owner=owner.pk)
    run_due()
    (event,) = AuditEvent.objects.filter(action__startswith="job.")
    assert event.action == "job.delete_facts"
    assert (event.subject_id, event.on_behalf_of_id) == (owner.pk, owner.pk)


def test_a_command_is_recorded_with_who_ran_it_and_how_it_ended() -> None:
    with pytest.raises(CommandError):
        call_command("erase_person", "nobody")
    (event,) = events("command.erase_person")
    assert (event.outcome, bool(event.operator)) == ("failed", True)


def test_a_person_reads_what_was_done_with_their_account(
    visitor: Client, owner: User, stranger: User
) -> None:
    audit.record("person.suspended", actor=stranger.pk, subject=owner)
    audit.record("turn.asked", actor=stranger.pk, subject=stranger)
    audit.record("signed_in", actor=None, subject=owner, outcome="failed")
    shown = visitor.get("/account/data/events").content.decode()
    assert "Person suspended" in shown
    assert "Question asked" not in shown
    assert visitor.get("/account/data").status_code == 200
    refused = visitor.get("/account/data/events?refused=on").content.decode()
    assert "Signed in" in refused
    assert "Person suspended" not in refused
    others = visitor.get("/account/data/events?others=on").content.decode()
    assert "Person suspended" in others
    assert "Data events listed" not in others
