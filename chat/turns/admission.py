"""Who is answered now, and who next: so many answers at work in a process, the others in a queue.

The queue is fair by person: next is whoever has the fewest answers at work, and of those who came
first; many questions of one keep nobody else waiting. What comes beyond the queue's bound is
refused before anything is stored. What was taken is answered, however long that takes: so it is
measured how fast questions come through, and who would wait too long is not let in
(config.serving.door).
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from threading import Lock, Timer
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_lazy

from chat.database_threads import in_this_thread
from memory.errors import Refusal
from memory.metrics import mirror

# So many questions are being stored at once (config.serving.door), which is work for the processor
# and waiting for the database, about half of each; and so many answers are prepared, which is work
# for the processor alone. A process has one, and each thread more that wants it makes whoever reads
# a page, or has the turn at writing, wait longer for it: of two who store a question one waits for
# the disk, or for its turn, and a third would only keep both of them from the processor.
STORED_AT_ONCE, PREPARED_AT_ONCE = 2, 3
# A question that was taken, and whose answer nobody has begun, gives its place back after this.
CLAIM_SECONDS = 60.0
TELL_SECONDS = 0.25
LONGEST_RETRY = 60
# The pace is that of the last so many questions, once there are enough of them; before the first
# ones it is assumed.
PACE_OF, ENOUGH = 24, 6
ASSUMED_PACE = 0.1
# So many may be under way when a rush begins, of which none has come through: twice what is worked
# on, since the first moments are also those in which all the others arrive.
SIDE_BY_SIDE = 2 * (STORED_AT_ONCE + PREPARED_AT_ONCE)
# An answer that streams is still to be checked and recorded, for which others wait as well: about
# so much of what it took to prepare it.
TO_RECORD = 0.6


# Gives back the place at the door while a question waits for one of its own session, or for a key.
step_aside: ContextVar[Callable[[], object]] = ContextVar("step_aside", default=lambda: None)
LONG = 0.25  # who waits for longer, in seconds, keeps others waiting at the door


@contextmanager
def aside_if_long() -> Iterator[None]:
    """Let who waits here for long give back the place at the door meanwhile."""
    timer = Timer(LONG, step_aside.get())
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Overloaded(Refusal):
    """As many wait as may."""

    code = "overloaded"
    says = gettext_lazy(
        "Very many questions are being answered right now. Nothing was lost: ask again in a moment."
    )

    def __init__(self, come_again: int) -> None:
        super().__init__()
        self.come_again = come_again


class QuestionPace:
    """How long it takes from one prepared question to the next, while others wait."""

    def __init__(self) -> None:
        self._known = ASSUMED_PACE
        # Of the rush that is on, if one is: when it began, and when the last ones came through.
        self._since: float | None = None
        self._passed: deque[float] = deque(maxlen=PACE_OF)

    def begin(self) -> None:
        """Note that there is a question."""
        if self._since is None:
            self._since = time.monotonic()

    def passed(self, *, others_wait: bool) -> None:
        """Note that one more has come through; where nobody waits, how fast says nothing."""
        if others_wait:
            self._passed.append(time.monotonic())
            return
        if self._is_measured:
            self._known = self.seconds
        self._since = None
        self._passed.clear()

    @property
    def _is_measured(self) -> bool:
        return len(self._passed) > ENOUGH

    @property
    def seconds(self) -> float:
        now, passed = time.monotonic(), len(self._passed)
        if self._is_measured:
            first, last = self._passed[0], self._passed[-1]
            return max((last - first) / (passed - 1), (now - first) / passed)
        # If it were faster, more would have come through of those who are worked on side by side.
        since = now if self._since is None else self._since
        return max(self._known, (now - since) / (passed + SIDE_BY_SIDE))


@dataclass(eq=False)
class QueuePlace:
    """One question's place: it waits, is prepared, and is at work until it is left."""

    person: UUID
    # Is told how many will be begun before it.
    told: Callable[[int], None]
    arrival: int = 0
    before: int | None = None
    is_preparing: bool = False
    _begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def begun(self) -> None:
        """Wait until it is answered."""
        await self._begun.wait()

    @property
    def has_begun(self) -> bool:
        return self._begun.is_set()

    def begin(self) -> None:
        self._begun.set()


