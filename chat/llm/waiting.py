"""How long an answer is waited for: its first word, each next one, and all of it."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from django.conf import settings

from chat.llm.failing import Transient
from memory.errors import ModelError

R = TypeVar("R")
# After its last word only the count of tokens is to come.
GRACE_SECONDS = 2.0


class Patience:
    """What is left of the time; no timer is running between two words."""

    def __init__(self, most: float | None = None) -> None:
        self._now = asyncio.get_running_loop().time
        self._until = self._now() + (most or settings.LLM_TOTAL_TIMEOUT)
        self.begin()

    def begin(self) -> None:
        """Wait for the first word: the server reads the prompt meanwhile."""
        self._next = self._now() + settings.LLM_FIRST_TOKEN_TIMEOUT
        self._code = "model_silent"

    def go_on(self) -> None:
        """Wait for the next word."""
        self._next = self._now() + settings.LLM_STALL_TIMEOUT
        self._code = "model_stalled"

    def end(self) -> None:
        """Wait for what may come behind the last word."""
        self._next = self._now() + min(GRACE_SECONDS, settings.LLM_STALL_TIMEOUT)

    async def wait(self, work: Awaitable[R]) -> R:
        """Return what the work brings, or raise the ModelError of the time that ran out."""
        try:
            async with asyncio.timeout_at(min(self._next, self._until)):
                return await work
        except TimeoutError as error:
            if self._now() >= self._until:
                raise ModelError("model_timeout") from error
            raise Transient(self._code, again=False) from error

    async def pause(self, seconds: float) -> None:
        """Let some time pass before another try."""
        if self._now() + seconds >= self._until:
            raise ModelError("model_timeout")
        await asyncio.sleep(seconds)
