"""Work for all people among a million turns: sweeps, picking of jobs, and the admin.

It includes work on all rows of one person: their package, and the end of their account. Each
statement is explained as it runs, as in test_plans_at_a_million.py.
"""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from memory import tasks
from memory.admin.dashboard import figures
from memory.admin.rows import AmongNewest, BoundedPaginator
from memory.forgetting.erasure.people import delete_person
from memory.forgetting.evidence.sampling import take_samples
from memory.jobs import compute_backlog
from memory.jobs.queue import run_due
from memory.models import ErasureRequest, ExportPackage, RetentionPolicy, Session, Turn, User
from memory.personal_data.packages import ask_for_package
from tests.isolation.belongings import belongings_of
from tests.people import person
from tests.scale.million import SESSIONS, be_busy, fill
from tests.scale.test_plans_at_a_million import OF_A_PERSON, TURNS, watched

DUE = 3
# A list reads as far as it counts, one that is filtered as far as filters look. A table with a row
# for each person is no longer than that, and may be read as a whole, for what a sweep deletes too.
LISTED = 1.2 * BoundedPaginator.MOST
FILTERS_LOOK_THROUGH = BoundedPaginator.MOST
LISTS = (
    "",
    "memory/user/",
    "memory/user/?tier__exact=research",
    "memory/session/",
    "memory/session/?owner__tier=research",
    "memory/session/?held=1",
    "memory/session/?pinned__exact=1",
    "memory/session/?q=other-77",
    "memory/turn/",
    "memory/turn/?status__exact=failed",
    "memory/turn/?failure=internal_error",
    "memory/turn/?q=other-77",
    "memory/job/",
    "memory/job/?status__exact=failed",
    "memory/job/?status__exact=waiting",
    "memory/job/?kind=ingest",
    "memory/job/?work_class__exact=0",
    "memory/auditevent/",
    "memory/auditevent/?at_from=2026-01-01&at_to=2026-01-02",
    "memory/auditevent/?action=hold.placed",
    "memory/auditevent/?q=other-77",
    "memory/erasurerequest/",
    "memory/erasurerequest/?status__exact=waiting",
    "memory/erasurerequest/queue/",
    "memory/erasurerequest/?q=other-77",
    "memory/exportpackage/",
    "memory/consent/?purpose__exact=recall",
    "citations/document/",
    "chat/contextrecord/",
)


@pytest.mark.deep
@pytest.mark.django_db
def test_among_a_million_turns_what_is_done_for_everyone_reads_a_few_rows(
    owner: User, library: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite tells no numbers; its plans are in tests/test_plans.py")
    belongings_of(owner)
    be_busy(owner)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        fill(TURNS)
        cursor.execute("ANALYZE")
    # As much smaller than it is as the audit here is than that of a million people.
    monkeypatch.setattr(AmongNewest, "MOST", FILTERS_LOOK_THROUGH)
    monkeypatch.setattr(figures, "MOST", FILTERS_LOOK_THROUGH // 2)
    look_through_the_admin()
    with connection.cursor() as cursor:
        # A table of ten thousand small rows is read sooner than an index; here one has to do.
        cursor.execute("SET LOCAL enable_seqscan = off")
    sweep(owner)
    take_everything_away(owner)
    end_the_account(owner)


def look_through_the_admin() -> None:
    browser = Client()
    browser.force_login(person("boss", is_staff=True, is_superuser=True))
    with watched(5 * LISTED, few=LISTED):  # of a page, and of what its rows hang on
        for place in LISTS:
            assert browser.get(f"/admin/{place}").status_code == 200, place


def sweep(owner: User) -> None:
    """Let a few conversations expire, and do all that the clock asks for."""
    for tier in ("default", "enterprise", "research"):
        terms = {"lifetime": 86_400, "max_turns": 100_000, "audit_lifetime": 400 * 86_400}
        RetentionPolicy.objects.create(tier=tier, version=9, **terms)
    due = Session.objects.filter(owner=owner, turn_count=100).values_list("pk", flat=True)[:DUE]
    Session.objects.filter(pk__in=list(due)).update(expires_at=timezone.now() - timedelta(hours=1))
    with watched(LISTED):
        tasks.sweep()
        tasks.look()
        tasks.clean_up_all()
        run_due()
        compute_backlog()
    assert not Session.objects.expired().exists()


def take_everything_away(owner: User) -> None:
    """Make the person's package."""
    with watched(OF_A_PERSON, few=OF_A_PERSON):
        package = ask_for_package(owner)
        run_due()
    package.refresh_from_db()
    assert package.status == ExportPackage.Status.READY


def end_the_account(owner: User) -> None:
    """Take samples of the account, and delete all of it.

    Names of others are read to be told from the person's, and what browsers' sessions hold is
    encrypted: both as a whole, once an erasure.
    """
    assert Turn.objects.filter(owner=owner).count() > SESSIONS
    with connection.cursor() as cursor:
        # A batch is so large a part of these tables that a full scan costs the same.
        cursor.execute("SET LOCAL enable_mergejoin = off")
        cursor.execute("SET LOCAL enable_hashjoin = off")
    whole = frozenset({"memory_user", "django_session", "account_emailaddress"})
    with watched(OF_A_PERSON, few=OF_A_PERSON, but=whole):
        take_samples(owner, ErasureRequest.Scope.ACCOUNT)
        delete_person(owner.pk)
    assert not Turn.objects.filter(owner=owner).exists()
