"""A circuit breaker: fail fast while a server does not answer."""

import time
from threading import Lock

SECONDS = 10.0


class Breaker:
    """Skips a server for some seconds after a failure; then one request tests it for all."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._until = 0.0  # by the monotonic clock; 0 while closed
        self._lock = Lock()

    def may_try(self) -> bool:
        """Return whether to try: always while closed, else once after the pause."""
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return False
            if self._until:
                self._until = now + self._seconds
            return True

    def failed(self) -> None:
        """Note a failure."""
        self._until = time.monotonic() + self._seconds

    def succeeded(self) -> None:
        """Note an answer of the server, which closes the breaker."""
        self._until = 0.0
