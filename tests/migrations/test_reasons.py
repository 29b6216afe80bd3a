"""Reasons why a database can't be used, in one sentence at a start or an update."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import environ
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from pytest_django import DjangoDbBlocker

from chat.installation.reasons import explain_errors, probe
from tests.surroundings import PYTHON, ROOT, clean_environment, run

PASSWORD = "tell-nobody"
NOBODY = 65_534
Refusal = Callable[[str], str]


@pytest.fixture
def refusal(django_db_blocker: DjangoDbBlocker) -> Refusal:
    """Return what `migrate` says of the database at a URL: one sentence."""

    def of(url: str) -> str:
        with django_db_blocker.unblock(), alias_of(url) as alias, pytest.raises(CommandError) as no:
            call_command("migrate", database=alias, verbosity=0)
        said = str(no.value)
        assert said.startswith("The database of ")
        assert "\n" not in said
        assert PASSWORD not in said
        return said

    return of


@contextmanager
def alias_of(url: str) -> Iterator[str]:
    """Let the URL be one of the databases for a moment."""
    config = environ.Env.db_url_config(url)
    known = connections.settings
    known["other"] = {**known["default"], "USER": "", "PASSWORD": "", "HOST": "", "PORT": ""}
    known["other"] |= {"OPTIONS": {}} | config
    try:
        yield "other"
    finally:
        connections["other"].close()
        del connections["other"]
        del known["other"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite:////", "unable to open database file"),
        ("sqlite:////nowhere/x.sqlite3", "unable to open database file"),
        ("sqlite:///{folder}/text", "file is not a database"),
        (
            "sqlite:///{folder}/small?init_command=" + quote("PRAGMA max_page_count=20"),
            "database or disk is full",
        ),
        (f"postgres://me:{PASSWORD}@127.0.0.1:1/x", "port 1"),
        (f"postgres://me:{PASSWORD}@no.invalid/x", "no.invalid"),
    ],
)
def test_what_cannot_be_reached_or_opened_is_said(
    tmp_path: Path, refusal: Refusal, url: str, reason: str
) -> None:
    (tmp_path / "text").write_text("No database at all. " * 100)
    assert reason in refusal(url.format(folder=tmp_path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be someone else for a moment")
def test_a_file_that_may_only_be_read_is_said(refusal: Refusal) -> None:
    # Not in the folder of pytest, which is its owner's alone.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "content.sqlite3"
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE mine (x)")
        file.chmod(0o644)
        os.seteuid(NOBODY)
        try:
            assert "readonly database" in refusal(f"sqlite:///{file}")
        finally:
            os.seteuid(0)


@pytest.mark.parametrize("command", ["prepare", "migrate"])
def test_a_command_ends_with_one_and_without_a_traceback(tmp_path: Path, command: str) -> None:
    said = ended(command, tmp_path, KEYS_DATABASE_URL=f"postgres://me:{PASSWORD}@127.0.0.1:1/x")
    assert "KEYS_DATABASE_URL can't be used: " in said




def ended(command: str, folder: Path, **environment: str) -> str:
    """Return all that the command says while it ends with 1: one line."""
    surroundings = clean_environment(DATA_DIR=str(folder), **environment)
    done = run([PYTHON, "manage.py", command], surroundings)
    assert done.returncode == 1, done.stdout
    said = done.stderr.strip()
    assert said.count("\n") == 0, said
    assert PASSWORD not in said + done.stdout
    return said


@pytest.mark.django_db(transaction=True)
def test_a_database_that_changed_migrations_made_is_said() -> None:
    probe("keys")
    for formerly in ("DROP TABLE memory_ledgermark", "CREATE TABLE memory_ledgermark (id integer)"):
        with connections["keys"].cursor() as cursor:
            cursor.execute("ALTER TABLE memory_ledgermark RENAME TO kept")
            if formerly.startswith("CREATE"):
                cursor.execute(formerly)
        try:
            with pytest.raises(CommandError, match=r"made before 0\.1\.0.*memory_ledgermark"):
                call_command("migrate", verbosity=0)
            with pytest.raises(CommandError, match=r"KEYS_DATABASE_URL .* made before"):
                with explain_errors("keys"):
                    connections["keys"].cursor().execute("SELECT value FROM memory_ledgermark")
        finally:
            with connections["keys"].cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS memory_ledgermark")
                cursor.execute("ALTER TABLE kept RENAME TO memory_ledgermark")


# --- PostgreSQL ---------------------------------------------------------------------------------


@pytest.fixture
def server() -> str:
    """The URL of the server that this run is beside."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        pytest.skip("needs python -m tests.postgres")
    return url


@contextmanager
def by_password(url: str) -> Iterator[str]:
    """Let there be a user whom the server asks for a password; it trusts all others."""
    with psycopg.connect(url, autocommit=True) as connection:
        file = Path(connection.execute("SHOW hba_file").fetchone()[0])
        before = file.read_text()
        connection.execute("CREATE ROLE asked LOGIN PASSWORD 'another'")
        file.write_text(f"local all asked scram-sha-256\n{before}")
        connection.execute("SELECT pg_reload_conf()")
        try:
            yield "asked"
        finally:
            file.write_text(before)
            connection.execute("SELECT pg_reload_conf()")
            connection.execute("DROP ROLE asked")


def test_a_wrong_password_and_a_wrong_name_are_said(server: str, refusal: Refusal) -> None:
    with psycopg.connect(server) as connection:
        host, user = quote(connection.info.host, safe=""), connection.info.user
    with by_password(server) as asked:
        said = refusal(f"postgres://{asked}:{PASSWORD}@/throughline?host={host}")
        assert "password authentication failed" in said
    said = refusal(f"postgres://{user}@/nowhere?host={host}")
    assert 'database "nowhere" does not exist' in said
    said = refusal(f"postgres://stranger@/throughline?host={host}")
    assert 'role "stranger" does not exist' in said
