"""Answers whose process died: ended with what they had written."""

import logging
from typing import Any

from django.db import transaction
from uuid_utils.compat import uuid7

from memory.conversations.attempts import Ending, LostAttempt, end, lock, rescued
from memory.errors import described
from memory.models import Attempt, Session, Turn
from memory.recall.rewriting import Rewrite

log = logging.getLogger(__name__)

AT_ONCE = 100


def interrupt_lapsed(*, session: Session | None = None) -> int:
    """End the attempts whose process is gone, keeping what they wrote; return how many.

    One that can't be ended keeps none of the others from it.
    """
    lapsed = Attempt.objects.lapsed().select_related("turn__session__owner")
    if session is not None:
        lapsed = lapsed.filter(turn__session=session)
    return sum(_interrupted(attempt) for attempt in lapsed.order_by("started_at")[:AT_ONCE])


def _interrupted(attempt: Attempt) -> bool:
    try:
        return _interrupt(attempt)
    except LostAttempt:  # it was erased meanwhile
        return False
    except Exception as error:  # noqa: BLE001 - it is tried again with the next sweep
        log.error("interrupting_raised", extra={"turn": str(attempt.turn_id), **described(error)})
        return False


def _interrupt(attempt: Attempt) -> bool:
    opening = attempt.opening or {}
    ending = Ending(
        status=Turn.Status.INTERRUPTED,
        text=rescued(attempt.turn, attempt.partial),
        failure="server_restarted",
        rewrite=_rescued(opening),
    )
    lapsed = Attempt.objects.lapsed().filter(pk=attempt.pk, holder=attempt.holder)
    # From here on the next write of an answerer that was only slow fails, not ours.
    attempt.holder, attempt.process = uuid7(), None
    with transaction.atomic():
        lock(attempt)
        if not lapsed.update(holder=attempt.holder, process=None):
            return False
        end(attempt, ending, is_locked=True)
    return True


def _rescued(opening: dict[str, Any]) -> Rewrite | None:
    query, reason = opening.get("standalone_query"), opening.get("reason", "")
    drawn, confidence = opening.get("drawn_from", ()), opening.get("confidence", 1.0)
    return Rewrite(query, reason, tuple(drawn), confidence) if query else None
