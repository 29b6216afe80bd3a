"""Certificates of erasure: signed statements that anyone can check, with nothing personal in them.

A certificate is JSON with a signature (Ed25519, RFC 8032) over its canonical form: the members but
`signature`, sorted, without spaces, in UTF-8. The signing key lies where the master key does, in
CERTIFICATE_KEY or a file of its own; of several, the first signs and all are recognised, so that it
can be changed and old certificates hold.
"""

import hashlib
import json
from base64 import b64decode, b64encode, urlsafe_b64decode
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from config.secrets import generated_once
from memory.models import AuditEvent, Certificate, ErasureRequest
from memory.personal_data.recipients import get_noting_start

KIND = "throughline erasure certificate"
VERSION = 1
LONGEST = 100_000  # characters
FORMS = ["as it is", "UTF-16", "base64", "gzip and zlib", "sealed"]
TIMES = ("requested_at", "confirmed_at", "started_at", "shredded_at", "deleted_at", "scrubbed_at")


class CertificateKeyError(Exception):
    """The signing key is missing or isn't 32 bytes of URL-safe base64."""


@dataclass(frozen=True)
class Verdict:
    """Whether a text is a certificate of this instance, and what it says then."""

    is_valid: bool
    reason: str
    content: dict[str, Any] = field(default_factory=dict)


def issue(request: ErasureRequest, event: AuditEvent) -> Certificate:
    """Sign what was done for the request, in the caller's transaction; `event` records its end."""
    certificate = Certificate(request=request)
    content = {
        "type": KIND,
        "version": VERSION,
        "certificate": str(certificate.pk),
        "request": str(request.pk),
        "scope": request.scope,
        "issued_at": certificate.issued_at.isoformat(),
        "verified_at": request.verified_at.isoformat() if request.verified_at else None,
        "times": {name: _written(getattr(request, name)) for name in TIMES},
        "method": _method(request),
        "rows": request.counts,
        "scrubbed": request.scrubbed,
        "verification": {
            "samples": request.sample_count,
            "searched_as": FORMS if request.sample_count else [],
            "stores": [_without_names(store) for store in request.searched],
        },
        "out_of_reach": _out_of_reach(request),
        # Ids of events rise with time: this one's is its place.
        "audit": {"event": str(event.pk), "at": event.at.isoformat()},
    }
    certificate.document = signed(content)
    certificate.key = json.loads(certificate.document)["key"]
    certificate.save(force_insert=True)
    return certificate


def _written(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


def _without_names(store: dict[str, Any]) -> dict[str, Any]:
    """Return a store's report with the number of excluded files in the place of their names."""
    said = dict(store)
    if others := said.pop("not_ours", []):
        said["not_ours"] = len(others)
    return said


def _method(request: ErasureRequest) -> list[str]:
    steps = ["rows deleted", "storage scrubbed"]
    if request.sample_count:  # with nothing to search for, no search is claimed
        steps.append("stores searched")
    is_account = request.scope == ErasureRequest.Scope.ACCOUNT
    return ["key destroyed", *steps] if is_account else steps


def _out_of_reach(request: ErasureRequest) -> dict[str, Any]:
    """Return where it may still be: at servers that were given it, and in backups from before."""
    made_before, days = request.verified_at or timezone.now(), settings.BACKUP_DAYS
    kept_until = made_before + timedelta(days=days) if days else None
    return {
        "recipients": request.recipients,
        "recipients_noted_since": _written(get_noting_start()),
        "backups": {"made_before": _written(made_before), "kept_until": _written(kept_until)},
    }


def signed(content: dict[str, Any]) -> str:
    """Return the content with key and signature, as text to hand out."""
    identity, key = next(iter(_keys().items()))
    whole = content | {"key": identity}
    signature = b64encode(key.sign(canonical(whole))).decode()
    return json.dumps(whole | {"signature": signature}, indent=2, sort_keys=True) + "\n"


def canonical(content: dict[str, Any]) -> bytes:
    """Return the one form of the content that is signed."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def verify(text: str) -> Verdict:
    """Return whether the text is a certificate that this instance signed, unchanged.

    Its content is what was signed, which is shown then in the place of the text.
    """
    try:
        said = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("type") != KIND:
        return Verdict(False, _("This is not a certificate of erasure."))
    signature, key = said.pop("signature", None), _keys().get(str(said.get("key")))
    try:
        if key is None:
            return Verdict(False, _("It was signed by a key that is not of this instance."))
        key.public_key().verify(b64decode(str(signature), validate=True), canonical(said))
    except (InvalidSignature, ValueError):
        return Verdict(False, _("It has been changed: the signature doesn't fit what it says."))
    return Verdict(True, _("It is genuine and unchanged."), said)


def public_keys() -> dict[str, str]:
    """Return the public keys by their id, in base64, for those who check without this instance."""
    return {identity: b64encode(_public(key)).decode() for identity, key in _keys().items()}


def _keys() -> dict[str, Ed25519PrivateKey]:
    return _parsed(settings.CERTIFICATE_KEY or generated_once(settings.CERTIFICATE_KEY_FILE))


@lru_cache(maxsize=4)
def _parsed(text: str) -> dict[str, Ed25519PrivateKey]:
    keys = {}
    for line in text.replace(",", "\n").split():
        try:
            key = Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(line))
        except ValueError as error:
            raise CertificateKeyError("not 32 bytes of URL-safe base64") from error
        keys[hashlib.sha256(_public(key)).hexdigest()[:16]] = key
    if not keys:
        raise CertificateKeyError("empty")
    return keys


def _public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
