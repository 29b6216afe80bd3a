"""Counters of guesses at passwords and codes: in the database, and never silently nowhere.

What counts must not be away while the accounts are there: then a door would be open, or shut, that
should not be. So it is where they are, and a guess that can't be counted is an error, not a guess.
"""

from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import OperationalError


class GuessCounters(DatabaseCache):
    """Django's cache in a table, which raises where Django's would drop what it was given."""

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Store the count under the key, or raise OperationalError."""
        name = self.make_and_validate_key(key, version=version)
        if not self._base_set("set", name, value, timeout):  # type: ignore[attr-defined]
            raise OperationalError("a guess was not counted")
