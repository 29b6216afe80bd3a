"""Answers for jobs, which nobody waits for: as slow as the model is, as long as words come.

The job keeps its lease meanwhile and does what goes before it, so that an erasure need not wait. A
server that answers slowly may answer but one at a time: it is let go where somebody waits for it.
"""

import asyncio
import time
from contextlib import aclosing

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings

from chat.database_threads import in_this_thread
from chat.llm import Interrupted, profiles
from chat.llm.configuring import named_model
from chat.llm.endpoint import REASONING_TOKENS, Call, persistently
from chat.llm.waiting import Patience
from memory.jobs import Lease, give_way, kinds
from memory.models import Attempt, Job

BEATS_A_LEASE = 6
# Seconds that it may take in any case: what is to be had so soon is not worth being asked again.
UNDISTURBED = 30.0


def ask_in_background(prompt: str, lease: Lease, *, model: str, tokens: int, progress: int) -> str:
    """Return the model's answer, or raise ModelError, Interrupted or LostLease.

    Call it outside transactions, in the thread of the job.
    """
    chosen = named_model(model)
    profile = profiles.model_profile(chosen)
    most = tokens + (REASONING_TOKENS if profile.reasons else 0)
    asked = [{"role": "user", "content": prompt}]
    call = Call(chosen, profile, asked, most, temperature=0, is_repeated=False)
    token = in_this_thread.set(True)
    try:
        return async_to_sync(_answer)(call, lease, progress)
    finally:
        in_this_thread.reset(token)


async def _answer(call: Call, lease: Lease, progress: int) -> str:
    reading = asyncio.ensure_future(_read(call))
    beating = asyncio.ensure_future(_beat(lease, progress))
    try:
        await asyncio.wait((reading, beating), return_when=asyncio.FIRST_COMPLETED)
        if beating.done():
            beating.result()
        return await reading
    finally:
        for task in (reading, beating):
            task.cancel()
        await asyncio.gather(reading, beating, return_exceptions=True)


async def _read(call: Call) -> str:
    patience = Patience(settings.LLM_BACKGROUND_TIMEOUT)
    async with aclosing(persistently(call, patience)) as pieces:
        return "".join([piece async for piece in pieces]).strip()


async def _beat(lease: Lease, progress: int) -> None:
    """Keep the lease; end by an exception where the answer is not to be waited for any more."""
    begun = time.monotonic()
    while True:
        await asyncio.sleep(settings.JOB_LEASE / BEATS_A_LEASE)
        is_long = time.monotonic() - begun > UNDISTURBED
        await sync_to_async(_hold, thread_sensitive=True)(lease, progress, is_long)


def _hold(lease: Lease, progress: int, is_long: bool) -> None:
    lease.pulse(progress=progress)
    give_way(lease)
    if not is_long:
        return
    # A question that is being answered, or work that is due and that this worker could do.
    waiting = Job.objects.due().filter(status=Job.Status.WAITING, work_class=lease.work_class)
    if waiting.exclude(kind__in=kinds.patient()).exists() or Attempt.objects.open().exists():
        raise Interrupted
