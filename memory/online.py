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


class AddCheck(concurrent.AddConstraintNotValid):
    """Hold new rows to a check; those that are there follow with ValidateCheck."""

    _kinds = concurrent.AddConstraintNotValid, plain.AddConstraint
    database_forwards = _either("database_forwards", *_kinds)


class ValidateCheck(concurrent.ValidateConstraint):
    """Read every row while people write; SQLite has read them all with AddCheck."""

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, *states)
