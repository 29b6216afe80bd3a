"""Any OpenAI-compatible endpoint, by the official SDK. The only room that knows a provider.

Every failure becomes a ModelError with a stable code. A call is tried again, with a growing pause,
only as long as no word has arrived: later, a retry would double text. What a refusal teaches
(chat.llm.learning) is noted in the model's profile and tried at once.
"""

import random
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings

from chat.database_threads import aside, in_database
from chat.llm import ContextOverflow, Message, Reply, profiles
from chat.llm.answer_reader import AnswerReader
from chat.llm.configuring import Configured, named_model, with_fallback
from chat.llm.events import (
    LONGEST_EVENT,
    Broken,
    Complaint,
    EventStream,
    EventText,
    event_text,
    told_together,
)
from chat.llm.failing import BROKEN, ERRORS, MAX_PAUSE, Taught, Transient, complained, translated
from chat.llm.profiles import Profile, model_profile
from chat.llm.requests import parameters
from chat.llm.transport import async_client, client
from chat.llm.waiting import Patience
from memory.errors import ModelError

ASK_TOKENS = 150
# One that thinks first needs some for that.
REASONING_TOKENS = 1000
MOST_LESSONS = 4
STOP, TOO_LONG = "stop", "too_long"


@dataclass
class Call:
    """One question to one model, in as many tries as it takes."""

    model: Configured
    profile: Profile
    messages: Sequence[Message]
    max_tokens: int
    reply: Reply = field(default_factory=Reply)
    temperature: float | None = None
    # What is asked beside the usual, as by the probe; it notes what it learns by itself.
    extra: dict[str, Any] = field(default_factory=dict)
    is_probe: bool = False
    # Whether it is asked again at once where the server fails before the first word.
    is_repeated: bool = True
    has_begun: bool = False
    lessons: int = 0
    # What the answer showed of the model.
    shown: dict[str, bool] = field(default_factory=dict)
    came_at_once: bool = False

    @property
    def limit(self) -> int:
        return min(self.max_tokens, self.profile.longest_output)

    def request(self, *, streams: bool = True) -> dict[str, Any]:
        return (
            parameters(
                self.model,
                self.profile,
                self.messages,
                self.max_tokens,
                streams=streams,
                temperature=self.temperature,
            )
            | self.extra
        )

    def reader(self) -> AnswerReader:
        return AnswerReader(self.limit, begins_in_thought=self.profile.begins_in_thought)

    def heed(self, taught: Taught) -> bool:
        """Ask otherwise from now on; tell whether that is of use in this call."""
        self.lessons += 1
        lesson, before = taught.lesson, (self.limit, self.profile)
        self.profile = replace(self.profile, **profiles.bounded(lesson.profile))
        self.max_tokens = min(self.max_tokens, lesson.max_tokens or self.max_tokens)
        if isinstance(taught.error, ContextOverflow) and lesson.max_tokens is None:
            return False
        return self.lessons <= MOST_LESSONS and (self.limit, self.profile) != before


def warm() -> None:
    """Load what the first question would wait for: parts of the SDK, and the certificates."""
    _ = async_client(named_model("")).chat.completions.with_streaming_response


# --- Short answers ------------------------------------------------------------------------------


def ask(prompt: str, *, model: str = "", seconds: float | None = None) -> str:
    """Return the model's short answer to one prompt, or raise ModelError."""
    chosen = named_model(model)
    profile = model_profile(chosen)
    most = ASK_TOKENS + (REASONING_TOKENS if profile.reasons else 0)
    call = Call(chosen, profile, [{"role": "user", "content": prompt}], most, temperature=0)
    while True:
        try:
            return short_answer(call, seconds or settings.LLM_ASK_TIMEOUT)
        except Taught as taught:
            profiles.learn(chosen, taught.lesson.profile)
            if not call.heed(taught):
                raise taught.error from taught


def short_answer(call: Call, seconds: float) -> str:
    """Return the answer to the call as a whole, or raise ModelError or Taught."""
    request, reader = call.request(streams=False), call.reader()
    sdk = client(call.model).with_options(timeout=seconds)
    try:
        with sdk.chat.completions.with_streaming_response.create(**request) as response:
            told = event_text(response.read())
    except ERRORS as error:
        raise translated(error, request, call.limit) from error
    except Complaint as complaint:
        raise complained(complaint.message) from complaint
    except Broken as error:  # 200, but not an answer
        raise ModelError(BROKEN) from error
    return (reader.feed(told.text, told.reasoning) + reader.close()).strip()


# --- Answers as they come -----------------------------------------------------------------------


