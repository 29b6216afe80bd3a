"""Backing up all stores while the installation runs, and restoring them."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from django.utils import timezone

from chat.installation.backups.sealed_files import (
    BackupError,
    Head,
    read_backup_key,
    read_head,
    read_pieces,
    written,
)
from chat.installation.backups.stores import get_store
from memory.audit.integrity import keeping, pruning
from memory.audit.integrity.anchors import read_anchors
from memory.forgetting.erasure import restoring
from memory.models import AuditAnchor
from memory.people.staff.operators import get_operator
from memory.sealing.routers import KEYS

# In the order of making: a person who joins meanwhile has a key without content, never content
# without a key; the ledger has erasures made meanwhile. They are restored in reverse order.
PARTS = ("content", KEYS, "secrets")
Anchor = dict[str, Any]


def back_up(part: str, folder: Path) -> Path:
    """Back up the part into the folder, verify the file and return it."""
    read_backup_key()
    if folder.resolve().is_relative_to(Path(settings.DATA_DIR).resolve()):
        raise BackupError("A backup inside DATA_DIR would be lost with it: name another folder.")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now, store = timezone.now(), get_store(part)
    head = Head(part, store.engine, settings.VERSION, now.isoformat(), os.urandom(16).hex())
    path = folder / f"{part}-{now:%Y%m%dT%H%M%SZ}.backup"
    with written(path, head) as take:
        store.read(take)
    verify_file(path)
    return path


def verify_file(path: Path) -> Head:
    """Decrypt all chunks of the file and return its header; raises BackupError."""
    head = read_head(path)
    if head.part not in PARTS:
        raise BackupError(f"{path.name} is of a newer version of the product.")
    store = get_store(head.part)
    if head.engine != store.engine:
        raise BackupError(
            f"{path.name} was made on {head.engine}; this installation's {head.part} is on "
            f"{store.engine}."
        )
    store.verify(read_pieces(path))
    return head


def put_back(paths: Sequence[Path], *, over: bool, anchors: Path | None = None) -> Iterator[Head]:
    """Verify all backups, then restore them; yield each when it is done."""
    heads = {path: verify_file(path) for path in paths}
    by_part = {head.part: path for path, head in heads.items()}
    if len(by_part) != len(paths):
        raise BackupError("Name one file of each part.")
    if not over:
        _refuse_to_write_over(by_part)
    if "content" in by_part and KEYS not in by_part and get_store(KEYS).is_empty():
        raise BackupError("There are no keys: name the backup of the keys as well.")
    anchored = _load_anchors(anchors)
    for part in reversed(PARTS):
        if part in by_part:
            get_store(part).put_back(read_pieces(by_part[part]))
            yield heads[by_part[part]]
    _bring_up({part: heads[path] for part, path in by_part.items()}, anchored)


def _refuse_to_write_over(parts: Iterable[str]) -> None:
    if taken := [part for part in parts if not get_store(part).is_empty()]:
        raise BackupError(
            f"There is something already: {', '.join(taken)}. With --over it is written over."
        )


def _load_anchors(path: Path | None) -> list[Anchor]:
    """Load the audit's anchors: of the file, of destinations that are files, of the database."""
    try:
        known = [*keeping.read_local_anchors(), *(read_anchors(path) if path else ())]
    except (OSError, ValueError) as error:
        raise BackupError(f"{path or 'AUDIT_ANCHORS'} can't be read as anchors.") from error
    with suppress(DatabaseError, ValueError):  # it may be empty or broken
        known += map(json.loads, AuditAnchor.objects.values_list("document", flat=True))
    return known


def _bring_up(parts: dict[str, Head], anchored: Iterable[Anchor]) -> None:
    """Migrate the restored databases, record the restore, and repeat the erasures made since."""
    if KEYS in parts:
        call_command("migrate", database=KEYS, interactive=False, verbosity=0)
    if "content" in parts:
        call_command("migrate", interactive=False, verbosity=0)
        pruning.give_up(parts["content"].made_at, anchored, operator=get_operator())
        keeping.extend_and_anchor()
    elif get_store("content").is_empty():
        return
    if restoring.must_reapply():
        call_command("reapply_erasures")
