"""Signatures of documents that are handed out: certificates of erasure and anchors of the audit.

A document is JSON with a signature (Ed25519, RFC 8032) over its canonical form: the members but
`signature`, sorted, without spaces, in UTF-8. The signing key is stored like the master key, in
CERTIFICATE_KEY or a file of its own. Of several keys, the first signs and all verify, so old
documents stay valid after a change.
"""

import hashlib
import hmac
import json
from base64 import b64decode, b64encode, urlsafe_b64decode
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from config.secrets import get_or_create_secret


class SigningKeyError(Exception):
    """The signing key is missing or isn't 32 bytes of URL-safe base64."""


class UnknownKey(Exception):
    """The document names no key of this instance."""


def sign(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content with the name of the key and the signature."""
    identity, key = next(iter(_read_keys().items()))
    whole = content | {"key": identity}
    return whole | {"signature": b64encode(key.sign(encode_canonical(whole))).decode()}


def open_signed(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return the signed content, or None if it was changed; raises UnknownKey."""
    content = {name: value for name, value in document.items() if name != "signature"}
    key = _read_keys().get(str(content.get("key")))
    if key is None:
        raise UnknownKey
    try:
        signature = b64decode(str(document.get("signature")), validate=True)
        key.public_key().verify(signature, encode_canonical(content))
    except (InvalidSignature, ValueError):
        return None
    return content


def encode_canonical(content: dict[str, Any]) -> bytes:
    """Return the canonical form of the content, which is signed."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def get_public_keys() -> dict[str, str]:
    """Return the public keys by their names, in base64, for independent verification."""
    return {
        identity: b64encode(_get_public_bytes(key)).decode()
        for identity, key in _read_keys().items()
    }


def derive_keys(purpose: bytes) -> Sequence[bytes]:
    """Return a secret of 32 bytes for the purpose from each signing key, the newest first."""
    return _derive(_read(), purpose)


@lru_cache(maxsize=16)
def _derive(text: str, purpose: bytes) -> Sequence[bytes]:
    keys = _parse(text).values()
    return tuple(hmac.digest(key.private_bytes_raw(), purpose, "sha256") for key in keys)


def _read_keys() -> dict[str, Ed25519PrivateKey]:
    return _parse(_read())


def _read() -> str:
    path: Path = settings.CERTIFICATE_KEY_FILE
    if settings.CERTIFICATE_KEY:
        return str(settings.CERTIFICATE_KEY)
    changed_at = path.stat().st_mtime_ns if path.exists() else 0
    return _read_file(path, changed_at)


@lru_cache(maxsize=4)
def _read_file(path: Path, changed_at: int) -> str:
    return get_or_create_secret(path)


@lru_cache(maxsize=4)
def _parse(text: str) -> dict[str, Ed25519PrivateKey]:
    keys = {}
    for line in text.replace(",", "\n").split():
        try:
            key = Ed25519PrivateKey.from_private_bytes(urlsafe_b64decode(line))
        except ValueError as error:
            raise SigningKeyError("not 32 bytes of URL-safe base64") from error
        keys[hashlib.sha256(_get_public_bytes(key)).hexdigest()[:16]] = key
    if not keys:
        raise SigningKeyError("empty")
    return keys


def _get_public_bytes(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
