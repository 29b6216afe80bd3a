"""The audit's chain: its checks, its anchors, its stubs and its export."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.audit import chain, export, recording
from memory.audit.integrity import keeping, pruning
from memory.audit.integrity.checking import check
from memory.models import AuditAnchor, AuditEvent, AuditLink, AuditStub, User
from tests.memory import tampering

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

EVENTS = 12
DIGEST = "13531d952fbeaeffb4fa243f1324bb1d3e8d2697361dc24878f066f6e7517508"
SCRIPT = Path(export.__file__).parent / "verify_audit.py"


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


def faults() -> list[str]:
    return check(anchors=keeping.read_local_anchors()).faults


@pytest.mark.schema
def test_a_dropped_trigger_is_named_and_the_admins_are_told(
    log: list[AuditEvent], admin: User, mailoutbox: list[Any]
) -> None:
    User.objects.filter(pk=admin.pk).update(email="boss@example.org")
    assert keeping.watch().faults == []
    tampering.drop_triggers()
    assert any("memory_auditevent_no_" in fault for fault in keeping.watch().faults)
    assert "boss@example.org" in mailoutbox[0].to
    keeping.watch()
    assert len(mailoutbox) == 1


@pytest.mark.schema
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
    tampering.drop_triggers()
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


@pytest.mark.schema
def test_what_a_restore_gave_up_is_told_and_every_other_truncation_is_found(
    log: list[AuditEvent], owner: User, tmp_path: Path
) -> None:
    tampering.drop_triggers()
    cut = AuditLink.objects.get(event_id=log[5].pk).number
    before = AuditAnchor.objects.get().number
    tampering.cut_tail(cut, Random(1))
    assert faults() == [f"the events after {cut - 1} are missing, up to {before}"]
    forged = AuditStub(first=cut, last=before, before=pruning._get_head(cut - 1), after=bytes(32))
    forged.signature = json.dumps(pruning.describe(forged) | {"backup": "2026-01-01"})
    forged.save(force_insert=True)
    assert f"the stub of events {cut} to {before} was changed" in faults()
    forged.delete()
    pruning.give_up("2026-01-01", keeping.read_local_anchors(), operator="root")
    stated = json.loads(AuditEvent.objects.get(action="audit.restored").change or "")
    assert (stated["number"], stated["given_up_number"]) == (cut - 1, before)
    later = [recording.record("test.later", actor=owner.pk) for _time in range(100)]
    keeping.extend_and_anchor()
    pruning.prune(AuditEvent.objects.filter(pk__in=[log[4].pk, later[0].pk]))
    report = check(anchors=keeping.read_local_anchors())
    assert report.faults == []
    (told,) = report.given_up
    assert f"events {cut} to {before}, with 1 anchors: given up by the restore of" in told
    assert "by root, from the backup of 2026-01-01" in told
    call_command("audit", "export", str(tmp_path / "out"))
    assert "given up by the restore" in _run_script(tmp_path / "out" / "audit.jsonl").stdout
    assert _verify(tmp_path / "out" / "audit.jsonl") == 0
    tampering.cut_tail(AuditLink.objects.get(event_id=later[50].pk).number, Random(1))
    assert faults()


def _verify(file: Path) -> int:
    return _run_script(file).returncode


def _run_script(file: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, SCRIPT, file], check=False, capture_output=True, text=True
    )


def test_the_digest_of_an_event_is_that_of_every_earlier_version() -> None:
    """A new field changes no digest of an event that has none, or all of them seem changed."""
    at = datetime(2026, 1, 2, 3, 4, 5, 6, UTC)
    event = AuditEvent(id=UUID(int=1), at=at, action="test", outcome="done", request="r")
    assert chain.digest_event(event).hex() == DIGEST


def test_events_with_an_empty_change_in_their_digest_are_genuine(
    owner: User, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(chain, "_list_forms", lambda values: iter([values]))
        recording.record("test.linked", actor=owner.pk)
        keeping.extend_and_anchor()
        recording.record("test.waiting", actor=owner.pk)
    assert faults() == []
    keeping.extend_and_anchor()
    call_command("audit", "export", str(tmp_path / "out"))
    assert _verify(tmp_path / "out" / "audit.jsonl") == 0


@pytest.mark.schema
def test_the_command_names_the_first_bad_event(log: list[AuditEvent]) -> None:
    call_command("audit", "verify")
    tampering.drop_triggers()
    tampering.edit(5, Random(1))
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


@pytest.mark.schema
def test_a_check_of_the_newest_part_finds_what_was_changed_in_it(
    log: list[AuditEvent], owner: User
) -> None:
    AuditAnchor.objects.update(at=timezone.now() - timedelta(hours=2))
    recording.record("test.newer", actor=owner.pk, subject=owner)
    keeping.extend_and_anchor()
    since = timezone.now() - timedelta(hours=1)
    newest = check(since=since, anchors=keeping.read_local_anchors())
    assert (newest.events, newest.faults) == (1, [])
    tampering.drop_triggers()
    AuditEvent.objects.filter(action="test.newer").update(action="nothing")
    assert check(since=since, anchors=keeping.read_local_anchors()).faults


def test_nothing_is_locked_while_nothing_is_new(log: list[AuditEvent]) -> None:
    with CaptureQueriesContext(connection) as captured:
        keeping.extend_and_anchor()
    assert not [query for query in captured if not query["sql"].startswith("SELECT")]


def test_a_check_of_the_newest_part_looks_for_insertions_by_the_index(
    log: list[AuditEvent], owner: User
) -> None:
    since = timezone.now() - timedelta(hours=1)
    AuditEvent.objects.create(action="test.forged", mac=bytes(32))
    with CaptureQueriesContext(connection) as captured:
        assert check(since=since).faults
    unlinked = [query["sql"] for query in captured if "NOT EXISTS" in query["sql"].upper()]
    assert unlinked
    assert all('"id" >= ' in sql for sql in unlinked)
    past = timezone.now() - timedelta(days=30)
    old = UUID(int=int(past.timestamp() * 1000) << 80)
    AuditEvent.objects.create(id=old, at=past, action="test.forged", mac=bytes(32))
    assert any(str(old) in fault for fault in check().faults), "once a day the whole log"
