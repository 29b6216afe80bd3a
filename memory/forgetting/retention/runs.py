"""Runs: a previewed change of a policy is confirmed, and a job applies it to stored rows.

The new policy applies once it is confirmed. The job then sets the new ends of the tier's sessions
and confirmed facts. It purges the expired ones, and trims conversations with more turns than the
policy allows. It works for some seconds, notes its position, and enqueues its next piece, so that
other jobs run in between. Each batch is counted in its own transaction and can be repeated, so
another worker continues a killed worker's run. Each batch checks that the confirmed policy is still
the newest, since a mistake is corrected by confirming another one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from memory import audit, jobs
from memory.errors import Held, MoreWouldGo, NotFound, PolicyChanged
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.previews import compute_basis, has_grown
from memory.forgetting.retention.purging import purge
from memory.forgetting.retention.trimming import note_untrimmed, trim
from memory.models import Fact, RetentionPolicy, RetentionRun, Session, User
from memory.outages import is_passing

# An older preview is out of date.
PREVIEW_LASTS = timedelta(hours=1)
AT_ONCE = 200
FACTS_AT_ONCE = 1000
# Limit in seconds, because one worker has other work as well.
PIECE_SECONDS = 20.0
RUN = jobs.register_kind("retention_run", jobs.WorkClass.RIGHTS, jobs.AuditClass.ACTS)

Status, Stage = RetentionRun.Status, RetentionRun.Stage


# --- Confirmation ---------------------------------------------------------------------------------


def run(run_id: UUID, *, actor: User, lasts: timedelta = PREVIEW_LASTS) -> RetentionRun:
    """Run a preview, in a job; raises PolicyChanged if another policy applies by now.

    Raises MoreWouldGo if by now more would be deleted than the preview showed.
    """
    row = RetentionRun.objects.filter(pk=run_id, status=Status.PREVIEWED).first()
    # Outside of the transaction: counting takes a while, and writers would wait for it.
    if row and row.created_at >= timezone.now() - lasts and has_grown(row):
        raise MoreWouldGo
    try:
        with transaction.atomic():
            return _confirm(run_id, actor, lasts)
    except IntegrityError as error:  # a concurrent change of the tier was first
        raise PolicyChanged from error


def _confirm(run_id: UUID, actor: User, lasts: timedelta) -> RetentionRun:
    row = RetentionRun.objects.select_for_update().filter(pk=run_id).first()
    if row is None:
        raise NotFound
    person = User.objects.filter(pk=row.person_id).first() if row.person_id else None
    if row.person_id and person is None:
        raise NotFound
    if row.status != Status.PREVIEWED or is_stale(row, person, lasts):
        raise PolicyChanged
    if person:
        User.objects.filter(pk=person.pk).update(tier=row.tier)
        audit.record("person.tier_changed", actor=actor.pk, subject=person)
    elif row.terms:
        version = RetentionPolicy.objects.ruling(row.tier).version + 1
        policy = RetentionPolicy(tier=row.tier, version=version, author_id=actor.pk, **row.terms)
        policy.save(force_insert=True)
        audit.record("policy.changed", actor=actor.pk, subject=policy)
    row.version = RetentionPolicy.objects.ruling(row.tier).version if row.tier else None
    row.status, row.confirmed_at, row.confirmed_by_id = Status.RUNNING, timezone.now(), actor.pk
    row.save(update_fields=["version", "status", "confirmed_at", "confirmed_by_id"])
    audit.record("retention.confirmed", actor=actor.pk, subject=row)
    jobs.enqueue(RUN, row.pk)
    return row


def is_stale(row: RetentionRun, person: User | None, lasts: timedelta = PREVIEW_LASTS) -> bool:
    """Return whether the preview is too old, or the policies have changed."""
    return row.created_at < timezone.now() - lasts or row.basis != compute_basis(person)


def stop(run_id: UUID, *, actor: User) -> None:
    """Stop a run; the policy still applies, and the work done stays done."""
    with transaction.atomic():
        if not _end(run_id, Status.STOPPED):
            raise NotFound
        audit.record("retention.stopped", actor=actor.pk, subject=RetentionRun(pk=run_id))


# --- Execution ----------------------------------------------------------------------------------


class Ended(Exception):
    """The run stops, because of this status."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class _Piece:
    """Some seconds of work on a run."""

    row: RetentionRun
    lease: jobs.Lease
    end: float = field(default_factory=lambda: time.monotonic() + PIECE_SECONDS)

    @property
    def seconds(self) -> float:
        """The remaining time."""
        return self.end - time.monotonic()

    def policy(self) -> RetentionPolicy | None:
        """Return the confirmed policy, if there is one; raises Ended if it isn't the newest."""
        row = self.row
        if not RetentionRun.objects.filter(pk=row.pk, status=Status.RUNNING).exists():
            raise Ended(Status.STOPPED)
        if not row.terms:
            return None
        policy = RetentionPolicy.objects.ruling(row.tier)
        moved_on = row.person_id and not User.objects.filter(pk=row.person_id, tier=row.tier)
        if policy.version != row.version or moved_on:
            raise Ended(Status.SUPERSEDED)
        return policy

    def pulse(self) -> None:
        """Renew the lease; raises LostLease and Ended. Call it between transactions."""
        self.lease.pulse()
        self.policy()

    def reach(self, place: UUID | None, stage: str) -> None:
        """Store the position of the work."""
        self.row.reached, self.row.stage = place, stage
        RetentionRun.objects.filter(pk=self.row.pk).update(reached=place, stage=stage)


