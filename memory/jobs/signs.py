"""Heartbeat files of workers, by which the supervisor detects a worker that hangs."""

from contextlib import suppress
from pathlib import Path


class _Own:
    """The heartbeat file of this process; None without a supervisor."""

    file: Path | None = None


def show_in(file: Path) -> None:
    """Write heartbeats to the file from now on."""
    _Own.file = file
    show()


def show() -> None:
    """Update the heartbeat file, if there is one."""
    if _Own.file:
        with suppress(OSError):  # work doesn't fail because of it
            _Own.file.touch()
