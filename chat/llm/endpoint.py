"""The client of any OpenAI-compatible endpoint, through the official SDK.

Every failure becomes a ModelError with a stable code. The SDK retries a call only until the
response begins: later, a retry would double text. Lessons of a rejected request (chat.llm.learning)
are noted in the model's profile, and the request is repeated at once.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

import openai
from django.conf import settings

from chat.database_threads import run_in_thread, run_slow
from chat.llm import ContextOverflow, Message, Reply, profiles
from chat.llm.answer_reader import AnswerReader
from chat.llm.client import get_client
from chat.llm.configuring import Configured, get_model, list_candidates
from chat.llm.events import Broken, EventText, parse_event
from chat.llm.failing import BROKEN, ERRORS, Taught, Transient, translate_error
from chat.llm.profiles import Profile, get_profile
from chat.llm.waiting import Deadlines

MAX_LESSONS = 4
# Bounds a server that sends empty events for ever.
MAX_EMPTY_EVENTS = 10_000
STOP, TOO_LONG = "stop", "too_long"
DONE = b"[DONE]"


@dataclass
class Call:
    """A call of a model, adapted to the parameters that the model accepts."""

    model: Configured
    profile: Profile
    messages: Sequence[Message]
    max_tokens: int
    reply: Reply = field(default_factory=Reply)
    temperature: float | None = None
    # The JSON schema of the answer, in OpenAI's format.
    response_format: dict[str, Any] | None = None
    retries: int = 0
    lessons: int = 0
    # Abilities of the model that the answer showed.
    shown: dict[str, bool] = field(default_factory=dict)

    @property
    def limit(self) -> int:
        return min(self.max_tokens, self.profile.longest_output)

    def request(self) -> dict[str, Any]:
        """Return the request in the form that the model accepts."""
        profile, messages = self.profile, list(self.messages)
        request: dict[str, Any] = {
            "model": self.model.model,
            "messages": messages if profile.takes_system else merge_system(messages),
            profile.limit_parameter: self.limit,
            "stream": True,
        }
        if profile.takes_temperature:
            usual = self.model.temperature
            request["temperature"] = usual if self.temperature is None else self.temperature
        if profile.reports_usage:
            request["stream_options"] = {"include_usage": True}
        if self.response_format and profile.writes_json:
            request["response_format"] = self.response_format
        return request

    def apply_lesson(self, taught: Taught) -> bool:
        """Change the next request; return whether that can help this call."""
        self.lessons += 1
        lesson, before = taught.lesson, (self.limit, self.profile)
        self.profile = replace(self.profile, **profiles.drop_unbelievable(lesson.profile))
        self.max_tokens = min(self.max_tokens, lesson.max_tokens or self.max_tokens)
        if isinstance(taught.error, ContextOverflow) and lesson.max_tokens is None:
            return False
        return self.lessons <= MAX_LESSONS and (self.limit, self.profile) != before


def merge_system(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with system texts at the beginning of the next user message."""
    system: list[str] = []
    merged: list[Message] = []
    for message in messages:
        if message["role"] == "system":
            system.append(message["content"])
        elif system and message["role"] == "user":
            merged.append({"role": "user", "content": "\n\n".join([*system, message["content"]])})
            system = []
        else:
            merged.append(message)
    return [*merged, {"role": "user", "content": "\n\n".join(system)}] if system else merged


def warm() -> None:
    """Preload parts of the SDK and the certificates, which would delay the first question."""
    _ = get_client(get_model("")).chat.completions


