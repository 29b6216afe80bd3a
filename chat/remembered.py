"""What a session remembers, in the shapes in which it leaves the house."""

from chat.structures import Shape
from citations.active import ActiveDocument, ActiveSection, active_documents, active_sections
from memory.models import Session
from memory.recall.entities import Weighed, remembered


def memory_shape(session: Session) -> Shape:
    """Return what the session remembers: six queries, however much it is."""
    return {
        "session_id": str(session.pk),
        "entities": [entity_shape(each) for each in remembered(session)],
        "documents": [document_shape(each) for each in active_documents(session)],
        "sections": [section_shape(each) for each in active_sections(session)],
    }


def entity_shape(weighed: Weighed) -> Shape:
    """Return a thing that is remembered with the turn that its words come from."""
    row = weighed.entity
    return {
        "entity_id": str(row.pk),
        "kind": row.kind,
        "name": row.name,
        "snippet": row.snippet,
        "turn_id": str(row.turn_id) if row.turn_id else None,
        "last_position": row.position,
        "mentions": row.mentions,
        "weight": weighed.weight,
        "kept": row.is_kept,
    }


def document_shape(active: ActiveDocument) -> Shape:
    """Return a document that the session is about, and what the person said of it."""
    return {
        "document_id": str(active.document.pk),
        "title": active.document.title,
        "standing": active.standing or None,
        "last_position": active.position or None,
        "turns": active.turns,
    }


def section_shape(active: ActiveSection) -> Shape:
    return {
        "document_id": str(active.document.pk),
        "heading": active.heading,
        "last_position": active.position,
    }
