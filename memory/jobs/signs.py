"""Heartbeat files of workers, by which the supervisor detects one that hangs."""

from contextlib import suppress
from pathlib import Path


class _Own:
    """The file of this process; None where nobody looks."""

    file: Path | None = None


def show_in(file: Path) -> None:
    """Show signs of life in the file from now on."""
    _Own.file = file
    show()


def show() -> None:
    """Show that this worker goes on, if somebody looks."""
    if _Own.file:
        with suppress(OSError):  # no work fails because of it
            _Own.file.touch()
