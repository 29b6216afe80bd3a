"""Operations of migrations that keep nobody waiting on PostgreSQL; the plain ones on SQLite.

A migration with them says `atomic = False`. Landed migrations import this module by its name, so it
stays where it is.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.postgres import operations as concurrent
from django.db.migrations import operations as plain


def _either(verb: str, on_postgresql: type, elsewhere: type) -> Callable[..., None]:
    def method(operation: Any, app_label: str, schema_editor: Any, *states: Any) -> None:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        kind = on_postgresql if is_postgresql else elsewhere
        getattr(kind, verb)(operation, app_label, schema_editor, *states)

    return method


class AddIndex(concurrent.AddIndexConcurrently):
    """Build an index while people write."""

    _kinds = concurrent.AddIndexConcurrently, plain.AddIndex
    database_forwards = _either("database_forwards", *_kinds)
    database_backwards = _either("database_backwards", *_kinds)


class RemoveIndex(concurrent.RemoveIndexConcurrently):
    """Drop an index while people read."""

    _kinds = concurrent.RemoveIndexConcurrently, plain.RemoveIndex
    database_forwards = _either("database_forwards", *_kinds)
    database_backwards = _either("database_backwards", *_kinds)


class DropForeignKeyIndex(plain.AlterField):
    """Drop the index that Django made for a foreign key, where another one begins with its column.

    The field is given as it is from now on, with `db_index=False`; nothing else of it may change.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        for name in self._names(app_label, schema_editor, states[0]):
            schema_editor.execute(_drop(schema_editor, name))

    def database_backwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        model = states[1].apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        if not self._names(app_label, schema_editor, states[1]):
            schema_editor.execute(schema_editor._create_index_sql(model, fields=[field]))

    def describe(self) -> str:
        return f"Drop the index of {self.name} on {self.model_name}"

    def _names(self, app_label: str, schema_editor: Any, state: Any) -> list[str]:
        """Return what the index is called: a database may have been made by any version."""
        model = state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.name).column
        declared = {index.name for index in model._meta.indexes}
        found: list[str] = schema_editor._constraint_names(
            model, [column], index=True, unique=False, primary_key=False, exclude=declared
        )
        return found


def _drop(schema_editor: Any, name: str) -> str:
    how = "CONCURRENTLY IF EXISTS" if schema_editor.connection.vendor == "postgresql" else ""
    return f"DROP INDEX {how} {schema_editor.quote_name(name)}"


class AddCheck(concurrent.AddConstraintNotValid):
    """Hold new rows to a check; those that are there follow with ValidateCheck."""

    _kinds = concurrent.AddConstraintNotValid, plain.AddConstraint
    database_forwards = _either("database_forwards", *_kinds)


class ValidateCheck(concurrent.ValidateConstraint):
    """Read every row while people write; SQLite has read them all with AddCheck."""

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, *states)
