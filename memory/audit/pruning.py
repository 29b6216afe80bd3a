"""Pruning of linked events: a signed stub replaces each run of pruned links."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from django.db.models import QuerySet

from memory.audit import append_only, chain
from memory.models import AuditEvent, AuditLink, AuditStub
from memory.sealing.signing import encode_canonical, sign

BATCH = 1000
Run = tuple[int, int, bytes, bytes]  # first and last number, head before and after


def prune(events: "QuerySet[AuditEvent]") -> int:
    """Delete the events with their links, each batch in a transaction; return how many went."""
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
    """Write the stub of the run, one with those that it touches."""
    first, last, before, after = run
    if earlier := AuditStub.objects.filter(last=first - 1).first():
        first, before = earlier.first, bytes(earlier.before)
        earlier.delete()
    if later := AuditStub.objects.filter(first=last + 1).first():
        last, after = later.last, bytes(later.after)
        later.delete()
    stub = AuditStub(first=first, last=last, before=before, after=after)
    stub.signature = encode_canonical(sign(describe(stub))).decode()
    stub.save(force_insert=True)
