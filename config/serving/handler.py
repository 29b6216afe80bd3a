"""Django, each request from its first middleware to its last in one go, in a thread that is kept.

Django's own handler for ASGI goes to and fro between the event loop and a thread five times for a
request, and the thread is one that was made for it: it opens each database anew, and every step
waits behind whatever else the event loop does. Nothing of ours is asynchronous within Django, so
nothing is gained by that.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from functools import partial
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import close_old_connections
from django.http import FileResponse
from django.urls import set_script_prefix

# As many as are wanted are made, and wait for the next request then. Questions are bounded by the
# door; the others are short, unless a database is away: then they are told so meanwhile.
MOST_THREADS = 200


class ThreadedHandler(ASGIHandler):
    """Takes in the body, has the request answered in a thread, and sends the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="request")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"Django can't serve {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await self._in_thread(partial(self._answered, scope, body))
        if not response.streaming:
            await self.send_response(response, send)
            return
        try:
            async with ThreadSensitiveContext():
                await self.send_response(response, send)
        finally:
            await self._in_thread(response.close)

    async def _in_thread(self, work: Any) -> Any:
        """Return what the work does in a thread; what it sets for its context is so here too."""
        context = copy_context()
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, context.run, work)
        finally:
            _take_over(context)

    def _answered(self, scope: Any, body: Any) -> Any:
        """Return the answer to the request; what is all there is closed already."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            response: Any = self.get_response(request) if request else refusal
            if isinstance(response, FileResponse):
                response.block_size = self.chunk_size
            if not response.streaming:
                response.close()
            else:  # it is closed when it has been read, which may take its reader long
                close_old_connections()
            return response


def _take_over(context: Context) -> None:
    """Set what was set in the other context."""
    for variable in context:
        value = context[variable]
        if variable.get(context) is not value:
            variable.set(value)
