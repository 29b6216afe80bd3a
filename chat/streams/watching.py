"""Periodic checks of the rights of all stream readers of this process, together."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context
from weakref import WeakKeyDictionary

from chat.database_threads import run_upkeep
from chat.streams.reading_rights import Right, select_valid
from memory.errors import describe_error

log = logging.getLogger(__name__)

# Seconds between checks of all rights. A reader waits as long for news, so a withdrawn right may
# last twice this.
RECHECK_SECONDS = 2.0
# Seconds after which an unconfirmed right lapses.
UNCONFIRMED_SECONDS = 20.0


class Watched:
    """The right of one reader while they read."""

    def __init__(self, right: Right) -> None:
        self.right = right
        self.is_withdrawn = False
        self._now = asyncio.get_running_loop().time
        self._confirmed = self._now()

    @property
    def holds(self) -> bool:
        return not self.is_withdrawn and self._now() - self._confirmed < UNCONFIRMED_SECONDS

    def learn(self, *, holds: bool) -> None:
        if holds:
            self._confirmed = self._now()
        else:
            self.is_withdrawn = True


class _Watch:
    """The readers of one event loop."""

    def __init__(self) -> None:
        self.readers: set[Watched] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, reader: Watched) -> None:
        self.readers.add(reader)
        if self._task is None or self._task.done():
            loop = asyncio.get_running_loop()
            self._task = loop.create_task(self._run(), context=Context())  # of no request

    def remove(self, reader: Watched) -> None:
        self.readers.discard(reader)
        if not self.readers and self._task:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            try:
                await self._once()
            except Exception as error:  # noqa: BLE001 - unconfirmed readers stop later
                log.error("rights_not_asked", extra=describe_error(error))

    async def _once(self) -> None:
        readers = list(self.readers)
        held = await run_upkeep(select_valid, {reader.right for reader in readers})
        for reader in readers:
            reader.learn(holds=reader.right in held)


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Watch] = WeakKeyDictionary()


@contextmanager
def watched(right: Right) -> Iterator[Watched]:
    """Have the right checked repeatedly while its reader reads."""
    watch = _of_loops.setdefault(asyncio.get_running_loop(), _Watch())
    reader = Watched(right)
    watch.add(reader)
    try:
        yield reader
    finally:
        watch.remove(reader)
