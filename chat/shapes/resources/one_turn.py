"""Rows that one turn is shown with."""

from uuid import UUID

from django.db.models import QuerySet

from chat.models import ContextEarlier, ContextFact
from chat.shapes.resources.turns import OF_ELSEWHERE
from citations.models import Citation, Claim
from memory.models import RewriteSource, Turn
from memory.models.rows import set_prefetched


def read_citations(turn: Turn) -> None:
    """Read of one turn what `with_citations` loads."""
    key = turn.owner_id, turn.pk
    set_prefetched(turn, "citations", _citations(*key))
    set_prefetched(turn, "claims", _claims(*key))
    set_prefetched(turn, "rewrite_sources", _rewrite_sources(*key))
    set_prefetched(turn, "earlier_used", _earlier_used(*key))
    set_prefetched(turn, "facts_used", _facts_used(*key))


def _citations(owner: UUID, turn: UUID) -> QuerySet[Citation]:
    mine = Citation.objects.filter(turn=Turn(pk=turn, owner_id=owner))
    return mine.select_related("source__document", "passage").order_by("start")


def _claims(owner: UUID, turn: UUID) -> QuerySet[Claim]:
    return Claim.objects.filter(turn=Turn(pk=turn, owner_id=owner))


def _rewrite_sources(owner: UUID, turn: UUID) -> QuerySet[RewriteSource]:
    mine = RewriteSource.objects.filter(turn=Turn(pk=turn, owner_id=owner))
    return mine.select_related("source").only("turn", "source__position")


def _earlier_used(owner: UUID, turn: UUID) -> QuerySet[ContextEarlier]:
    mine = ContextEarlier.objects.filter(answer=Turn(pk=turn, owner_id=owner))
    return mine.prefetch_related(OF_ELSEWHERE).order_by()


def _facts_used(owner: UUID, turn: UUID) -> QuerySet[ContextFact]:
    mine = ContextFact.objects.filter(answer=Turn(pk=turn, owner_id=owner), fact__deleted_at=None)
    return mine.prefetch_related("fact").order_by("pk")
