"""The lineage of a turn: deleted with it are the rows made from it, and its traces elsewhere.

Foreign keys delete its attempts, citations, context records and idempotency keys. Its vectors and
words are removed from blocks shared with other turns, and its words from the title. Also deleted
are memories made from it, every summary that covers it, edited or not, its jobs, and an unfetched
package. Rewrites of later questions may hold its words, so they are deleted too, and an answer
being written with it as context ends. Positions and the numbers of sources stay, and are not
reused.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from memory import audit
from memory.jobs.batches import delete_whole
from memory.models import Attempt, Job, PurgeFailure, Session, Turn
from memory.models.conversations import Rewriting, TitleBy
from memory.personal_data.packages import delete_unfetched
from memory.recall import entities
from memory.recall.facts.ending import restore_replaced
from memory.recall.index.indexing import forget
from memory.recall.summaries import editing
from memory.recall.titles import has_title, make_title
from memory.sealing import ledger

# Hooks of other apps: given an answer's turn, they delete their rows derived from it.
AnswerGoes = Callable[[Turn], None]
_made_of_answers: list[AnswerGoes] = []
# The failure of an answer whose context was erased while it was written.
CONTEXT_ERASED = "context_erased"


def delete_session(session: Session, *, actor: UUID | None) -> None:
    """Delete a session with everything made from it; call with the session locked."""
    restore_replaced(Q(session=session.pk))
    delete_unnoted(session, actor=actor)
    ledger.note(session)


def delete_unnoted(session: Session, *, actor: UUID | None) -> None:
    """Delete a session, but leave its id free: it never had a question."""
    turns = list(session.turns.values_list("pk", flat=True))
    audit.record("session.erased", actor=actor, subject=session)
    delete_jobs([session.pk, *turns])
    PurgeFailure.objects.filter(pk=session.pk).delete()
    delete_whole(Session, [session.pk])
    delete_unfetched(session.owner_id)


def delete_turn(session: Session, turn: Turn, *, actor: UUID | None) -> None:
    """Delete a turn with everything made from it; call with the session locked."""
    audit.record("turn.erased", actor=actor, subject=turn)
    restore_replaced(Q(turn=turn.pk))
    delete_turns(session, [turn])
    ledger.note(turn)


def delete_turns(session: Session, turns: Sequence[Turn]) -> None:
    """Delete turns, in order, with everything made from them.

    Call it with the session locked.
    """
    ids = [turn.pk for turn in turns]
    delete_derived(session, turns)
    delete_jobs(ids)
    delete_whole(Turn, ids)
    delete_unfetched(session.owner_id)
    Session.objects.filter(pk=session.pk, owner=session.owner_id).update(
        turn_count=F("turn_count") - len(turns),
        context_tokens=F("context_tokens") - sum(turn.tokens for turn in turns),
    )
    # A title is made from the first question.
    _retitle(session, turns[0])


def delete_derived(session: Session, turns: Collection[Turn]) -> None:
    """Delete the traces of these turns in the session's vectors, words, entities and turns."""
    positions = [turn.position for turn in turns]
    first = min(positions)
    later = session.turns.filter(position__gt=first).exclude(position__in=positions)
    _interrupt(session, later.open().values_list("pk", flat=True).first())
    made = session.turns.filter(position__gte=first, rewriting=Rewriting.AUTOMATIC)
    made.update(standalone_query=None)
    forget(session, positions)
    editing.delete_summaries(session, positions)
    entities.delete_named_in(session, [turn.pk for turn in turns])


def goes_with_answers(function: AnswerGoes) -> AnswerGoes:
    """Register the function that deletes an app's rows of a deleted answer whose question stays."""
    _made_of_answers.append(function)
    return function


def delete_made_of_answer(turn: Turn) -> None:
    """Delete the rows that other apps derived from the turn's answer."""
    for function in _made_of_answers:
        function(turn)


def delete_jobs(subjects: "Collection[UUID] | QuerySet[Any, Any]") -> int:
    """Delete the jobs about these rows; a worker loses its lease on them."""
    return Job.objects.filter(subject__in=subjects).delete()[0]


def delete_person_jobs(person: UUID) -> int:
    """Delete the person's jobs; the job of their erasure has no owner."""
    return Job.objects.filter(owner_id=person).delete()[0]


def _interrupt(session: Session, turn_id: UUID | None) -> None:
    """End the open answer whose context contains the erased words."""
    if turn_id is None:
        return
    now = timezone.now()
    attempts = Attempt.objects.filter(turn_id=turn_id, finished_at=None)
    for attempt in attempts:  # at most one
        unsaid = Attempt._meta.get_field("partial").seal_value(attempt, "")
        attempts.filter(pk=attempt.pk).update(
            finished_at=now,
            outcome=Turn.Status.INTERRUPTED,
            failure=CONTEXT_ERASED,
            opening=None,
            partial=unsaid,
        )
    session.turns.filter(pk=turn_id).update(
        status=Turn.Status.INTERRUPTED, failure=CONTEXT_ERASED, finished_at=now
    )


def _retitle(session: Session, turn: Turn) -> None:
    """Retitle a session that was named after the deleted question."""
    if not session.title or not has_title(session.title, turn.query):
        return
    first = session.turns.aggregate(first=Min("position"))["first"]
    named_by = session.turns.filter(position=first).first()
    title = make_title(named_by.query) if named_by else ""
    sealed = Session._meta.get_field("title").seal_value(session, title)
    mine = Session.objects.filter(pk=session.pk, owner=session.owner_id)
    mine.update(title=sealed, title_by=TitleBy.QUESTION)
