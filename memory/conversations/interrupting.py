"""Answers whose process died: each ends with its partial text, and is attempted once more."""

import logging
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory import audit
from memory.conversations.attempts import (
    IS_PERSONAL,
    Ending,
    LostAttempt,
    begin_again,
    end,
    lock,
    rescue_text,
)
from memory.conversations.liveness import get_own_process
from memory.errors import NotFound, describe_error
from memory.holds import is_held
from memory.models import Attempt, Purpose, Session, Turn
from memory.models.attempts import AttemptQuerySet
from memory.outages import one_transaction
from memory.personal_data import consent
from memory.recall.rewriting.exchanges import Rewrite

log = logging.getLogger(__name__)

AT_ONCE = 100
# Age up to which a restarted web process resumes the answers of another; later ones are not
# awaited.
WAITED_FOR = timedelta(minutes=10)
# Longest time in which a busy process begins to answer a question that it stored.
BEGUN_WITHIN = timedelta(minutes=2)


def interrupt_lapsed(*, session: Session | None = None) -> int:
    """End the attempts whose process is dead, keeping their text; return how many.

    Those that a web process will resume (`take_up_lapsed`) are skipped, unless they block the
    session's next question.
    """
    lapsed = Attempt.objects.lapsed()
    if session is None:
        return len(_interrupt_attempts(lapsed.exclude(pk__in=_select_resumable())))
    return len(_interrupt_attempts(lapsed.filter(turn__session=session)))


def take_up_lapsed() -> list[Attempt]:
    """End the attempts whose process is dead; return those that this process is to answer now.

    An answer without earlier text is attempted once more, if RESUME_INTERRUPTED is on.
    """
    taken = _interrupt_attempts(Attempt.objects.lapsed(), resumes=True)
    return [attempt for attempt in taken if attempt.finished_at is None]


def let_go_of_forgotten(answering: Collection[UUID], left: Collection[UUID] = ()) -> None:
    """Let attempts lapse that this process owns but doesn't answer, though the process lives.

    These are the `left` ones, and those that were never begun because their request broke off.
    """
    process = get_own_process()
    if process is None:
        return
    now = timezone.now()
    is_forgotten = Q(pk__in=left) | Q(started_at__lt=now - BEGUN_WITHIN)
    mine = Attempt.objects.open().filter(is_forgotten, process=process)
    if forgotten := list(mine.exclude(pk__in=answering).values_list("pk", flat=True)):
        mine.filter(pk__in=forgotten).update(process=None, lease_until=now - timedelta(seconds=1))


def find_open_attempts(attempts: Collection[UUID]) -> set[UUID]:
    """Return the open ones of the attempts."""
    rows = Attempt.objects.open().filter(pk__in=attempts)
    return set(rows.values_list("pk", flat=True))


def may_be_resumed(attempt: Attempt) -> bool:
    """Return whether another process may answer instead of the attempt's owner."""
    return _select_resumable().filter(pk=attempt.pk).exists()


def _select_resumable() -> AttemptQuerySet:
    """Return those that `may_be_resumed`."""
    if not settings.RESUME_INTERRUPTED:
        return Attempt.objects.none()
    return Attempt.objects.open().filter(
        resumes=False,
        given_history=False,
        stop_requested=False,
        turn__response_tokens=0,
        started_at__gt=_compute_oldest_start(),
    )


def _compute_oldest_start() -> Any:
    return timezone.now() - WAITED_FOR - timedelta(seconds=settings.LLM_TOTAL_TIMEOUT)


def _interrupt_attempts(lapsed: AttemptQuerySet, *, resumes: bool = False) -> list[Attempt]:
    """Interrupt the attempts; a failure of one doesn't stop the others."""
    # In the order of the index of open attempts, so that ended ones aren't read.
    rows = lapsed.select_related("turn__session__owner").order_by("lease_until")[:AT_ONCE]
    ended = []
    for attempt in rows:
        try:
            ended.append(_interrupt(attempt, resumes=resumes and may_be_resumed(attempt)))
        except (LostAttempt, NotFound):  # it was erased, or another process has interrupted it
            continue
        except Exception as error:  # noqa: BLE001 - it is tried again with the next sweep
            turn = {"turn": str(attempt.turn_id)}
            log.error("interrupting_raised", extra={**turn, **describe_error(error)})
    return ended


def _interrupt(attempt: Attempt, *, resumes: bool) -> Attempt:
    """End the attempt; return its replacement, or else this one."""
    opening = attempt.opening or {}
    ending = Ending(
        status=Turn.Status.INTERRUPTED,
        text=rescue_text(attempt.turn, attempt.partial, opening),
        failure="server_restarted",
        rewrite=_rescue_rewrite(opening),
    )
    lapsed = Attempt.objects.lapsed().filter(pk=attempt.pk, holder=attempt.holder)
    # From here on, a write of the previous owner fails, if it was only slow.
    attempt.holder, attempt.process = uuid7(), None
    return _interrupt_at_once(attempt, ending, lapsed, resumes=resumes)


@one_transaction
def _interrupt_at_once(
    attempt: Attempt, ending: Ending, lapsed: AttemptQuerySet, *, resumes: bool
) -> Attempt:
    session = lock(attempt)
    if resumes:  # under a consent that isn't withdrawn concurrently
        consent.lock_person(attempt.owner_id)
    if not lapsed.update(holder=attempt.holder, process=None):
        raise LostAttempt
    end(attempt, ending, locked=session)
    attempt.finished_at = timezone.now()
    return (_resume_turn(attempt) if resumes else None) or attempt


def _resume_turn(attempt: Attempt) -> Attempt | None:
    """Begin the turn's answer once more, if its person may."""
    turn = attempt.turn
    is_there = Turn.objects.visible(turn.owner).retryable().filter(pk=turn.pk)
    may_stay = turn.session.temporary or consent.allows(turn.owner_id, Purpose.STORE)
    if turn.session.is_closing or not may_stay or is_held(turn) or not is_there.exists():
        return None
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.PENDING, failure="", finished_at=None)
    turn.refresh_from_db()
    audit.record("turn.resumed", actor=None, subject=turn)
    return begin_again(turn, resumes=True)


def _rescue_rewrite(opening: dict[str, Any]) -> Rewrite | None:
    query, reason = opening.get("standalone_query"), opening.get("reason", "")
    drawn, confidence = opening.get("drawn_from", ()), opening.get("confidence", 1.0)
    if not query or opening.get(IS_PERSONAL):
        return None
    return Rewrite(query, reason, tuple(drawn), confidence)
