"""Wrapping of a data key by a master key (AES-KW, RFC 3394), for one person and version alone.

The wrapping key is derived from the master key, the person's id and the key's version. So a row
with another person's or an older wrapped key doesn't open. Layout:

    1 byte    form: 1
    40 bytes  the wrapped key

Until 0.1 there were only the 40 bytes, wrapped by the master key itself. They are still read, and
wrapped anew by `rotate_keys`.
"""

import hmac
from uuid import UUID

from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

BOUND = b"\x01"
UNBOUND_BYTES = 40


class NotItsKey(Exception):
    """The wrapped key was changed, or belongs to another person or version."""


def wrap(key: bytes, *, master: bytes, owner: UUID, version: int) -> bytes:
    """Return the data key wrapped for the person's row of this version."""
    return BOUND + aes_key_wrap(_derive_key(master, owner, version), key)


def unwrap(wrapped: bytes, *, master: bytes, owner: UUID, version: int) -> bytes:
    """Return the data key of the person's row of this version, or raise NotItsKey."""
    try:
        if len(wrapped) == UNBOUND_BYTES:
            return aes_key_unwrap(master, wrapped)
        if wrapped[:1] != BOUND:
            raise NotItsKey
        return aes_key_unwrap(_derive_key(master, owner, version), wrapped[1:])
    except (InvalidUnwrap, ValueError) as error:
        raise NotItsKey from error


def _derive_key(master: bytes, owner: UUID, version: int) -> bytes:
    return hmac.digest(master, b"data key|" + owner.bytes + version.to_bytes(2), "sha256")
