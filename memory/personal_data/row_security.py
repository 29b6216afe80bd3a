"""Row-level security on PostgreSQL, generated from the owners of each model's rows.

A table of people has one policy: its owner and the whole installation see a row, and nobody writes
a row of another person. Rows of the shared library, which have no owner, are read and locked by
all, and written by staff. Policies apply to a role that neither owns the tables nor is a superuser.
They don't stop a program that executes its own SQL under that role: it could name another person.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Model
from django.db.models.constants import LOOKUP_SEP

from memory.personal_data.data_map import get_handling
from memory.postgresql.base import SETTING
from memory.postgresql.scope import EVERYONE

# Evaluated once a statement, not once a row: a subquery without a column is an InitPlan.
SCOPE = f"current_setting('{SETTING}', true)"
IS_EVERYONE = f"(SELECT {SCOPE}) = '{EVERYONE}'"
PERSON = f"(SELECT NULLIF(NULLIF({SCOPE}, '{EVERYONE}'), '')::uuid)"
IS_SHARED = "owner_id IS NULL"
IS_STAFF = f"(SELECT is_staff AND is_active FROM memory_user WHERE id = {PERSON})"  # noqa: S608
IS_KEEPER = f"{IS_SHARED} AND {IS_STAFF}"
SHARED = {
    "shared": f"FOR SELECT USING ({IS_SHARED})",
    "shared_added": f"FOR INSERT WITH CHECK ({IS_KEEPER})",
    # To cite, an answer locks a row, and PostgreSQL permits that only with the right to update.
    "shared_changed": f"FOR UPDATE USING ({IS_SHARED}) WITH CHECK ({IS_KEEPER})",
    "shared_removed": f"FOR DELETE USING ({IS_KEEPER})",
}
PRESENT = """
SELECT polname, obj_description(pg_policy.oid, 'pg_policy') FROM pg_policy
JOIN pg_class ON pg_class.oid = polrelid WHERE relrowsecurity AND polrelid = %s::regclass
"""


@dataclass(frozen=True)
class Policy:
    """One policy of a table."""

    name: str
    table: str
    clause: str

    @property
    def digest(self) -> str:
        return sha256(self.clause.encode()).hexdigest()[:16]

    def create(self, cursor: CursorWrapper) -> None:
        cursor.execute(f"DROP POLICY IF EXISTS {self.name} ON {self.table}")
        cursor.execute(f"CREATE POLICY {self.name} ON {self.table} {self.clause}")
        cursor.execute(f"COMMENT ON POLICY {self.name} ON {self.table} IS '{self.digest}'")
        cursor.execute(f"ALTER TABLE {self.table} ENABLE ROW LEVEL SECURITY")


def list_policies() -> list[Policy]:
    """Return the policies of all tables that hold rows of people."""
    return [policy for model in _list_models() for policy in _make_policies(model)]


def install(alias: str) -> None:
    """Create the policies that are missing or changed, and grant the application's role its rights.

    Takes no lock where nothing has changed.
    """
    connection = connections[alias]
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for policy in find_missing(connection):
            policy.create(cursor)
        role = str(settings.DATABASES[alias].get("USER", ""))
        if settings.DATABASE_OWNER and role:
            _grant(cursor, connection.ops.quote_name(role))


def find_missing(connection: BaseDatabaseWrapper) -> list[Policy]:
    """Return the policies that are missing or different in the database."""
    tables = set(connection.introspection.table_names())
    found: list[Policy] = []
    with connection.cursor() as cursor:
        for model in _list_models():
            table = model._meta.db_table
            if not router.allow_migrate_model(connection.alias, model) or table not in tables:
                continue
            cursor.execute(PRESENT, [table])
            present = set(cursor.fetchall())
            wanted = _make_policies(model)
            found += [each for each in wanted if (each.name, each.digest) not in present]
    return found


def _grant(cursor: CursorWrapper, role: str) -> None:
    """Grant the rights of the application: no table is truncated, and no sequence is read."""
    cursor.execute("SELECT quote_ident(current_schema())")
    (schema,) = cursor.fetchone()
    rights = "SELECT, INSERT, UPDATE, DELETE"
    cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    cursor.execute(f"GRANT {rights} ON ALL TABLES IN SCHEMA {schema} TO {role}")
    cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}")


def _list_models() -> list[type[Model]]:
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if _find_owner(model) is not None
    ]


def _make_policies(model: type[Model]) -> list[Policy]:
    table, is_own = model._meta.db_table, f"{IS_EVERYONE} OR {_find_owner(model)}"
    policies = [Policy(f"{table}_own", table, f"USING ({is_own}) WITH CHECK ({is_own})")]
    handling = get_handling(model)
    if handling and handling.shared:
        policies += [Policy(f"{table}_{name}", table, clause) for name, clause in SHARED.items()]
    return policies


def _find_owner(model: type[Model]) -> str | None:
    """Return the condition that a row is the person's; None for models without an owner."""
    handling = get_handling(model)
    columns = {field.attname: field for field in model._meta.fields}
    owner = columns.get("owner_id")
    if owner is not None and (not owner.null or (handling and handling.person)):
        return f"owner_id = {PERSON}"
    if handling is None or not handling.person or handling.stays:
        return None
    first, *rest = handling.person.split(LOOKUP_SEP)
    field: Any = model._meta.pk if first == "pk" else model._meta.get_field(first)
    if not rest:
        return f"{field.column} = {PERSON}"
    parent = field.related_model._meta.db_table
    return f"{field.column} IN (SELECT id FROM {parent})"  # noqa: S608 - names of our own
