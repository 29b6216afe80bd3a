"""The database's own plans of statements."""

import json
from collections.abc import Callable
from typing import Any

from django.db import connection


class StatementWatch:
    """Looks at each statement that reads or changes rows, as a wrapper of a connection's."""

    _is_asking = False

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        is_read = sql.startswith(("SELECT", "UPDATE", "DELETE", "WITH"))
        if is_read and not many and not self._is_asking:
            self._is_asking = True
            try:
                self.look(sql, params)
            finally:
                self._is_asking = False
        return execute(sql, params, many, context)

    def look(self, sql: str, params: Any) -> None:
        """Take down what the statement does; what it asks the database isn't looked at."""
        raise NotImplementedError


def plan_of(sql: str, params: Any, *, runs: bool = False) -> dict[str, Any]:
    """Return PostgreSQL's plan of a statement; with `runs` it is run for it, and tells of that."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN ({'ANALYZE, ' if runs else ''}FORMAT JSON) {sql}", params)
        (plans,) = cursor.fetchone()
    plan: dict[str, Any] = (json.loads(plans) if isinstance(plans, str) else plans)[0]["Plan"]
    return plan
