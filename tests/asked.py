"""What tests ask of PostgreSQL: which modules ask nothing that others don't ask it as well.

An engine has its own way with some statements, with the errors that they end with, and with what
waits for what. Rows that are found, written or deleted by their values are the same on each. So a
module that has no such statement, error and order of locks but those of others tells no more of the
engine than they do: it may be marked `asked_elsewhere`, and runs on PostgreSQL by `make deep` only.

TEST_ASKED=report lists what each module asks alone, with the modules first that ask nothing alone.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db.backends.signals import connection_created

from tests.lock_watch import Watch, tables

# One value or a hundred, one row or many: the statement is the same.
VALUES = re.compile(r"\(%s(?:::\w+)?(?:, %s(?:::\w+)?)*\)")
ROWS = re.compile(r"(\([^()]*\))(?:, \1)+")
NUMBER = re.compile(r"\b\d+\b")
COLUMNS = re.compile(r'^SELECT "\w+"\."\w+"(?:, "\w+"\."\w+")* FROM ')
OWN_WAY = re.compile(
    r"\b(?:FOR UPDATE|FOR NO KEY UPDATE|ON CONFLICT|LIKE|CASE|DISTINCT|EXISTS|UNION|WITH|OVER)\b"
    r"|\b(?:GROUP BY|AT TIME ZONE|INTERVAL|NULLS|EXPLAIN|CREATE|ALTER|DROP|TRUNCATE|LOCK)\b"
    r"|\b(?:COUNT|SUM|MAX|MIN|AVG|COALESCE|UPPER|LOWER|LENGTH|EXTRACT|DATE_TRUNC|ANY|UNNEST)\("
    r"|\(SELECT\b|::|->|@>|<#>|<=>|tsvector|tsquery|halfvec|\bpg_| \+ "
)


def pytest_configure(config: pytest.Config) -> None:
    """Look on, if that is what the run is for."""
    if os.environ.get("TEST_ASKED") == "report":
        config.pluginmanager.register(Asked(), "asked-of-postgresql")


def shape(sql: str) -> str:
    """Return the statement without its columns, and without how many values and rows it has."""
    return COLUMNS.sub("SELECT … FROM ", NUMBER.sub("0", ROWS.sub(r"\1", VALUES.sub("(…)", sql))))


def alone(asked: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return what each module asks that no other does."""
    known = Counter(each for shapes in asked.values() for each in shapes)
    return {name: {one for one in shapes if known[one] == 1} for name, shapes in asked.items()}


class Asked:
    """Takes down what each module's tests ask."""

    def __init__(self) -> None:
        self._asked: defaultdict[str, set[str]] = defaultdict(set)
        self._now: set[str] = set()
        connection_created.connect(self._begin, weak=False, dispatch_uid="asked")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Put down what is asked from here on to the test's module."""
        self._now = self._asked[item.nodeid.split("::")[0]]
        return (yield)

    def _begin(self, connection: Any, **event: Any) -> None:
        if connection.vendor == "postgresql" and self._note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._note)

    def _note(self, execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        asked = shape(str(sql))
        if OWN_WAY.search(asked):
            self._now.add(asked)
        for watch in rest[-1]["connection"].execute_wrappers:
            held = watch.held if isinstance(watch, Watch) else ()
            self._now.update(f"{new} after {old}" for new in tables(asked)[0] for old in held)
        try:
            return execute(sql, *rest)
        except Exception as error:
            self._now.add(f"{type(error).__name__}: {asked}")
            raise

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how much each module asks alone, the least first."""
        terminalreporter.section("what is asked of PostgreSQL by one module alone")
        for name, shapes in sorted(alone(self._asked).items(), key=lambda each: len(each[1])):
            terminalreporter.write(f"{len(shapes):5} of {len(self._asked[name]):5} {name}\n")
