"""Parsing apart: a child process with limits parses, so that no file can harm this process.

Parsers of PDF, ZIP, XML and HTML hang, recurse and exhaust memory on malicious files. The child has
bounded memory and computing time, no environment, no files to write and no programs to start; it
ends with this process. Its answer is bounded too. A file is too complex if its child is killed or
late, and broken if its child ends with an error. A child reports each page that it begins: if that
page ends it, the next child leaves it out.
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
# No site, no user's packages, nothing from the environment: the order contains the path.
OPTIONS = ("-I", "-S", "-B")
# Variables that Python needs to start where libraries are in unusual places.
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
CHUNK = 1 << 16
# Seconds between two reports of progress, which renew the lease while the child is silent.
TICK = 1.0
# Maximum number of pages left out for taking too long; with more, the file is too complex.
MAX_SKIPPED = 5
# A page's own timer, and the ends of a parser that is broken or out of memory.
ENDS_A_PAGE = frozenset(
    {signal.SIGVTALRM, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP}
)
# Children of one process at a time: each may take a gigabyte.
_places = BoundedSemaphore(2)


@dataclass(frozen=True)
class ChildBounds:
    """The limits of a child: bytes, seconds of computing, seconds in all, bytes of its answer.

    It waits for its start at most `queue` seconds, if that is set.
    """

    memory: int
    seconds: int
    patience: float
    answer: int
    queue: float | None = None


# By stage. Patience is for a child that hangs: a busy machine is slow at two seconds of computing.
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
    """Run a stage of the format's module on a file. Raises BadFile.

    With `queue`, it is refused as busy if no place gets free in time. A child ended by a page is
    followed by another one, which leaves that page out.
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
    """Yield the answers of a child that runs this code. Raises BadFile if it ends with an error."""
    with _place(bounds, ignore_progress), _child(_order(order, bounds), start) as child:
        Thread(target=_feed, args=(child, data), daemon=True).start()
        for line in _read_lines(child, bounds):
            yield json.loads(line) if line else {}
        if code := child.wait():
            raise BadFile("too_complex" if code < 0 else "broken")


def let_go_of_connections() -> None:
    """Close idle connections to the databases, which other processes may need meanwhile."""
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
        # In a thread, because the child may stop reading its input.
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
    """Wait for a place, reporting no progress meanwhile."""
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
    with suppress(OSError, ValueError):  # it ended before it had read all
        assert child.stdin is not None  # noqa: S101 - for the type checker
        child.stdin.write(data)
        child.stdin.close()


def _read_lines(child: subprocess.Popen[bytes], bounds: ChildBounds) -> Iterator[bytes]:
    """Yield the lines of the answer, and empty ones while none comes; kill a child that is late."""
    assert child.stdout is not None  # noqa: S101 - for the type checker
    # A line may be as long as the answer, so its chunks are joined once.
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
