"""Explanations of unusable databases: one sentence for the operator, without a password."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.db import DataError, Error, IntegrityError, connections, router
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState

OURS = ("memory", "citations", "chat")
VARIABLES = {"default": "DATABASE_URL", "keys": "KEYS_DATABASE_URL"}
OTHER_SCHEMA = ("42P01", "42703", "42P07", "42701", "42704", "42710")
OTHER_SCHEMA_WORDS = ("no such table", "no such column", "duplicate column")
MADE_BEFORE = (
    "it was made before 0.1.0, by migrations that have changed since ({what}), and can't be "
    "updated: take your packages with the version that made it, and begin with an empty DATA_DIR "
    "or database"
)


@contextmanager
def explain_errors(alias: str = "default") -> Iterator[None]:
    """End the command with one sentence if the database can't be reached, opened or changed."""
    try:
        yield
    except (DataError, IntegrityError):  # a faulty migration: the traceback helps
        raise
    except Error as error:
        raise CommandError(_write_sentence(alias, _find_reason(alias, error))) from error
    except OSError as error:
        message = f"{error.filename or 'A file'} can't be used: {error.strerror or error}."
        raise CommandError(message) from error


def refuse_if_changed(alias: str) -> None:
    """End the command if the schema lacks parts of its applied migrations."""
    if what := _find_missing(alias):
        raise CommandError(_write_sentence(alias, MADE_BEFORE.format(what=f"there is no {what}")))


def probe(alias: str) -> None:
    """Connect once through the driver, since a pool would hide the reason of a failure."""
    connection: Any = connections[alias]
    if connection.vendor != "postgresql":
        connection.ensure_connection()
        return
    parameters = {"connect_timeout": 10} | connection.get_connection_params()
    with connection.wrap_database_errors:
        connection.Database.connect(**parameters).close()


def _write_sentence(alias: str, reason: str) -> str:
    return f"The database of {VARIABLES.get(alias, alias)} can't be used: {reason}."


def _find_reason(alias: str, error: Error) -> str:
    said = " ".join(str(error).split()).rstrip(".")
    state = getattr(error.__cause__, "sqlstate", None)
    if state in OTHER_SCHEMA or said.startswith(OTHER_SCHEMA_WORDS):
        return MADE_BEFORE.format(what=said.split(" LINE ")[0])
    password = str(connections[alias].get_connection_params().get("password") or "")
    return said.replace(password, "***") if password else said


def _find_missing(alias: str) -> str:
    """Return the first table or column that is missing although its migration was applied."""
    connection = connections[alias]
    loader = MigrationLoader(connection)
    applied = [key for key in loader.applied_migrations if key in loader.graph.nodes]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for (app, name), model in loader.project_state(applied).models.items():
            if app not in OURS or not router.allow_migrate(alias, app, model_name=name):
                continue
            table = model.options.get("db_table") or f"{app}_{name}"
            if table not in tables:
                return f"table {table}"
            # Not by introspection: Django can't read a table whose SQL ends in `IN (-1, 1)))`.
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608
            if missing := _list_columns(model) - {column[0] for column in cursor.description}:
                return f"column {table}.{min(missing)}"
    return ""


def _list_columns(model: ModelState) -> set[str]:
    return {
        field.db_column or (f"{name}_id" if field.remote_field else name)
        for name, field in model.fields.items()
        if not field.many_to_many
    }
