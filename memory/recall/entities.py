"""Entities that a session remembers, and their corrections by the person.

An entity's weight is computed on read. It halves in HALF_LIFE turns without a mention, faster after
a change of topic, and slower the more turns have mentioned it. The lightest are deleted when there
are more than MOST. An entity depends on the turn of its words; when that turn is deleted, it is
searched for in the other turns again.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.jobs import AuditClass, WorkClass, enqueue, register_kind
from memory.models import Entity, Session, Turn
from memory.models.blocks import EntityQuerySet
from memory.outages import one_transaction
from memory.recall.naming import Named, normalise_name
from memory.recall.rewriting.exchanges import Known
from memory.recall.topics import select_topic
from memory.sealing import fingerprint_words

REMEMBER = register_kind("remember_turn", WorkClass.CONVERSATIONS, AuditClass.DERIVED)
MOST, MOST_REMOVED, GIVEN = 50, 200, 20
LOOKED_AT_AGAIN = 50
HALF_LIFE = 6.0
# Weight of turns since a change of topic.
FADED = 4
KEPT_MENTIONS = 4
PLACES = (Entity.Kind.DOCUMENT, Entity.Kind.SECTION)


@dataclass(frozen=True)
class Weighed:
    """A remembered entity, and its weight from 0 to 1."""

    entity: Entity
    weight: float
    # Its topic was left, and the person didn't confirm it.
    is_left: bool = False


def list_known_entities(session: Session, before: int) -> list[Known]:
    """Return the entities that a question may mean, the heaviest first: one query."""
    rows = _select_known_entities(session, before)
    present = [each for each in _weigh_entities(rows, before) if not each.is_left]
    return [
        Known(each.entity.name, each.entity.kind, each.entity.position) for each in present[:GIVEN]
    ]


def _select_known_entities(session: Session, before: int) -> QuerySet[Entity]:
    told = Q(turn=None) | Q(turn__position__lt=before)
    # The place of an answer is no evidence for the meaning of a question.
    place = Q(kind__in=PLACES, standing=Entity.Standing.FOUND)
    rows = Entity.objects.filter(session=session).remembered().filter(told).exclude(place)
    return rows.annotate(topic=select_topic(session, before))


def list_remembered_entities(session: Session) -> list[Weighed]:
    """Return the session's entities with their turns: one query."""
    return _weigh_entities(
        _select_remembered(session).select_related("turn"), session.last_position + 1
    )


def _select_remembered(session: Session) -> EntityQuerySet:
    topic = select_topic(session, session.last_position + 1)
    return session.entities.remembered().annotate(topic=topic)


def _weigh_entities(rows: Iterable[Entity], before: int) -> list[Weighed]:
    weighed = []
    for row in rows:
        is_left = row.position < (vars(row)["topic"] or 0) and not row.is_kept
        weighed.append(Weighed(row, compute_weight(row, before, is_left=is_left), is_left))
    return sorted(weighed, key=lambda each: (-each.weight, -each.entity.position, each.entity.pk))


def compute_weight(entity: Entity, before: int, *, is_left: bool = False) -> float:
    """Return the entity's weight at a position."""
    distance = max(before - entity.position - 1, 0) * (FADED if is_left else 1)
    mentions = entity.mentions + (KEPT_MENTIONS if entity.is_kept else 0)
    return round(mentions / (mentions + 1) * 0.5 ** (distance / HALF_LIFE), 4)


# --- From turns ----------------------------------------------------------------------------------


@one_transaction
def remember(turn: Turn, named: Sequence[Named]) -> None:
    """Add the entities of a finished turn to its session's."""
    mine = Session.objects.filter(pk=turn.session_id, owner=turn.owner_id)
    session = mine.select_for_update().first()
    # Its answer may have been deleted meanwhile.
    if session is None or not session.turns.remembered().filter(pk=turn.pk).exists():
        return
    prints = compute_fingerprints(session, [each.name for each in named])
    rows = session.entities.filter(fingerprint__in=prints)
    there = {row.fingerprint: row for row in rows}
    for fingerprint, each in zip(prints, named, strict=True):
        if fingerprint in there:
            _mention(there[fingerprint], turn, each)
        else:
            there[fingerprint] = Entity.objects.create(
                session_id=turn.session_id,
                owner_id=turn.owner_id,
                turn=turn,
                kind=each.kind,
                fingerprint=fingerprint,
                name=each.name,
                snippet=each.snippet,
                position=turn.position,
            )
    trim(session)


def _mention(row: Entity, turn: Turn, named: Named) -> None:
    """Count the mention; a more informative sentence replaces the stored one."""
    if row.standing == Entity.Standing.REMOVED:
        return
    if row.position < turn.position:
        row.position, row.mentions = turn.position, row.mentions + 1
    defines = named.kind == Entity.Kind.TERM != row.kind
    if row.standing == Entity.Standing.FOUND and named.snippet and (defines or not row.snippet):
        row.turn, row.kind, row.snippet = turn, named.kind, named.snippet
    row.save(update_fields=["position", "mentions", "turn", "kind", "snippet"])


def delete_named_in(session: Session, turns: Collection[UUID]) -> None:
    """Delete the entities of these turns, whose answers are deleted, and search the others.

    Call with the session locked.
    """
    gone, _by_model = session.entities.filter(turn__in=turns).delete()
    if not gone:
        return
    others = session.turns.remembered().order_by("-position").values_list("pk", flat=True)
    for pk in list(others[:LOOKED_AT_AGAIN])[::-1]:
        enqueue(REMEMBER, pk, owner=session.owner_id)


def compute_fingerprints(session: Session, names: Iterable[str]) -> list[str]:
    """Return a keyed fingerprint of each name, which hides it."""
    return fingerprint_words(
        [f"entity {normalise_name(name)}" for name in names], owner=session.owner_id
    )


def trim(session: Session) -> None:
    """Delete the lightest entities beyond MOST; call with the session locked."""
    weighed = _weigh_entities(_select_remembered(session), session.last_position + 1)
    if faintest := [each.entity.pk for each in weighed[MOST:]]:
        Entity.objects.filter(pk__in=faintest).delete()
    removed = session.entities.filter(standing=Entity.Standing.REMOVED).order_by("-created_at")
    old = list(removed.values_list("pk", flat=True)[MOST_REMOVED : 2 * MOST_REMOVED])
    if old:
        Entity.objects.filter(pk__in=old).delete()