class Admission:
    """The places of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        # Questions that are being stored, and those whose answer is about to be begun.
        self._entering = 0
        self._claims: dict[UUID, float] = {}
        self._queues: dict[UUID, deque[QueuePlace]] = {}
        self._at_work: Counter[UUID] = Counter()
        self._preparing = 0
        self._arrivals = count()
        self._telling: asyncio.TimerHandle | None = None
        self.pace = QuestionPace()
        # How many wait to be let in at all: the door says so.
        self.outside: Callable[[], int] = int

    # --- At the door, in any thread ---------------------------------------------------------------

    @contextmanager
    def entering(self) -> Iterator[Callable[[UUID], None]]:
        """Let a question in, or raise Overloaded; gives what claims a place for its answer."""
        with self._lock:
            oldest = time.monotonic() - CLAIM_SECONDS
            self._claims = {key: since for key, since in self._claims.items() if since >= oldest}
            taken = self._entering + len(self._claims) + self.waiting + self.at_work
            if taken >= settings.ANSWERS_AT_WORK + settings.ANSWERS_WAITING:
                raise Overloaded(retry_after(self.pace.seconds * self.waiting))
            self._entering += 1
            self.pace.begin()
        try:
            yield self._claim
        finally:
            with self._lock:
                self._entering -= 1

    def _claim(self, key: UUID) -> None:
        with self._lock:
            self._claims[key] = time.monotonic()

    def seconds_behind(self, others: int) -> float:
        """Return in how long whoever comes behind so many others will have been prepared."""
        streaming = self.at_work - self._preparing
        return (others + self.unprepared + 1 + TO_RECORD * streaming) * self.pace.seconds

    # --- At work, in the event loop ---------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return sum(map(len, list(self._queues.values())))

    @property
    def at_work(self) -> int:
        return self._at_work.total()

    @property
    def unprepared(self) -> int:
        """How many were taken whose answers can't begin yet."""
        return len(self._claims) + self.waiting + self._preparing

    def let_go(self, key: UUID) -> None:
        """Give back what was claimed for an answer."""
        with self._lock:
            self._claims.pop(key, None)

    @asynccontextmanager
    async def place(
        self, key: UUID, person: UUID, told: Callable[[int], None]
    ) -> AsyncIterator[QueuePlace]:
        """Take a place in the queue, to be left at the end; what was claimed is let go.

        Where there is no server's event loop, whoever asks answers: there is nobody to wait for.
        """
        place = QueuePlace(person, told, next(self._arrivals))
        self.let_go(key)
        if in_this_thread.get():
            place.begin()
            yield place
            return
        self._queues.setdefault(person, deque()).append(place)
        self._go_on()
        try:
            yield place
        finally:
            self._leave(place)

    def prepared(self, place: QueuePlace) -> None:
        """Let the next one be prepared: what is left of this one is no work for the processor."""
        if place.is_preparing:
            place.is_preparing = False
            self._preparing -= 1
            others = self.outside() + self._entering + self.unprepared
            self.pace.passed(others_wait=others > 0)
            self._go_on()

    def _leave(self, place: QueuePlace) -> None:
        if place.has_begun:
            self._at_work[place.person] -= 1
            self._at_work += Counter()  # keeps those above zero
        else:
            self._take_out(place)
        self.prepared(place)
        self._go_on()

    def _take_out(self, place: QueuePlace) -> None:
        queue = self._queues[place.person]
        queue.remove(place)
        if not queue:
            del self._queues[place.person]

    def _go_on(self) -> None:
        """Begin as many as may be, and tell the others soon where they stand."""
        while (
            self._queues
            and self._preparing < PREPARED_AT_ONCE
            and self.at_work < settings.ANSWERS_AT_WORK
        ):
            self._begin(min((queue[0] for queue in self._queues.values()), key=self._rank))
        if self._queues and self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(TELL_SECONDS, self._tell)
        mirror("questions_waiting", self.waiting, place="queue")

    def _rank(self, place: QueuePlace) -> tuple[int, int]:
        return self._at_work[place.person], place.arrival

    def _begin(self, place: QueuePlace) -> None:
        self._take_out(place)
        self._at_work[place.person] += 1
        self._preparing += 1
        place.is_preparing = True
        place.begin()

    def _tell(self) -> None:
        """Tell each who waits how many are before them."""
        self._telling = None
        for before, place in enumerate(self.order()):
            if place.before != before:
                place.before = before
                place.told(before)

    def order(self) -> list[QueuePlace]:
        """Return those who wait as they will be begun, if none that is at work ends before."""
        ranked = [
            (self._at_work[person] + further, place.arrival, place)
            for person, queue in self._queues.items()
            for further, place in enumerate(queue)
        ]
        return [place for *_, place in sorted(ranked, key=lambda each: each[:2])]


def retry_after(seconds: float) -> int:
    """Return when to come again, as Retry-After says it."""
    return max(1, min(LONGEST_RETRY, ceil(seconds)))


admission = Admission()
