"""How far the making of a package is, told to its job, whose lease is renewed by that."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from memory.jobs import Lease

EVERY = 100
Thing = TypeVar("Thing")


class Progress:
    """Counts what was written against all that is to be written."""

    def __init__(self, lease: Lease, *, total: int) -> None:
        self._lease = lease
        self._done, self._total = 0, total

    def counted(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield the things, counting each."""
        for thing in things:
            yield thing
            self._done += 1
            if self._done % EVERY == 0:
                self.hold()

    def hold(self) -> None:
        """Renew the lease and note the progress, or raise LostLease."""
        self._lease.pulse(progress=min(self._done, self._total), total=self._total)
