"""Conversations of several formats, converted to exchanges."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memory.recall.rewriting.exchanges import Exchange, Known, Rewrite
from memory.recall.rewriting.questions import ReadQuestion

Message = Mapping[str, str]
Resolve = Callable[[ReadQuestion, Sequence[Exchange], Sequence[Known]], Rewrite]


def read_exchanges(messages: Sequence[Message]) -> list[Exchange]:
    """Return the exchanges of the messages, oldest first; consecutive answers are joined."""
    found: list[Exchange] = []
    for message in messages:
        text, position = message["content"] or "", len(found) + 1
        if message["role"] == "user":
            found.append(Exchange(text, "", position))
        elif message["role"] == "assistant" and found:
            last = found[-1]
            response = f"{last.response}\n{text}".strip()
            found[-1] = Exchange(last.query, response, last.position)
        elif message["role"] == "assistant":
            found.append(Exchange("", text, position))
    return found


def read_subjects(messages: Sequence[Message]) -> list[Known]:
    """Return the titles in system messages, each of which stands before a dash."""
    titles = (message["content"] for message in messages if message["role"] == "system")
    return [Known(title.partition(" — ")[0], "document", 0) for title in titles if title]


class Retold:
    """Replays conversations as sessions would have stored them, with each question rewritten.

    Conversations with a common beginning share its rewrites.
    """

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.known: dict[tuple[str, ...], str] = {}

    def rewrite(self, query: str, messages: Sequence[Message]) -> Rewrite:
        """Return the rewrite of a question that follows the messages."""
        return self.resolve(ReadQuestion(query), self.exchanges(messages), read_subjects(messages))

    def exchanges(self, messages: Sequence[Message]) -> list[Exchange]:
        """Return the exchanges of the messages with the rewrites of their questions."""
        told: list[Exchange] = []
        begun: tuple[str, ...] = tuple(entity.name for entity in read_subjects(messages))
        for exchange in read_exchanges(messages):
            begun = (*begun, exchange.query)
            if begun not in self.known:
                rewritten = self.resolve(exchange.question, told, read_subjects(messages))
                self.known[begun] = rewritten.query
            told.append(replace(exchange, standalone=self.known[begun]))
            begun = (*begun, exchange.response)
        return told
