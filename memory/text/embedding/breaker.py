"""A breaker: who would ask a server that gave no answer doesn't wait for it as well."""

import time
from threading import Lock

SECONDS = 10.0


class Breaker:
    """Leaves a server alone for some seconds after it gave no answer; then one asks it for all."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._until = 0.0  # by the monotonic clock; 0 while all is well
        self._lock = Lock()

    def may_try(self) -> bool:
        """Return whether to ask it: of those who come after the pause, the first only."""
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            if self._until:
                self._until = now + self._seconds
            return True

    def failed(self) -> None:
        """Note that no answer came."""
        self._until = time.monotonic() + self._seconds

    def went_well(self) -> None:
        """Note that an answer came, whatever it was."""
        self._until = 0.0
