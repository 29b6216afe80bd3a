"""The progress of making a package, reported to its job."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from django.conf import settings
from django.utils import timezone, translation

from memory.jobs import Lease, give_way

EVERY = 100
Thing = TypeVar("Thing")


class Progress:
    """Counts written items against their total."""

    def __init__(self, lease: Lease, *, total: int) -> None:
        self._lease = lease
        self._done, self._total = 0, total

    def counted(self, things: Iterable[Thing]) -> Iterator[Thing]:
        """Yield the items and count them; let more urgent jobs run at intervals."""
        for thing in things:
            yield thing
            self._done += 1
            if self._done % EVERY == 0:
                self.hold()
                # Other jobs don't run in this person's language and time zone.
                with translation.override(settings.LANGUAGE_CODE), timezone.override(None):
                    give_way(self._lease)

    def hold(self) -> None:
        """Renew the lease and note the progress, or raise LostLease."""
        self._lease.pulse(progress=min(self._done, self._total), total=self._total)
