"""Sealing: content is encrypted with AES-256-GCM under its person's data key.

A data key (256 bits, one a person and version) is wrapped by the master key (see wrapping). It is
stored in the `keys` database, separate from the content. The associated data of each seal names
table, row, field, owner and key version, so a sealed value moved elsewhere doesn't open. Layout:

    1 byte    form: 1 sealed, 0 clear (text of the shared library, which has no owner)
    2 bytes   key version
    12 bytes  nonce
    rest      ciphertext and tag

Destroying the key row makes all of it unreadable, in backups too. Processes cache unwrapped keys
for KEY_CACHE_SECONDS at most, so a destroyed key is unusable everywhere after that.
"""

import hashlib
import hmac
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import IntegerField, Q, QuerySet
from django.db.models.functions import Length
from django.dispatch import Signal

from config.secrets import get_or_create_secret, write_private
from memory.sealing import ledger
from memory.sealing.models import DataKey, ErasedPerson
from memory.sealing.routers import KEYS
from memory.sealing.wrapping import UNBOUND_BYTES, NotItsKey, unwrap, wrap

KEY_CACHE_SECONDS = 30
CLEAR, SEALED = b"\x00", b"\x01"
# Sent before a person's key is unwrapped, for its `owner`; an exception prevents it.
key_opening = Signal()
VERSION_BYTES, NONCE_BYTES = 2, 12


class UnsealError(Exception):
    """The value can't be opened: its key is destroyed, or it was changed or moved."""


class MasterKeyError(Exception):
    """The master key is missing or isn't 32 bytes of URL-safe base64."""


# --- Master keys ---------------------------------------------------------------------------


def get_master_keys() -> dict[str, bytes]:
    """Return the master keys by their id, the current one first; the others only unwrap."""
    text = settings.MASTER_KEY or get_or_create_secret(settings.MASTER_KEY_FILE)
    return _parse_master_keys(text)


@lru_cache(maxsize=4)
def _parse_master_keys(text: str) -> dict[str, bytes]:
    keys = {}
    for line in text.replace(",", "\n").split():
        try:
            key = urlsafe_b64decode(line)
        except ValueError as error:
            raise MasterKeyError("not URL-safe base64") from error
        if len(key) != 32:
            raise MasterKeyError(f"{len(key)} bytes instead of 32")
        keys[hashlib.sha256(key).hexdigest()[:16]] = key
    if not keys:
        raise MasterKeyError("empty")
    return keys


def add_master_key() -> None:
    """Put a new master key in front of those in MASTER_KEY_FILE."""
    old = get_or_create_secret(settings.MASTER_KEY_FILE)
    new = urlsafe_b64encode(os.urandom(32)).decode()
    write_private(settings.MASTER_KEY_FILE, f"{new}\n{old}\n", overwrite=True)


def shred_old_master_keys() -> None:
    """Remove all but the current master key from MASTER_KEY_FILE."""
    current = settings.MASTER_KEY_FILE.read_text().split()[0]
    write_private(settings.MASTER_KEY_FILE, current + "\n", overwrite=True)


def select_stale_data_keys() -> "QuerySet[DataKey]":
    """Return the data keys that an older master key wraps, or that aren't bound to their row."""
    current = next(iter(get_master_keys()))
    sized = DataKey.objects.annotate(size=Length("wrapped", output_field=IntegerField()))
    return sized.filter(~Q(master=current) | Q(size=UNBOUND_BYTES))


def rewrap_data_keys(*, batch: int = 500) -> Iterable[int]:
    """Wrap stale data keys by the current master key, yielding the size of each finished batch.

    Each batch is one transaction, so it can be stopped and resumed at any point.
    """
    current = next(iter(get_master_keys()))
    while True:
        with transaction.atomic(using=KEYS):
            stale = list(select_stale_data_keys().order_by("pk")[:batch])
            for row in stale:
                row.wrapped = _wrap_key(_unwrap(row), row, current)
                row.master = current
            DataKey.objects.bulk_update(stale, ["wrapped", "master"])
        if not stale:
            return
        yield len(stale)


# --- Data keys ---------------------------------------------------------------------------------


class _OpenKey(NamedTuple):
    """An unwrapped data key, with its cipher: making one takes longer than unsealing a message."""

    until: float
    key: bytes
    cipher: AESGCM


