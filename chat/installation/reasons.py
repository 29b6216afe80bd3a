"""Why a database can't be used: one sentence for whoever runs this, without any password."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from django.db import DataError, Error, IntegrityError, connections, router
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState

OURS = ("memory", "citations", "chat")
VARIABLES = {"default": "DATABASE_URL", "keys": "KEYS_DATABASE_URL"}
# By a pattern of what the drivers say, in small letters; the first that fits is told.
REASONS = {
    'database ".*" does not exist': 'there is no database "{name}" at {host}',
    'role ".*" does not exist': "the server knows no user {user}",
    "password authentication failed": "the server refuses the password of {user}",
    "no password supplied": "the server wants a password for {user}",
    "no pg_hba.conf entry": "the server lets {user} in from nowhere near this machine",
    "could not translate host name": "no machine is known as {host}",
    "name or service not known": "no machine is known as {host}",
    "connection refused": "nothing answers at {host}, port {port}",
    "no such file or directory": "nothing answers at {host}, port {port}",
    "timeout expired": "{host}, port {port}, doesn't answer in time",
    "too many clients": "the server has no connection left",
    "connection slots are reserved": "the server has no connection left",
    "permission denied": "{user} may not do there what a migration has to",
    "lock timeout": (
        "others hold a table for longer than MIGRATION_LOCK_TIMEOUT each time; what was done "
        "stays, and the same command goes on from there"
    ),
    "no space left on device": "its disk is full",
    "database or disk is full": "its disk is full",
    "disk i/o error": "its disk can't be read or written",
    "unable to open database file": "no file {name} can be opened, or its folder is missing",
    "readonly database": "{name}, or its folder, may not be written by this user",
    "file is not a database": "{name} is not a database of SQLite",
    "disk image is malformed": "{name} is damaged: put a backup back",
    "database is locked": "another program holds {name}",
}
OTHER_SCHEMA = ("42P01", "42703", "42P07", "42701", "42704", "42710")
OTHER_SCHEMA_WORDS = ("no such table", "no such column", "duplicate column")
MADE_BEFORE = (
    "it was made before 0.1.0, by migrations that have changed since ({what}), and can't be "
    "updated: take your packages with the version that made it, and begin with an empty DATA_DIR "
    "or database"
)


@contextmanager
def said_plainly(alias: str = "default") -> Iterator[None]:
    """End the command with one sentence if the database can't be reached, opened or changed."""
    try:
        yield
    except (DataError, IntegrityError):  # of a migration that is wrong: its traceback says where
        raise
    except Error as error:
        raise CommandError(_sentence(alias, _reason(alias, error))) from error
    except OSError as error:
        message = f"{error.filename or 'A file'} can't be used: {error.strerror or error}."
        raise CommandError(message) from error


def refuse_if_changed(alias: str) -> None:
    """End the command, before it changes anything, if the database isn't what the migrations that
    were applied to it make today.
    """
    if what := _missing(alias):
        raise CommandError(_sentence(alias, MADE_BEFORE.format(what=f"there is no {what}")))


def probe(alias: str) -> None:
    """Reach the database once, at the driver's speed: a pool would hide why it can't be."""
    connection: Any = connections[alias]
    if connection.vendor != "postgresql":
        connection.ensure_connection()
        return
    parameters = {"connect_timeout": 10} | connection.get_connection_params()
    with connection.wrap_database_errors:
        connection.Database.connect(**parameters).close()


def _sentence(alias: str, reason: str) -> str:
    return f"The database of {VARIABLES.get(alias, alias)} can't be used: {reason}."


def _reason(alias: str, error: Error) -> str:
    said = " ".join(str(error).split())
    named = _names(alias)
    state = getattr(error.__cause__, "sqlstate", None)
    if state in OTHER_SCHEMA or said.startswith(OTHER_SCHEMA_WORDS):
        return MADE_BEFORE.format(what=said.split(" LINE ")[0].rstrip("."))
    for words, reason in REASONS.items():
        if re.search(words, said.lower()):
            return reason.format(**named)
    password = named["password"]
    return (said.replace(password, "***") if password else said).rstrip(".")


def _names(alias: str) -> dict[str, str]:
    """Return what the settings say of the database, for the sentences."""
    connection: Any = connections[alias]
    given = connection.get_connection_params()
    usual = {"user": "the system's user", "host": "this machine", "port": 5432, "password": ""}
    name = given.get("dbname") or given.get("database")
    return {word: str(given.get(word) or value) for word, value in usual.items()} | {"name": name}


def _missing(alias: str) -> str:
    """Return the first table or column that isn't there although its migration was applied."""
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
            found = connection.introspection.get_table_description(cursor, table)
            if missing := _columns(model) - {column.name for column in found}:
                return f"column {table}.{min(missing)}"
    return ""


def _columns(model: ModelState) -> set[str]:
    return {
        field.db_column or (f"{name}_id" if field.remote_field else name)
        for name, field in model.fields.items()
        if not field.many_to_many
    }
