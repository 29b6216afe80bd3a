"""Answers that this process is writing, for the readers in this process; others follow the rows."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

_live: dict[UUID, "Live"] = {}


class Live:
    """One attempt while it is being answered."""

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.opening: dict[str, Any] = {}
        self.text = ""
        self.ended = False
        # Notes in the rows what the answer opens with; None before there is that, and once it has.
        self.noting: Callable[[], None] | None = None
        self.version = 0
        # Held while the text is stored, and while it begins anew under another number.
        self.storing = asyncio.Lock()
        self._changed = asyncio.Event()

    def open(self, opening: dict[str, Any], noting: Callable[[], None]) -> None:
        """Say what was searched for and found; text of a try that overflowed starts anew."""
        self.opening, self.text, self.noting = opening, "", noting
        self._notify()

    def note(self) -> None:
        """Note in the rows what the answer opens with, unless that has been done."""
        if self.noting:
            self.noting()
            self.noting = None

    def begin_anew(self, attempt: int) -> None:
        """Let go of the text: what follows has the attempt's next number, so that readers know."""
        self.attempt, self.text = attempt, ""
        self._notify()

    def add(self, text: str) -> None:
        if text:
            self.text += text
            self._notify()

    def end(self) -> None:
        self.ended = True
        self._notify()

    async def newer_than(self, version: int, *, patience: float) -> None:
        """Wait until there is more than the reader has seen, or the time is up."""
        if self.version > version:
            return
        try:
            async with asyncio.timeout(patience):
                await self._changed.wait()
        except TimeoutError:
            return

    def _notify(self) -> None:
        # Whoever waits holds the old event; later readers wait for the next one.
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()


@contextmanager
def live_answer(turn_id: UUID, attempt: int) -> Iterator[Live]:
    """Make the answer visible to this process's readers until it has ended."""
    live = _live[turn_id] = Live(attempt)
    try:
        yield live
    finally:
        live.end()
        if _live.get(turn_id) is live:
            del _live[turn_id]


def live_of(turn_id: UUID) -> Live | None:
    """Return the answer if this process is writing it."""
    return _live.get(turn_id)
