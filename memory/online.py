"""Operations of migrations that block nobody on PostgreSQL; the plain ones on SQLite.

A migration with them sets `atomic = False`. Landed migrations import this module by its name, so it
stays here.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.postgres import operations as concurrent
from django.db import transaction
from django.db.migrations import operations as plain
from django.db.migrations.operations.base import Operation


def _make_database_method(verb: str, on_postgresql: type, elsewhere: type) -> Callable[..., None]:
    def method(operation: Any, app_label: str, schema_editor: Any, *states: Any) -> None:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        kind = on_postgresql if is_postgresql else elsewhere
        getattr(kind, verb)(operation, app_label, schema_editor, *states)

    return method


class AddIndex(concurrent.AddIndexConcurrently):
    """Build an index without blocking writers."""

    _kinds = concurrent.AddIndexConcurrently, plain.AddIndex
    database_forwards = _make_database_method("database_forwards", *_kinds)
    database_backwards = _make_database_method("database_backwards", *_kinds)


class RemoveIndex(concurrent.RemoveIndexConcurrently):
    """Drop an index without blocking readers."""

    _kinds = concurrent.RemoveIndexConcurrently, plain.RemoveIndex
    database_forwards = _make_database_method("database_forwards", *_kinds)
    database_backwards = _make_database_method("database_backwards", *_kinds)


class DropForeignKeyIndex(plain.AlterField):
    """Drop a foreign key's index, if another one begins with its column."""

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        for name in self._names(app_label, schema_editor, states[0]):
            is_shared = schema_editor.connection.vendor == "postgresql"
            how = "CONCURRENTLY IF EXISTS" if is_shared else ""
            schema_editor.execute(f"DROP INDEX {how} {schema_editor.quote_name(name)}")

    def database_backwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        model = states[1].apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        if not self._names(app_label, schema_editor, states[1]):
            schema_editor.execute(schema_editor._create_index_sql(model, fields=[field]))

    def _names(self, app_label: str, schema_editor: Any, state: Any) -> list[str]:
        """Return the names of the index, which depend on the version that created the database."""
        model = state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.name).column
        declared = {index.name for index in model._meta.indexes}
        found: list[str] = schema_editor._constraint_names(
            model, [column], index=True, unique=False, primary_key=False, exclude=declared
        )
        return found


class AddCheck(concurrent.AddConstraintNotValid):
    """Check new rows; existing ones follow with ValidateCheck."""

    _kinds = concurrent.AddConstraintNotValid, plain.AddConstraint
    database_forwards = _make_database_method("database_forwards", *_kinds)


class ValidateCheck(concurrent.ValidateConstraint):
    """Validate every row without blocking writers; on SQLite AddCheck has done so."""

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, *states)


class _OfHanging(Operation):
    """An operation on dependent rows, each by its key to one parent."""

    reversible = True

    def __init__(self, model_name: str, of: str) -> None:
        self.model_name, self.of = model_name, of

    def state_forwards(self, app_label: str, state: Any) -> None:
        pass

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        model = states[1].apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            key = model._meta.get_field(self.of)
            parent = key.related_model._meta.db_table
            self._forwards(schema_editor, model._meta.db_table, key.column, parent)

    def database_backwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        model = states[0].apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            self._backwards(schema_editor, model._meta.db_table)

    _forwards: Callable[..., None]

    def _backwards(self, schema_editor: Any, table: str) -> None:
        pass


class TakeOwner(_OfHanging):
    """Create a trigger that copies the parent's owner, for a previous version that still writes.

    On SQLite, where only one version runs, it would prevent Django from remaking a table.
    """

    def _forwards(self, schema_editor: Any, table: str, key: str, parent: str) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(OWNER_TAKEN, params=None)
            schema_editor.execute(
                f"CREATE TRIGGER {table}_owner BEFORE INSERT ON {table} FOR EACH ROW "
                "WHEN (NEW.owner_id IS NULL) "
                f"EXECUTE FUNCTION memory_owner_taken('{parent}', '{key}')"
            )

    def _backwards(self, schema_editor: Any, table: str) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_owner ON {table}")


OWNER_TAKEN = """
CREATE OR REPLACE FUNCTION memory_owner_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT owner_id FROM %I WHERE id = ($1).%I', TG_ARGV[0], TG_ARGV[1])
        INTO NEW.owner_id USING NEW;
    RETURN NEW;
END $$
"""


class FillOwner(_OfHanging):
    """Set the owner of existing rows from their parents, in batches."""

    atomic = False
    BATCH = 5000

    def _forwards(self, schema_editor: Any, table: str, key: str, parent: str) -> None:
        alias, last = schema_editor.connection.alias, 0
        some = f"SELECT id FROM {table} WHERE id > %s ORDER BY id LIMIT {self.BATCH}"  # noqa: S608
        while True:
            with transaction.atomic(using=alias), schema_editor.connection.cursor() as cursor:
                cursor.execute(f"SELECT max(id) FROM ({some}) AS batch", [last])  # noqa: S608
                (end,) = cursor.fetchone()
                if end is None:
                    return
                cursor.execute(
                    f"UPDATE {table} SET owner_id = "  # noqa: S608
                    f"(SELECT owner_id FROM {parent} WHERE {parent}.id = {table}.{key}) "
                    "WHERE id > %s AND id <= %s AND owner_id IS NULL",
                    [last, end],
                )
                last = end


class Require(plain.AlterField):
    """Require a value in all rows without blocking writers; on SQLite the application does."""

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        if not (place := self._place(app_label, schema_editor, states[1])):
            return
        table, column = place
        check = f"{table}_{column}_there"
        for change in (
            f"DROP CONSTRAINT IF EXISTS {check}",
            f"ADD CONSTRAINT {check} CHECK ({column} IS NOT NULL) NOT VALID",
            f"VALIDATE CONSTRAINT {check}",
            f"ALTER COLUMN {column} SET NOT NULL",  # by the check, without reading again
            f"DROP CONSTRAINT {check}",
        ):
            schema_editor.execute(f"ALTER TABLE {table} {change}")

    def database_backwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        if place := self._place(app_label, schema_editor, states[1]):
            table, column = place
            schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN {column} DROP NOT NULL")

    def _place(self, app_label: str, schema_editor: Any, state: Any) -> tuple[str, str] | None:
        """Return the table and the column, if they are in this database and it is PostgreSQL's."""
        model = state.apps.get_model(app_label, self.model_name)
        connection = schema_editor.connection
        is_here = self.allow_migrate_model(connection.alias, model)
        if not is_here or connection.vendor != "postgresql":
            return None
        return model._meta.db_table, model._meta.get_field(self.name).column
