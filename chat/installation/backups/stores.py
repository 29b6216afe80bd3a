"""The stores to back up: SQLite, PostgreSQL and key files, each as a stream of bytes.

Writers need not stop. `pg_dump` must be of the server's version or newer.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from django.conf import settings
from django.db import connections
from psycopg import conninfo, pq

from chat.installation.backups.sealed_files import PIECE, BackupError
from config.secrets import write_private

Take = Callable[[bytes], None]
DUMP = ("pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--no-comments")
RESTORE = ("pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
# The tables of our migrations and of the index, without those of extensions.
TABLES = """
    SELECT format('DROP TABLE %I CASCADE', relname) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT EXISTS
        (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
"""
FUNCTIONS = """
    SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS
        (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""


def get_store(part: str) -> "SQLite | PostgreSQL | KeyFiles":
    """Return the store of a part: content, keys or secrets."""
    if part == "secrets":
        return KeyFiles()
    alias = "default" if part == "content" else part
    vendor = connections[alias].vendor
    return SQLite(alias) if vendor == "sqlite" else PostgreSQL(alias)


class Database:
    """A database by its alias."""

    def __init__(self, alias: str) -> None:
        self._alias = alias

    def is_empty(self) -> bool:
        connection = connections[self._alias]
        with connection.cursor() as cursor:
            return "django_migrations" not in connection.introspection.table_names(cursor)


# --- SQLite ---------------------------------------------------------------------------------------


class SQLite(Database):
    """A database in a file."""

    engine = "sqlite"

    def __init__(self, alias: str) -> None:
        super().__init__(alias)
        self._file = Path(str(connections[alias].settings_dict["NAME"]))

    def read(self, take: Take) -> None:
        """Copy the database at one moment, and yield the bytes of the copy."""
        with self._draft() as draft:
            with closing(sqlite3.connect(self._file)) as source:
                _copy(source, draft)
            with draft.open("rb") as file:
                while piece := file.read(PIECE):
                    take(piece)

    def verify(self, pieces: Iterable[bytes]) -> None:
        with self._draft() as draft:
            _write(draft, pieces)
            _refuse_if_damaged(draft)

    def put_back(self, pieces: Iterable[bytes]) -> None:
        """Replace the database by the backup in one atomic change."""
        connections[self._alias].close()
        with self._draft() as draft:
            _write(draft, pieces)
            _refuse_if_damaged(draft)
            with closing(sqlite3.connect(draft)) as source:
                _copy(source, self._file)

    @contextmanager
    def _draft(self) -> Iterator[Path]:
        """Create a private temporary file beside the database."""
        with tempfile.TemporaryDirectory(prefix="backup-", dir=self._file.parent) as folder:
            yield Path(folder) / "database"


def _copy(source: sqlite3.Connection, path: Path) -> None:
    with closing(sqlite3.connect(path, timeout=20)) as target:
        source.backup(target)


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)


def _refuse_if_damaged(path: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as copy:
            (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupError("It holds no database of SQLite.") from error
    if found != "ok":
        raise BackupError(f"The database is damaged: {found}.")


# --- PostgreSQL -----------------------------------------------------------------------------------


class PostgreSQL(Database):
    """A database on a server."""

    engine = "postgresql"

    def read(self, take: Take) -> None:
        with self._program(*DUMP, stdout=subprocess.PIPE) as dump:
            output = cast(IO[bytes], dump.stdout)
            while piece := output.read(PIECE):
                take(piece)

    def verify(self, pieces: Iterable[bytes]) -> None:
        with self._program("pg_restore", "--list", stdin=subprocess.PIPE) as listing:
            _feed(listing, pieces)

    def put_back(self, pieces: Iterable[bytes]) -> None:
        """Drop the current content and restore the backup, which is verified already."""
        self._empty()
        with self._program(*RESTORE, "--dbname", self._place(), stdin=subprocess.PIPE) as restore:
            _feed(restore, pieces)

    def _empty(self) -> None:
        with connections[self._alias].cursor() as cursor:
            for listed in (TABLES, FUNCTIONS):
                cursor.execute(listed)
                for (statement,) in cursor.fetchall():
                    cursor.execute(statement)

    def _place(self) -> str:
        """Return the connection string for PostgreSQL's programs, without the password."""
        return conninfo.make_conninfo(
            **{name: value for name, value in self._known().items() if name != "password"}
        )

    def _known(self) -> dict[str, Any]:
        words = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
        given: dict[str, Any] = connections[self._alias].get_connection_params()
        return {name: value for name, value in given.items() if name in words}

    @contextmanager
    def _program(self, *command: str, **pipes: Any) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a PostgreSQL program; the BackupError it raises has no content of the database."""
        if not shutil.which(command[0]):
            raise BackupError(f"{command[0]} is not installed; it comes with PostgreSQL's client.")
        if command[0] == "pg_dump":
            command += ("--dbname", self._place())
        secret = {"PGPASSWORD": str(self._known().get("password", ""))}
        with tempfile.TemporaryFile() as said:
            unused: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
            with subprocess.Popen(  # noqa: S603 - a fixed program
                command, env=os.environ | secret, stderr=said, **unused | pipes
            ) as process:
                try:
                    yield process
                except BaseException:
                    process.kill()
                    raise
            if process.returncode:
                said.seek(0)
                raise BackupError(f"{command[0]} failed: {_read_first_line(said.read())}")


def _read_first_line(said: bytes) -> str:
    lines: Sequence[str] = said.decode(errors="replace").splitlines()
    return lines[0] if lines else "it said nothing."


def _feed(process: "subprocess.Popen[bytes]", pieces: Iterable[bytes]) -> None:
    entry = cast(IO[bytes], process.stdin)
    try:
        for piece in pieces:
            entry.write(piece)
        entry.close()
    except BrokenPipeError:  # it has read enough, or reports the error itself
        for _rest in pieces:
            pass  # each chunk is authenticated all the same


# --- Keys in files --------------------------------------------------------------------------------


class KeyFiles:
    """The master key and the certificate key, if they are files and not in the environment."""

    engine = "files"

    def is_empty(self) -> bool:
        return not any(path.exists() for path in self._files().values())

    def read(self, take: Take) -> None:
        there = {name: path for name, path in self._files().items() if path.exists()}
        if not there:
            raise BackupError("No key is in a file: keep what your environment has.")
        take(json.dumps({name: path.read_text() for name, path in there.items()}).encode())

    def verify(self, pieces: Iterable[bytes]) -> None:
        self._texts(pieces)

    def put_back(self, pieces: Iterable[bytes]) -> None:
        for name, text in self._texts(pieces).items():
            write_private(self._files()[name], text, overwrite=True)

    def _files(self) -> dict[str, Path]:
        """Return the path of each key file, without keys of the environment."""
        files = {
            "master": (settings.MASTER_KEY, settings.MASTER_KEY_FILE),
            "certificate": (settings.CERTIFICATE_KEY, settings.CERTIFICATE_KEY_FILE),
        }
        return {name: path for name, (value, path) in files.items() if not value}

    def _texts(self, pieces: Iterable[bytes]) -> dict[str, str]:
        found: dict[str, str] = json.loads(b"".join(pieces))
        return {name: text for name, text in found.items() if name in self._files()}
