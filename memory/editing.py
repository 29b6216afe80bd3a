"""What a person may change: a conversation's title and settings, and an answer's rating."""

from django.db import transaction

from memory import audit
from memory.errors import NotFound
from memory.forgetting import consent
from memory.forgetting.lifetimes import rearrange
from memory.models import Purpose, Session, Turn


def rename(session: Session, title: str) -> None:
    """Give the conversation another title; its clock doesn't move."""
    _set(session, "session.renamed", {"title": title})


def change(session: Session, **values: object) -> None:
    """Give the conversation other settings, such as its window; its clock doesn't move.

    Those that are pinned or archived may have clocks of their own.
    """
    if not values:
        return
    with transaction.atomic():
        _set(session, "session.changed", values)
        if {"pinned", "archived"} & set(values):
            rearrange(session)


def rate(turn: Turn, *, rating: int | None, feedback: str) -> None:
    """Note what the person thinks of the answer: a thumb up (1), down (-1) or none, and why.

    Ratings serve to make answers better, so they take the person's consent to that.
    """
    with transaction.atomic():
        consent.hold_still(turn.owner_id)
        consent.require(turn.owner_id, Purpose.IMPROVE)
        _set(turn, "turn.rated", {"rating": rating, "feedback": feedback})


def _set(row: Session | Turn, action: str, values: dict[str, object]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    with transaction.atomic():
        # It may have been erased since it was looked up.
        if not type(row).objects.select_for_update().filter(pk=row.pk).exists():
            raise NotFound
        row.save(update_fields=list(values))
        audit.record(action, actor=row.owner_id, subject=row)
