"""Admission: a bounded number of running answers in a process, and a bounded, fair queue.

The next place goes to the person with the fewest running answers, and among those to the earliest
question. Beyond the bounds a question is rejected before it is stored.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy

from chat.database_threads import in_this_thread
from memory.errors import Refusal
from memory.metrics.counting import mirror

# Answers prepared at a time: preparing is bound by the processor.
PREPARED_AT_ONCE = 3
RETRY_SECONDS = 5
# Releases the request's place (config.serving.question_limit) while its question waits.
step_aside: ContextVar[Callable[[], object]] = ContextVar("step_aside", default=lambda: None)


class Overloaded(Refusal):
    """The queue of questions is full."""

    code = "overloaded"
    says = gettext_lazy(
        "Very many questions are being answered right now. Nothing was lost: ask again in a moment."
    )
    come_again = RETRY_SECONDS


@dataclass(eq=False)
class QueuePlace:
    """The place of one answer, which waits, is prepared and then runs."""

    person: UUID
    # Called with the number of places ahead of it.
    told: Callable[[int], None]
    is_preparing: bool = False
    begun: asyncio.Event = field(default_factory=asyncio.Event)


class Admission:
    """The queue of one process, used from its event loop."""

    def __init__(self) -> None:
        self._waiting: list[QueuePlace] = []
        self._at_work: Counter[UUID] = Counter()
        self._preparing = 0

    def check_room(self) -> None:
        """Raise Overloaded if another question would exceed the bounds; callable in any thread."""
        taken = len(self._waiting) + self._at_work.total()
        if taken >= settings.ANSWERS_AT_WORK + settings.ANSWERS_WAITING:
            raise Overloaded

    @asynccontextmanager
    async def place(self, person: UUID, told: Callable[[int], None]) -> AsyncIterator[QueuePlace]:
        """Take a place in the queue, released at the end."""
        place = QueuePlace(person, told)
        if in_this_thread.get():  # the caller answers in its own thread
            place.begun.set()
            yield place
            return
        self._waiting.append(place)
        self._begin_next()
        try:
            yield place
        finally:
            self._leave(place)

    def prepared(self, place: QueuePlace) -> None:
        """Let the next answer be prepared: this one no longer needs the processor."""
        if place.is_preparing:
            place.is_preparing = False
            self._preparing -= 1
            self._begin_next()

    def _leave(self, place: QueuePlace) -> None:
        if place.begun.is_set():
            self._at_work[place.person] -= 1
            self._at_work += Counter()  # drops people without running answers
        else:
            self._waiting.remove(place)
        self.prepared(place)
        self._begin_next()

    def _begin_next(self) -> None:
        while self._waiting and self._has_room():
            place = min(self._waiting, key=lambda place: self._at_work[place.person])
            self._waiting.remove(place)
            self._at_work[place.person] += 1
            self._preparing += 1
            place.is_preparing = True
            place.begun.set()
        for before, place in enumerate(self._waiting):
            place.told(before)
        mirror("questions_waiting", len(self._waiting), place="queue")

    def _has_room(self) -> bool:
        is_idle = self._preparing < PREPARED_AT_ONCE
        return is_idle and self._at_work.total() < settings.ANSWERS_AT_WORK


admission = Admission()
