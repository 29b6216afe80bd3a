"""Runs: a previewed change of a policy is confirmed, and a job brings what is stored under it.

Confirming makes the policy rule at once. The job then gives every session of the tier its new end,
purges what that has ended, and trims the conversations that have more turns than the policy allows.
Each step is short and can be done again, so a killed worker's run is gone on with by another.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory import audit, jobs
from memory.errors import Held, NotFound, PolicyChanged
from memory.forgetting.due import Due
from memory.forgetting.previews import TERMS, basis, due_of
from memory.forgetting.purging import Purged, purge
from memory.forgetting.trimming import trim
from memory.models import RetentionPolicy, RetentionRun, Session, User

# A preview that is older says little about what would go now.
PREVIEW_LASTS = timedelta(hours=1)
AT_ONCE = 200

Status = RetentionRun.Status


def run(run_id: UUID, *, actor: User) -> RetentionRun:
    """Do what was previewed, in a job; raises PolicyChanged if another policy rules by now."""
    try:
        with transaction.atomic():
            return _confirm(run_id, actor)
    except IntegrityError as error:  # another change of the tier was a moment earlier
        raise PolicyChanged from error


def _confirm(run_id: UUID, actor: User) -> RetentionRun:
    row = RetentionRun.objects.select_for_update().filter(pk=run_id).first()
    if row is None:
        raise NotFound
    person = User.objects.filter(pk=row.person_id).first() if row.person_id else None
    if row.person_id and person is None:
        raise NotFound
    if row.status != Status.PREVIEWED or is_stale(row, person):
        raise PolicyChanged
    if person:
        _move(person, row, actor)
    elif row.terms:
        _change_policy(row, actor)
    row.status, row.confirmed_at, row.confirmed_by_id = Status.RUNNING, timezone.now(), actor.pk
    row.save(update_fields=["status", "confirmed_at", "confirmed_by_id"])
    audit.record("retention.confirmed", actor=actor.pk, subject=row)
    jobs.enqueue("retention_run", row.pk)
    return row


def is_stale(row: RetentionRun, person: User | None) -> bool:
    """Tell whether the preview is too old to be run, or other policies rule by now."""
    return row.created_at < timezone.now() - PREVIEW_LASTS or row.basis != basis(person)


def _change_policy(row: RetentionRun, actor: User) -> None:
    version = RetentionPolicy.objects.ruling(row.tier).version + 1
    terms = {name: row.terms[name] for name in TERMS}
    policy = RetentionPolicy(tier=row.tier, version=version, author_id=actor.pk, **terms)
    policy.save(force_insert=True)
    audit.record("policy.changed", actor=actor.pk, subject=policy)


def _move(person: User, row: RetentionRun, actor: User) -> None:
    User.objects.filter(pk=person.pk).update(tier=row.tier)
    audit.record("person.tier_changed", actor=actor.pk, subject=person)


def _give_up(run_id: UUID) -> None:
    ended = {"status": Status.FAILED, "finished_at": timezone.now()}
    RetentionRun.objects.filter(pk=run_id).update(**ended)


@jobs.job("retention_run", gave_up=_give_up)
def do_run(lease: jobs.Lease) -> None:
    """Bring what is stored under the terms that were confirmed."""
    row = RetentionRun.objects.get(pk=lease.subject)
    due = due_of(row)
    restamped = restamp(due, after_batch=lease.hold)
    # What has just ended is found by its stored end, like everything else that has.
    ended = Due(tier=due.tier, person=due.person)
    purged = purge(ended, after_batch=lease.hold)
    trimmed = _trim_all(due, after_batch=lease.hold)
    with lease.finishing():
        _finish(row, restamped, purged, trimmed)


def _finish(row: RetentionRun, restamped: int, purged: Purged, trimmed: int) -> None:
    row.status, row.finished_at = Status.DONE, timezone.now()
    row.restamped, row.trimmed = restamped, trimmed
    row.sessions_gone, row.turns_gone = purged.sessions, purged.turns
    row.skipped = purged.skipped
    row.save()
    audit.record("retention.done", actor=row.confirmed_by_id, subject=row)


def restamp(due: Due, *, after_batch: Callable[[], None] = lambda: None) -> int:
    """Give every session that lives its end under the policy; return how many have another one.

    What has expired stays expired.
    """
    changed, last = 0, None
    while due.policy is not None:
        with transaction.atomic():
            rows = due.concerned().live().select_related("owner").order_by("pk")
            # Locked, so that a question that is being stored moves its clock before or after.
            rows = (rows.filter(pk__gt=last) if last else rows).select_for_update(of=("self",))
            batch = list(rows.defer("title", "metadata")[:AT_ONCE])
            changed += _restamp(batch, due.policy)
        if len(batch) < AT_ONCE:
            break
        last = batch[-1].pk
        after_batch()
    return changed


def _restamp(rows: list[Session], policy: RetentionPolicy) -> int:
    moved = []
    for session in rows:
        ends = session.lifetime_from(session.clock_began, policy)
        if ends != session.expires_at:
            session.expires_at = ends
            moved.append(session)
    return Session.objects.bulk_update(moved, ["expires_at"]) if moved else 0


def _trim_all(due: Due, *, after_batch: Callable[[], None]) -> int:
    """Trim the sessions with more turns than the policy allows; what is held waits."""
    trimmed = 0
    if due.policy is None:
        return trimmed
    for session_id in list(due.over().order_by("pk").values_list("pk", flat=True)):
        try:
            trimmed += trim(session_id, keep=due.policy.max_turns, after_batch=after_batch)
        except Held:
            continue
    return trimmed
