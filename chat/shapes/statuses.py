"""HTTP statuses of refusals, for pages and API."""

from memory.errors import Refusal
from memory.people.rate_limits import Allowance, LimitReached

STATUS = {
    "not_authenticated": 401,
    "permission_denied": 403,
    "insufficient_scope": 403,
    "second_factor_needed": 403,
    "consent_needed": 403,
    "erasure_confirmed": 403,
    "not_found": 404,
    "document_gone": 404,
    "too_slow": 408,
    "question_too_long": 400,
    "session_full": 409,
    "turn_in_progress": 409,
    "turn_not_retryable": 409,
    "turn_not_cut": 409,
    "document_deleted": 409,
    "original_not_kept": 409,
    "not_replaceable": 409,
    "read_already": 409,
    "memory_deleted": 409,
    "package_not_ready": 409,
    "export_unavailable": 409,
    "held": 409,
    "too_late_to_hold": 409,
    "erasure_asked_already": 409,
    "erasure_under_way": 409,
    "policy_changed": 409,
    "entity_exists": 409,
    "memory_full": 409,
    "facts_full": 409,
    "idempotency_conflict": 422,
    "page_not_drawn": 422,
    "body_too_large": 413,
    "too_large": 413,
    "export_too_long": 413,
    "unsupported": 415,
    "limit_reached": 429,
    "too_many_at_once": 429,
    "busy": 503,
    "overloaded": 503,
}

# Seconds of Retry-After, by code.
COME_AGAIN = {"too_many_at_once": "1", "busy": "5"}


def find_status(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(refusal.code, 400)


def write_limit_headers(allowance: Allowance) -> dict[str, str]:
    """Return the HTTP headers with the remaining allowance of a limit."""
    return {
        "RateLimit-Limit": str(allowance.limit),
        "RateLimit-Remaining": str(allowance.remaining),
        "RateLimit-Reset": str(allowance.reset),
    }


def write_headers(refusal: Refusal) -> dict[str, str]:
    """Return the headers of a refusal: Retry-After and limits, where they apply."""
    if seconds := getattr(refusal, "come_again", 0):
        return {"Retry-After": str(seconds)}
    if refusal.code in COME_AGAIN:
        return {"Retry-After": COME_AGAIN[refusal.code]}
    if not isinstance(refusal, LimitReached):
        return {}
    return {**write_limit_headers(refusal.allowance), "Retry-After": str(refusal.allowance.reset)}
