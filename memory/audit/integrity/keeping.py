"""Maintenance of the chain: link new events, anchor its head, and check it regularly."""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.mail import send_mail
from django.utils import timezone
from django.utils.translation import gettext as _

from memory.audit import append_only, chain
from memory.audit.integrity import anchors, holders
from memory.audit.integrity.checking import Report, check
from memory.metrics.counting import mirror
from memory.models import AuditCheck, User

log = logging.getLogger(__name__)

# The whole chain is checked once a day, its newest part at each clean-up.
WHOLE = timedelta(days=1)
RECENT = timedelta(hours=1)
CHECKS_KEPT = timedelta(days=7)


def extend_and_anchor() -> None:
    """Link the new events, and anchor the head if that is due."""
    while chain.extend() == chain.LINKS_AT_ONCE:
        pass
    anchors.anchor()


def watch() -> Report:
    """Check the chain, record the result, and raise the alarm at a fault."""
    now = timezone.now()
    was_whole = AuditCheck.objects.filter(at__gte=now - WHOLE, is_whole=True).exists()
    return record_check(None if not was_whole else now - RECENT)


def record_check(since: datetime | None) -> Report:
    """Check the chain since the moment and record the result."""
    report = check(since=since, anchors=read_local_anchors())
    report.faults += [f"the trigger {name} is missing" for name in append_only.find_missing()]
    report.faults += holders.find_unrecorded_changes()
    known = AuditCheck.objects.order_by("-id").first()
    row = AuditCheck(events=report.events, number=report.number, faults=report.faults)
    row.is_whole = since is None
    row.save(force_insert=True)
    AuditCheck.objects.filter(at__lt=row.at - CHECKS_KEPT).delete()
    mirror("audit_faults", len(report.faults))
    if report.faults and not (known and known.faults):
        log.error("audit_tampered", extra={"faults": len(report.faults), "number": report.number})
        found = [_("A check of the audit log found:"), *report.faults]
        tell_staff(_("The audit log was changed"), found)
    return report


def get_faults() -> list[str]:
    """Return the faults of the last check."""
    last = AuditCheck.objects.order_by("-id").first()
    return list(last.faults) if last else []


def read_local_anchors() -> Iterator[dict[str, Any]]:
    """Yield the anchors of destinations that are files."""
    for place in anchors.get_places():
        path = Path(urlsplit(place).path)
        if urlsplit(place).scheme in ("", "file") and path.exists():
            yield from anchors.read_anchors(path)


def tell_staff(subject: str, lines: Sequence[str]) -> None:
    """Mail all active staff."""
    staff = User.objects.filter(is_staff=True, is_active=True).exclude(email="")
    send_mail(
        subject,
        "\n".join(lines),
        None,
        list(staff.values_list("email", flat=True)),
        fail_silently=True,
    )
