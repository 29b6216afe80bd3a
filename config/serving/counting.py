"""Every response counted, once, wherever it was made: in Django, at the door or in their place.

What is refused before there is a request is counted by its connection (config.serving.connections).
"""

from chat.protocol.error_pages import AWAY
from config.metrics.meters import count_refused_question, count_response, part_of
from config.serving.door import asks
from config.serving.intake import App, Message, Receive, Send


def counted_responses(app: App) -> App:
    """Count what the app answers, and which questions it refuses."""

    async def counted(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        scope[AWAY] = []  # one list, whoever copies the scope

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                _count(scope, message)
            await send(message)

        await app(scope, receive, noted)

    return counted


def _count(scope: Message, start: Message) -> None:
    status = start["status"]
    # When to come again is also said where a database is away, which is an error.
    comes_again = any(name.lower() == b"retry-after" for name, _ in start["headers"])
    is_refusal = status == 503 and comes_again and not scope[AWAY]
    count_response(part_of(scope["path"]), status, is_refusal=is_refusal)
    if status >= 400 and asks(scope):
        count_refused_question(status, is_refusal=is_refusal)