def _give_up(run_id: UUID) -> None:
    _end(run_id, Status.FAILED)


@jobs.job(RUN, gave_up=_give_up)
def do_run(lease: jobs.Lease) -> None:
    """Apply the confirmed terms to some of the rows, and enqueue the rest."""
    row = RetentionRun.objects.get(pk=lease.subject)
    try:
        status = Status.DONE if _work(_Piece(row, lease)) else Status.RUNNING
    except Ended as ended:
        status = Status(ended.status)
    with lease.finishing():
        if status == Status.RUNNING:
            jobs.enqueue(RUN, row.pk)
        elif _end(row.pk, status):
            audit.record(f"retention.{status}", actor=row.confirmed_by_id, subject=row)


def _end(run_id: UUID, status: str) -> bool:
    running = RetentionRun.objects.filter(pk=run_id, status=Status.RUNNING)
    return bool(running.update(status=status, finished_at=timezone.now()))


def _work(piece: _Piece) -> bool:
    """Continue from the run's position; return whether it is done."""
    piece.policy()
    stages: dict[str, Callable[[_Piece], bool]] = {
        Stage.RESTAMPING: _restamp_all,
        Stage.PURGING: _purge_all,
        Stage.TRIMMING: _trim_all,
    }
    names = list(stages)
    for name in names[names.index(piece.row.stage) :]:
        if name != piece.row.stage:
            piece.reach(None, name)
        if not stages[name](piece):
            return False
    return True


def _restamp_all(piece: _Piece) -> bool:
    """Set the end of every live session under the policy; expired ones stay expired."""
    if piece.row.reached is None:
        _restamp_facts(piece)
    while True:
        with transaction.atomic():
            policy = piece.policy()
            if policy is None:
                return True
            batch = _read_next_sessions(piece.row)
            piece.row.count(restamped=restamp(batch, policy, _get_run_moment(piece.row)))
            if len(batch) < AT_ONCE:
                return True
            piece.reach(batch[-1].pk, Stage.RESTAMPING)
        piece.pulse()
        if piece.seconds <= 0:
            return False


def _restamp_facts(piece: _Piece) -> None:
    """Set the ends of confirmed facts under the policy; expired ones are left to their sweep.

    It can be repeated, and is restarted after a run was killed in it.
    """
    row, last = piece.row, None
    rows = Fact.objects.exclude(confirmed_at=None).exclude(expires_at__lte=timezone.now())
    rows = rows.filter(**({"owner": row.person_id} if row.person_id else {"owner__tier": row.tier}))
    while policy := piece.policy():
        some = rows.filter(pk__gt=last) if last else rows
        ids = list(some.order_by("pk").values_list("pk", flat=True)[:FACTS_AT_ONCE])
        if not ids:
            return
        seconds = policy.fact_lifetime
        ends = None if seconds is None else F("confirmed_at") + timedelta(seconds=seconds)
        Fact.objects.filter(pk__in=ids).update(expires_at=ends)
        last = ids[-1]
        piece.pulse()


def _read_next_sessions(row: RetentionRun) -> list[Session]:
    rows = Due(tier=row.tier, person=row.person_id).concerned().live().select_related("owner")
    # Locked, so that storing a question moves its clock before or after.
    rows = rows.order_by("pk").select_for_update(of=("self",)).defer("title", "metadata")
    return list((rows.filter(pk__gt=row.reached) if row.reached else rows)[:AT_ONCE])


def _get_run_moment(row: RetentionRun) -> datetime:
    """Return when the run was confirmed; sessions due later are left to the sweep."""
    return row.confirmed_at or timezone.now()


def restamp(rows: list[Session], policy: RetentionPolicy, moment: datetime) -> int:
    """Set the ends of the locked, live sessions under the policy; return how many changed.

    Sessions that the policy would have ended by the moment end then.
    """
    moved = []
    for session in rows:
        ends = session.compute_end(policy, now=moment)
        if ends != session.expires_at:
            session.expires_at = ends
            moved.append(session)
    return Session.objects.bulk_update(moved, ["expires_at"]) if moved else 0


def _purge_all(piece: _Piece) -> bool:
    """Purge the sessions that had expired when the run was confirmed."""
    row = piece.row
    ended = Due(tier=row.tier, person=row.person_id, at=_get_run_moment(row))
    count = piece.row.count
    purged = purge(ended, pulse=piece.pulse, count=count, seconds=piece.seconds)
    count(skipped=purged.skipped)
    return not purged.is_unfinished


def _trim_all(piece: _Piece) -> bool:
    """Trim the sessions with more turns than the policy allows; held ones wait."""
    while policy := piece.policy():
        over = Due(tier=piece.row.tier, person=piece.row.person_id, policy=policy).get_overfull()
        rows = over.filter(pk__gt=piece.row.reached) if piece.row.reached else over
        session_id = rows.order_by("pk").values_list("pk", flat=True).first()
        if session_id is None:
            break
        try:
            keep = policy.max_turns
            trim(session_id, keep=keep, pulse=piece.pulse, count=piece.row.count)
        except (Ended, jobs.LostLease):
            raise
        except Held:  # it waits for the end of the hold
            pass
        except Exception as error:  # a failure must not keep the others from being trimmed
            if is_passing(error):
                raise
            note_untrimmed(session_id, error)
            piece.row.count(skipped=1)
        piece.reach(session_id, Stage.TRIMMING)
        if piece.seconds <= 0:
            return False
    return True
