"""The filled databases of each release: packed into this repository, and put up again for a test."""

import lzma
import os
import sqlite3
import subprocess
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from packaging.version import Version
from django.db import connections

from tests.servers import get_owner_url
from tests.surroundings import PROGRAMS

FOLDER = Path(__file__).parent / "releases"
# By alias of the product's databases, what a release's files are called.
NAMES = {"default": "content", "keys": "keys"}
# The secrets of these databases alone.
SECRETS = {
    "SECRET_KEY": "the secret key of the databases of releases, of fifty letters and more",
    "MASTER_KEY": urlsafe_b64encode(b"the master key of these releases").decode(),
    "CERTIFICATE_KEY": urlsafe_b64encode(b"what signs of erasures there are").decode(),
}
# Lines by which pg_dump tells psql what only newer ones know, and settings of newer servers.
PASSING = ("\\restrict", "\\unrestrict", "SET transaction_timeout")


def releases() -> list[str]:
    """Return the versions that there are filled databases of, the oldest first."""
    return sorted((path.name for path in FOLDER.iterdir()), key=Version)


def pack(version: str) -> None:
    """Write the two databases of this process as files of the release."""
    for alias, name in NAMES.items():
        connection = connections[alias]
        if connection.vendor == "sqlite":
            content, ending = _sqlite_of(Path(str(connection.settings_dict["NAME"]))), "sqlite3"
        else:
            content, ending = _dump_of(_url(alias)), "sql"
        for place in (b"/tmp/", b"/home/", b"/work/", b"/root/"):
            assert place not in content, f"{name} names {place.decode()}"
        file = FOLDER / version / f"{name}.{ending}.xz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))


def _sqlite_of(path: Path) -> bytes:
    whole = path.with_suffix(".whole")
    with closing(sqlite3.connect(path)) as database:
        database.execute("VACUUM INTO ?", [str(whole)])
    return whole.read_bytes()


def _dump_of(url: str) -> bytes:
    command = [PROGRAMS / "pg_dump", "--no-owner", "--no-privileges", f"--dbname={url}"]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = (line for line in dumped.splitlines() if not line.startswith(PASSING))
    return ("\n".join(lines) + "\n").encode()


def _url(alias: str) -> str:
    return get_owner_url(os.environ["DATABASE_URL" if alias == "default" else "KEYS_DATABASE_URL"])


# --- Put up again -------------------------------------------------------------------------------


@contextmanager
def put_up(version: str, folder: Path) -> Iterator[None]:
    """Let both of the product's databases be those of the release, on the engine of this run."""
    before = {alias: connections[alias].settings_dict["NAME"] for alias in NAMES}
    vendor = connections["default"].vendor
    for alias, name in NAMES.items():
        packed = FOLDER / version / f"{name}.{'sqlite3' if vendor == 'sqlite' else 'sql'}.xz"
        content = lzma.decompress(packed.read_bytes())
        load = _sqlite_file if vendor == "sqlite" else _postgresql_database
        turn_to(alias, load(content, folder / f"{name}.sqlite3", alias))
    try:
        yield
    finally:
        for alias, known in before.items():
            turn_to(alias, known)


def turn_to(alias: str, name: str) -> None:
    connection = connections[alias]
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()
    connection.settings_dict["NAME"] = name


def _sqlite_file(content: bytes, path: Path, alias: str) -> str:
    path.write_bytes(content)
    return str(path)


def _postgresql_database(content: bytes, path: Path, alias: str) -> str:
    """Make a database beside the run's own and return its name."""
    name = f"release_{alias}"
    with psycopg.connect(_url(alias), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name}")
    url = urlunsplit(urlsplit(_url(alias))._replace(path=f"/{name}"))
    command = [PROGRAMS / "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--dbname={url}"]
    subprocess.run(command, input=content, check=True, stdout=subprocess.DEVNULL)
    return name