async def stream(
    messages: Sequence[Message],
    *,
    max_tokens: int,
    reply: Reply,
    model: str = "",
    response_format: dict[str, Any] | None = None,
) -> AsyncGenerator[str, None]:
    """Yield the answer in pieces and fill in `reply`; the fallback's if the model fails at once."""
    deadlines = Deadlines()
    models = list_candidates(model)
    for candidate in models:
        profile = await run_in_thread(get_profile, candidate)
        call = Call(candidate, profile, messages, max_tokens, reply, retries=settings.LLM_RETRIES)
        call.response_format = response_format
        reply.model = candidate.model
        has_begun = False
        try:
            async with aclosing(_learn_and_stream(call, deadlines)) as pieces:
                async for piece in pieces:
                    has_begun = True
                    yield piece
            await _record(call)
            return
        except Transient:
            if has_begun or candidate is models[-1]:
                raise


async def _learn_and_stream(call: Call, deadlines: Deadlines) -> AsyncGenerator[str, None]:
    while True:
        try:
            async with aclosing(stream_once(call, deadlines)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        except Taught as taught:
            await run_in_thread(profiles.learn, call.model, taught.lesson.profile)
            if not call.apply_lesson(taught):
                raise taught.error from taught


async def stream_once(call: Call, deadlines: Deadlines) -> AsyncGenerator[str, None]:
    """Yield the answer of one attempt and fill in the reply; raises ModelError and Taught."""
    request, reply = call.request(), call.reply
    begins_in_thought = call.profile.begins_in_thought
    reader = AnswerReader(call.limit, begins_in_thought=begins_in_thought)
    reply.finish, reply.usage = "", None
    try:
        async with aclosing(_read_events(call, request, deadlines)) as events:
            async for said in events:
                reply.finish = said.finish or reply.finish
                reply.usage = said.usage or reply.usage
                if piece := reader.feed(said.text, said.reasoning):
                    yield piece
                if reader.is_full:
                    break
    except (Transient, Broken, *ERRORS) as error:
        if not reply.finish:  # after the end, nothing is lost
            raise translate_error(error, request, call.limit) from error
    finally:
        reply.reasoning = reader.reasoning
    if not reply.finish and not reader.is_full:
        raise Transient(BROKEN)
    if piece := reader.close():
        yield piece
    reply.finish = TOO_LONG if reader.is_full else reply.finish
    reply.reasoning = reader.reasoning
    if reader.reasoning and not call.profile.reasons:
        call.shown["reasons"] = True
    if reader.closed_unopened or (begins_in_thought and reader.never_thought):
        call.shown["begins_in_thought"] = reader.closed_unopened


async def _read_events(
    call: Call, request: dict[str, Any], deadlines: Deadlines
) -> AsyncGenerator[EventText, None]:
    deadlines.begin()
    stream = await deadlines.wait(
        get_client(call.model, call.retries).post(
            "/chat/completions",
            cast_to=object,
            body=request,
            stream=True,
            stream_cls=openai.AsyncStream[object],
        )
    )
    async with stream:
        kind = stream.response.headers.get("content-type", "")
        if "html" in kind:
            raise Broken
        try:
            if "json" in kind and "event-stream" not in kind:
                said = parse_event(json.loads(await deadlines.wait(stream.response.aread())))
                yield said._replace(finish=said.finish or STOP)
                return
            empty = 0
            while (event := await deadlines.wait(anext(stream, None))) is not None:
                said = parse_event(event)
                empty += 1
                if said.text or said.reasoning:
                    empty = 0
                    deadlines.go_on()
                if empty > MAX_EMPTY_EVENTS:
                    raise Broken
                if said.finish:
                    deadlines.end()
                yield said
        except (ValueError, RecursionError) as error:
            raise Broken from error
        if DONE in stream.response.stream.tail:  # type: ignore[union-attr]
            yield EventText(finish=call.reply.finish or STOP)


async def _record(call: Call) -> None:
    """Note in the profile the abilities that the answer showed."""
    if call.shown:
        await run_in_thread(profiles.learn, call.model, call.shown)
    if call.reply.usage and call.profile.samples < profiles.MAX_SAMPLES:
        messages = call.request()["messages"]
        await run_slow(profiles.measure, call.model, messages, call.reply.usage.prompt)
