"""Database access from the event loop: a few threads, each with its own connection.

A hundred answers in progress take no more connections than ten.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections

from memory.postgresql.scope import Purpose, whole_installation

P = ParamSpec("P")
R = TypeVar("R")

_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="database")
# Slow work, which may wait for a model or the processor, must not block short queries.
_slow_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="preparing")
# Work for all answers or readers at once must not queue behind work for single ones.
_upkeep_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="upkeep")
# Set in code outside a server's event loop: work then runs in the calling thread.
in_this_thread: ContextVar[bool] = ContextVar("in_this_thread", default=False)


async def run_in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run the function, which takes milliseconds, in a thread with a database connection."""
    return await _run(_threads, partial(function, *args, **kwargs))


async def run_upkeep(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run work for all answers or readers at once, ahead of work for a single one."""
    with whole_installation(Purpose.UPKEEP):
        return await _run(_upkeep_threads, partial(function, *args, **kwargs))


async def run_slow(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run the function, which may take seconds, in a thread with a database connection."""
    return await _run(_slow_threads, partial(function, *args, **kwargs))


async def _run(threads: ThreadPoolExecutor, function: Callable[[], R]) -> R:
    if in_this_thread.get():
        return await sync_to_async(function, thread_sensitive=True)()
    call = partial(copy_context().run, _run_and_close, function)
    return await asyncio.get_running_loop().run_in_executor(threads, call)


def _run_and_close(function: Callable[[], R]) -> R:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()
