"""Plans on PostgreSQL among a million turns: each statement is explained as it runs.

tests/test_plans.py forbids by the shape of a plan what a few rows can show. Here the database
chooses as it would for ten thousand people, by statistics, and tells how many rows it read.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from chat.turns.pipeline import answer_now, take_turn
from memory.conversations.asking import Question, create_session
from memory.jobs.queue import run_due
from memory.models import Turn, User
from tests.isolation.belongings import belongings_of
from tests.isolation.routes import OWN, PERSON, routes
from tests.isolation.test_isolation import FIXED
from tests.plans import StatementWatch, plan_of
from tests.scale.million import A_SESSION, SESSIONS, be_busy, fill
from tests.test_plans import BY_OTHER_KEYS

TURNS = 1_000_000
# Of a table with more rows only some may be read.
BIG = 5_000
# The most rows that are put in order: those of one conversation with what belongs to it.
SORTED = 2 * A_SESSION + SESSIONS
# Sealed text has no index of its words: a search opens all of a person's, newest first.
SEARCHED = ["memory_turn.asked_at DESC", "memory_turn.id DESC"]
OF_A_PERSON = 2 * SESSIONS * A_SESSION


@dataclass
class Watch(StatementWatch):
    """The rows that statements read of large tables, by the database's own plans."""

    most: int
    # How many rows may be put in order, or read from end to end.
    few: int = SORTED
    # Tables that are read as a whole; each use gives the reason.
    but: frozenset[str] = frozenset()
    explained: int = 0
    found: dict[str, str] = field(default_factory=dict)
    _big: frozenset[str] = frozenset()

    def look(self, sql: str, params: Any) -> None:
        self.explained += 1
        with connection.cursor() as cursor:
            self._big = self._big or frozenset(big_tables(cursor)) - self.but
        # Statements that would change rows are explained only.
        for node in nodes(plan_of(sql, params, runs=sql.startswith("SELECT"))):
            for how in self._faults(node):
                self.found.setdefault(how, re.sub(r"\s+", " ", sql)[:600])

    def _faults(self, node: dict[str, Any]) -> Iterator[str]:
        kind, table = node["Node Type"], node.get("Relation Name")
        is_sort = kind == "Sort" and node["Sort Key"] != SEARCHED
        if is_sort and (rows := read_by(node["Plans"][0])) > self.few:
            yield f"{rows:.0f} rows put in order by {node['Sort Key']}"
        if table not in self._big or kind == "ModifyTable":
            return
        rows = read_by(node)
        if kind == "Seq Scan" and rows > self.few:
            yield f"{table}: from end to end"
        if rows > self.most:
            yield f"{table}: {rows:.0f} rows, by {node.get('Index Name', kind)}"


def big_tables(cursor: Any) -> list[str]:
    cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [BIG])
    return [name for (name,) in cursor.fetchall()]


def read(owner: User, ids: dict[str, Any]) -> None:
    """Read every page of the person's, and whatever the API has of theirs."""
    browser, answered = Client(), Counter[int]()
    browser.force_login(owner)
    for route in routes():
        is_theirs = route.access in (OWN, PERSON) and route.name not in BY_OTHER_KEYS
        if is_theirs and not route.name.startswith(("mfa", "account")):
            answered[browser.get(route.path(FIXED | ids)).status_code] += 1
    assert answered[200] > 25, answered


def ask(owner: User) -> None:
    """Ask, with a follow-up, and let what the answers leave be done."""
    session = create_session(owner, title="Fees")
    for text in ("What is the Determination Date?", "And if it falls on a weekend?"):
        attempt = take_turn(session, Question(text)).attempt
        assert attempt
        assert answer_now(attempt).status == "complete"
    run_due()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the plan's nodes, but those that were never come to."""
    if plan.get("Actual Loops") != 0:
        yield plan
        for inner in plan.get("Plans", ()):
            yield from nodes(inner)


def read_by(node: dict[str, Any]) -> float:
    """Return how many rows the node came upon, or would as the database reckons."""
    if "Actual Rows" not in node:
        return float(node["Plan Rows"])
    names = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    return float(sum(node.get(name, 0) for name in names) * node["Actual Loops"])


@contextmanager
def watched(most: int, *, at_least: int = 6, **how: Any) -> Iterator[None]:
    """Explain each statement, and fail at the end if one reads more than it may."""
    with connection.execute_wrapper(watch := Watch(most, **how)):
        yield
    assert watch.explained >= at_least
    assert not watch.found, "\n\n".join(f"{what}\n  {sql}" for what, sql in watch.found.items())


@pytest.mark.deep
@pytest.mark.django_db
def test_among_a_million_turns_each_statement_reads_a_few_rows(owner: User, library: None) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite tells no numbers; its plans are in tests/test_plans.py")
    ids = belongings_of(owner).ids
    ask(owner)
    be_busy(owner)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        fill(TURNS)
        cursor.execute("ANALYZE")
    assert Turn.objects.count() > TURNS
    with watched(OF_A_PERSON):
        read(owner, ids)
        find(owner, ids)
        ask(owner)


def find(owner: User, ids: dict[str, Any]) -> None:
    """Search for a word in all conversations, and in one."""
    browser = Client()
    browser.force_login(owner)
    for query in ("q=fee", f"session={ids['session_id']}&q=fee"):
        assert browser.get(f"/api/v1/search?{query}").status_code == 200
