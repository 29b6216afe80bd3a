"""Limit of the questions stored at once; the others wait before Django, without a thread.

Without it a rush of questions would hold every thread and database connection of the process.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from chat.protocol.errors import is_for_programs, refusal_response
from chat.streams.kept_open import (
    EVENT_STREAM,
    App,
    Receive,
    Scope as Message,
    Send,
    send_response,
)
from chat.turns.admission import Overloaded, step_aside
from config.serving.bodies import answer_before_django
from memory.metrics.counting import mirror

# Storing one takes the processor and the disk by turns; checking a text takes the processor alone.
STORED_AT_ONCE, CHECKED_AT_ONCE = 2, 1
TURNS = r"[^/]+/turns(/[^/]+/(retry|continue))?"
ASKING = re.compile(rf"/conversations/(new|{TURNS})|/api/v1/(query|sessions/{TURNS})")


def is_question(scope: Message) -> bool:
    """Return whether the request asks for an answer."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return False
    return ASKING.fullmatch(scope["path"]) is not None


def is_check(scope: Message) -> bool:
    """Return whether the request has a text checked."""
    return scope["type"] == "http" and scope["path"] == "/api/v1/verify"


def limit_questions(app: App) -> App:
    """Admit a few questions, and checks, at a time to the app; refuse those beyond the bound."""
    checked = _limit(app, is_check, CHECKED_AT_ONCE, place="checks")
    return _limit(checked, is_question, STORED_AT_ONCE, place="storing")


def _limit(app: App, concerns: Callable[[Message], bool], at_once: int, *, place: str) -> App:
    places = asyncio.Semaphore(at_once)
    waiting = 0

    async def guarded(scope: Message, receive: Receive, send: Send) -> None:
        nonlocal waiting
        if not concerns(scope):
            await app(scope, receive, send)
            return
        # Beyond the questions that can be answered or wait; `check_room` refuses the others one by
        # one.
        if waiting >= settings.ANSWERS_AT_WORK + settings.ANSWERS_WAITING:
            await send_response(answer_before_django(scope, _refuse), [], send)
            return
        waiting += 1
        mirror("questions_waiting", waiting, place=place)
        try:
            await places.acquire()
        finally:
            waiting -= 1
            mirror("questions_waiting", waiting, place=place)
        with ExitStack() as held:  # left once, however often it is closed
            held.callback(places.release)
            step_aside.set(partial(asyncio.get_running_loop().call_soon_threadsafe, held.close))
            await app(scope, receive, send)

    return guarded


def _refuse(request: HttpRequest) -> HttpResponse:
    if is_for_programs(request) or EVENT_STREAM in request.headers.get("Accept", ""):
        return refusal_response(Overloaded())
    return refusal_response(Overloaded(), render_to_string("503.html"))
