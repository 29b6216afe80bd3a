"""What each refusal means in HTTP, for pages and API alike."""

from memory.errors import Refusal

STATUS = {
    "not_found": 404,
    "question_too_long": 400,
    "session_full": 409,
    "turn_in_progress": 409,
    "turn_not_retryable": 409,
    "idempotency_conflict": 422,
}


def status_of(refusal: Refusal) -> int:
    return STATUS.get(refusal.code, 400)
