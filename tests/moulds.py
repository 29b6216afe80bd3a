"""The initial state of tests, made once for all processes of a run and copied.

Moulds are in `var/tests`, in a folder named by their sources, so that a change to the product makes
new ones. The first process makes a mould; others wait for it.
"""

import fcntl
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.creation import BaseDatabaseCreation

from memory.personal_data import row_security
from memory.postgresql.roles import connect_owner
from tests.surroundings import PROGRAMS, ROOT

FOLDER = ROOT / "var" / "tests"
PRODUCT = ("config", "memory", "citations", "chat", "templates", "static", "requirements.txt")
# An installation says when it was made, and tests ask for what is new: after so many seconds
# another one is made, under a name of its own, since lanes that began before go on copying theirs.
FRESH = 3600
# PostgreSQL's databases that were migrated in this run, by alias.
templates: dict[str, str] = {}
RESTORING = ("--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction")
CACHE_OF_VECTORS = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB)"


def made_of(*sources: str) -> str:
    """Return a digest of the files, and of those in the folders, under the root."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(path for source in sources for path in _files(ROOT / source)):
        digest.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _files(source: Path) -> Iterable[Path]:
    found = source.rglob("*") if source.is_dir() else [source]
    return (path for path in found if path.is_file() and "__pycache__" not in path.parts)


@cache
def place(*sources: str) -> Path:
    """Return the folder of what is made of the sources; those of older sources go after a day."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for folder in FOLDER.iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_mtime > 24 * 3600:
            shutil.rmtree(folder, ignore_errors=True)
    folder = FOLDER / made_of(*sources)
    folder.mkdir(exist_ok=True)
    os.utime(folder)
    return folder


def made(path: Path, make: Callable[[Path], None], *, fresh: bool = False) -> Path:
    """Return the path, which `make` fills under another name first if it isn't there."""
    with _locked(path.with_name(f"{path.name}.lock")):
        if fresh:
            path = _fresh(path)
        if not path.exists():
            half = path.with_name(f"{path.name}.half")
            shutil.rmtree(half, ignore_errors=True)
            half.unlink(missing_ok=True)
            make(half)
            half.rename(path)
            os.utime(path)
    return path


