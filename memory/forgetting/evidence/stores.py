"""The stores of the installation, as bytes: all places that may hold remains.

They are the databases' own files, with deleted rows and logs; all other files in DATA_DIR; and the
product's values in Redis. A store that can't be read from here (a PostgreSQL on another machine) is
named without bytes.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import Error

from memory.postgresql.roles import make_owner_connection

BLOCK = 16 * 1024 * 1024
OVERLAP = 4096  # more than a sample takes in any form
SQLITE_FILES = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True)
class StoreContent:
    """One store, with its bytes block by block, and the file of each; None: not readable here."""

    name: str
    blocks: Iterator[tuple[str, bytes]] | None
    # Whether scrubbing overwrites it; other stores must be cleaned by their owners.
    is_database: bool = False


def list_stores() -> Iterator[StoreContent]:
    """Yield all stores; each is read lazily."""
    known: list[Path] = []
    for alias in connections:
        connection = connections[alias]
        if connection.vendor == "sqlite":
            name = str(connection.settings_dict["NAME"])
            files = [path for end in SQLITE_FILES if (path := Path(name + end)).exists()]
            known += files
            yield StoreContent(f"{alias} database", _read(files), is_database=True)
        else:
            yield from _list_postgresql_stores(alias, connection)
    # Broker, logs, secrets; not the databases, nor the static files of pages.
    passed_over = {path.resolve() for path in known}
    others = (
        path
        for path in _list_files([settings.DATA_DIR])
        if path.resolve() not in passed_over and settings.STATIC_ROOT not in path.parents
    )
    yield StoreContent("files", _read(others, below=settings.DATA_DIR))
    temporary = Path(tempfile.gettempdir())
    # Only this installation's own folders, which have no subfolders.
    own = f"{settings.TEMPORARY_PREFIX}*"
    passing = sorted([*temporary.glob(own), *temporary.glob(f"{own}/*")])
    yield StoreContent("temporary files", _read(passing, below=temporary))
    if settings.CELERY_BROKER_URL.startswith("redis"):
        yield StoreContent("broker", _read_redis_values(settings.CELERY_BROKER_URL))


# --- Files ----------------------------------------------------------------------------------------


def _list_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files below the folders; files deleted meanwhile are skipped."""
    for folder in folders:
        for place, _folders, names in os.walk(folder):
            yield from (Path(place, name) for name in sorted(names))


def _read(paths: Iterable[Path], *, below: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the files in overlapping blocks, so that no sample is split between two."""
    for path in paths:
        if not path.is_file():  # such as a socket
            continue
        name = os.fsencode(path.relative_to(below or path.parent)).decode(errors="replace")
        try:
            with path.open("rb") as file:
                kept = b""
                while block := file.read(BLOCK):
                    yield name, kept + block
                    kept = block[-OVERLAP:]
        except OSError:  # it was deleted meanwhile, as files of a broker are
            continue


# --- PostgreSQL -----------------------------------------------------------------------------------


def _list_postgresql_stores(alias: str, connection: BaseDatabaseWrapper) -> Iterator[StoreContent]:
    folder = _find_postgresql_folder(connection)
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
        tables = f"base/{cursor.fetchone()[0]}"
    # Other databases of the server are not searched; the log is shared.
    for name, part in ((f"{alias} database", tables), (f"{alias} log", "pg_wal")):
        blocks = None
        try:
            if folder is not None and any((folder / part).iterdir()):
                blocks = _read(_list_files([folder / part]))
        except OSError:  # it belongs to another account, or another machine
            pass
        yield StoreContent(name, blocks, is_database=True)


def _find_postgresql_folder(connection: BaseDatabaseWrapper) -> Path | None:
    """Return the server's data folder, if the owner of the tables may read it."""
    try:
        with closing(make_owner_connection(connection)) as owner, owner.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            return Path(cursor.fetchone()[0])
    except Error:
        return None


# --- Redis ----------------------------------------------------------------------------------------


def _read_redis_values(url: str) -> Iterator[tuple[str, bytes]]:
    import redis  # noqa: PLC0415 - no start waits for it where there is none

    client = redis.from_url(url)
    try:
        for key in client.scan_iter(count=500):
            yield "", bytes(key) + b"\n" + (client.dump(key) or b"")
    finally:
        client.close()
