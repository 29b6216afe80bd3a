"""The progress of making a package, reported to its job."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.conf import settings
from django.utils import timezone, translation

from memory.jobs import Lease, give_way

EVERY = 100
Thing = TypeVar("Thing")


class Progress:
    """Counts what was written against all that is to be written."""

    def __init__(self, lease: Lease, *, total: int) -> None:
        self._lease = lease
        self._done, self._total = 0, total

    def counted(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield the things, counting each; what goes first is done between some of them."""
        for thing in things:
            yield thing
            self._done += 1
            if self._done % EVERY == 0:
                self.hold()
                # Not in the language and time of the package's person.
                with translation.override(settings.LANGUAGE_CODE), timezone.override(None):
                    give_way(self._lease)

    def hold(self) -> None:
        """Renew the lease and note the progress, or raise LostLease."""
        self._lease.pulse(progress=min(self._done, self._total), total=self._total)
