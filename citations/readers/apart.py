"""Parsing apart: a child process with limits parses, so that no file can harm this process.

Parsers of PDF, ZIP, XML and HTML hang, recurse and exhaust memory on malicious files. The child has
bounded memory and computing time, no environment, no files to write and no programs to start; it
ends with this process. Its answer is bounded too. A child that is killed, or doesn't answer in
time, had a file that is too complex; one that ends with an error had a broken file. A child reports
each page that it begins: if that page ends it, the next child leaves it out.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from threading import BoundedSemaphore, Thread
from typing import Any

from django.db import connections

from citations.formats.reading import (
    BadFile,
    FileReading,
    Progress,
    ReadingLimits,
    ignore_progress,
    unpack_reading,
)

START = "import json, sys; o = json.loads(sys.argv[1]); sys.path[:] = o.pop('path')\n"
START += "from citations.formats.process.child import main; main(o)"
# No site, no user's packages, nothing from the environment: the path is handed over.
OPTIONS = ("-I", "-S", "-B")
# What a system without its libraries in the usual places needs to start Python at all.
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
CHUNK = 1 << 16
# How often the one who waits is told, so that a lease is held while nothing is heard.
TICK = 1.0
# So many pages that take too long are no accident.
MAX_SKIPPED = 5
# A page's own timer, and what becomes of a parser that is broken or out of memory.
ENDS_A_PAGE = frozenset(
    {signal.SIGVTALRM, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP}
)
# How many children one process has at a time: each may take a gigabyte.
_places = BoundedSemaphore(2)


@dataclass(frozen=True)
class ChildBounds:
    """What a child may use: bytes, seconds of computing, seconds in all, bytes of its answer.

    For its place it waits no longer than `queue` seconds, if that is given.
    """

    memory: int
    seconds: int
    patience: float
    answer: int
    queue: float | None = None


# By stage. Patience is for what hangs: a busy machine needs its time for two seconds of computing.
BOUNDS = {
    "inspect": ChildBounds(memory=1 << 30, seconds=2, patience=30, answer=1 << 20, queue=10),
    "read": ChildBounds(memory=1 << 30, seconds=300, patience=900, answer=100 << 20),
    "draw": ChildBounds(memory=2 << 30, seconds=20, patience=60, answer=60 << 20),
    "show": ChildBounds(memory=1 << 30, seconds=2, patience=20, answer=30 << 20, queue=10),
}
# 100,000 entries take 12 seconds, with validation in this process.
REFERENCES = ChildBounds(memory=2 << 30, seconds=30, patience=60, answer=200 << 20, queue=10)


def run_apart(
    stage: str,
    fmt: str,
    data: bytes,
    limits: ReadingLimits,
    progress: Progress = ignore_progress,
    *,
    bounds: ChildBounds | None = None,
) -> FileReading:
    """Have the format's module do a stage of reading a file; raises BadFile.

    Where someone waits for it, it is refused as busy if no place gets free. A child that a page
    has ended is followed by another one, which leaves that page out.
    """
    bounds, begun = bounds or BOUNDS[stage], time.monotonic()
    if bounds.queue is not None:
        let_go_of_connections()
    order = {"format": fmt, "stage": stage}
    with _place(bounds, progress):
        while True:
            left = max(bounds.patience - (time.monotonic() - begun), TICK)
            try:
                whole = _order(order | {"limits": asdict(limits)}, bounds)
                return _run_child(whole, data, replace(bounds, patience=left), progress)
            except EndedByPage as error:
                if len(limits.skipped) >= MAX_SKIPPED:
                    raise BadFile("too_complex") from error
                limits = replace(limits, skipped=(*limits.skipped, error.page))


def talk_apart(
    start: str, order: dict[str, Any], data: bytes, bounds: ChildBounds
) -> Iterator[dict[str, Any]]:
    """Yield what a child that this code starts answers; raises BadFile if it doesn't end well."""
    with _place(bounds, ignore_progress), _child(_order(order, bounds), start) as child:
        Thread(target=_feed, args=(child, data), daemon=True).start()
        for line in _read_lines(child, bounds):
            yield json.loads(line) if line else {}
        if code := child.wait():
            raise BadFile("too_complex" if code < 0 else "broken")


def let_go_of_connections() -> None:
    """Wait without connections to the databases, which others may need to finish."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def _order(order: dict[str, Any], bounds: ChildBounds) -> str:
    path = [os.path.abspath(folder) for folder in sys.path]
    return json.dumps(order | {"memory": bounds.memory, "seconds": bounds.seconds, "path": path})


class EndedByPage(Exception):
    """A page, counted from 0, took too long or too much, or broke the parser."""

    def __init__(self, page: int) -> None:
        super().__init__(page)
        self.page = page


def _run_child(order: str, data: bytes, bounds: ChildBounds, progress: Progress) -> FileReading:
    with _child(order) as child:
        # From a thread, because the child may stop taking what it is given.
        Thread(target=_feed, args=(child, data), daemon=True).start()
        done = total = 0
        for line in _read_lines(child, bounds):
            said = json.loads(line) if line else {}
            if "reading" in said:
                return unpack_reading(said["reading"])
            if "refused" in said:
                raise BadFile(str(said["refused"]))
            done, total = said.get("done", done), said.get("total", total)
            progress(done, total)
        code = child.wait()
        if done < total and -code in ENDS_A_PAGE:
            raise EndedByPage(done)
        raise BadFile("too_complex" if code < 0 else "broken")


@contextmanager
def _place(bounds: ChildBounds, progress: Progress) -> Iterator[None]:
    """Wait for a place, telling the one who waits that nothing is done yet."""
    end = None if bounds.queue is None else time.monotonic() + bounds.queue
    while not _places.acquire(timeout=TICK):
        if end is not None and time.monotonic() > end:
            raise BadFile("busy")
        progress(0, 0)
    try:
        yield
    finally:
        _places.release()


@contextmanager
def _child(order: str, start: str = START) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(  # noqa: S603 - our own code, and nothing of a person's in its arguments
        [sys.executable, *OPTIONS, "-c", start, order],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={name: os.environ[name] for name in KEPT if name in os.environ},
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdout, child.stdin):
            with suppress(OSError):
                pipe.close() if pipe else None


def _feed(child: subprocess.Popen[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError):  # it ended before it had taken all
        assert child.stdin is not None  # noqa: S101 - for the type checker
        child.stdin.write(data)
        child.stdin.close()


def _read_lines(child: subprocess.Popen[bytes], bounds: ChildBounds) -> Iterator[bytes]:
    """Yield the lines of the answer, and empty ones while nothing comes; kill who is late."""
    assert child.stdout is not None  # noqa: S101 - for the type checker
    # A line may be as long as the answer: its chunks are put together once.
    pending: list[bytes] = []
    heard = 0
    begun = told = time.monotonic()
    with selectors.DefaultSelector() as waiting:
        waiting.register(child.stdout, selectors.EVENT_READ)
        while True:
            now = time.monotonic()
            if now > begun + bounds.patience or heard > bounds.answer:
                child.kill()
                return
            if now > told + TICK:
                told = now
                yield b""
            if not waiting.select(timeout=TICK):
                continue
            chunk = os.read(child.stdout.fileno(), CHUNK)
            if not chunk:
                return
            heard += len(chunk)
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                yield b"".join([*pending, end])
                pending.clear()
            pending.append(rest)
