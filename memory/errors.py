"""Refusals of the product, worded for the person who asked; each interface translates them once."""

import traceback

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Refusal(Exception):
    """A request that can't be met: a stable code for programs and a message for people."""

    code = "refused"
    says: str | Promise = gettext_lazy("This can't be done.")

    def __init__(self, message: str = "", *, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(message or str(self.says))
        self.fields = fields

    @property
    def message(self) -> str:
        return str(self)


class NotFound(Refusal):
    """Missing, someone else's, expired or malformed: all look alike."""

    code = "not_found"
    says = gettext_lazy("There is nothing here.")


class SessionFull(Refusal):
    code = "session_full"
    says = gettext_lazy("This conversation is full. Continue in a new conversation.")


class TurnInProgress(Refusal):
    code = "turn_in_progress"
    says = gettext_lazy("The previous question is still being answered.")


class TurnNotRetryable(Refusal):
    code = "turn_not_retryable"
    says = gettext_lazy(
        "Only an answer that failed, was interrupted or came out poorly can be tried again."
    )


class TurnNotCut(Refusal):
    code = "turn_not_cut"
    says = gettext_lazy("Only an answer that was cut off can be continued.")


class Held(Refusal):
    """A legal hold forbids the deletion, which is deferred until the hold's release."""

    code = "held"
    says = gettext_lazy(
        "A legal hold forbids deleting this now. It will be deleted when the hold ends."
    )


class AwaitingApproval(Refusal):
    """The act is stored, and runs when a second person has approved it."""

    code = "awaiting_approval"
    says = gettext_lazy("It waits for a second person's approval, for 24 hours.")


class PolicyChanged(Refusal):
    """The preview no longer matches the policy."""

    code = "policy_changed"
    says = gettext_lazy("The policy has changed since the preview. Look at a new one first.")


class MoreWouldGo(Refusal):
    """By now more would be deleted than the preview showed."""

    code = "more_would_go"
    says = gettext_lazy(
        "More would be deleted than was shown, so nothing was done. Look at the new count first."
    )


class QuestionTooLong(Refusal):
    code = "question_too_long"


class IdempotencyConflict(Refusal):
    code = "idempotency_conflict"
    says = gettext_lazy("This Idempotency-Key was used for another request.")


class ModelError(Exception):
    """The language model can't answer now; the code is one of chat.shapes.answer_failures."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def describe_error(error: Exception) -> dict[str, str]:
    """Return an unexpected error for the log: its kind and its place, without its message.

    The message may hold a person's words.
    """
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    places = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    return {"error": type(error).__name__, "at": places}
