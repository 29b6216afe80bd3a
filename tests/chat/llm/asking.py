"""One question to the model, from its first word to how it ended."""

from asgiref.sync import async_to_sync

from chat import llm
from chat.database_threads import in_this_thread
from chat.llm import Reply
from memory.errors import ModelError

MESSAGES = [
    {"role": "system", "content": "Answer from the passages."},
    {"role": "user", "content": "What is the Determination Date?"},
]


class Told:
    """The result of a request: the text, its end, and the failure's code if it failed."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.pieces: list[str] = []
        self.failure = ""

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def ending(self) -> tuple[str, str]:
        return self.text, self.failure or self.reply.finish


def told(
    max_tokens: int = 100, *, model: str = "", messages: list[dict[str, str]] | None = None
) -> Told:
    """Ask, in this thread with its database connection, and return what came of it."""
    result = Told(llm.stream(messages or MESSAGES, max_tokens=max_tokens, model=model))

    async def gather() -> None:
        try:
            async for piece in result.reply.pieces:
                result.pieces.append(piece)
        except ModelError as error:
            result.failure = error.code

    token = in_this_thread.set(True)
    try:
        async_to_sync(gather)()
    finally:
        in_this_thread.reset(token)
    return result
