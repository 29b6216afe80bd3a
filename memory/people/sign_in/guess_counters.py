"""Counters of guesses at passwords and codes: in the database, and never silently missing.

Counters must be available whenever accounts are; otherwise guesses would be free, or sign-in
blocked. So they are in the same database, and a guess that can't be counted is an error.
"""

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import OperationalError


class GuessCounters(DatabaseCache):
    """Django's cache in a table, which raises where Django's would drop a value."""

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store the count under the key, or raise OperationalError."""
        name = self.make_and_validate_key(key, version=version)
        if not self._base_set("set", name, value, timeout):  # type: ignore[attr-defined]
            raise OperationalError("a guess was not counted")
