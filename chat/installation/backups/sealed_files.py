"""The format of backup files: a plain header, and the content encrypted under BACKUP_KEY.

The content is a series of chunks, each AES-256-GCM under a key of the file alone and bound to the
header. A nonce holds the chunk's number and whether it is the last, so none can be dropped or
moved.
"""

import binascii
import json
import os
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

MAGIC = b"throughline backup 1\n"
PIECE = 1024 * 1024
TAG = 16
LONGEST_HEAD = 4096


class BackupError(Exception):
    """A backup can't be made, opened or restored; the message says why."""


@dataclass(frozen=True)
class Head:
    """The header of a backup file."""

    part: str  # content, keys or secrets
    engine: str  # sqlite, postgresql or files
    version: str
    made_at: str
    salt: str


def read_backup_key() -> bytes:
    """Return the operator's key, which is neither stored nor generated here."""
    if not settings.BACKUP_KEY:
        raise BackupError("Set BACKUP_KEY: .env.example says how to make one.")
    try:
        key = urlsafe_b64decode(settings.BACKUP_KEY.strip())
    except (ValueError, binascii.Error) as error:
        raise BackupError("BACKUP_KEY is not URL-safe base64.") from error
    if len(key) != 32:
        raise BackupError(f"BACKUP_KEY has {len(key)} bytes instead of 32.")
    return key


class _Cipher:
    """The encryption of one file's chunks, in order."""

    def __init__(self, head: Head, line: bytes) -> None:
        derived = HKDF(SHA256(), 32, salt=bytes.fromhex(head.salt), info=MAGIC)
        self._aead = AESGCM(derived.derive(read_backup_key()))
        self._line, self._number = line, 0

    def seal(self, piece: bytes, *, is_last: bool) -> bytes:
        return self._aead.encrypt(self._nonce(is_last=is_last), piece, self._line)

    def open(self, piece: bytes, *, is_last: bool) -> bytes:
        return self._aead.decrypt(self._nonce(is_last=is_last), piece, self._line)

    def _nonce(self, *, is_last: bool) -> bytes:
        self._number += 1
        return self._number.to_bytes(11, "big") + bytes([is_last])


@contextmanager
def written(path: Path, head: Head) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that writes to a new file, which appears once it is complete."""
    draft = path.with_suffix(".unfinished")
    line = MAGIC + json.dumps(asdict(head)).encode() + b"\n"
    cipher, held = _Cipher(head, line), bytearray()
    with draft.open("xb") as file:
        try:
            file.write(line)

            def take(some: bytes) -> None:
                held.extend(some)
                while len(held) > PIECE:
                    file.write(cipher.seal(bytes(held[:PIECE]), is_last=False))
                    del held[:PIECE]

            yield take
            file.write(cipher.seal(bytes(held), is_last=True))
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            draft.unlink()
            raise
    draft.rename(path)


def read_head(path: Path) -> Head:
    """Return the file's header, which is only authenticated when chunks are opened."""
    with _opened(path) as file:
        return _read_head(file)[0]


def read_pieces(path: Path) -> Iterator[bytes]:
    """Yield the decrypted content; raises BackupError unless the file is complete."""
    with _opened(path) as file:
        head, line = _read_head(file)
        cipher = _Cipher(head, line)
        piece = file.read(PIECE + TAG)
        is_last = False
        while not is_last:
            following = file.read(PIECE + TAG)
            is_last = not following
            try:
                yield cipher.open(piece, is_last=is_last)
            except InvalidTag as error:
                raise BackupError(
                    f"{path.name} is damaged, cut off, or was made under another BACKUP_KEY."
                ) from error
            piece = following


def _read_head(file: BinaryIO) -> tuple[Head, bytes]:
    magic, line = file.readline(LONGEST_HEAD), file.readline(LONGEST_HEAD)
    try:
        if magic != MAGIC:
            raise ValueError
        return Head(**json.loads(line)), magic + line
    except (TypeError, ValueError) as error:
        raise BackupError(f"{Path(file.name).name} is no backup of this product.") from error


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror}.") from error
    with file:
        yield file
