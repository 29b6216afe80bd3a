"""Complete answers for synchronous code: short ones during a turn, longer ones in jobs.

A job keeps its lease meanwhile and yields to more urgent jobs, so that an erasure need not wait.
"""

import time
from collections.abc import Callable
from contextlib import aclosing

from django.conf import settings

from chat.llm import Interrupted, client, profiles
from chat.llm.configuring import get_model
from chat.llm.endpoint import Call, stream_once
from chat.llm.failing import Taught
from chat.llm.profiles import get_profile
from chat.llm.waiting import Deadlines
from memory.errors import ModelError
from memory.jobs import Lease, give_way, kinds
from memory.models import Attempt, Job
from memory.postgresql.scope import Purpose, whole_installation

ASK_TOKENS = 150
# Additional tokens for a model that reasons first.
REASONING_TOKENS = 1000
BEATS_PER_LEASE = 6
# Seconds in which a job isn't interrupted: repeating the call would cost more.
UNDISTURBED = 30.0


def ask(prompt: str, *, model: str = "", seconds: float | None = None) -> str:
    """Return the model's answer of at most 150 tokens to one prompt, or raise ModelError."""
    return complete(_call(prompt, model, ASK_TOKENS), seconds or settings.LLM_ASK_TIMEOUT)


def ask_in_background(
    prompt: str, lease: Lease, *, model: str, tokens: int, progress: int = 0
) -> str:
    """Return the model's answer to a job, or raise ModelError, Interrupted or LostLease.

    Call it outside transactions, in the job's thread.
    """
    begun = time.monotonic()

    def beat() -> None:
        lease.pulse(progress=progress)
        give_way(lease)
        if time.monotonic() - begun > UNDISTURBED and _is_model_wanted(lease):
            raise Interrupted

    call = _call(prompt, model, tokens)
    pause = settings.JOB_LEASE / BEATS_PER_LEASE
    return complete(call, settings.LLM_BACKGROUND_TIMEOUT, beat=beat, pause=pause)


def complete(
    call: Call,
    seconds: float,
    *,
    beat: Callable[[], None] | None = None,
    pause: float | None = None,
    is_probe: bool = False,
) -> str:
    """Return the complete answer, or raise ModelError; call `beat` after each pause."""
    until = time.monotonic() + seconds
    while True:
        answer = client.start(_read(call, until - time.monotonic()))
        try:
            while True:
                try:
                    return answer.result(pause)
                except TimeoutError:
                    if beat:
                        beat()
        except Taught as taught:
            if not is_probe:
                profiles.learn(call.model, taught.lesson.profile)
            if not call.apply_lesson(taught):
                raise taught.error from taught
        finally:
            answer.cancel()


def _call(prompt: str, model: str, tokens: int) -> Call:
    chosen = get_model(model)
    profile = get_profile(chosen)
    most = tokens + (REASONING_TOKENS if profile.reasons else 0)
    return Call(chosen, profile, [{"role": "user", "content": prompt}], most, temperature=0)


async def _read(call: Call, seconds: float) -> str:
    if seconds <= 0:
        raise ModelError("model_timeout")
    async with aclosing(stream_once(call, Deadlines(seconds))) as pieces:
        return "".join([piece async for piece in pieces]).strip()


def _is_model_wanted(lease: Lease) -> bool:
    """Return whether a person waits for an answer, or other work is due for this worker."""
    with whole_installation(Purpose.UPKEEP):
        is_asked = Attempt.objects.open().exists()
    waiting = Job.objects.due().filter(status=Job.Status.WAITING, work_class=lease.work_class)
    return is_asked or waiting.exclude(kind__in=kinds.list_patient_kinds()).exists()
