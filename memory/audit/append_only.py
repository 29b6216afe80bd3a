"""Append-only tables: the database itself refuses to change or to delete their rows.

A model sets `append_only = True`; each migration then creates its triggers, on both databases. An
update is always refused. A deletion is refused unless this connection is flagged. Only the expiry
of records and the erasure of their person set the flag. On SQLite the flag is a function of the
connection, which other programs don't have at all. On SQLite, INSERT OR REPLACE also deletes a row
without firing a trigger. So an insertion is refused if its key, or any other unique value, exists.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig, apps as all_apps
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import Model
from django.db.models.signals import post_migrate

FUNCTION = "memory_is_lifted"
SETTING = "throughline.lifted"
_lifted: set[int] = set()  # connections, by their identity

SQLITE = {
    "update": "BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
    "delete": (
        "BEFORE DELETE ON {table} WHEN NOT memory_is_lifted() "
        "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    ),
    "replace": (
        "BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {is_there}) "
        "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    ),
}
POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION memory_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR current_setting('throughline.lifted', true) IS DISTINCT FROM 'yes' THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN COALESCE(OLD, NULL);
END $$
"""  # noqa: E501
POSTGRESQL = {
    "change": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW",
    "truncate": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
}


def listen() -> None:
    """Install the triggers after each migration, and the function on SQLite connections."""
    connection_created.connect(_register_function, dispatch_uid="append_only")
    post_migrate.connect(_install, dispatch_uid="append_only")


def models() -> list[type[Model]]:
    """Return the append-only models."""
    return [model for model in all_apps.get_models() if getattr(model, "append_only", False)]


@contextmanager
def deletion_allowed(using: str = "default") -> Iterator[None]:
    """Allow only this connection to delete such rows."""
    connection = connections[using]
    connection.ensure_connection()
    _set_flag(connection, lifted=True)
    try:
        yield
    finally:
        _set_flag(connection, lifted=False)


def _set_flag(connection: BaseDatabaseWrapper, *, lifted: bool) -> None:
    if connection.vendor == "sqlite":
        (_lifted.add if lifted else _lifted.discard)(id(connection))
    elif not connection.needs_rollback:  # a failed transaction resets it
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config(%s, %s, false)", [SETTING, "yes" if lifted else "no"])


def _register_function(connection: BaseDatabaseWrapper, **event: Any) -> None:
    if connection.vendor == "sqlite":
        identity = id(connection)
        connection.connection.create_function(FUNCTION, 0, lambda: identity in _lifted)


def _install(app_config: AppConfig, using: str, **event: Any) -> None:
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    for model in models():
        is_here = router.allow_migrate_model(using, model) and model._meta.db_table in tables
        if model._meta.app_label == app_config.label and is_here:
            _make_triggers(connection, model)


def _make_triggers(connection: BaseDatabaseWrapper, model: type[Model]) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for verb, body in SQLITE.items():
                text = body.format(table=table, is_there=_is_there(model))
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} {text}")
            return
        present = _read_triggers(connection, table)
        if missing := [verb for verb in POSTGRESQL if f"{table}_no_{verb}" not in present]:
            cursor.execute(POSTGRESQL_FUNCTION)
        for verb in missing:
            when = POSTGRESQL[verb].format(table=table)
            cursor.execute(
                f"CREATE TRIGGER {table}_no_{verb} {when} EXECUTE FUNCTION memory_append_only()"
            )


def _is_there(model: type[Model]) -> str:
    """Return the condition that a new row would replace an existing one."""
    fields = {field.name: field for field in model._meta.fields}
    sets = [[field] for field in fields.values() if field.unique]
    for constraint in model._meta.total_unique_constraints:
        sets.append([fields[name] for name in constraint.fields])
    same = (
        " AND ".join(f"{field.column} = NEW.{field.column}" for field in together)
        for together in sets
    )
    return " OR ".join(f"({condition})" for condition in same)


def find_missing() -> list[str]:
    """Return the names of triggers that are missing or changed in the databases."""
    return [name for alias in connections for name in _yield_missing(connections[alias], alias)]


def _yield_missing(connection: BaseDatabaseWrapper, using: str) -> Iterator[str]:
    tables = set(connection.introspection.table_names())
    for model in models():
        table = model._meta.db_table
        if not router.allow_migrate_model(using, model) or table not in tables:
            continue
        present = _read_triggers(connection, table)
        verbs = SQLITE if connection.vendor == "sqlite" else POSTGRESQL
        yield from (f"{table}_no_{verb}" for verb in verbs if f"{table}_no_{verb}" not in present)


def _read_triggers(connection: BaseDatabaseWrapper, table: str) -> set[str]:
    """Return the names of the table's active triggers."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
            )
        else:
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled <> 'D'",
                [table],
            )
        return {name for (name,) in cursor.fetchall()}
