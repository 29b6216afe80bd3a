"""Counts of all responses, whether made by Django, at admission or before it."""

from chat.streams.kept_open import App, Receive, Scope as Message, Send
from config.metrics.meters import classify_status, name_part
from config.serving.question_limit import is_question
from memory.metrics.counting import count

REASONS = {
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    429: "limit_reached",
}


def count_responses(app: App) -> App:
    """Count the app's responses, and the questions that it refuses."""

    async def counted(scope: Message, receive: Receive, send: Send) -> None:
        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                _count_response(scope, message)
            await send(message)

        await app(scope, receive, noted)

    return counted


def _count_response(scope: Message, start: Message) -> None:
    status = start["status"]
    comes_again = any(name.lower() == b"retry-after" for name, _ in start["headers"])
    is_refusal = status == 503 and comes_again
    count(
        "responses_total", part=name_part(scope["path"]), status=classify_status(status, is_refusal)
    )
    if status >= 400 and is_question(scope):
        reason = "overloaded" if is_refusal else "failed" if status >= 500 else "invalid"
        count("questions_refused_total", reason=REASONS.get(status, reason))
