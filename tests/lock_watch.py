"""Looks at each statement that locks rows, and tells of those that are out of order."""

import re
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.backends.signals import connection_created

from tests.lock_order import has_place, taken_too_late
from tests.surroundings import ROOT

CHANGES = re.compile(r'\s*(?:UPDATE|DELETE FROM)\s+"(\w+)"')
LOCKS = re.compile(r'FOR (?:NO KEY )?UPDATE(?: OF ((?:"\w+"(?:, )?)+))?(?P<skips> SKIP LOCKED)?')
FROM = re.compile(r'(?:FROM|JOIN) "(\w+)"')
NESTED = re.compile(r"\([^()]*\)")

FOLDERS = tuple(f"{ROOT / app}/" for app in ("memory", "citations", "chat", "config"))

out_of_order: list[str] = []


def tables(sql: str) -> tuple[list[str], bool]:
    """Return the tables whose rows the statement locks, and whether it waits for others."""
    if change := CHANGES.match(sql):
        return [change[1]], True
    if lock := LOCKS.search(sql):
        return re.findall(r'"(\w+)"', lock[1] or "") or joined(sql), not lock["skips"]
    return [], False


def joined(sql: str) -> list[str]:
    """Return the tables that the statement itself reads, and none that is only asked inside it."""
    outside = NESTED.sub("", sql)
    return joined(outside) if outside != sql else FROM.findall(sql)


def is_of_product() -> bool:
    """Return whether the product does it, and not a test that puts rows where it wants them."""
    files = (frame.filename for frame in traceback.extract_stack())
    return any(file.startswith(FOLDERS) for file in files)


class Watch:
    """The locks of one connection in its transaction."""

    def __init__(self) -> None:
        self.held: set[str] = set()

    def __call__(self, execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        result = execute(sql, *rest)
        context = rest[-1]
        # A test's own transaction is none of the product's.
        inside = any(not block._from_testcase for block in context["connection"].atomic_blocks)
        found, waits = tables(str(sql))
        if not found or not inside or context["cursor"].rowcount < 1:  # no row, no lock
            return result
        for table in found:
            if waits and (late := taken_too_late(table, self.held)) and is_of_product():
                out_of_order.append(f"{table} after {', '.join(late)}: {str(sql)[:200]}")
            self.held.add(table)
        if (unknown := strangers(str(sql), found)) and is_of_product():
            out_of_order.append(f"{', '.join(unknown)} has no place: {str(sql)[:200]}")
        return result


def strangers(sql: str, locked: Iterable[str]) -> list[str]:
    """Return the tables that are locked for their own sake, and have no place in the order.

    Whoever changes rows locks them, too: where nobody else waits for these, no order is needed.
    """
    return [] if CHANGES.match(sql) else [table for table in locked if not has_place(table)]


def watch_locks() -> None:
    """Watch every connection to PostgreSQL from now on."""

    def begin(connection: Any, **event: Any) -> None:
        if connection.vendor == "postgresql":
            wrappers = connection.execute_wrappers
            wrappers[:] = [wrapper for wrapper in wrappers if not isinstance(wrapper, Watch)]
            wrappers.append(Watch())

    connection_created.connect(begin, weak=False, dispatch_uid="lock watch")
    leave = transaction.Atomic.__exit__

    def left(block: transaction.Atomic, *raised: Any) -> None:
        leave(block, *raised)
        connection = transaction.get_connection(block.using)
        if all(other._from_testcase for other in connection.atomic_blocks):
            for wrapper in connection.execute_wrappers:
                if isinstance(wrapper, Watch):
                    wrapper.held.clear()

    transaction.Atomic.__exit__ = left  # type: ignore[method-assign]
