"""The files in which the processes of this machine count, as prometheus_client maps them.

Writing to a mapped page on a full disk ends a process (SIGBUS). So the files are in memory where
possible, and their pages are allocated before they are mapped. A process takes the first slot that
no living process holds, and continues its files, so a counter never falls.
"""

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from prometheus_client import values

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# More than all series of declared metrics need, of each kind (memory.metrics.counting bounds them).
BYTES = {"counter": 128 * 1024, "histogram": 1024 * 1024, "gauge_sum": 64 * 1024}
SLOTS = 1000


def make_metrics_folder() -> Path | None:
    """Return the folder of the files, which only this user can write; None if there is none."""
    if given := os.environ.get(VARIABLE):
        wanted = [Path(given)]
    else:
        shared = Path("/dev/shm") / f"{settings.TEMPORARY_PREFIX}metrics"  # noqa: S108 - checked
        wanted = [shared, Path(settings.DATA_DIR) / "metrics"]
    for path in wanted:
        with suppress(OSError):
            path.mkdir(mode=0o700, exist_ok=True)
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
                return path
    return None


class Slot:
    """Names the files of this process, a forked one's anew."""

    def __init__(self, path: Path) -> None:
        self._path, self._process, self._number, self._lock = path, 0, 0, -1

    def __call__(self) -> int:
        if self._process != os.getpid():
            self._number, self._lock = self._take()
            self._process = os.getpid()
        return self._number

    def _take(self) -> tuple[int, int]:
        for number in range(SLOTS):
            lock = os.open(self._path / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self._allocate(number)
            return number, lock
        raise BlockingIOError

    def _allocate(self, number: int) -> None:
        (self._path / f"gauge_sum_{number}.db").unlink(missing_ok=True)  # of the process before
        for kind, size in BYTES.items():
            file = os.open(self._path / f"{kind}_{number}.db", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                os.posix_fallocate(file, 0, size)
            finally:
                os.close(file)


def share_counts() -> None:
    """Make new metrics count in shared files, or, without a folder, in this process alone."""
    values.ValueClass = values.MutexValue
    with suppress(OSError):
        if path := make_metrics_folder():
            slot = Slot(path)
            slot()
            os.environ[VARIABLE] = str(path)
            values.ValueClass = values.MultiProcessValue(slot)
