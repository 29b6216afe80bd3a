"""Timeouts of an answer: for its first piece, for each next one, and in total."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from django.conf import settings

from chat.llm.failing import Transient
from memory.errors import ModelError

R = TypeVar("R")
# Seconds after the finish reason, when only the token count is missing.
GRACE_SECONDS = 2.0


class Deadlines:
    """The deadlines of the next piece and of the end."""

    def __init__(self, seconds: float | None = None) -> None:
        self._now = asyncio.get_running_loop().time
        self._until = self._now() + (seconds or settings.LLM_TOTAL_TIMEOUT)
        self.begin()

    def begin(self) -> None:
        """Expect the first piece: the server reads the prompt meanwhile."""
        self._next, self._code = self._now() + settings.LLM_FIRST_TOKEN_TIMEOUT, "model_silent"

    def go_on(self) -> None:
        """Expect the next piece."""
        self._next, self._code = self._now() + settings.LLM_STALL_TIMEOUT, "model_stalled"

    def end(self) -> None:
        """Expect the end of the stream."""
        self._next = self._now() + min(GRACE_SECONDS, settings.LLM_STALL_TIMEOUT)

    async def wait(self, work: Awaitable[R]) -> R:
        """Return the result of the work, or raise the ModelError of the exceeded limit."""
        try:
            async with asyncio.timeout_at(min(self._next, self._until)):
                return await work
        except TimeoutError as error:
            if self._now() >= self._until:
                raise ModelError("model_timeout") from error
            raise Transient(self._code) from error
