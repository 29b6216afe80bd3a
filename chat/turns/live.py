"""The answers in progress in this process, for its own readers; others read the rows."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from memory.models import Attempt

# Bounds, in seconds, of the interval in which text for readers is merged: a notification costs
# about the same for one word or ten. The interval grows with the number of answers, so that a
# process sends at most TELLINGS_A_SECOND notifications a second.
MERGE_SECONDS, LONGEST_SECONDS = 0.05, 0.25
TELLINGS_A_SECOND = 200

_live: dict[UUID, "Live"] = {}


class Live:
    """An attempt while it is being answered."""

    def __init__(self, row: Attempt) -> None:
        self.row = row
        self.attempt = row.number
        self.opening: dict[str, Any] = {}
        self.ended = False
        # The written part of a structured answer.
        self.table: Mapping[str, Any] | None = None
        # The number of answers before it; None if it never waited.
        self.before: int | None = None
        # Stores the answer's opening; None before there is one, and once it is stored.
        self.noting: Callable[[], None] | None = None
        # Increased with each notification of readers.
        self.version = 0
        self._loop = asyncio.get_running_loop()
        self.opened_at = self._loop.time()
        # Holds the error that ends the work, once there is one.
        self.halted: asyncio.Future[Exception] = self._loop.create_future()
        self._pieces: list[str] = []
        self._waiting: set[asyncio.Future[None]] = set()
        self._told_at = 0.0
        self._telling: asyncio.Handle | None = None

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def open(self, opening: dict[str, Any], noting: Callable[[], None]) -> None:
        """Begin the text with the rewrite and the passages; after an overflow, begin it again."""
        self.opening, self.noting = opening, noting
        self.opened_at = self._loop.time()
        self._begin()

    def set_place(self, before: int) -> None:
        """Notify readers of the number of answers before it."""
        self.before = before
        self._tell()

    def has_been_open(self, seconds: float) -> bool:
        """Return whether it has been open for that long."""
        return self.opened_at < self._loop.time() - seconds

    def note(self) -> None:
        """Store the answer's opening, unless that is done."""
        if noting := self.noting:
            noting()
            self.noted(noting)

    def noted(self, noting: Callable[[], None]) -> None:
        """Note that this opening is stored; another attempt may be open by now."""
        if self.noting is noting:
            self.noting = None

    def begin_anew(self, attempt: int) -> None:
        """Discard the text; the next one has the attempt's next number."""
        self.attempt = attempt
        self._begin()

    def ask_again(self, attempt: int) -> None:
        """Discard text and passages: retrieval is repeated."""
        self.opening, self.noting = {}, None
        self.begin_anew(attempt)

    def add(self, text: str) -> None:
        """Add text, and notify readers now or at the end of the interval."""
        if text:
            self._pieces.append(text)
            if self._telling is None:
                merged = merge_seconds(len(_live))
                beat = self._loop.time() // merged
                if self._told_at // merged < beat:
                    self._telling = self._loop.call_soon(self._tell)
                else:
                    self._telling = self._loop.call_at((beat + 1) * merged, self._tell)

    def end(self) -> None:
        self.ended = True
        self._tell()

    def halt(self, error: Exception) -> None:
        """End the work with the error."""
        if not self.halted.done():
            self.halted.set_result(error)

    def taken_halt(self) -> Exception:
        """Return the error of the halt, and end the halt so that later work can run."""
        error = self.halted.result()
        self.halted = self._loop.create_future()
        return error

    async def wait_for_news(self, version: int, *, patience: float) -> None:
        """Wait for a newer version than the reader's, or for the timeout."""
        if self.version > version:
            return
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiting.add(waiter)
        late = self._loop.call_later(patience, _wake, waiter)
        try:
            await waiter
        finally:
            late.cancel()
            self._waiting.discard(waiter)

    def _begin(self) -> None:
        self._pieces, self.table = [], None
        self._tell()

    def _tell(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        self._told_at = self._loop.time()
        self.version += 1
        for waiter in self._waiting:
            _wake(waiter)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def merge_seconds(answers: int) -> float:
    """Return the interval in which text is merged while that many answers are written."""
    return min(LONGEST_SECONDS, max(MERGE_SECONDS, answers / TELLINGS_A_SECOND))


@contextmanager
def live_answer(attempt: Attempt) -> Iterator[Live]:
    """Make the answer visible to this process's readers until its end."""
    live = _live[attempt.turn_id] = Live(attempt)
    try:
        yield live
    finally:
        live.end()
        if _live.get(attempt.turn_id) is live:
            del _live[attempt.turn_id]


def find_live(turn_id: UUID) -> Live | None:
    """Return the answer if this process is writing it."""
    return _live.get(turn_id)


def list_answering() -> set[UUID]:
    """Return the attempts that this process is answering."""
    return {live.row.pk for live in list(_live.values())}
