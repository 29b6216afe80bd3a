"""The sources of an answer's text, for memory.conversations.sources."""

from citations.models import Citation, Claim, OfferedDocument
from memory.conversations import sources
from memory.models import Turn


def _delete_citations(turn: Turn) -> None:
    Citation.objects.filter(turn=turn).delete()
    Claim.objects.filter(turn=turn).delete()


def _has_lost_document(turn: Turn) -> bool:
    """Return whether a private document that the turn's prompt offered was deleted."""
    # Locked, so that a deletion waits for this text, or this text for the deletion.
    offered = OfferedDocument.objects.filter(turn=turn).select_for_update()
    return None in list(offered.values_list("document_id", flat=True))


sources.deletions.append(_delete_citations)
sources.losses.append(_has_lost_document)
