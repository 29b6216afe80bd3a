"""What the citations keep of an answer's text, for whoever writes texts (memory.conversations)."""

from citations.models import Citation, Claim, OfferedDocument
from memory.conversations import sources
from memory.models import Turn


class CitedSources:
    """Citations and claims go with their text; a text that offered a deleted document is lost."""

    def let_go_of(self, turn: Turn) -> None:
        """Delete the turn's citations and claims."""
        Citation.objects.filter(turn=turn).delete()
        Claim.objects.filter(turn=turn).delete()

    def may_be_gone(self, turn: Turn) -> bool:
        """Return whether a private document that the turn's prompt offered is gone."""
        # Locked, so that a removal waits for this text, or this text for the removal.
        offered = OfferedDocument.objects.filter(turn=turn).select_for_update()
        return None in list(offered.values_list("document_id", flat=True))


sources.register(CitedSources())
