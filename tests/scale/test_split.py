"""The split by person, on this schema: all rows of people in parts, and one person in one of them.

Each table of people's rows is made anew on PostgreSQL in PARTS parts by the hash of the owner, who
leads each of its unique keys. Then a person reads all their pages and asks, and the database says
of each statement in which parts it looks: in one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from chat.turns.pipeline import answer_now, take_turn
from citations.models import Citation
from memory.conversations.asking import Question, create_session
from memory.jobs.queue import run_due
from memory.models import User
from tests.isolation.belongings import belongings_of
from tests.isolation.routes import OWN, PERSON, routes
from tests.isolation.test_isolation import FIXED
from tests.people import person
from tests.plans import StatementWatch, plan_of
from tests.test_plans import BY_OTHER_KEYS, of_one_person

PARTS = 8
PART = re.compile(r"^(\w+)_part_(\d+)$")
KEYS = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE contype = 'f' AND (conrelid = %s::regclass OR confrelid = %s::regclass)
"""
INDEXES = (
    "SELECT pg_get_indexdef(indexrelid), indisunique FROM pg_index WHERE indrelid = %s::regclass"
)
WRITTEN = "SELECT relname, n_tup_ins + n_tup_upd FROM pg_stat_xact_user_tables"
UPSERT = re.compile(r"\s*INSERT\b.*\bON CONFLICT\b.*\bDO UPDATE\b", re.DOTALL)
NUMBERED = "SELECT 1 FROM pg_attribute WHERE attrelid = %s::regclass AND attidentity <> ''"


@dataclass
class Watch(StatementWatch):
    """In how many parts of people's tables each statement looks, by the database's own word."""

    counted: Counter[int] = field(default_factory=Counter)
    leaving: list[str] = field(default_factory=list)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        run = partial(super().__call__, execute, sql, params, many, context)
        return self._follow(sql, run) if UPSERT.match(sql) and not many else run()

    def look(self, sql: str, params: Any) -> None:
        # Where a part is chosen while the statement runs, only running it tells.
        self._count(sql, relations(plan_of(sql, params, runs=sql.startswith("SELECT"))))

    def _follow(self, sql: str, run: Callable[[], Any]) -> Any:
        """Run what writes by a key: its plan names the whole table, what it wrote the part."""
        before = set(written())
        result = run()
        self._count(sql, (table for table, _ in set(written()) - before))
        return result

    def _count(self, sql: str, tables: Iterable[str]) -> None:
        parts = {found[2] for name in tables if (found := PART.match(name))}
        if parts:
            self.counted[len(parts)] += 1
        if len(parts) > 1:
            self.leaving.append(re.sub(r"\s+", " ", sql)[:600])


def written() -> list[tuple[str, int]]:
    """Return how many rows this transaction has written in each table."""
    # A connection's own cursor: this is no statement of the person's.
    with connection.connection.cursor() as cursor:
        cursor.execute(WRITTEN)
        return [(table, rows) for table, rows in cursor.fetchall()]


def relations(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the tables that the plan reads, by the names of their parts."""
    if "Relation Name" in plan and plan.get("Actual Loops") != 0:
        yield plan["Relation Name"]
    for inner in plan.get("Plans", ()):
        yield from relations(inner)


@pytest.mark.slow("every table is made anew, and every statement of every page explained")
@pytest.mark.django_db
def test_each_statement_of_a_person_looks_in_one_part(
    owner: User, library: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no parts")
    # A row's id alone is no key of a table in parts: who groups by it has to name the columns.
    monkeypatch.setattr(connection.features, "allows_group_by_selected_pks", False)
    for number in range(2 * PARTS):
        create_session(person(f"other-{number}"))
    ids = belongings_of(owner).ids
    tables = of_one_person() & set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    for table in sorted(tables):
        split(table)
    with connection.execute_wrapper(watch := Watch()):
        read(owner, ids)
        ask(owner)
    assert len(tables) > 25
    assert watch.counted[1] > 300, watch.counted
    assert not watch.leaving, "\n\n".join(watch.leaving)
    assert Citation.objects.filter(owner=owner).exists()


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


# --- Parts ----------------------------------------------------------------------------------------


def split(table: str) -> None:
    """Make the table anew in parts, with the owner in front of its unique keys, and its rows."""
    with connection.cursor() as cursor:
        cursor.execute(KEYS, [table, table])
        for child, name in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {child} DROP CONSTRAINT "{name}"')
        cursor.execute(INDEXES, [table])
        indexes = cursor.fetchall()
        cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_whole")
        cursor.execute(
            f"CREATE TABLE {table} (LIKE {table}_whole INCLUDING DEFAULTS) "
            "PARTITION BY HASH (owner_id)"
        )
        for part in range(PARTS):
            cursor.execute(
                f"CREATE TABLE {table}_part_{part} PARTITION OF {table} "
                f"FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
            )
        number(cursor, table)
        cursor.execute(f"INSERT INTO {table} SELECT * FROM {table}_whole")
        cursor.execute(f"DROP TABLE {table}_whole CASCADE")
        for definition, is_unique in indexes:
            cursor.execute(led_by_owner(definition, table, is_unique=is_unique))


def number(cursor: Any, table: str) -> None:
    """Let rows that the database numbers be numbered over all parts."""
    cursor.execute(NUMBERED, [f"{table}_whole"])
    if cursor.fetchone():
        cursor.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}_whole")
        (first,) = cursor.fetchone()
        cursor.execute(f"CREATE SEQUENCE {table}_numbers START {first}")
        cursor.execute(
            f"ALTER TABLE {table} ALTER COLUMN id SET DEFAULT nextval('{table}_numbers')"
        )


def led_by_owner(definition: str, table: str, *, is_unique: bool) -> str:
    """Return the index as it is on the table in parts: a key can be unique in its part only."""
    how = definition.partition(" USING ")[2]
    if is_unique and "owner_id" not in how.partition(" WHERE ")[0]:
        how = how.replace("(", "(owner_id, ", 1)
    return f"CREATE {'UNIQUE ' if is_unique else ''}INDEX ON {table} USING {how}"
