"""What the text of an answer is built on: kept by an app above this one, which registers itself."""

from typing import Protocol

from memory.models import Turn


class AnswerSources(Protocol):
    """What is kept of the sources of answers."""

    def let_go_of(self, turn: Turn) -> None:
        """Delete what is kept of the turn's text, whose place another text takes."""
        ...

    def may_be_gone(self, turn: Turn) -> bool:
        """Return whether a text that isn't recorded whole may be built on what has been deleted.

        What is not deleted yet waits for the end of the caller's transaction.
        """
        ...


_registered: list[AnswerSources] = []


def register(sources: AnswerSources) -> None:
    """Have these told of each text that goes, and asked about each that is rescued."""
    _registered.append(sources)


def let_go_of(turn: Turn) -> None:
    """Delete what is kept of the sources of the turn's text."""
    for sources in _registered:
        sources.let_go_of(turn)


def may_be_gone(turn: Turn) -> bool:
    """Return whether a text of the turn may be built on what has been deleted since."""
    answers = [sources.may_be_gone(turn) for sources in _registered]  # each locks what is there
    return any(answers)
