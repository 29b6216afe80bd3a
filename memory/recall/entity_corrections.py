"""Corrections of a session's entities by the person: add, change or delete."""

from django.utils.translation import gettext_lazy

from memory import audit
from memory.errors import NotFound, Refusal
from memory.holds import refuse_overwriting
from memory.models import Entity, Session, Turn
from memory.outages import one_transaction
from memory.recall.entities import MOST, compute_fingerprints, trim


class EntityExists(Refusal):
    code = "entity_exists"
    says = gettext_lazy("The conversation already remembers something by this name.")


class MemoryFull(Refusal):
    code = "memory_full"
    says = gettext_lazy("The memory of the conversation is full. Remove something first.")


@one_transaction
def add(
    session: Session, *, name: str, kind: str, snippet: str = "", turn: Turn | None = None
) -> Entity:
    """Add an entity to the session. Raises EntityExists or MemoryFull.

    With a `turn` it belongs to that turn, and is deleted with it.
    """
    current = _lock_session(session)
    (fingerprint,) = compute_fingerprints(current, [name])
    _make_way(current, fingerprint)
    if current.entities.filter(standing=Entity.Standing.KEPT).count() >= MOST:
        raise MemoryFull
    row = Entity.objects.create(
        session=current,
        owner_id=current.owner_id,
        turn=turn,
        kind=kind,
        standing=Entity.Standing.KEPT,
        fingerprint=fingerprint,
        name=name,
        snippet=snippet,
        position=current.last_position,
    )
    trim(current)
    audit.record("entity.added", actor=current.owner_id, subject=row)
    return row


@one_transaction
def change(entity: Entity, **values: str) -> None:
    """Correct an entity's name, kind or snippet; it is the person's then. As `add`, and Held.

    A legal hold protects the session's entities; more can be added.
    """
    current, before = _lock_session(entity.session), entity.fingerprint
    refuse_overwriting(current)
    (fingerprint,) = compute_fingerprints(current, [values.get("name", entity.name)])
    if fingerprint != before:
        _make_way(current, fingerprint)
    for field, value in values.items():
        setattr(entity, field, value)
    entity.fingerprint, entity.standing = fingerprint, Entity.Standing.KEPT
    _save(entity, "entity.changed", [*values, "fingerprint", "standing"])
    if fingerprint != before:
        _bury(current, before)


@one_transaction
def delete(entity: Entity) -> None:
    """Delete an entity for good, or raise Held.

    Only its fingerprint stays, so that it isn't added again.
    """
    refuse_overwriting(_lock_session(entity.session))
    entity.name = entity.snippet = ""
    entity.turn, entity.standing = None, Entity.Standing.REMOVED
    _save(entity, "entity.removed", ["name", "snippet", "turn", "standing"])


def _lock_session(session: Session) -> Session:
    current = Session.objects.select_for_update().filter(pk=session.pk).first()
    if current is None:
        raise NotFound
    return current


def _save(entity: Entity, action: str, fields: list[str]) -> None:
    # It may have been deleted, perhaps with its turn, since it was read.
    if not Entity.objects.remembered().filter(pk=entity.pk).exists():
        raise NotFound
    entity.save(update_fields=fields)
    audit.record(action, actor=entity.owner_id, subject=entity)


def _make_way(session: Session, fingerprint: str) -> None:
    """Make a removed name available again; one in use stays."""
    rows = session.entities.filter(fingerprint=fingerprint)
    if rows.remembered().exists():
        raise EntityExists
    rows.delete()


def _bury(session: Session, fingerprint: str) -> None:
    """Prevent a name that the person replaced from being added automatically."""
    Entity.objects.create(
        session=session,
        owner_id=session.owner_id,
        kind=Entity.Kind.NAME,
        standing=Entity.Standing.REMOVED,
        fingerprint=fingerprint,
        name="",
        snippet="",
        position=0,
    )