def _fresh(path: Path) -> Path:
    """Return the one of the path's that is fresh, by the time in its name, or where one will be."""
    now, named = int(time.time()), re.compile(rf"{re.escape(path.name)}-(\d+)")
    found = (named.fullmatch(other.name) for other in path.parent.iterdir())
    newest = max((int(name[1]) for name in found if name), default=0)
    return path.with_name(f"{path.name}-{newest if now - newest < FRESH else now}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- Databases -----------------------------------------------------------------------------------


def cast_databases() -> None:
    """Let a test database be a copy of one that was migrated once, instead of migrating it."""
    migrate = BaseDatabaseCreation.create_test_db

    def create(creation: BaseDatabaseCreation, *args: Any, **options: Any) -> str:
        connection = creation.connection
        cast = _Files if connection.vendor == "sqlite" else _Server

        def make(half: Path) -> None:
            migrate(creation, *args, **options)
            if settings.DATABASE_OWNER:  # Django makes the cache's table for tests as anyone
                with (
                    connect_owner(connection.alias),
                    connections[connection.alias].cursor() as cursor,
                ):
                    cursor.execute("ALTER TABLE IF EXISTS cache OWNER TO CURRENT_USER")
                    row_security.install(connection.alias)
            cast.taken(connection, half)

        mould = made(migrated(connection.alias), make)
        connection.close()
        name = creation._get_test_db_name()
        cast.put(connection, mould, name)
        settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
        connection.ensure_connection()
        return name

    BaseDatabaseCreation.create_test_db = create


class _Files:
    """SQLite: the mould is a database."""

    @staticmethod
    def taken(connection: BaseDatabaseWrapper, half: Path) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM INTO '{half}'")

    @staticmethod
    def put(connection: BaseDatabaseWrapper, mould: Path, name: str) -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{name}{suffix}").unlink(missing_ok=True)
        shutil.copyfile(mould, name)


class _Server:
    """PostgreSQL: the mould is a dump, since each lane has a server of its own."""

    @staticmethod
    def taken(connection: BaseDatabaseWrapper, half: Path) -> None:
        database = _at(connection, connection.settings_dict["NAME"])
        subprocess.run([PROGRAMS / "pg_dump", f"--file={half}", database], check=True)

    @staticmethod
    def put(connection: BaseDatabaseWrapper, mould: Path, name: str) -> None:
        connection.close_pool()  # nobody may be in what is dropped
        template = templates[connection.alias] = f"migrated_{connection.alias}"
        with connection.creation._nodb_cursor() as cursor:
            for each in (name, template):
                cursor.execute(f'DROP DATABASE IF EXISTS "{each}"')
            cursor.execute(f"CREATE DATABASE {template}")
            psql = [PROGRAMS / "psql", *RESTORING, f"--file={mould}", _at(connection, template)]
            subprocess.run(psql, check=True, stdout=subprocess.DEVNULL)
            cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE {template}')


def _at(connection: BaseDatabaseWrapper, name: object) -> str:
    """Return, for a program, the address of a database on the connection's server."""
    variable = "DATABASE_URL" if connection.alias == "default" else "KEYS_DATABASE_URL"
    url = os.environ.get("DATABASE_OWNER_URL") or os.environ[variable]
    return f"--dbname={urlsplit(url)._replace(path=f'/{name}').geturl()}"


def migrated(alias: str) -> Path:
    """Return where the mould of a database is, or will be."""
    walled = "-walled" if settings.DATABASE_OWNER else ""
    return place(*PRODUCT) / f"migrated-{alias}{walled}.{connections[alias].vendor}"


# --- Vectors -------------------------------------------------------------------------------------


class KnownVectors:
    """The real vectors of texts that were embedded before, by this lane or by another."""

    def __init__(self) -> None:
        self._file = place("memory/text", "requirements.txt") / "vectors.sqlite3"
        with closing(self._open()) as database, database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(CACHE_OF_VECTORS)

    def of(self, key: str, texts: Sequence[str]) -> dict[str, np.ndarray]:
        """Return what is known of the texts, as what the key names sees them."""
        with closing(self._open()) as database:
            found = {
                text: database.execute(
                    "SELECT vector FROM vectors WHERE text = ?", [_digest(key, text)]
                ).fetchone()
                for text in texts
            }
        return {text: np.frombuffer(row[0], np.float32) for text, row in found.items() if row}

    def keep(self, key: str, vectors: dict[str, np.ndarray]) -> None:
        """Keep the vectors of texts."""
        rows = [(_digest(key, text), vector.tobytes()) for text, vector in vectors.items()]
        with closing(self._open()) as database, database:
            database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let one lane after the other embed, so that the next one knows what this one has made."""
        with _locked(self._file.with_name("vectors.lock")):
            yield

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._file, timeout=60)
        database.execute("PRAGMA synchronous = OFF")
        return database


@contextmanager
def texts_embedded_once() -> Iterator[None]:
    """Keep the real vectors of the texts that many tests embed, the sample library's above all."""
    from memory.text.embedding.e5 import E5
    from memory.text.embedding.minilm import MiniLM

    kept = KnownVectors()
    with pytest.MonkeyPatch.context() as patch:
        for engine in (E5, MiniLM):
            for verb in ("embed", "embed_queries"):
                patch.setattr(engine, verb, _remembering(kept, engine, verb))
        yield


def _remembering(kept: KnownVectors, engine: type, verb: str) -> Callable[..., np.ndarray]:
    """Return the engine's method so that it embeds each text once, in this run or in another."""
    embed, key = getattr(engine, verb), f"{engine.model} {verb}"
    known: dict[str, np.ndarray] = {}

    def embed_once(engine: object, texts: Sequence[str]) -> np.ndarray:
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(kept.of(key, new))
        if any(text not in known for text in new):
            with kept.turn():  # lanes that begin at once need the same
                known.update(kept.of(key, new))
                if new := [text for text in new if text not in known]:
                    made = dict(zip(new, embed(engine, new), strict=True))
                    kept.keep(key, made)
                    known.update(made)
        return np.stack([known[text] for text in texts])

    return embed_once


def _digest(key: str, text: str) -> bytes:
    return hashlib.sha256(f"{key}\0{text}".encode("utf-8", "surrogatepass")).digest()
