"""A database to measure in, thrown away afterwards."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.db import connections


@contextmanager
def throw_away() -> Iterator[None]:
    """Put empty databases of the configured engines in the place of the real ones."""
    with tempfile.TemporaryDirectory(prefix="throughline-evaluate-") as folder:
        names = {alias: connections[alias].settings_dict["NAME"] for alias in connections}
        for alias in connections:
            make(alias, Path(folder))
        try:
            yield
        finally:
            for alias, name in names.items():
                connections[alias].creation.destroy_test_db(name, verbosity=0)


def make(alias: str, folder: Path) -> None:
    connection = connections[alias]
    name = f"evaluate_{alias}_{uuid4().hex[:12]}"
    is_file = connection.vendor == "sqlite"
    connection.settings_dict["TEST"]["NAME"] = str(folder / name) if is_file else name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
