"""Pruning of linked events: a signed stub replaces each run of pruned links.

A restore leaves one, too, for the events that the backup lacks; it names the backup.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from django.db.models import QuerySet

from memory.audit import append_only, chain, recording
from memory.audit.integrity.anchors import open_anchor, read_number
from memory.models import AuditEvent, AuditLink, AuditStub
from memory.sealing.signing import encode_canonical, sign

BATCH = 1000
Run = tuple[int, int, bytes, bytes]  # first and last number, head before and after


def prune(events: "QuerySet[AuditEvent]") -> int:
    """Delete the events with their links, each batch in a transaction; return how many."""
    gone = 0
    with append_only.deletion_allowed():
        while ids := list(events.order_by("id").values_list("pk", flat=True)[:BATCH]):
            with chain.hold_chain():
                links = AuditLink.objects.filter(event_id__in=ids).order_by("number")
                for run in list(_find_runs(list(links))):
                    _put_stub(run)
                links.delete()
                gone += AuditEvent.objects.filter(pk__in=ids).delete()[0]
    return gone


def give_up(backup: str, kept: Iterable[dict[str, Any]], *, operator: str) -> None:
    """Record the restore of a backup; a stub up to the newest anchor replaces its missing part."""
    newest_first = sorted(kept, key=read_number, reverse=True)
    last, after = next(filter(None, map(open_anchor, newest_first)), (-1, b""))
    with chain.hold_chain():
        number, head = chain.get_end()
        restored = {"backup": backup, "number": number, "head": head.hex()}
        if last > number:
            stub = AuditStub(first=number + 1, last=last, before=head, after=after)
            _save(stub, backup=backup, operator=operator)
            restored |= {"given_up_number": last, "given_up_head": after.hex()}
        change = json.dumps(restored)
        recording.record("audit.restored", actor=None, operator=operator, change=change)


def describe(stub: AuditStub) -> dict[str, Any]:
    """Return the stub as it is signed."""
    return {
        "type": "throughline audit stub",
        "first": stub.first,
        "last": stub.last,
        "before": bytes(stub.before).hex(),
        "after": bytes(stub.after).hex(),
        "pruned_at": stub.pruned_at.isoformat(),
    }


def _find_runs(links: Sequence[AuditLink]) -> Iterator[Run]:
    """Yield the runs of consecutive numbers."""
    starts = [0, *(n + 1 for n, (a, b) in enumerate(pairwise(links)) if b.number != a.number + 1)]
    for start, end in pairwise([*starts, len(links)]) if links else ():
        first, last = links[start], links[end - 1]
        yield first.number, last.number, _get_head(first.number - 1), bytes(last.head)


def _get_head(number: int) -> bytes:
    if number < 0:
        return chain.FIRST_HEAD
    if link := AuditLink.objects.filter(number=number).first():
        return bytes(link.head)
    return bytes(AuditStub.objects.get(last=number).after)


def _put_stub(run: Run) -> None:
    """Write the stub of the run, merged with adjacent ones."""
    first, last, before, after = run
    if earlier := _find_pruned(last=first - 1):
        first, before = earlier.first, bytes(earlier.before)
        earlier.delete()
    if later := _find_pruned(first=last + 1):
        last, after = later.last, bytes(later.after)
        later.delete()
    _save(AuditStub(first=first, last=last, before=before, after=after))


def _find_pruned(**place: int) -> AuditStub | None:
    """Find the stub of a pruning; that of a restore stays apart."""
    stub = AuditStub.objects.filter(**place).first()
    return stub if stub and "backup" not in json.loads(stub.signature) else None


def _save(stub: AuditStub, **reason: str) -> None:
    stub.signature = encode_canonical(sign(describe(stub) | reason)).decode()
    stub.save(force_insert=True)