async def stream(
    messages: Sequence[Message], *, max_tokens: int, reply: Reply, model: str = ""
) -> AsyncGenerator[str, None]:
    """Yield the answer in the pieces in which it arrives, or raise ModelError; `reply` is told.

    Where the model fails before its first word, the fallback is asked once.
    """
    patience = Patience()
    models = with_fallback(model)
    for candidate in models:
        profile = await in_database(model_profile, candidate)
        call = Call(candidate, profile, messages, max_tokens, reply)
        reply.model = candidate.model
        try:
            async with aclosing(persistently(call, patience)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        except Transient:
            if call.has_begun or candidate is models[-1]:
                raise


async def persistently(call: Call, patience: Patience) -> AsyncGenerator[str, None]:
    """Yield the answer, after other tries if need be."""
    tries = 0
    while True:
        patience.begin()
        try:
            async with aclosing(_once(call, patience)) as pieces:
                async for piece in pieces:
                    call.has_begun = True
                    yield piece
            return
        except Taught as taught:
            if not call.is_probe:
                await in_database(profiles.learn, call.model, taught.lesson.profile)
            if not call.heed(taught):
                raise taught.error from taught
        except Transient as failure:
            tries += 1
            most = settings.LLM_RETRIES if call.is_repeated else 0
            if call.has_begun or not failure.again or tries > most:
                raise
            chance = random.uniform(0.8, 1.2)  # noqa: S311
            pause = min(MAX_PAUSE, 0.5 * 2 ** (tries - 1)) * chance
            await patience.pause(max(failure.pause, pause))


async def _once(call: Call, patience: Patience) -> AsyncGenerator[str, None]:
    """Yield the answer of one try; how it ended is in the reply, also if it broke off."""
    request, reader, reply = call.request(), call.reader(), call.reply
    reply.finish, reply.usage = "", None
    try:
        async with AsyncExitStack() as stack:
            asking = async_client(call.model).chat.completions.with_streaming_response
            response = await patience.wait(stack.enter_async_context(asking.create(**request)))
            events = await stack.enter_async_context(aclosing(_told(response, patience, call)))
            async for told in events:
                reply.finish = told.finish or reply.finish or (STOP if told.is_end else "")
                reply.usage = told.usage or reply.usage
                if piece := reader.feed(told.text, told.reasoning):
                    yield piece
                if reader.is_full:
                    reply.finish = TOO_LONG
                    break
    except (Transient, Broken, *ERRORS) as error:
        if not reply.finish:  # what comes after the end is nobody's loss
            raise _understood(error, request, call.limit) from error
    except Complaint as complaint:
        raise complained(complaint.message) from complaint
    finally:
        reply.reasoning = reader.reasoning
    if not reply.finish:
        raise Transient(BROKEN)
    if piece := reader.close():
        yield piece
    reply.finish = TOO_LONG if reader.is_full else reply.finish
    reply.reasoning = reader.reasoning
    await _remember(call, reader)


def _understood(error: Exception, request: dict[str, Any], limit: int) -> Exception:
    if isinstance(error, ModelError):
        return error
    return Transient(BROKEN) if isinstance(error, Broken) else translated(error, request, limit)


async def _told(response: Any, patience: Patience, call: Call) -> AsyncGenerator[EventText, None]:
    """Yield what the server says, words of one read as one; raises Broken and Complaint."""
    kind = response.headers.get("content-type", "")
    if "html" in kind:
        raise Broken
    async with aclosing(response.http_response.aiter_raw()) as received:
        if "json" in kind and "event-stream" not in kind:
            call.came_at_once = True
            yield event_text(await _whole(received, patience))._replace(is_end=True)
            return
        events = EventStream()
        async with aclosing(_data(received, events, patience)) as whole:
            async for data in whole:
                for told in told_together(data):
                    if told.is_word:
                        events.nothing = 0
                        patience.go_on()
                    if told.finish:
                        patience.end()
                    yield told
                    if told.is_end:
                        return


async def _data(
    received: AsyncIterator[bytes], events: EventStream, patience: Patience
) -> AsyncGenerator[Iterator[str], None]:
    """Yield the data of the events that each read brings."""
    while (some := await patience.wait(_next(received))) is not None:
        yield events.feed(some)
    yield events.close()


async def _next(received: AsyncIterator[bytes]) -> bytes | None:
    return await anext(received, None)


async def _whole(received: AsyncIterator[bytes], patience: Patience) -> bytes:
    """Return an answer that comes at once, though it was asked for in pieces."""
    whole = bytearray()
    while (some := await patience.wait(_next(received))) is not None:
        whole += some
        if len(whole) > LONGEST_EVENT:
            raise Broken
    return bytes(whole)


async def _remember(call: Call, reader: AnswerReader) -> None:
    """Note what the answer showed of the model."""
    profile = call.profile
    if reader.reasoning and not profile.reasons:
        call.shown["reasons"] = True
    if reader.closed_unopened or (profile.begins_in_thought and reader.never_thought):
        call.shown["begins_in_thought"] = reader.closed_unopened
    if call.is_probe:
        return
    if call.shown:
        await in_database(profiles.learn, call.model, call.shown)
    usage = call.reply.usage
    if usage and profiles.is_measured_now(call.model):
        messages = call.request()["messages"]
        await aside(profiles.measure, call.model, messages, usage.prompt)
