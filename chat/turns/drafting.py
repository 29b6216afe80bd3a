"""An answer while it is written: its text as it is stored and shown, and its outcome.

A model whose text is no answer is asked once more; a cut text is continued once, if the window has
tokens left. `ANEW` tells readers to drop the pieces before it.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from chat import llm
from chat.contract import CUT_BY, MENDABLE, Inquiry, judge_answer
from chat.contract.languages import find_wanted_languages
from chat.contract.looping import Repetition, cut_repetition
from chat.contract.mending import GO_ON, write_mending
from chat.contract.seams import Seam, find_last_word, is_whole
from chat.database_threads import run_slow
from chat.prompting.drafts import Message, Prompt
from chat.prompting.wording import find_english_name
from chat.turns.structured.form import Form
from chat.turns.structured.writing import write_structured
from citations.attribution.streaming import Citing
from memory.errors import ModelError
from memory.models import Turn
from memory.recall.budget import ANSWER_FLOOR, MESSAGE_OVERHEAD
from memory.text.token_counting import count_tokens

Outcome = Turn.Outcome


class Restart(Enum):
    """A signal to readers beside the text."""

    ANEW = auto()


ANEW = Restart.ANEW
Steps = AsyncGenerator[str | Restart, None]


@dataclass
class Draft:
    """The answer to one question while it is written."""

    asked: Inquiry
    prompt: Prompt
    # The tokens of prompt and answer together.
    usable: int
    begin: Callable[[], Citing]
    citing: Citing
    # The language model to ask, by its name in the settings.
    asks: str = ""
    # The structure of the answer.
    form: Form = field(default_factory=Form)
    # The text that is continued, as its model wrote it.
    earlier: str = ""
    # The problem of the model's text: an outcome, or empty.
    problem: str = ""
    # The reason why the built-in answerer took over, or why the earlier text stays.
    failure: str = ""
    is_built_in: bool = False
    finish: str = ""
    # The answering model, by its name at its server.
    model: str = ""
    reasoning: str = ""
    usage: llm.ServerUsage | None = None
    _said: list[str] = field(default_factory=list)
    _held: str = ""
    _watch: Repetition = field(default_factory=Repetition)

    # --- Its text ---------------------------------------------------------------------------------

    @property
    def said(self) -> str:
        """The model's text, with the labels of its prompt."""
        return self.earlier + "".join(self._said)

    def give(self, piece: str) -> str:
        """Add a piece of the text; return the certain part."""
        return self.citing.feed(piece)

    def close(self) -> str:
        """Return the rest of the text."""
        held, self._held = self._held, ""
        return self.citing.feed(held) + self.citing.close()

    async def begin_anew(self, text: str = "") -> Steps:
        """Discard the text and start another one."""
        was_shown = bool(self.citing.text)
        self.citing = await run_slow(self.begin)
        self.citing.is_bounded = not (self.is_built_in and self.form.output)
        self.earlier, self._said, self._held, self._watch = "", [], "", Repetition()
        if was_shown:
            yield ANEW
        if text:
            self._said.append(text)
            yield self.citing.feed(text)

    # --- As a structure ---------------------------------------------------------------------------

    async def relay(
        self, messages: Sequence[Message], *, response_format: dict[str, Any]
    ) -> AsyncGenerator[str, None]:
        """Yield the model's pieces as they come; they are not part of the text yet."""
        room = min(self.prompt.answer_tokens, self.usable - self.prompt.tokens)
        reply = llm.stream(
            messages, max_tokens=max(1, room), model=self.asks, response_format=response_format
        )
        with self._noted(reply):
            async with aclosing(reply.pieces) as pieces:
                async for piece in pieces:
                    yield piece

    def extend(self, text: str) -> str:
        """Add to the text; return the certain part."""
        self._said.append(text)
        return self.citing.feed(text)

    async def replace_text(self, text: str) -> Steps:
        """Continue to this text, or begin anew if the current one is no prefix of it."""
        if text.startswith(self.said):
            yield self.extend(text[len(self.said) :])
            return
        async for step in self.begin_anew(text):
            yield step

    async def write_plain(self, messages: Sequence[Message]) -> Steps:
        """Discard the text and let the model answer in prose."""
        async for step in self.begin_anew():
            yield step
        async with aclosing(self._saying(messages, self.prompt.answer_tokens)) as pieces:
            async for piece in pieces:
                yield piece
        self.problem = self._judged()

    def judge_ending(self) -> str:
        """Return the outcome of a structured text, which only its finish reason can tell."""
        return Outcome.CUT if self.finish in CUT_BY else ""

    # --- By a language model ----------------------------------------------------------------------

    async def ask_model(self) -> Steps:
        """Let the model answer, and mend or continue its text; raises ModelError."""
        if self.form.structure and not self.earlier:
            async with aclosing(write_structured(self)) as written:
                async for step in written:
                    yield step
            return
        if self.earlier:
            self._watch.feed(self.earlier)
            yield self.give(self.earlier)
            steps = self._going_on()
        else:
            steps = self._saying(self.prompt.messages, self.prompt.answer_tokens)
        async with aclosing(steps) as pieces:
            async for piece in pieces:
                yield piece
        self.problem = self._judged()
        if self.earlier:
            return
        if self.problem == Outcome.CUT:
            steps = self._going_on_if_possible()
        elif self.problem in MENDABLE:
            steps = self._mending()
        else:
            return
        async with aclosing(steps) as pieces:
            async for piece in pieces:
                yield piece

    def settle(self) -> Steps:
        """Remove the repetition at the end of the text."""
        return self.begin_anew(cut_repetition(self.said, self._watch.begins or 0))

    def _judged(self) -> str:
        loops = self._watch.begins is not None
        return judge_answer(self.said, self.finish, self.asked, loops=loops)

    async def _saying(
        self, messages: Sequence[Message], max_tokens: int, seam: Seam | None = None
    ) -> Steps:
        """Yield the model's text up to its end or to the first repetition."""
        reply = llm.stream(messages, max_tokens=max_tokens, model=self.asks)
        with self._noted(reply):
            async with aclosing(reply.pieces) as pieces:
                async for piece in pieces:
                    if fresh := self._taken(seam.feed(piece) if seam else piece):
                        yield fresh
                    if self._watch.begins is not None:
                        break
        rest = self._taken(seam.close()) if seam else ""
        if fresh := rest + self._ended():
            yield fresh

    @contextmanager
    def _noted(self, reply: llm.Reply) -> Iterator[None]:
        """Note the reply's finish reason, reasoning and token usage."""
        try:
            yield
        finally:
            self.finish, self.model = reply.finish, reply.model
            self.reasoning = reply.reasoning
            if reply.usage:
                first = self.usage or llm.ServerUsage(reply.usage.prompt, 0)
                self.usage = llm.ServerUsage(first.prompt, first.answer + reply.usage.answer)

    def _taken(self, piece: str) -> str:
        """Add a piece of the model's text; hold back its last word, which may be incomplete."""
        self._said.append(piece)
        self._watch.feed(piece)
        held = self._held + piece
        at = find_last_word(held)
        self._held = held[at:]
        return self.citing.feed(held[:at])

    def _ended(self) -> str:
        """Return the last word; after a cut only if it is complete."""
        held, self._held = self._held, ""
        if held and self.finish in CUT_BY and not is_whole(held):
            self._said = ["".join(self._said).removesuffix(held)]
            self._watch.take_back(held)
            return ""
        return self.citing.feed(held)

    # --- Mending and continuing -------------------------------------------------------------------

    async def _mending(self) -> Steps:
        """Ask once more, and keep the first text if the second is empty."""
        first, problem, begins = self.said, self.problem, self._watch.begins
        thought, finish = self.reasoning, self.finish
        wanted = map(find_english_name, find_wanted_languages(self.asked.query, self.asked.before))
        told = write_mending(problem, next(filter(None, wanted), ""))
        async for step in self.begin_anew():
            yield step
        *before, last = self.prompt.messages
        content = f"{last['content']}\n\n{told}"
        room = self.usable - self.prompt.tokens - count_tokens(told)
        try:
            messages = [*before, {"role": last["role"], "content": content}]
            steps = self._saying(messages, max(1, min(room, self.prompt.answer_tokens)))
            async with aclosing(steps) as pieces:
                async for piece in pieces:
                    yield piece
            self.problem = self._judged()
        except ModelError:
            self.problem = Outcome.EMPTY
        if self.problem == Outcome.EMPTY and problem != Outcome.EMPTY:
            self.problem, self.reasoning, self.finish = problem, thought, finish
            async for step in self.begin_anew(first):
                yield step
            self._watch.begins = begins

    async def _going_on_if_possible(self) -> Steps:
        """Continue a cut text; if that fails, the text stays as it is."""
        try:
            async with aclosing(self._going_on()) as pieces:
                async for piece in pieces:
                    yield piece
            self.problem = self._judged()
        except ModelError:
            self.problem = Outcome.CUT

    async def _going_on(self) -> Steps:
        """Let the model continue a cut text, if the window has enough tokens left."""
        said, thought = self.said, self.reasoning
        messages, room = self._arrange_resumption(said)
        if room < min(ANSWER_FLOOR, self.prompt.answer_tokens):
            self.finish = "length"
            return
        seam = Seam(said)
        async with aclosing(self._saying(messages, room, seam)) as pieces:
            async for piece in pieces:
                yield piece
        if thought:
            self.reasoning = f"{thought}\n\n{self.reasoning}".strip()
        if seam.has_begun_anew:
            self.finish = "length"

    def _arrange_resumption(self, said: str) -> tuple[list[Message], int]:
        """Return the messages and the tokens left to answer, without history if these are few."""
        end = keep_end(said, self.usable // 3)
        told = [{"role": "assistant", "content": end}, {"role": "user", "content": GO_ON}]
        more = count_tokens(end) + count_tokens(GO_ON) + 2 * MESSAGE_OVERHEAD
        whole = self.prompt.messages
        room = self.usable - self.prompt.tokens - more
        if room < ANSWER_FLOOR and len(whole) > 2:
            left_out = sum(count_tokens(each["content"]) for each in whole[1:-1])
            whole, room = [whole[0], whole[-1]], room + left_out
        return [*whole, *told], min(room, self.prompt.answer_tokens)


def keep_end(said: str, most: int) -> str:
    """Return the text, or its end of about that many tokens."""
    tokens = count_tokens(said)
    if tokens <= most:
        return said
    kept = said[-len(said) * most // tokens :]
    return f"… {kept.partition(' ')[2] or kept}"
