"""Deletion of a document with everything derived from it.

The citations of a deleted shared document keep their quotes, marked as removed. With a private
document its quotes and the answers built on it are deleted. Those answers are withdrawn first, in
batches. Then the document is deleted under its lock. Recording an answer takes the same lock
(citations.attribution.citing), so no new citation can slip in between.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef

from citations.library import NotYours, may_change
from citations.models import Citation, Document
from citations.sources.versions import reinstate_replaced
from memory import audit
from memory.errors import Held, NotFound
from memory.forgetting.answers import delete_answers
from memory.forgetting.erasure.lineage import delete_jobs, goes_with_answers
from memory.holds import find_held, keeping_wish, refuse_held
from memory.models import Turn, User
from memory.models.turns import TurnQuerySet
from memory.outages import one_transaction
from memory.personal_data.packages import delete_unfetched
from memory.postgresql.scope import Purpose, whole_installation
from memory.postponed import carries_out
from memory.sealing import ledger

DOCUMENT = "document"
AT_ONCE = 100  # sessions between two queries for the rest


@dataclass(frozen=True)
class Loss:
    """The effects of deleting a document."""

    passages: int
    # Answers built on it: deleted with a private document, kept with quotes for a shared one.
    answers: int
    is_shared: bool


def describe_loss(document: Document, *, reader: User) -> Loss:
    """Return the losses that the person confirms before deleting the document."""
    return Loss(
        passages=document.passage_count,
        answers=_select_dependent_turns(document).visible(reader).count(),
        is_shared=document.owner_id is None,
    )


@goes_with_answers
def delete_citations(turn: Turn) -> None:
    """Delete the citations and claims of the turn's answer."""
    turn.citations.all().delete()
    turn.claims.all().delete()


def delete_from_library(document: Document, *, actor: User) -> None:
    """Delete a document with everything derived from it. Raises NotYours."""
    if not may_change(document, actor):
        raise NotYours
    delete_document(document, actor=actor)


def delete_document(document: Document, *, actor: User | None) -> None:
    """Delete the document with its passages, index rows and derived data.

    Raises NotFound if it is already deleted. Raises Held, and defers the deletion, while a legal
    hold is on it or on a conversation whose answers would go. If interrupted, it can be called
    again.
    """
    with keeping_wish(document, DOCUMENT, actor=_get_actor_id(actor)):
        # Checked before any deletion, and again after each batch: a hold may be placed in between.
        refuse_held(document)
        if document.owner_id is not None:
            answers = _select_dependent_turns(document).order_by()
            if find_held(answers.values_list("session_id", flat=True).distinct()):
                raise Held
        while document.owner_id is not None and _withdraw_some(document):
            refuse_held(document)
        is_shared = document.owner_id is None
        with whole_installation(Purpose.LIBRARY) if is_shared else nullcontext():
            is_gone = _has_deleted(document, _get_actor_id(actor))
    if not is_gone:
        delete_document(document, actor=actor)


@one_transaction
def _has_deleted(document: Document, actor: UUID | None) -> bool:
    """Delete it, unless an answer that is built on it was recorded in between."""
    locked = Document.objects.select_for_update().filter(pk=document.pk)
    if not locked.exists():
        raise NotFound
    # Waits for answers that are being recorded; later ones find the document deleted.
    list(document.offered.select_for_update().values_list("pk", flat=True))
    refuse_held(document)
    if document.owner_id is not None and _select_dependent_turns(document).exists():
        return False
    audit.record("document.removed", actor=actor, subject=document)
    delete_jobs([document.pk])
    if document.owner_id is not None:
        delete_unfetched(document.owner_id)
    reinstate_replaced(document, actor=actor)
    # Triggers update the index (citations/migrations/0002_index.py).
    Document(pk=document.pk).delete()
    ledger.note(document)
    return True


@carries_out(DOCUMENT)
def delete_document_later(document_id: UUID, actor: UUID | None) -> None:
    """Carry out a deferred deletion. Raises Held and NotFound."""
    document = Document.objects.filter(pk=document_id).first()
    if document is None:
        raise NotFound
    delete_document(document, actor=User(pk=actor) if actor else None)


def _get_actor_id(actor: User | None) -> UUID | None:
    return actor.pk if actor else None


def _select_dependent_turns(document: Document) -> TurnQuerySet:
    """Select answers that cite it, and answers without markers whose prompt offered it."""
    cited = Citation.objects.filter(source__document=document).order_by()
    marked = Citation.objects.filter(turn=OuterRef("pk"), is_added=False)
    offered = Turn.objects.filter(offered__document=document, response_tokens__gt=0)
    uncited = offered.filter(~Exists(marked))
    # A union, since PostgreSQL would scan all turns for an OR of both conditions.
    return Turn.objects.filter(pk__in=cited.values("turn").union(uncited.values("pk")))


def _withdraw_some(document: Document) -> bool:
    """Withdraw the answers of some sessions; return whether there were any."""
    rows = _select_dependent_turns(document).order_by("session_id")
    sessions = list(rows.values_list("session_id", flat=True).distinct()[:AT_ONCE])
    for session_id in sessions:
        of_session = _select_dependent_turns(document).filter(session_id=session_id)
        delete_answers(session_id, set(of_session.values_list("pk", flat=True)))
    return bool(sessions)
