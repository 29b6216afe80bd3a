"""A confirmed act that is sent several times in one moment is done once, and recorded once."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from citations.ingestion.adding import add_document
from citations.models import Document
from memory import holds
from memory.errors import Held
from memory.forgetting.deletion import erase_session
from memory.forgetting.erasure import requests
from memory.forgetting.retention.previews import preview, proposed
from memory.jobs.queue import run_due
from memory.models import (
    AuditEvent,
    ErasedRow,
    ErasureRequest,
    Job,
    LegalHold,
    RetentionPolicy,
    RetentionRun,
    Session,
    User,
)
from tests.admin.conftest import prove
from tests.memory.retained import DAY, expired_session_of, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
TIMES = 6
Sent = Callable[..., Counter[str]]


@pytest.fixture
def sent(at_admin: Client) -> Sent:
    """Send a form several times in one moment; return what was recorded of it, by act."""

    def send(name: str, *args: object, **form: str) -> Counter[str]:
        path, start = reverse(f"admin:{name}", args=args), Barrier(TIMES)
        before = set(AuditEvent.objects.values_list("pk", flat=True))
        tabs = [Client() for _ in range(TIMES)]
        for tab in tabs:
            tab.cookies.update(at_admin.cookies)

        def post(tab: Client) -> int:
            try:
                start.wait(30)
                return tab.post(path, form).status_code
            finally:
                connections.close_all()

        with ThreadPoolExecutor(TIMES) as threads:
            codes = set(threads.map(post, tabs))
        # Done, refused beside the form, refused on the next page, or gone already.
        assert codes <= {200, 302, 400, 404}
        recorded = AuditEvent.objects.exclude(pk__in=before)
        return Counter(recorded.values_list("action", flat=True))

    return send


def test_a_run_begins_once_and_stops_once(sent: Sent, boss: User, owner: User) -> None:
    expired_session_of(owner, turns=1)
    run = preview(author=boss).run
    assert sent("memory_retentionrun_confirm", run.pk)["retention.confirmed"] == 1
    assert Job.objects.filter(subject=run.pk).count() == 1
    assert sent("memory_retentionrun_stop", run.pk)["retention.stopped"] == 1


def test_a_policy_gets_one_version(sent: Sent, boss: User) -> None:
    run = preview(proposed("research", lifetime=7 * DAY), author=boss).run
    recorded = sent("memory_retentionrun_confirm", run.pk)
    assert (recorded["policy.changed"], recorded["retention.confirmed"]) == (1, 1)
    assert RetentionPolicy.objects.count() == 1
    assert RetentionRun.objects.filter(status=RetentionRun.Status.RUNNING).count() == 1


def test_a_hold_is_placed_once(sent: Sent, owner: User) -> None:
    form = {"scope": "person", "target": owner.username, "reason": "A case"}
    assert sent("memory_legalhold_add", **form)["hold.placed"] == 1
    assert LegalHold.objects.count() == 1


def test_a_hold_is_released_once_and_what_waited_goes_once(
    sent: Sent, boss: User, owner: User
) -> None:
    session = session_of(owner, turns=1)
    hold = holds.place(session, reason="A case", author=boss)
    with pytest.raises(Held):
        erase_session(session, actor=owner)
    assert sent("memory_legalhold_release", hold.pk)["hold.released"] == 1
    assert Job.objects.filter(owner_id=owner.pk).count() == 1
    run_due()
    assert AuditEvent.objects.filter(action="deletion.carried_out").count() == 1


@pytest.mark.parametrize("what", ["session", "turn", "document"])
def test_a_row_is_deleted_once(sent: Sent, owner: User, what: str) -> None:
    session = session_of(owner, turns=2)
    row: Session | Document = session
    if what == "turn":
        row = session.turns.get(position=1)
    if what == "document":
        row = add_document(b"A note of one's own.", file_name="note.txt", owner=owner)
        run_due()
    recorded = sent(f"{row._meta.app_label}_{what}_erase", row.pk)
    assert recorded[f"{what}.{'removed' if what == 'document' else 'erased'}"] == 1
    assert ErasedRow.objects.filter(row_id=row.pk).count() == 1


def test_an_erasure_is_asked_for_once_and_cancelled_once(
    sent: Sent, at_admin: Client, owner: User
) -> None:
    prove(at_admin, reverse("admin:memory_user_erase", args=[owner.pk]))
    form = {"scope": "account", "username": owner.username}
    recorded = sent("memory_user_erase", owner.pk, **form)
    assert (recorded["erasure.asked"], recorded["erasure.confirmed"]) == (1, 1)
    request = ErasureRequest.objects.get()
    assert Job.objects.filter(kind=requests.ERASE, subject=request.pk).count() == 1
    assert sent("memory_erasurerequest_cancel", request.pk)["erasure.cancelled"] == 1


def test_an_account_is_suspended_once_and_let_in_once(sent: Sent, owner: User) -> None:
    assert sent("memory_user_suspend", owner.pk)["person.suspended"] == 1
    assert sent("memory_user_readmit", owner.pk)["person.readmitted"] == 1
