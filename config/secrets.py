"""Secrets that development generates once, in a file that only its owner can read."""

import contextlib
import os
import tempfile
from base64 import urlsafe_b64encode
from pathlib import Path
from secrets import token_bytes


def get_or_create_secret(path: Path) -> str:
    """Return the secret in the file; if there is none, make file and secret (256 bits)."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, urlsafe_b64encode(token_bytes(32)).decode() + "\n", overwrite=False)
    return path.read_text().strip()


def write_private(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a file of mode 600 atomically; without overwrite the first writer wins."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # with mode 600
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if overwrite:
        os.replace(draft, path)
        return
    # Two processes may start at once; a hard link fails if the other one was first.
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    os.unlink(draft)
