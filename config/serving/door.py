"""The door: so many questions are in Django at once, the others wait before it, without a thread.

Taking a question and preparing its answer want the same processors, so whoever is let in takes
time from all who were before. It is known how fast they come through (chat.turns.admission): who
would wait longer than FIRST_TEXT_SECONDS for an answer to begin is told at once when to come again.
Next is whoever has the fewest questions inside; of those, who came first. Who reads a stream is
told meanwhile how many are before (config.serving.places).
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count

from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.template.loader import render_to_string

from chat.protocol.errors import is_for_programs, refusal_response
from chat.streams.kept_open import EVENT_STREAM, send_response
from chat.turns.admission import (
    STORED_AT_ONCE,
    Admission,
    Overloaded,
    admission,
    retry_after,
    step_aside,
)
from config.serving.intake import (
    App,
    Body,
    Message,
    Receive,
    Send,
    answered_before_django,
)
from memory.metrics import mirror

LOOK_SECONDS = 0.25
# Who waits hears first after so long how many are before, and then as often if that has changed.
TELL_SECONDS = 1.0
# Who has waited so long is not sent away because others turn out to be slower: only where it would
# take so much longer than it may, as a share of that, that the next try is no worse.
NEW_SECONDS = 2.0
LENIENCE = 1.0
# Set in the scope of a question that waits here: its time in Django begins later.
AT_THE_DOOR = "throughline.at_the_door"
# Set in the scope of a question whose client can be told how many are before it: what tells so.
TELL_PLACE = "throughline.tell_place"
Tell = Callable[[int], Awaitable[None]]
TURNS = r"[^/]+/turns(/[^/]+/(retry|continue))?"
ASKING = re.compile(rf"/conversations/(new|{TURNS})|/api/v1/(query|sessions/{TURNS})")


def asks(scope: Message) -> bool:
    """Return whether the request is one that wants an answer written."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return False
    return ASKING.fullmatch(scope["path"]) is not None


def person_of(scope: Message) -> int:
    """Return what tells people apart before Django knows them: their token or session, hashed."""
    headers = dict(scope["headers"])
    token = headers.get(b"authorization", b"") if scope["path"].startswith("/api/") else b""
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    return hash(token or cookies.get(settings.SESSION_COOKIE_NAME))


@dataclass(eq=False)
class Visitor:
    """One question: it waits, is inside, and has left."""

    person: int
    arrival: int
    came: float
    # Done once it may come in; has Overloaded where it is sent away.
    called: asyncio.Future[None]
    is_inside: bool = False
    # How many are begun before it, when that was looked at last.
    before: int = 0

    async def is_called(self, tell: Tell | None) -> None:
        """Wait until it may come in, and tell meanwhile how many are before; raises Overloaded."""
        told = 0
        while tell and not (await asyncio.wait({self.called}, timeout=TELL_SECONDS))[0]:
            if self.before != told:
                told = self.before
                await tell(told)
        await self.called


class Door:
    """The questions of one process that are in Django, or wait to be."""

    def __init__(self, behind: Admission = admission) -> None:
        self._behind = behind
        self._waiting: list[Visitor] = []
        behind.outside = self._waiting.__len__
        self._inside: Counter[int] = Counter()
        self._arrivals = count()
        self._looking: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def place(self, person: int, tell: Tell | None = None) -> AsyncIterator[None]:
        """Wait for a place inside, to be left at the end or before; raises Overloaded.

        Meanwhile `tell` is told how many are before, whenever that has changed.
        """
        loop = asyncio.get_running_loop()
        visitor = Visitor(person, next(self._arrivals), loop.time(), loop.create_future())
        self._waiting.append(visitor)
        self._go_on()
        self._look_soon()
        try:
            await visitor.is_called(tell)
            step_aside.set(partial(loop.call_soon_threadsafe, self._leave, visitor))
            yield
        finally:
            self._leave(visitor)

    def _leave(self, visitor: Visitor) -> None:
        """Let the next one in, if this one stood in its way: once."""
        if visitor.is_inside:
            visitor.is_inside = False
            self._inside[visitor.person] -= 1
            self._inside += Counter()  # keeps those above zero
            self._go_on()
        elif visitor in self._waiting:  # its client's connection has ended
            self._waiting.remove(visitor)
            self._count()

    def _go_on(self) -> None:
        while self._waiting and self._inside.total() < STORED_AT_ONCE:
            visitor = min(self._waiting, key=self._rank)
            self._waiting.remove(visitor)
            self._inside[visitor.person] += 1
            visitor.is_inside = True
            visitor.called.set_result(None)
        self._count()

    def _count(self) -> None:
        mirror("questions_waiting", len(self._waiting), place="door")

    def _rank(self, visitor: Visitor) -> tuple[int, int]:
        return self._inside[visitor.person], visitor.arrival

    def _look_soon(self) -> None:
        if self._looking is None and self._waiting:
            self._looking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Send away who would wait too long, and look again while somebody waits."""
        self._looking = None
        now, most = asyncio.get_running_loop().time(), settings.FIRST_TEXT_SECONDS
        before = self._inside.total()
        for visitor in self._order():
            visitor.before = before + self._behind.unprepared
            waited = now - visitor.came
            beyond = waited + self._behind.seconds_behind(before) - most
            if beyond > (0 if waited < NEW_SECONDS else most * LENIENCE):
                self._waiting.remove(visitor)
                visitor.called.set_exception(Overloaded(retry_after(beyond)))
            else:
                before += 1
        self._count()
        self._look_soon()

    def _order(self) -> list[Visitor]:
        """Return those who wait as they will be let in, if none that is inside leaves before."""
        own = Counter(self._inside)
        ranked = []
        for visitor in self._waiting:
            ranked.append((own[visitor.person], visitor.arrival, visitor))
            own[visitor.person] += 1
        return [visitor for *_, visitor in sorted(ranked, key=lambda each: each[:2])]


def with_door(app: App, door: Door | None = None) -> App:
    """Let questions into the app by the door; all else goes past it."""
    known = door or Door()

    async def guarded(scope: Message, receive: Receive, send: Send) -> None:
        if not asks(scope):
            await app(scope, receive, send)
            return
        body = await _whole(receive)  # who is slow to send it holds no place
        scope[AT_THE_DOOR] = True
        try:
            async with known.place(person_of(scope), scope.get(TELL_PLACE)):
                scope[AT_THE_DOOR] = False
                await app(scope, body.again(receive), send)
        except Overloaded as refusal:
            response = answered_before_django(scope, partial(_refused, refusal))
            await send_response(response, [], send)

    return guarded


async def _whole(receive: Receive) -> Body:
    body, more = Body(), True
    while more:
        message = await receive()
        body.add(message, len(message.get("body", b"")))
        more = message.get("more_body", False)
    return body


def _refused(refusal: Overloaded, request: HttpRequest) -> HttpResponse:
    if is_for_programs(request) or EVENT_STREAM in request.headers.get("Accept", ""):
        return refusal_response(refusal)
    return refusal_response(refusal, render_to_string("503.html"))
