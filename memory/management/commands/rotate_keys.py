"""Rotate the master key: every data key is wrapped anew; content stays as it is.

It can be stopped at any point and run again. A data key is under the old master key or the new one.
Both stay known until no data key is under an old one. A rotation that has begun is finished before
another is started.
"""

import fcntl
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from memory.people.staff.operators import RecordedCommand
from memory.sealing import (
    MasterKeyError,
    add_master_key,
    get_master_keys,
    rewrap_data_keys,
    select_stale_data_keys,
    shred_old_master_keys,
)

# Longer than it takes to read the master key and store a data key wrapped by it.
SETTLING = 2  # seconds
NEXT = """\
Every data key is wrapped by the first key of MASTER_KEY. Take the others out of it and start all
processes anew. To rotate: put a new key in front, start all processes anew, run this command."""


class Command(RecordedCommand):
    help = "Wrap every person's data key by a new master key; it can be stopped and run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=500, help="data keys a transaction")

    def handle(self, *, batch: int, **options: Any) -> None:
        try:
            with _alone():
                self._rotate(batch)
        except MasterKeyError as error:
            raise CommandError(f"The master key can't be used: {error}.") from error

    def _rotate(self, batch: int) -> None:
        in_file = not settings.MASTER_KEY
        if in_file and len(get_master_keys()) == 1:
            add_master_key()
        self._rewrap(batch)
        if in_file:
            time.sleep(SETTLING)
            self._rewrap(batch)  # data keys made meanwhile
            shred_old_master_keys()
        self.stdout.write("The master key has been rotated." if in_file else NEXT)

    def _rewrap(self, batch: int) -> None:
        total = select_stale_data_keys().count()
        with tqdm(total=total, unit=" keys", disable=None, file=self.stderr) as progress:
            for finished in rewrap_data_keys(batch=batch):
                progress.update(finished)
        if total:
            self.stdout.write(f"{total} data keys were wrapped anew.")


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock: of two rotations at once, one could drop the other's new key."""
    with (settings.DATA_DIR / "rotate_keys.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError("Another rotation is running.") from error
        yield
