"""P31: each tampering with the audit log is found up to the last anchor, and nothing else is.

The log that is checked has grown by acts of several people at once, by prunings, erasures, anchors
and transactions that failed.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from memory.audit import recording
from memory.audit.integrity import checking, keeping, pruning
from memory.audit.integrity.checking import check
from memory.forgetting.deletion import erase_session
from memory.models import AuditAnchor, AuditEvent, AuditLink, User
from tests.memory import tampering
from tests.memory.retained import session_of
from tests.memory.tampering import TAMPERINGS, Tampering

pytestmark = pytest.mark.postgresql

deep = pytest.mark.deep
# Nine kinds: 1,008 tamperings in all.
TRIALS = [3, pytest.param(112, marks=deep)]
CHECKS = [30, pytest.param(10_000, marks=deep)]
TRIALS_OF_A_LOG = 8
MOST_EVENTS = 120  # that the log grows to beside its checks
WHOLE = 10  # one check in so many is of the whole log
PAUSE = 0.02  # of those who are at work beside them, in seconds


@pytest.fixture(autouse=True)
def _anchored_nearby(tmp_path: Path, settings: Any) -> None:
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'anchors.jsonl'}"]


def find_faults(*, newest: bool = False) -> list[str]:
    """Check the log from its beginning, or its newest part."""
    since = timezone.now() - timedelta(minutes=1) if newest else None
    return check(since=since, anchors=keeping.read_local_anchors()).faults


def anchor_now() -> None:
    last = AuditAnchor.objects.order_by("-number").values("number")[:1]
    AuditAnchor.objects.filter(number=last).update(at=timezone.now() - timedelta(minutes=2))
    keeping.extend_and_anchor()


def grow_log(owner: User, random: Random) -> int:
    """Record some events, prune some, anchor; return the number of the last anchor."""
    _record(owner, random.randint(8, 20))
    anchor_now()
    anchored = AuditAnchor.objects.latest("number").number
    whole = list(AuditLink.objects.values_list("event_id", flat=True))
    pruning.prune(AuditEvent.objects.filter(pk__in=random.sample(whole, len(whole) // 4)))
    _record(owner, random.randint(0, 3))  # linked, and not anchored yet
    keeping.extend_and_anchor()
    _record(owner, random.randint(0, 3))  # neither
    return anchored


def _record(owner: User, times: int) -> None:
    for _time in range(times):
        recording.record("test.act", actor=owner.pk, subject=owner)


@pytest.mark.schema
@pytest.mark.django_db
@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_p31_a_tampering_is_found_up_to_the_anchor(
    owner: User, tamper: Tampering, trials: int
) -> None:
    random = Random(tamper.__name__)
    for trial in range(trials):
        if trial % TRIALS_OF_A_LOG == 0:
            anchored = grow_log(owner, random)
            assert find_faults() == []
        numbers = AuditLink.objects.filter(number__lte=anchored).values_list("number", flat=True)
        at = random.choice(list(numbers))
        with transaction.atomic():
            tampering.drop_triggers()
            tamper(at, random)
            assert find_faults(), (trial, at)
            transaction.set_rollback(True)
    assert find_faults() == []


# --- No false alarm -------------------------------------------------------------------------------


def act(owner: User, random: Random) -> None:
    """Do something that is recorded, in a transaction that may fail."""
    with suppress(ZeroDivisionError), transaction.atomic():
        _record(owner, random.randint(1, 5))
        if random.random() < 0.2:
            raise ZeroDivisionError


def keep(owner: User, random: Random) -> None:
    anchor_now() if random.random() < 0.5 else keeping.extend_and_anchor()


def prune(owner: User, random: Random) -> None:
    known = list(AuditEvent.objects.order_by("id").values_list("pk", flat=True))
    if len(known) > MOST_EVENTS:
        pruning.prune(AuditEvent.objects.filter(pk__in=random.sample(known, len(known) // 2)))


def erase(owner: User, random: Random) -> None:
    erase_session(session_of(owner), actor=owner)


# Each is done once in so many times.
ACTS = ((act, 1), (keep, 4), (prune, 16), (erase, 128))


def do_some(owner: User, random: Random) -> None:
    for does, seldom in ACTS:
        if random.randrange(seldom) == 0:
            does(owner, random)


@pytest.fixture
def at_work(owner: User) -> Iterator[None]:
    """Let two threads go on with the acts until the test is over."""
    ended = threading.Event()

    def work(number: int) -> None:
        random = Random(number)
        try:
            while not ended.wait(PAUSE):
                do_some(owner, random)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        working = [threads.submit(work, number) for number in range(2)]
        yield
        ended.set()
    assert [each.result() for each in working] == [None] * 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("checks", CHECKS)
@pytest.mark.usefixtures("at_work")
def test_p31_a_log_in_use_raises_no_false_alarm(checks: int) -> None:
    for number in range(checks):
        assert find_faults(newest=number % WHOLE > 0) == []
    anchor_now()
    assert find_faults() == []
    assert AuditLink.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_p31_what_is_pruned_and_anchored_during_a_check_is_not_missed(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow_log(owner, Random(1))
    read_rows = checking.read_rows

    def prune_all() -> None:
        grow_log(owner, Random(2))
        pruning.prune(AuditEvent.objects.all())
        connections.close_all()

    def prune_first(last: int) -> Iterator[list[Any]]:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(prune_all).result()
        return read_rows(last)

    monkeypatch.setattr(checking, "read_rows", prune_first)
    assert find_faults() == []
    assert not AuditLink.objects.exists()
