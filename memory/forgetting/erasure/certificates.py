"""Certificates of erasure: signed statements that anyone can verify, with no personal data."""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from memory.models import AuditEvent, Certificate, ErasureRequest
from memory.personal_data.recipients import get_noting_start
from memory.sealing.signing import UnknownKey, open_signed, sign

KIND = "throughline erasure certificate"
VERSION = 1
LONGEST = 100_000  # characters
FORMS = ["as it is", "UTF-16", "base64", "gzip and zlib", "sealed"]
TIMES = ("requested_at", "confirmed_at", "started_at", "shredded_at", "deleted_at", "scrubbed_at")


@dataclass(frozen=True)
class Verdict:
    """Whether a text is a certificate of this instance, and its verified content."""

    is_valid: bool
    reason: str
    content: dict[str, Any] = field(default_factory=dict)


def issue(request: ErasureRequest, event: AuditEvent) -> Certificate:
    """Sign a statement of the request's erasure, in a transaction; `event` records its end."""
    certificate = Certificate(request=request)
    content = {
        "type": KIND,
        "version": VERSION,
        "certificate": str(certificate.pk),
        "request": str(request.pk),
        "scope": request.scope,
        "issued_at": certificate.issued_at.isoformat(),
        "verified_at": request.verified_at.isoformat() if request.verified_at else None,
        "times": {name: _format_moment(getattr(request, name)) for name in TIMES},
        "method": _list_steps(request),
        "rows": request.counts,
        "scrubbed": request.scrubbed,
        "verification": {
            "samples": request.sample_count,
            "searched_as": FORMS if request.sample_count else [],
            "stores": [_strip_file_names(store) for store in request.searched],
        },
        "out_of_reach": _describe_remaining_copies(request),
        # Ids of events rise with time, so the id gives its position.
        "audit": {"event": str(event.pk), "at": event.at.isoformat()},
    }
    certificate.document = format_signed_content(content)
    certificate.key = json.loads(certificate.document)["key"]
    certificate.save(force_insert=True)
    return certificate


def _format_moment(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


def _strip_file_names(store: dict[str, Any]) -> dict[str, Any]:
    """Return a store's report with the number of excluded files instead of their names."""
    said = dict(store)
    if others := said.pop("not_ours", []):
        said["not_ours"] = len(others)
    return said


def _list_steps(request: ErasureRequest) -> list[str]:
    steps = ["rows deleted", "storage scrubbed"]
    if request.sample_count:  # without samples, no search is claimed
        steps.append("stores searched")
    is_account = request.scope == ErasureRequest.Scope.ACCOUNT
    return ["key destroyed", *steps] if is_account else steps


def _describe_remaining_copies(request: ErasureRequest) -> dict[str, Any]:
    """Return the remaining places: servers that received data, and older backups."""
    made_before, days = request.verified_at or timezone.now(), settings.BACKUP_DAYS
    kept_until = made_before + timedelta(days=days) if days else None
    return {
        "recipients": request.recipients,
        "recipients_noted_since": _format_moment(get_noting_start()),
        "backups": {
            "made_before": _format_moment(made_before),
            "kept_until": _format_moment(kept_until),
        },
    }


def format_signed_content(content: dict[str, Any]) -> str:
    """Return the content with key and signature, as text to hand out."""
    return json.dumps(sign(content), indent=2, sort_keys=True) + "\n"


def verify(text: str) -> Verdict:
    """Return whether the text is a certificate that this instance signed, unchanged.

    Its content is the signed part, which is then shown instead of the text.
    """
    try:
        said = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("type") != KIND:
        return Verdict(False, _("This is not a certificate of erasure."))
    try:
        content = open_signed(said)
    except UnknownKey:
        return Verdict(False, _("It was signed by a key that does not belong to this instance."))
    if content is None:
        return Verdict(False, _("It has been changed: the signature doesn't fit what it says."))
    return Verdict(True, _("It is genuine and unchanged."), content)
