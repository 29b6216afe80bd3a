"""The audit's chain: what someone who writes the database does to the log is found."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.audit import append_only, chain, export, keeping, pruning, recording
from memory.audit.checking import check
from memory.models import AuditAnchor, AuditEvent, AuditLink, AuditStub, User

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

EVENTS = 12
SCRIPT = Path(export.__file__).parent / "verify_audit.py"
TABLES = ("memory_auditevent", "memory_auditlink", "memory_auditstub")


@pytest.fixture(autouse=True)
def anchors(tmp_path: Path, settings: Any) -> Path:
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'anchors.jsonl'}"]
    return tmp_path / "anchors.jsonl"


@pytest.fixture
def log(owner: User, anchors: Path) -> list[AuditEvent]:
    AuditEvent.objects.exists()
    events = [recording.record(f"test.{n}", actor=owner.pk, subject=owner) for n in range(EVENTS)]
    keeping.extend_and_anchor()
    assert anchors.exists()
    return events


def drop_triggers() -> None:
    with connection.cursor() as cursor:
        for table in TABLES:
            verbs = append_only.SQLITE if connection.vendor == "sqlite" else append_only.POSTGRESQL
            for verb in verbs:
                end = "" if connection.vendor == "sqlite" else f" ON {table}"
                cursor.execute(f"DROP TRIGGER {table}_no_{verb}{end}")


def faults() -> list[str]:
    return check(anchors=keeping.read_local_anchors()).faults


def edit(at: int) -> None:
    AuditEvent.objects.filter(pk=_event(at)).update(action="nothing")


def edit_and_rehash(at: int) -> None:
    edit(at)
    event = AuditEvent.objects.get(pk=_event(at))
    AuditLink.objects.filter(number=at).update(digest=chain.digest_event(event))
    head = bytes(AuditLink.objects.get(number=at - 1).head)
    for link in AuditLink.objects.filter(number__gte=at).order_by("number"):
        head = chain.next_head(head, link.number, bytes(link.digest))
        AuditLink.objects.filter(number=link.number).update(head=head)


def delete(at: int) -> None:
    AuditEvent.objects.filter(pk=_event(at)).delete()


def delete_with_link(at: int) -> None:
    delete(at)
    AuditLink.objects.filter(number=at).delete()


def swap(at: int) -> None:
    one, two = _event(at), _event(at + 1)
    AuditLink.objects.filter(number=at).delete()
    AuditLink.objects.filter(number=at + 1).update(event_id=one)
    link = AuditLink.objects.get(number=at + 1)
    link.number, link.event_id = at, two
    link.save(force_insert=True)


def insert(at: int) -> None:
    moment = AuditEvent.objects.get(pk=_event(at)).at
    AuditEvent.objects.create(action="test.inserted", at=moment, mac=bytes(32))


def cut_tail(at: int) -> None:
    tail = AuditLink.objects.filter(number__gte=at)
    AuditEvent.objects.filter(pk__in=list(tail.values_list("event_id", flat=True))).delete()
    tail.delete()
    AuditAnchor.objects.all().delete()


def replace_all(at: int) -> None:
    AuditEvent.objects.all().delete()
    AuditLink.objects.all().delete()
    AuditAnchor.objects.all().delete()
    for _number in range(EVENTS):
        AuditEvent.objects.create(action="test.harmless")
    chain.extend()


def redate(at: int) -> None:
    moment = AuditEvent.objects.get(pk=_event(1)).at
    AuditEvent.objects.filter(pk=_event(at)).update(at=moment)


def _event(number: int) -> Any:
    return AuditLink.objects.get(number=number).event_id


TAMPERINGS: tuple[Callable[[int], None], ...] = (
    edit,
    edit_and_rehash,
    delete,
    delete_with_link,
    swap,
    insert,
    cut_tail,
    replace_all,
    redate,
)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_p31_a_tampering_is_found_up_to_the_anchor(
    log: list[AuditEvent], tamper: Callable[[int], None]
) -> None:
    assert faults() == []
    drop_triggers()
    tamper(Random(tamper.__name__).randrange(3, EVENTS - 1))
    assert faults()


def test_a_dropped_trigger_is_named_and_the_admins_are_told(
    log: list[AuditEvent], admin: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=admin.pk).update(email="boss@example.org")
    assert keeping.watch().faults == []
    drop_triggers()
    assert any("memory_auditevent_no_" in fault for fault in keeping.watch().faults)
    assert "boss@example.org" in mailoutbox[0].to
    keeping.watch()
    assert len(mailoutbox) == 1


def test_pruning_leaves_a_signed_stub_and_the_chain_whole(log: list[AuditEvent]) -> None:
    for first, last in ((2, 4), (7, 7), (5, 6)):
        pruning.prune(
            AuditEvent.objects.filter(pk__in=[event.pk for event in log[first : last + 1]])
        )
        assert faults() == []
    numbers = dict(AuditLink.objects.values_list("event_id", "number"))
    stub = AuditStub.objects.get()
    assert stub.last - stub.first == 5
    assert stub.first == numbers[log[1].pk] + 1
    drop_triggers()
    AuditStub.objects.update(last=stub.last + 1)
    assert faults()


def test_an_export_is_verified_without_django(log: list[AuditEvent], tmp_path: Path) -> None:
    pruning.prune(AuditEvent.objects.filter(pk=log[3].pk))
    call_command("audit", "export", str(tmp_path / "out"))
    lines = (tmp_path / "out" / "audit.jsonl").read_text().splitlines()
    assert _verify(tmp_path / "out" / "audit.jsonl") == 0
    events = [n for n, line in enumerate(lines) if '"type":"event"' in line]
    changed = json.loads(lines[events[2]])
    changed["values"][5] = "nothing"
    for spoilt in (
        [*lines[: events[2]], json.dumps(changed), *lines[events[2] + 1 :]],
        [line for n, line in enumerate(lines) if n != events[4]],
        [line for n, line in enumerate(lines) if n != events[-1]],
    ):
        (tmp_path / "spoilt.jsonl").write_text("\n".join(spoilt))
        assert _verify(tmp_path / "spoilt.jsonl") == 1


def _verify(file: Path) -> int:
    return subprocess.run(
        [sys.executable, SCRIPT, file], check=False, capture_output=True
    ).returncode


def test_the_command_names_the_first_bad_event(log: list[AuditEvent]) -> None:
    call_command("audit", "verify")
    drop_triggers()
    edit(5)
    with pytest.raises(CommandError, match=r"event 5 \([0-9a-f-]+\) was changed"):
        call_command("audit", "verify")


def test_an_anchor_is_sent_again_until_it_is_taken(
    owner: User, settings: Any, tmp_path: Path, anchors: Path
) -> None:
    recording.record("test", actor=owner.pk)
    (tmp_path / "file").touch()
    settings.AUDIT_ANCHORS = [f"file://{tmp_path / 'file' / 'anchors'}"]
    keeping.extend_and_anchor()
    assert AuditAnchor.objects.get().sent_at is None
    settings.AUDIT_ANCHORS = [f"file://{anchors}"]
    keeping.extend_and_anchor()
    assert AuditAnchor.objects.get().document == anchors.read_text().strip()


def test_a_check_of_the_newest_part_finds_what_was_changed_in_it(
    log: list[AuditEvent], owner: User
) -> None:
    AuditAnchor.objects.update(at=timezone.now() - timedelta(hours=2))
    recording.record("test.newer", actor=owner.pk, subject=owner)
    keeping.extend_and_anchor()
    since = timezone.now() - timedelta(hours=1)
    newest = check(since=since, anchors=keeping.read_local_anchors())
    assert (newest.events, newest.faults) == (1, [])
    drop_triggers()
    AuditEvent.objects.filter(action="test.newer").update(action="nothing")
    assert check(since=since, anchors=keeping.read_local_anchors()).faults


def test_nothing_is_locked_while_nothing_is_new(log: list[AuditEvent]) -> None:
    with CaptureQueriesContext(connection) as captured:
        keeping.extend_and_anchor()
    assert not [query for query in captured if not query["sql"].startswith("SELECT")]
