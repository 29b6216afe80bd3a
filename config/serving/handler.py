"""Django with each request in one thread, from its first middleware to its last, and a time limit.

Django's own ASGI handler changes between the event loop and a new thread five times a request, and
that thread opens each database anew. Here threads and their connections are kept.
"""

import asyncio
import logging
import re
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

from chat.protocol.error_pages import away
from chat.uploads.admission import is_upload
from config.serving.bodies import answer_before_django

log = logging.getLogger(__name__)

MOST_THREADS = 200
# A frozen database neither answers nor refuses: clients get 503 after the first limit. The second
# is for computations: a process that reads, draws or lays out a file, or the check of a text.
ANSWER_SECONDS, COMPUTING_SECONDS = 15.0, 120.0
COMPUTING = re.compile(
    r"/(api/v1/sessions|conversations)/[^/]+/export(/\w+)?|/(api/v1/documents|library)/[^/]+/pages/\w+"
    r"|/(api/v1/)?citations/[^/]+/pages?|/api/v1/verify"
)


def is_computing(scope: Any) -> bool:
    """Return whether the request computes, so that it may take longer."""
    return is_upload(scope) or COMPUTING.fullmatch(scope["path"]) is not None


class ThreadedHandler(ASGIHandler):
    """Reads the body, runs the request in a thread, and sends the answer."""

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
        response = await self._answer_in_time(scope, body)
        if not response.streaming:
            await self.send_response(response, send)
            return
        try:
            async with ThreadSensitiveContext():
                await self.send_response(response, send)
        finally:
            await self._run(copy_context(), response.close)

    async def _answer_in_time(self, scope: Any, body: Any) -> Any:
        """Return Django's answer, or 503 if that takes too long; the request itself continues."""
        seconds = COMPUTING_SECONDS if is_computing(scope) else ANSWER_SECONDS
        context = copy_context()
        answering = self._run(context, partial(self._answer, scope, body))
        done, _pending = await asyncio.wait({answering}, timeout=seconds)
        if not done:
            log.warning("answer_late", extra={"method": scope["method"]})
            return answer_before_django(scope, away)
        _take_over(context)
        return answering.result()

    def _run(self, context: Context, work: Any) -> "asyncio.Future[Any]":
        return asyncio.get_running_loop().run_in_executor(self._threads, context.run, work)

    def _answer(self, scope: Any, body: Any) -> Any:
        """Return the response, closed unless it is streamed."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            response: Any = self.get_response(request) if request else refusal
            if isinstance(response, FileResponse):
                response.block_size = self.chunk_size
            if not response.streaming:
                response.close()
            else:  # it is closed after it has been read, which may take a slow client long
                close_old_connections()
            return response


def _take_over(context: Context) -> None:
    """Copy the variables that were set in the other context."""
    for variable in context:
        value = context[variable]
        if variable.get(context) is not value:
            variable.set(value)