class _KeyRing:
    """Unwrapped data keys of this process, dropped after KEY_CACHE_SECONDS."""

    def __init__(self) -> None:
        self._keys: dict[tuple[UUID, int], _OpenKey] = {}
        self._newest: dict[UUID, tuple[float, int]] = {}

    def open_key(self, owner: UUID, version: int) -> _OpenKey:
        cached = self._keys.get((owner, version))
        if cached and cached.until > time.monotonic():
            return cached
        row = DataKey.objects.filter(owner_id=owner, version=version).order_by().first()
        if row is None:
            self.forget(owner)
            raise UnsealError("the data key is gone")
        return self._remember(row)

    def newest(self, owner: UUID) -> tuple[int, _OpenKey]:
        """Return version and key for sealing, making the person's first key if needed."""
        cached = self._newest.get(owner)
        if cached and cached[0] > time.monotonic():
            return cached[1], self.open_key(owner, cached[1])
        row = DataKey.objects.filter(owner_id=owner).order_by("-version").first()
        row = row or _make_data_key(owner)
        return row.version, self._remember(row)

    def has(self, owner: UUID) -> bool:
        """Return whether the key for sealing is cached, for a moment longer than sealing takes."""
        soon = time.monotonic() + 1
        until, version = self._newest.get(owner, (0.0, 0))
        opened = self._keys.get((owner, version))
        return until > soon and opened is not None and opened.until > soon

    def forget(self, owner: UUID) -> None:
        self._newest.pop(owner, None)
        for cached in [entry for entry in self._keys if entry[0] == owner]:
            self._keys.pop(cached, None)

    def clear(self) -> None:
        self._keys.clear()
        self._newest.clear()

    def _remember(self, row: DataKey) -> _OpenKey:
        if len(self._keys) > 10_000:
            self.clear()
        key_opening.send(_KeyRing, owner=row.owner_id)
        key, until = _unwrap(row), time.monotonic() + KEY_CACHE_SECONDS
        opened = self._keys[row.owner_id, row.version] = _OpenKey(until, key, AESGCM(key))
        newest = self._newest.get(row.owner_id)
        if newest is None or newest[1] <= row.version:
            self._newest[row.owner_id] = until, row.version
        return opened


key_ring = _KeyRing()


def _wrap_key(key: bytes, row: DataKey, master: str) -> bytes:
    return wrap(key, master=get_master_keys()[master], owner=row.owner_id, version=row.version)


def _unwrap(row: DataKey) -> bytes:
    master = get_master_keys().get(row.master)
    if master is None:
        raise MasterKeyError(f"no master key {row.master} to unwrap a data key")
    try:
        return unwrap(bytes(row.wrapped), master=master, owner=row.owner_id, version=row.version)
    except NotItsKey as error:
        raise UnsealError("the data key was changed, or is of another row") from error


def _make_data_key(owner: UUID) -> DataKey:
    row = DataKey(owner_id=owner, master=next(iter(get_master_keys())))
    row.wrapped = _wrap_key(os.urandom(32), row, row.master)
    try:
        with transaction.atomic(using=KEYS):
            if ErasedPerson.objects.filter(pk=owner).exists():
                raise UnsealError("the person was erased")
            row.save(force_insert=True)
            return row
    except IntegrityError:  # another process was first
        return DataKey.objects.get(owner_id=owner, version=1)


def load_data_key(owner: UUID) -> None:
    """Cache the person's key, before any lock that others may wait for."""
    if not key_ring.has(owner):
        key_ring.forget(owner)
        key_ring.newest(owner)


def has_key(owner: UUID) -> bool:
    """Return whether the person's key is cached, so that sealing needs no database."""
    return key_ring.has(owner)


def destroy_data_keys(owner: UUID) -> int:
    """Destroy every data key of the person; everything sealed under them is unreadable."""
    key_ring.forget(owner)
    return DataKey.objects.filter(owner_id=owner).delete()[0]


def shred(person: UUID, *, request: UUID | None = None) -> int:
    """Destroy the person's data keys for good; the ledger notes it in the same transaction."""
    with ledger.entering():
        ledger.note_person(person, request=request)
        return destroy_data_keys(person)


# --- Sealing --------------------------------------------------------------------------------------


def seal(plain: bytes, *, owner: UUID | None, place: str) -> bytes:
    """Seal bytes under the owner's newest key, bound to the place; without owner, mark as clear."""
    if owner is None:
        return CLEAR + plain
    version, key = key_ring.newest(owner)
    header = SEALED + version.to_bytes(VERSION_BYTES)
    nonce = os.urandom(NONCE_BYTES)
    return header + nonce + key.cipher.encrypt(nonce, plain, _bind_place(owner, version, place))


def unseal(stored: bytes, *, owner: UUID | None, place: str) -> bytes:
    """Open a value that `seal` returned for the same owner and place, or raise UnsealError."""
    if owner is None:
        if stored[:1] != CLEAR:
            raise UnsealError("sealed, but the row has no owner")
        return stored[1:]
    start = 1 + VERSION_BYTES
    if stored[:1] != SEALED or len(stored) < start + NONCE_BYTES:
        raise UnsealError("not a sealed value")
    version = int.from_bytes(stored[1:start])
    nonce = stored[start : start + NONCE_BYTES]
    rest = memoryview(stored)[start + NONCE_BYTES :]  # a block isn't copied to be opened
    try:
        cipher = key_ring.open_key(owner, version).cipher
        return cipher.decrypt(nonce, rest, _bind_place(owner, version, place))
    except InvalidTag as error:
        raise UnsealError("changed or moved") from error


def _bind_place(owner: UUID, version: int, place: str) -> bytes:
    return f"{place}|{owner.hex}|{version}".encode()


def fingerprint_words(words: Iterable[str], *, owner: UUID) -> list[str]:
    """Return a keyed fingerprint for each word: a private document is searchable, unreadable.

    The fingerprints come from the person's first data key, so equal words of two people differ, and
    destroying that key makes all of them meaningless.
    """
    key_ring.newest(owner)  # makes the first key if there is none
    key = hmac.digest(key_ring.open_key(owner, 1).key, b"words", "sha256")
    return ["x" + hmac.digest(key, word.encode(), "sha256")[:8].hex() for word in words]
