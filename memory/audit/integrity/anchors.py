"""Anchors: signed heads of the audit's chain, sent out of reach of the database's administrators.

An anchor is due after 60 seconds or 100 events. Anchors that could not be sent are sent again, in
order, until each destination has accepted them.
"""

import json
import logging
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
from django.conf import settings
from django.utils import timezone

from memory.audit import chain, destinations
from memory.errors import describe_error
from memory.models import AuditAnchor
from memory.sealing.signing import UnknownKey, encode_canonical, open_signed, sign

log = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(seconds=60)
MOST_EVENTS = 100
SENT_AT_ONCE = 100
TYPE = "throughline audit anchor"


def anchor() -> None:
    """Sign the chain's head if that is due, and send the unsent anchors."""
    if _find_due():  # asked all the time: no writer waits for it
        with chain.hold_chain():
            if due := _find_due():
                AuditAnchor.objects.create(number=due[0], document=_sign_head(*due))
    _send_waiting()


def _find_due() -> tuple[int, bytes] | None:
    """Return the number and head of the chain's end, if an anchor is due."""
    number, head = chain.get_end()
    last = AuditAnchor.objects.order_by("-number").first()
    if last is None:
        return (number, head) if number >= 0 else None
    is_late = timezone.now() - last.at >= LONGEST_WAIT
    is_due = number > last.number and (is_late or number - last.number >= MOST_EVENTS)
    return (number, head) if is_due else None


def _sign_head(number: int, head: bytes) -> str:
    content = {
        "type": TYPE,
        "number": number,
        "head": head.hex(),
        "at": timezone.now().isoformat(),
    }
    return encode_canonical(sign(content)).decode()


def _send_waiting() -> None:
    for row in AuditAnchor.objects.filter(sent_at=None).order_by("number")[:SENT_AT_ONCE]:
        try:
            for place in get_places():
                destinations.send([row.document], place)
        except (OSError, httpx2.HTTPError) as error:
            log.error("audit_anchor_not_sent", extra=describe_error(error))
            return
        AuditAnchor.objects.filter(pk=row.pk).update(sent_at=timezone.now())


def get_places() -> list[str]:
    """Return the addresses that anchors are sent to."""
    return settings.AUDIT_ANCHORS or [settings.AUDIT_ANCHORS_FILE.absolute().as_uri()]


def read_anchors(path: Path) -> list[dict[str, Any]]:
    """Return the anchors in a file, one a line; raises ValueError."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def read_number(anchor: dict[str, Any]) -> int:
    """Read the number of an anchor; one that has none is opened, and found to be changed."""
    number = anchor.get("number")
    return number if isinstance(number, int) else sys.maxsize


def open_anchor(document: dict[str, Any]) -> tuple[int, bytes] | None:
    """Return the number and the head of the anchor, or None where it isn't genuine."""
    try:
        content = open_signed(document)
    except UnknownKey:
        return None
    if content is None or content.get("type") != TYPE:
        return None
    return int(content["number"]), bytes.fromhex(content["head"])
