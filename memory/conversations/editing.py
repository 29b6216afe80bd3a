"""Changes that a person may make: a conversation's title and settings, and an answer's rating.

A legal hold prevents changes to anything already written.
"""

from django.db import transaction

from memory import audit
from memory.errors import NotFound
from memory.forgetting.retention.lifetimes import rearrange
from memory.holds import refuse_overwriting
from memory.models import Purpose, Session, Turn
from memory.models.conversations import TitleBy
from memory.personal_data import consent

# Fields that a hold protects once they are set. Settings and first ratings lose nothing.
WRITTEN = frozenset({"title", "metadata", "rating", "feedback"})


def rename(session: Session, title: str) -> None:
    """Rename the conversation, or raise Held; its clock doesn't move."""
    _set(session, "session.renamed", _add_title_author({"title": title}))


def change(session: Session, **values: object) -> None:
    """Change the conversation's settings, such as its window; its clock doesn't move.

    Pinned and archived ones may have other lifetimes. Raises Held for a title or metadata, never
    for a setting.
    """
    if not values:
        return
    with transaction.atomic():
        _set(session, "session.changed", _add_title_author(values))
        if {"pinned", "archived"} & set(values):
            rearrange(session)


def rate_answer(turn: Turn, *, rating: int | None, feedback: str) -> None:
    """Store the person's rating of the answer: a thumb up (1), down (-1) or none, and why.

    Ratings serve to improve answers, so they need the person's consent to that. Raises Held if a
    rating under a hold would be replaced.
    """
    with transaction.atomic():
        _lock_row(turn)  # before the person, as everywhere
        consent.lock_person(turn.owner_id)
        consent.require(turn.owner_id, Purpose.IMPROVE)
        _set(turn, "turn.rated", {"rating": rating, "feedback": feedback})


def _add_title_author(values: dict[str, object]) -> dict[str, object]:
    """Add the author of the title to the values; an emptied title has none."""
    if "title" not in values:
        return values
    return values | {"title_by": TitleBy.PERSON if values["title"] else ""}


def _set(row: Session | Turn, action: str, values: dict[str, object]) -> None:
    with transaction.atomic():
        current = _lock_row(row)
        written = {name: getattr(current, name) for name in WRITTEN & set(values)}
        if any(before and before != values[name] for name, before in written.items()):
            refuse_overwriting(current)
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
        audit.record(action, actor=row.owner_id, subject=row)


def _lock_row(row: Session | Turn) -> Session | Turn:
    """Return the current row, which may have been erased since it was read.

    Its session is locked, as by placing a hold.
    """
    session_id = row.session_id if isinstance(row, Turn) else row.pk
    is_there = Session.objects.select_for_update().filter(pk=session_id).exists()
    current = type(row).objects.filter(pk=row.pk).first() if is_there else None
    if current is None:
        raise NotFound
    return current
