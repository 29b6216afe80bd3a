"""The migrations that have landed, by their digests: `python -m tests.migrations.landed` lists all.

It is run once at each release, when CHANGELOG.md gets the version and tests.migrations.filling its
databases.
"""

import hashlib
from pathlib import Path

from tests.surroundings import ROOT

LIST = Path(__file__).parent / "landed.txt"
APPS = ("memory", "citations", "chat")
RULE = (
    "A landed migration is never edited or removed: put it back (git checkout), and add a new one; "
    "a new one is listed when it is released, by `python -m tests.migrations.landed`."
)


def listed() -> dict[str, str]:
    """Return the digest of each landed migration by its path."""
    lines = (line.split("  ") for line in LIST.read_text().splitlines())
    return {path: digest for digest, path in lines}


def present() -> dict[str, str]:
    """Return the digest of each migration that there is by its path."""
    files = (file for app in APPS for file in sorted((ROOT / app / "migrations").glob("0*.py")))
    return {
        str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    }


def changed(landed: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the paths of landed migrations that were edited or removed."""
    return [path for path, digest in landed.items() if now.get(path) != digest]


if __name__ == "__main__":
    assert not changed(listed() if LIST.exists() else {}, present()), RULE
    LIST.write_text("".join(f"{digest}  {path}\n" for path, digest in present().items()))
