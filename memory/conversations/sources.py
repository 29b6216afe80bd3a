"""Hooks for the sources of answers: the app that stores sources appends its functions here."""

from collections.abc import Callable

from memory.models import Turn

deletions: list[Callable[[Turn], None]] = []
losses: list[Callable[[Turn], bool]] = []


def delete_sources(turn: Turn) -> None:
    """Delete the sources of the turn's text, which is about to be replaced."""
    for delete in deletions:
        delete(turn)


def has_lost_sources(turn: Turn) -> bool:
    """Return whether an unrecorded text may use a deleted source; locks the others."""
    return any([is_lost(turn) for is_lost in losses])  # noqa: C419 - each locks its rows
