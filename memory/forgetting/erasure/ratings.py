"""Deletion of a person's ratings of answers, after the consent to their use is withdrawn."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from memory.holds import find_held
from memory.jobs import Pulse
from memory.models import Purpose, Session, Turn
from memory.personal_data.consent import DELETE_RATINGS, allows
from memory.postponed import deletes_unheld

BATCH = 200


@deletes_unheld(DELETE_RATINGS, for_person=True)
def delete_ratings(owner_id: UUID, pulse: Pulse) -> bool:
    """Delete the person's ratings, unless they have consented to their use again."""
    after: UUID | None = None
    is_kept = False
    turns = Turn.objects.filter(owner_id=owner_id).order_by("id")
    turns = turns.only("owner_id", "session_id", "rating", "feedback")
    while rows := list((turns.filter(id__gt=after) if after else turns)[:BATCH]):
        with transaction.atomic():
            if allows(owner_id, Purpose.IMPROVE):
                return False
            is_kept |= _unrate(rows)
        after = rows[-1].pk
        pulse()
    return is_kept


def _unrate(turns: Sequence[Turn]) -> bool:
    """Delete the ratings of these turns, except held ones; return whether there are held ones."""
    rated = [turn for turn in turns if turn.rating is not None or turn.feedback]
    sessions = {turn.session_id for turn in rated}
    # Placing a hold locks the same rows: it comes before or after.
    rows = Session.objects.filter(pk__in=sessions).order_by("pk").select_for_update()
    list(rows.values_list("pk", flat=True))
    held = find_held(sessions)
    feedback = Turn._meta.get_field("feedback")
    for turn in rated:
        if turn.session_id not in held:
            unsaid = feedback.seal_value(turn, "")
            Turn.objects.filter(pk=turn.pk).update(rating=None, feedback=unsaid)
    return bool(held)
