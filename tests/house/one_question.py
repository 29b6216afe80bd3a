"""One real question, followed through the rooms: how many it enters, by how many doors.

A room is a folder below an app (`memory.recall`, `chat.turns`), or a module that stands there by
itself. Followed is a follow-up in a conversation of the sample library, from the stored question
to its prompt, without a language model, in databases that are thrown away.
"""

import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

APPS = ("memory", "citations", "chat")
FIRST = "What is the Determination Date?"
FOLLOW_UP = "And what happens if it falls on a weekend?"


@dataclass
class Walk:
    """Which rooms were entered, and from which; a call's return to its caller enters nothing."""

    root: Path
    doors: set[tuple[str, str]] = field(default_factory=set)
    _stack: list[str] = field(default_factory=list)
    _rooms: dict[str, str] = field(default_factory=dict)

    @property
    def entered(self) -> int:
        return len({into for _, into in self.doors})

    @property
    def returns(self) -> int:
        """How many further doors lead into rooms that were entered and left already."""
        return len(self.doors) - self.entered

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Note every call of this thread."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            caller = self._stack[-1] if self._stack else ""
            file = frame.f_code.co_filename
            if file not in self._rooms:
                self._rooms[file] = self._room(Path(file))
            # What Django or numpy does in between belongs to the room that asked for it.
            room = self._rooms[file] or caller
            if room != caller:
                self.doors.add((caller, room))
            self._stack.append(room)
        elif event == "return" and self._stack:
            self._stack.pop()

    def _room(self, path: Path) -> str:
        if not path.is_relative_to(self.root):
            return ""
        app, *inside = path.relative_to(self.root).with_suffix("").parts
        return f"{app}.{inside[0]}" if app in APPS and inside else ""


def walk_of_one_question(root: Path) -> Walk:
    """Ask in databases of its own, and return the way of the second question."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with tempfile.TemporaryDirectory(prefix="throughline-house-") as folder:
        os.environ["DATA_DIR"] = folder
        import django

        django.setup()
        logging.disable(logging.WARNING)
        from chat.evaluation.databases import throw_away

        with throw_away():
            return _asked(root)


def _asked(root: Path) -> Walk:
    from chat.turns.pipeline import answer_now, prepare, take_turn
    from citations.ingestion.adding import load_sample_library
    from memory.conversations.asking import Question, create_session
    from memory.jobs.queue import run_due
    from tests.people import person

    load_sample_library()
    run_due()
    session = create_session(person("house"))
    first = take_turn(session, Question(FIRST)).attempt
    assert first
    answer_now(first)
    run_due()
    attempt = take_turn(session, Question(FOLLOW_UP)).attempt
    assert attempt
    with (walk := Walk(root)).followed():
        prepare(attempt)
    return walk
