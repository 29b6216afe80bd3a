"""Verification of the audit's chain: the first invalid row is reported with its fault."""

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from memory.audit import chain
from memory.audit.integrity.anchors import open_anchor, read_number
from memory.audit.integrity.pruning import describe
from memory.models import AuditAnchor, AuditLink, AuditStub
from memory.sealing.signing import UnknownKey, open_signed

ROWS_AT_ONCE = 10_000
MOST_FAULTS = 20
TEXTS = {
    "sqlite": {
        "id": "e.{0}",
        "at": "CASE length(e.at) WHEN 19 THEN e.at || '.000000' ELSE e.at END",
    },
    "postgresql": {
        "id": "replace(e.{0}::text, '-', '')",
        "at": "to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    },
}
# `atomic` would take SQLite's write lock, and let PostgreSQL read later states.
BEGIN = {"sqlite": "BEGIN", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}
ROWS = """
SELECT l.number, l.event_id, l.digest, l.head, l.mac, e.id IS NULL, {fields}
FROM memory_auditlink l LEFT JOIN memory_auditevent e ON e.id = l.event_id
WHERE l.number > %s ORDER BY l.number LIMIT %s
"""


@dataclass
class Report:
    """The result of a check of the chain."""

    events: int = 0
    number: int = -1  # of the last event checked
    head: bytes = chain.FIRST_HEAD
    faults: list[str] = field(default_factory=list)
    waiting: int = 0  # events without a number
    given_up: list[str] = field(default_factory=list)  # by restores, each in words

    def add(self, fault: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)


def check(*, since: datetime | None = None, anchors: Iterable[dict[str, Any]] = ()) -> Report:
    """Check the chain from its beginning, or from the last anchor before the moment."""
    report = Report()
    _set_beginning(since, report)
    # Verifying a signature takes .1 ms, and a year has half a million anchors. They are read first,
    # so that the checked state contains the events of all of them.
    later = [each for each in anchors if read_number(each) >= report.number]
    with read_one_state():
        report = Report()
        _set_beginning(since, report)
        kept = AuditAnchor.objects.filter(number__gte=report.number).order_by("number")
        expected = dict(_open_anchors([*_parse_documents(kept), *later], report))
        _walk(report, expected)
        _check_end(report, expected)
        _check_unlinked(report, is_whole=since is None)
    return report


@contextmanager
def read_one_state() -> Iterator[None]:
    """Read one state of the database during a concurrent pruning, without blocking writers."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("COMMIT")


def _set_beginning(moment: datetime | None, report: Report) -> None:
    if moment is None:
        return
    anchor = AuditAnchor.objects.filter(at__lte=moment).order_by("-number").first()
    link = AuditLink.objects.filter(number=anchor.number).first() if anchor else None
    if link is not None:
        report.number, report.head = link.number, bytes(link.head)


def _parse_documents(rows: Iterable[AuditAnchor]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield json.loads(row.document)


def _open_anchors(
    documents: Iterable[dict[str, Any]], report: Report
) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers and heads of genuine anchors."""
    for document in documents:
        if opened := open_anchor(document):
            yield opened
        else:
            report.add(f"the anchor of event {document.get('number')} was changed")


def _walk(report: Report, expected: dict[int, bytes]) -> None:
    """Follow links and stubs to the end."""
    stubs = {stub.first: stub for stub in AuditStub.objects.filter(last__gt=report.number)}
    keys = chain.get_keys()
    for rows in read_rows(report.number):
        for row in rows:
            while row[0] != report.number + 1 and (stub := stubs.pop(report.number + 1, None)):
                _check_stub(stub, report, expected)
            if row[0] != report.number + 1:
                report.add(f"event {report.number + 1} is missing")
            _check_row(row, report, keys)
            _compare(report, expected)
    while stub := stubs.pop(report.number + 1, None):
        _check_stub(stub, report, expected)
    for stub in stubs.values():
        report.add(f"the stub of events {stub.first} to {stub.last} is in the wrong place")


def _check_row(row: Sequence[Any], report: Report, keys: Sequence[bytes]) -> None:
    number, event, digest, head, mac, is_missing, *values = row
    if is_missing:
        report.add(f"event {number} ({event}) was deleted")
    elif chain.find_form(values, bytes(digest)) is None:
        report.add(f"event {number} ({event}) was changed")
    expected = chain.compute_next_head(report.head, number, bytes(digest))
    is_genuine = hmac.digest(keys[0], expected, "sha256") == bytes(mac)
    if expected != bytes(head) or not (is_genuine or chain.is_mac(expected, bytes(mac))):
        report.add(f"the link of event {number} ({event}) was changed")
    report.number, report.head = number, bytes(head)
    report.events += 1


def _check_stub(stub: AuditStub, report: Report, expected: dict[int, bytes]) -> None:
    try:
        content = open_signed(json.loads(stub.signature)) or {}
    except (UnknownKey, ValueError):
        content = {}
    said = {name: content.get(name) for name in describe(stub)}
    if said != describe(stub) or bytes(stub.before) != report.head:
        report.add(f"the stub of events {stub.first} to {stub.last} was changed")
    elif "backup" in content:
        anchors = sum(stub.first <= number <= stub.last for number in expected)
        report.given_up.append(
            f"events {stub.first} to {stub.last}, with {anchors} anchors: given up by the restore "
            f"of {content['pruned_at']}, by {content['operator']}, from the backup of "
            f"{content['backup']}"
        )
    report.number, report.head = stub.last, bytes(stub.after)


def _compare(report: Report, expected: dict[int, bytes]) -> None:
    if expected.get(report.number, report.head) != report.head:
        report.add(f"event {report.number} is not what was anchored")


def _check_end(report: Report, expected: dict[int, bytes]) -> None:
    _compare(report, expected)
    if expected and max(expected) > report.number:
        report.add(f"the events after {report.number} are missing, up to {max(expected)}")


def _check_unlinked(report: Report, *, is_whole: bool) -> None:
    """Find unlinked events that this product didn't record; older ones once a day."""
    for event in chain.list_unlinked(is_whole=is_whole).iterator():
        report.waiting += 1
        if report.number >= 0 and not chain.has_own_mac(event):
            report.add(f"the event {event.pk} was inserted or changed")


def read_rows(last: int, at_once: int = ROWS_AT_ONCE) -> Iterator[list[Any]]:
    """Yield the links after the number with their events as texts, in lists of `at_once`."""
    texts = TEXTS[connection.vendor]
    columns = [
        texts["at"]
        if name == "at"
        else texts["id"].format(name)
        if name.endswith("id")
        else f"e.{name}"
        for name in chain.FIELDS
    ]
    query = ROWS.format(fields=", ".join(columns))
    while True:
        with connection.cursor() as cursor:
            cursor.execute(query, [last, at_once])
            rows = cursor.fetchall()
        if not rows:
            return
        yield rows
        last = rows[-1][0]
