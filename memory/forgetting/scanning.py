"""Searching every store of the installation for what should be gone.

The databases' own files are read as bytes, deleted rows, logs and all; so is whatever else lies in
DATA_DIR, and what the product keeps in Redis. A store that can't be read from here (a PostgreSQL on
another machine) is named as not searched: nothing is claimed of it.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis
from django.apps import apps
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model
from django.db.utils import Error

from memory.fields import SealedBytesField, SealedTextField
from memory.forgetting.data_map import handling_of
from memory.forgetting.needles import Needles
from memory.models import ErasureRequest

BLOCK = 16 * 1024 * 1024
OVERLAP = 512  # more than a sample takes in any form
SQLITE_FILES = ("", "-wal", "-shm", "-journal")
TEMPORARY = "throughline-*"
Pulse = Callable[[], None]


@dataclass
class Store:
    """One place that was searched: how much of it, and how many of the samples were there."""

    name: str
    size: int = 0
    found: int = 0
    is_readable: bool = True
    samples: set[int] = field(default_factory=set)

    def as_json(self) -> dict[str, Any]:
        """Return it as the request keeps it and the certificate says it."""
        if not self.is_readable:
            return {"store": self.name, "searched": False}
        return {"store": self.name, "searched": True, "bytes": self.size, "found": self.found}


def search(samples: list[str], *, pulse: Pulse = lambda: None) -> list[Store]:
    """Search all stores for the samples; what others say in the clear as well doesn't count."""
    needles = Needles(samples)
    stores = [_searched(name, blocks, needles, pulse) for name, blocks in _stores()]
    found = set().union(*(store.samples for store in stores))
    left = {number for number in found if not _is_said_elsewhere(samples[number])}
    for store in stores:
        store.found = len(store.samples & left)
    return stores


def _searched(name: str, blocks: "Iterable[bytes] | None", needles: Needles, pulse: Pulse) -> Store:
    store = Store(name, is_readable=blocks is not None)
    for block in blocks or ():
        pulse()
        store.size += len(block)
        store.samples |= needles.found_in(block)
    return store


def _stores() -> "Iterator[tuple[str, Iterable[bytes] | None]]":
    known: list[Path] = []
    for alias in connections:
        connection = connections[alias]
        if connection.vendor == "sqlite":
            files = _sqlite_files(connection)
            known += files
            yield f"{alias} database", _read(files)
        else:
            yield from _postgresql_stores(alias, connection)
    yield "files", _read(_other_files(known))
    yield "temporary files", _read(_temporary_files())
    for name, url in _redis_urls().items():
        yield name, _redis_values(url)


# --- Files ----------------------------------------------------------------------------------------


def _sqlite_files(connection: BaseDatabaseWrapper) -> list[Path]:
    name = str(connection.settings_dict["NAME"])
    return [path for ending in SQLITE_FILES if (path := Path(name + ending)).exists()]


def _other_files(known: list[Path]) -> Iterator[Path]:
    """Yield what else lies in DATA_DIR: broker, logs, secrets; not the pages' own static files."""
    passed_over = {path.resolve() for path in known}
    for path in _files_in([settings.DATA_DIR]):
        if path.resolve() not in passed_over and settings.STATIC_ROOT not in path.parents:
            yield path


def _temporary_files() -> list[Path]:
    """Return the product's own temporary files; its folders there have no folders in them."""
    place = Path(tempfile.gettempdir())
    return sorted([*place.glob(TEMPORARY), *place.glob(f"{TEMPORARY}/*")])


def _files_in(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the files below the folders; what goes meanwhile is passed over."""
    for folder in folders:
        for place, _folders, names in os.walk(folder):
            yield from (Path(place, name) for name in sorted(names))


def _read(paths: Iterable[Path]) -> Iterator[bytes]:
    """Yield the files in blocks that overlap, so that nothing slips between two."""
    for path in paths:
        if not path.is_file():  # such as a socket
            continue
        try:
            with path.open("rb") as file:
                kept = b""
                while block := file.read(BLOCK):
                    yield kept + block
                    kept = block[-OVERLAP:]
        except OSError:  # it went while we looked, as files of a broker do
            continue


# --- PostgreSQL -----------------------------------------------------------------------------------


def _postgresql_stores(
    alias: str, connection: BaseDatabaseWrapper
) -> "Iterator[tuple[str, Iterable[bytes] | None]]":
    folder = _postgresql_folder(connection)
    for name, part in ((f"{alias} database", "base"), (f"{alias} log", "pg_wal")):
        is_readable = folder is not None and _is_readable(folder / part)
        yield name, _read(_files_in([folder / part])) if folder and is_readable else None


def _postgresql_folder(connection: BaseDatabaseWrapper) -> Path | None:
    """Return where the server keeps its files, if it says so."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            return Path(cursor.fetchone()[0])
    except Error:
        return None


def _is_readable(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False


# --- Redis ----------------------------------------------------------------------------------------


def _redis_urls() -> dict[str, str]:
    urls = {"cache": settings.REDIS_URL, "broker": settings.CELERY_BROKER_URL}
    return {name: url for name, url in urls.items() if url.startswith("redis")}


def _redis_values(url: str) -> Iterator[bytes]:
    client = redis.from_url(url)
    try:
        for key in client.scan_iter(count=500):
            yield bytes(key) + b"\n" + (client.dump(key) or b"")
    finally:
        client.close()


# --- What others say as well ----------------------------------------------------------------------


def _is_said_elsewhere(sample: str) -> bool:
    """Tell whether the text stands in the clear in what is not the person's: then it is no trace.

    An answer quotes the shared library; two people may have the same name.
    """
    return any(_says(model, sample) for model in apps.get_models())


def _says(model: type[Model], sample: str) -> bool:
    if model is ErasureRequest or handling_of(model) is None:
        return False
    return any(_field_says(model, found, sample) for found in model._meta.fields)


def _field_says(model: type[Model], place: "Field[Any, Any]", sample: str) -> bool:
    rows = model._base_manager.all()
    if isinstance(place, SealedTextField):
        # In the clear are only the rows that have no owner.
        if isinstance(place, SealedBytesField) or not _may_be_nobodys(model):
            return False
        texts = rows.filter(owner=None).only("pk", "owner", place.attname, *_identity(model))
        return any(sample in str(getattr(row, place.attname)) for row in texts.iterator())
    if place.get_internal_type() in ("CharField", "TextField"):
        return rows.filter(**{f"{place.name}__contains": sample}).exists()
    return False


def _may_be_nobodys(model: type[Model]) -> bool:
    return any(found.name == "owner" and found.null for found in model._meta.fields)


def _identity(model: type[Model]) -> list[str]:
    """Return the fields by which a row's sealed values are bound to it."""
    return ["document_id", "position"] if hasattr(model, "seal_identity") else []
