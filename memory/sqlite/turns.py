"""Turns at writing one SQLite file, for all threads of all processes of this machine.

SQLite lets one write at a time, and whoever comes meanwhile tries again after growing pauses: those
who came last win, and some wait for twenty seconds in vain while others write many times. Here a
process sends one thread at a time, in order, and processes take turns by two locks on a file
beside the database: who holds the first waits for the second, and lets go of the first when it
has it, so nobody who has just written comes first again.

SQLite's own lock still keeps writers apart: who knows nothing of this line costs fairness,
never a row.
"""

import errno
import fcntl
import os
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock

# Longer than any transaction of ours takes while others wait for it.
PATIENCE_SECONDS = 10.0
# What was promised waits through any rush: who could still be refused went before it.
LONG_PATIENCE_SECONDS = 120.0
# How often a process that waits for another one looks.
PAUSE_SECONDS = 0.001
NEXT, NOW = 0, 1
SUFFIX = "-turns"


_patience: ContextVar[float | None] = ContextVar("patience", default=None)


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let what is written meanwhile wait so long for its turn."""
    token = _patience.set(seconds)
    try:
        yield
    finally:
        _patience.reset(token)


def long_patience() -> AbstractContextManager[None]:
    """Let what is written meanwhile wait long: nobody can be told any more to come again."""
    return patience(LONG_PATIENCE_SECONDS)


class NoTurn(Exception):
    """Nobody gave way in time."""


class ThreadLine:
    """The threads of one process that wait: first come, first served, which no Lock promises.

    There is no lock around its steps: a forgotten turn may be given back by the garbage collector,
    which comes between any two of them.
    """

    def __init__(self) -> None:
        self._baton = Lock()
        self._waiting: deque[Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Wait until all who came before are done; tell whether that was in time."""
        called = Lock()
        called.acquire()
        self._waiting.append(called)
        self._call_next()
        if called.acquire(timeout=max(0, timeout)):
            return True
        try:
            self._waiting.remove(called)
        except ValueError:  # called at the last moment
            return True
        return False

    def release(self) -> None:
        """Let the next one go on."""
        self._baton.release()
        self._call_next()

    def _call_next(self) -> None:
        while self._waiting and self._baton.acquire(blocking=False):
            try:
                self._waiting.popleft().release()
            except IndexError:  # the last one gave up
                self._baton.release()
            else:
                return


class WriteTurn:
    """The right to write; given back at the latest when nobody holds it any more."""

    def __init__(self, line: "WriteLine") -> None:
        self._line: WriteLine | None = line
        self._process = os.getpid()

    def give(self) -> None:
        """Let the next one write."""
        line, self._line = self._line, None
        if line and self._process == os.getpid():  # a fork has a copy, and no right
            line.end()

    def __del__(self) -> None:
        self.give()


class WriteLine:
    """Those who wait to write one file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._threads = ThreadLine()
        self._file: int | None = None

    @staticmethod
    @cache
    def of(path: str) -> "WriteLine":
        """Return the line of the database at the path."""
        line = WriteLine(path)
        os.register_at_fork(after_in_child=line._begin_anew)
        return line

    def turn(self) -> WriteTurn:
        """Wait for the turn and return it; raises NoTurn."""
        asked = _patience.get()
        seconds = PATIENCE_SECONDS if asked is None else asked
        until = time.monotonic() + seconds
        if not self._threads.acquire(timeout=seconds):
            raise NoTurn
        try:
            self._wait_for(NEXT, until)
            try:
                self._wait_for(NOW, until)
            finally:
                self._unlock(NEXT)
        except BaseException:
            self._threads.release()
            raise
        return WriteTurn(self)

    def end(self) -> None:
        """Let the next one write."""
        self._unlock(NOW)
        self._threads.release()

    def _wait_for(self, place: int, until: float) -> None:
        while not self._locked(place):
            if time.monotonic() > until:
                raise NoTurn
            time.sleep(PAUSE_SECONDS)

    def _locked(self, place: int) -> bool:
        try:
            fcntl.lockf(self._opened(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise
        return True

    def _unlock(self, place: int) -> None:
        fcntl.lockf(self._opened(), fcntl.LOCK_UN, 1, place)

    def _opened(self) -> int:
        if self._file is None:
            self._file = os.open(self._path + SUFFIX, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file

    def _begin_anew(self) -> None:
        """A forked child holds none of its parent's locks."""
        self._threads = ThreadLine()
