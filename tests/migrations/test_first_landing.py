"""A SQLite installation of the very first landing is updated by `migrate` alone."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.commands.migrate import Command as DjangosMigrate
from django.db import connection, connections
from pytest_django import DjangoDbBlocker

from tests.migrations.releases import NAMES, turn_to
from tests.migrations.schema import schema_of

# The migrations of commit 3cbd1d9 by app; migrations are frozen, so they make its tables.
LANDED = {"chat": "0001", "citations": "0002", "memory": "0001"}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="what Django can't read is SQLite's SQL")
def test_an_installation_of_the_first_landing_is_updated(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        known = {alias: connections[alias].settings_dict["NAME"] for alias in NAMES}
        try:
            fresh = _migrate(tmp_path / "fresh", {})
            updated = _migrate(tmp_path / "landed", LANDED)
        finally:
            for alias, name in known.items():
                turn_to(alias, name)
    assert updated == fresh


def _migrate(folder: Path, landed: Mapping[str, str]) -> dict[str, object]:
    """Migrate new databases, by way of what had landed; return their schemas."""
    folder.mkdir()
    for alias in NAMES:
        turn_to(alias, str(folder / f"{alias}.sqlite3"))
        for app, number in landed.items():
            call_command(DjangosMigrate(), app, number, database=alias, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)
    return {alias: schema_of(alias) for alias in NAMES}
