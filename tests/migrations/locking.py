"""The locks of a migration on PostgreSQL, and lock-free alternatives.

Read from the operations themselves, with the state of the models before each. Existing tools don't
see all: django-migration-linter 6.0.0 reads no check constraints, foreign keys or batches, zdm
0.9.1 no changed types, database defaults or batches.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from memory import online

SAFE_OPERATIONS = (
    online.AddCheck,
    online.AddIndex,
    online.DropForeignKeyIndex,
    online.FillOwner,
    online.RemoveIndex,
    online.Require,
    online.TakeOwner,
    online.ValidateCheck,
    operations.CreateModel,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    operations.RemoveConstraint,
)
BREAKS = "breaks the version that still runs"
AFTER = "in the release after the one that no longer uses it, by SeparateDatabaseAndState"
REASONS: dict[type[Operation], tuple[str, str]] = {
    operations.AddIndex: (
        "builds an index while nobody can write",
        "memory.online.AddIndex in a migration with atomic = False",
    ),
    operations.RemoveIndex: (
        "waits for every reader, and keeps all others waiting",
        "memory.online.RemoveIndex in a migration with atomic = False",
    ),
    operations.AlterUniqueTogether: (
        "builds an index while nobody can write",
        "a UniqueConstraint, whose index is made concurrently before",
    ),
    operations.RenameField: (BREAKS, "a new field, filled in batches"),
    operations.RenameModel: (BREAKS, "db_table, which keeps the table"),
    operations.AlterModelTable: (BREAKS, "db_table as it is"),
    operations.RemoveField: (BREAKS, AFTER),
    operations.DeleteModel: (BREAKS, AFTER),
}


@dataclass(frozen=True)
class Finding:
    """An operation that isn't safe online: why, and what is."""

    migration: str
    operation: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.migration}: {self.operation} {self.reason}. Instead: {self.remedy}."


def findings(migration: Migration, before: ProjectState) -> list[Finding]:
    """Return what is unsafe in the migration, whose models were in this state before it."""
    found, state = [], before.clone()
    old = set(before.models)  # a table that the migration makes itself is nobody's yet
    for operation in migration.operations:
        for reason, remedy in _unsafe(operation, migration, state, old):
            place = f"{migration.app_label}.{migration.name}"
            found.append(Finding(place, operation.describe(), reason, remedy))
        operation.state_forwards(migration.app_label, state)
    return found


def _unsafe(
    operation: Operation, migration: Migration, state: ProjectState, old: set[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    if isinstance(operation, operations.SeparateDatabaseAndState):
        # Operations apart from the state drop columns on purpose, a release later.
        for part in operation.database_operations:
            if not isinstance(part, operations.RemoveField | operations.DeleteModel):
                yield from _unsafe(part, migration, state, old)
        return
    if isinstance(operation, operations.RunPython | operations.RunSQL):
        yield from _of_rows(operation, migration)
        return
    name = getattr(operation, "model_name", None) or getattr(operation, "name", "")
    if (migration.app_label, name.lower()) not in old or isinstance(operation, SAFE_OPERATIONS):
        return
    if isinstance(operation, operations.AddField):
        yield from _of_new(operation.field)
    elif isinstance(operation, operations.AlterField):
        table = state.models[migration.app_label, name.lower()]
        yield from _of_changed(table.fields[operation.name], operation.field)
    elif isinstance(operation, operations.AddConstraint):
        yield from _of_constraint(operation.constraint)
    else:
        unknown = ("isn't known to be safe", "say in tests/migrations/locking.py why it is")
        kinds = [kind for kind in REASONS if isinstance(operation, kind)]
        yield REASONS[kinds[0]] if kinds else unknown


def _of_new(field: models.Field) -> Iterator[tuple[str, str]]:
    default = field.db_default
    if hasattr(default, "resolve_expression") and not isinstance(default, models.Value):
        yield "may rewrite the table for its default", "a constant, filled in batches later"
    elif not field.null and not field.many_to_many and default is models.NOT_PROVIDED:
        yield f"{BREAKS}, which leaves it out", "db_default, or null=True"
    if field.remote_field and not field.many_to_many and field.db_constraint:
        yield (
            "checks every row while nobody can write",
            "db_constraint=False, then the constraint NOT VALID and VALIDATE by RunSQL",
        )
    if field.unique or field.db_index:
        yield (
            "builds an index while nobody can write",
            "the field alone (db_index=False), then its index by memory.online.AddIndex",
        )


def _of_changed(old: models.Field, new: models.Field) -> Iterator[tuple[str, str]]:
    if _type_of(old) != _type_of(new) and not _is_wider(old, new):
        yield "may rewrite the table for its type", "a new field, filled in batches"
    if old.null and not new.null:
        yield (
            "reads every row while nobody can write",
            "a CHECK (... IS NOT NULL) NOT VALID, validated, and then null=False",
        )
    if (new.unique and not old.unique) or (new.db_index and not old.db_index):
        yield "builds an index while nobody can write", "memory.online.AddIndex"


def _type_of(field: models.Field) -> tuple[str, object]:
    return field.get_internal_type(), (field.max_length, getattr(field, "decimal_places", None))


def _is_wider(old: models.Field, new: models.Field) -> bool:
    """Tell whether only the length of text grows, of which PostgreSQL changes a note alone."""
    if new.get_internal_type() == "TextField":
        return old.get_internal_type() == "CharField"
    same = new.get_internal_type() == old.get_internal_type() == "CharField"
    return same and (new.max_length or 0) >= (old.max_length or 0)


def _of_constraint(constraint: models.BaseConstraint) -> Iterator[tuple[str, str]]:
    if isinstance(constraint, models.CheckConstraint):
        yield (
            "reads every row while nobody can write",
            "memory.online.AddCheck, then ValidateCheck in a migration of its own",
        )
    else:
        yield (
            "builds an index while nobody can write",
            "CREATE UNIQUE INDEX CONCURRENTLY by RunSQL, with this as its state",
        )


def _of_rows(
    operation: operations.RunPython | operations.RunSQL, migration: Migration
) -> Iterator[tuple[str, str]]:
    if migration.atomic or operation.atomic:
        yield (
            "holds all that it touches until its end",
            "atomic = False on the migration, and batches that commit, each of a second at most",
        )
    said = str(getattr(operation, "sql", "")).upper()
    if "INDEX" in said and "CONCURRENTLY" not in said:
        yield "builds an index while nobody can write", "CONCURRENTLY"
    if "ADD CONSTRAINT" in said and "NOT VALID" not in said and "USING INDEX" not in said:
        yield "reads every row while nobody can write", "NOT VALID, and then VALIDATE CONSTRAINT"
