"""A temporary database for evaluations."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL


@contextmanager
def throw_away() -> Iterator[None]:
    """Use temporary, empty databases of the configured engines in place of the real ones."""
    with ExitStack() as stack:
        prefix = f"{settings.TEMPORARY_PREFIX}evaluate-"
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix))
        for alias in connections:
            stack.enter_context(replaced(alias, Path(folder)))
        yield


@contextmanager
def replaced(alias: str, folder: Path) -> Iterator[None]:
    """Use an empty database in place of a real one."""
    connection = connections[alias]
    testing, real = connection.settings_dict["TEST"], connection.settings_dict["NAME"]
    name = f"evaluate_{alias}_{uuid4().hex[:12]}"
    is_file = connection.vendor == "sqlite"
    connection.settings_dict["TEST"] = {**testing, "NAME": str(folder / name) if is_file else name}
    let_go(alias)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        let_go(alias)
        connection.creation.destroy_test_db(real, verbosity=0)
        connection.settings_dict["TEST"] = testing


def let_go(alias: str) -> None:
    """Close all connections: pooled ones would still be to the previous database."""
    connection = connections[alias]
    connection.close()
    if isinstance(connection, PostgreSQL):
        connection.close_pool()
