"""Counters of this process, in a file that the other processes of the machine can read.

Each process adds up in a file of its own, mapped into its memory: adding costs a microsecond, and
what was added survives `kill -9`. A file is locked as long as its process lives; what the dead have
counted is added to `ended` by the next process that begins, so that a counter never falls. What is
of the moment, a gauge, ends with its process.
"""

import fcntl
import logging
import mmap
import os
import re
import struct
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from django.conf import settings

from memory.metrics.declared import BUCKETS, METRICS, PREFIX

log = logging.getLogger(__name__)

FILE_BYTES = 256 * 1024
NUMBER = struct.Struct("<d")
LENGTH = struct.Struct("<I")
ENDED = "ended"
# A label's value is a code: whatever else comes is not told.
CODE = re.compile(r"[A-Za-z0-9_.:/-]{0,60}")
SPOILT = "other"
Labels = tuple[tuple[str, str], ...]


class _Counts:
    """Numbers by their names in a mapped file: the bytes used, then each name with its number."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(self._file, FILE_BYTES)
        self._bytes = mmap.mmap(self._file, FILE_BYTES)
        self._places: dict[str, int] = {}
        self._end = LENGTH.size

    def add(self, name: str, number: float, *, instead: bool = False) -> None:
        """Add to the number of the name, or put it there instead; a full file takes no new name."""
        place = self._places.get(name)
        if place is None:
            place = self._begin(name)
        if place is not None:
            known = 0.0 if instead else NUMBER.unpack_from(self._bytes, place)[0]
            NUMBER.pack_into(self._bytes, place, known + number)

    def close(self) -> None:
        """Let go of file and lock."""
        self._bytes.close()
        os.close(self._file)

    def _begin(self, name: str) -> int | None:
        written = name.encode()
        place = self._end + LENGTH.size + len(written)
        if place + NUMBER.size > FILE_BYTES:
            return None
        LENGTH.pack_into(self._bytes, self._end, len(written))
        self._bytes[self._end + LENGTH.size : place] = written
        NUMBER.pack_into(self._bytes, place, 0.0)
        self._places[name], self._end = place, place + NUMBER.size
        LENGTH.pack_into(self._bytes, 0, self._end)  # last, so that a reader sees whole entries
        return place


class _OfThisProcess:
    """The counts of this process: begun anew after a fork, and never in the way of the work."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = 0
        self._counts: _Counts | None = None

    def add(self, numbers: dict[str, float], *, instead: bool = False) -> None:
        """Add the numbers to those of their names, or put them there instead."""
        with self._lock:
            counts = self._own_counts()
            if counts:
                for name, number in numbers.items():
                    counts.add(name, number, instead=instead)

    def after_fork(self) -> None:
        """Forget a lock that another thread held when the process was forked."""
        self._lock = Lock()

    def _own_counts(self) -> _Counts | None:
        if self._process != os.getpid():
            if self._counts:  # they are the parent's
                self._counts.close()
            self._process, self._counts = os.getpid(), _begun()
        return self._counts


_own = _OfThisProcess()
os.register_at_fork(after_in_child=_own.after_fork)


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter that is declared."""
    _own.add({_series(name, tuple(labels.items())): amount})


def mirror(name: str, total: float, **labels: str) -> None:
    """Set this process's part of a counter, or of a gauge, to what something else has counted."""
    _own.add({_series(name, tuple(labels.items())): total}, instead=True)


def observe(name: str, seconds: float, **labels: str) -> None:
    """Add a time to a histogram that is declared."""
    known = tuple(labels.items())
    added = {_series(name, known, "_sum"): seconds, _series(name, known, "_count"): 1.0}
    for bound in BUCKETS[bisect_left(BUCKETS, seconds) :]:
        added[_series(name, (*known, ("le", f"{bound:g}")), "_bucket")] = 1.0
    _own.add(added)


def _series(name: str, labels: Labels, ending: str = "") -> str:
    """Return the name of one number as it is published, its labels among those declared."""
    if {label for label, _ in labels} - {"le"} != set(METRICS[name].labels):
        raise LookupError(f"{name} is declared with other labels")
    told = ",".join(
        f'{label}="{value if CODE.fullmatch(value) else SPOILT}"' for label, value in labels
    )
    return f"{PREFIX}{name}{ending}" + (f"{{{told}}}" if told else "")


# --- The files of all processes -------------------------------------------------------------------


def counted() -> Counter[str]:
    """Return what all processes of this machine have counted, by name."""
    total: Counter[str] = Counter()
    with _nobody_else():
        for path in _files():
            total.update(_read(path) if _is_in_use(path) else _lasting(_read(path)))
    return total


def _lasting(numbers: dict[str, float]) -> dict[str, float]:
    """Return what stays true of a process that has ended."""
    gauges = {PREFIX + name for name, metric in METRICS.items() if metric.is_gauge}
    return {name: it for name, it in numbers.items() if name.partition("{")[0] not in gauges}


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "metrics"


def _files() -> list[Path]:
    return [path for path in _folder().iterdir() if path.name == ENDED or path.suffix == ".count"]


def _read(path: Path) -> dict[str, float]:
    with suppress(FileNotFoundError, struct.error, UnicodeDecodeError):
        return dict(_entries(path.read_bytes()))
    return {}


def _entries(content: bytes) -> Iterator[tuple[str, float]]:
    (end,) = LENGTH.unpack_from(content)
    place = LENGTH.size
    while place < min(end, len(content)):
        (length,) = LENGTH.unpack_from(content, place)
        number = place + LENGTH.size + length
        yield content[place + LENGTH.size : number].decode(), NUMBER.unpack_from(content, number)[0]
        place = number + NUMBER.size


@contextmanager
def _nobody_else() -> Iterator[None]:
    """Keep files from being read and added up at the same time."""
    _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (_folder() / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _begun() -> _Counts | None:
    """Return counts for this process; none if the folder can't be used, which must not stop it."""
    try:
        with _nobody_else():
            _add_up_the_dead()
            return _Counts(_folder() / f"{os.getpid()}-{os.urandom(4).hex()}.count")
    except OSError as error:
        log.warning("nothing_counted", extra={"error": type(error).__name__})
        return None


def _add_up_the_dead() -> None:
    dead = [path for path in _files() if path.name != ENDED and not _is_in_use(path)]
    if not dead:
        return
    total = Counter(_read(_folder() / ENDED))
    for path in dead:
        total.update(_lasting(_read(path)))
    draft = _folder() / f"{ENDED}.new"
    draft.unlink(missing_ok=True)
    counts = _Counts(draft)
    for name, number in total.items():
        counts.add(name, number)
    counts.close()
    draft.replace(_folder() / ENDED)
    for path in dead:
        path.unlink()


def _is_in_use(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
