"""A session's memory in the API and exports."""

from typing import Annotated, TypedDict

from chat.shapes.resources.vocabulary import Id, shape
from citations.models import DocumentStanding
from citations.session_focus.active import (
    ActiveDocument,
    ActiveSection,
    list_active_documents,
    list_active_sections,
)
from memory.models import Entity, Session
from memory.recall.entities import Weighed, list_remembered_entities


class EntityAnswer(TypedDict):
    entity_id: Id
    kind: Annotated[str, Entity.Kind]
    name: str
    snippet: Annotated[str, "The sentence that says what it is; empty if none did."]
    turn_id: Annotated[Id | None, "The turn it comes from; null if you wrote it down."]
    last_position: Annotated[int, "Of the turn that mentioned it last."]
    mentions: Annotated[int, "In how many turns."]
    weight: Annotated[float, "How present it is, 0 to 1; it fades with every turn."]
    kept: Annotated[bool, "Whether you wrote or corrected it."]


def entity_shape(weighed: Weighed) -> EntityAnswer:
    """Return an entity with the turn of its snippet."""
    row = weighed.entity
    return shape(
        EntityAnswer,
        row,
        entity_id=str(row.pk),
        last_position=row.position,
        weight=weighed.weight,
        kept=row.is_kept,
    )


class ActiveDocumentAnswer(TypedDict):
    document_id: Id
    title: str
    standing: Annotated[str | None, DocumentStanding.Standing, "As you said."]
    last_position: Annotated[
        int | None, "Of the last turn that cites it; null if no recent one does."
    ]
    turns: Annotated[int, "How many recent turns cite it."]


def active_document_shape(active: ActiveDocument) -> ActiveDocumentAnswer:
    """Return an active document of the session, and the weight that the person gave it."""
    return {
        "document_id": str(active.document.pk),
        "title": active.document.title,
        "standing": active.standing or None,
        "last_position": active.position or None,
        "turns": active.turns,
    }


class ActiveSectionAnswer(TypedDict):
    document_id: Id
    heading: str
    last_position: Annotated[int, "Of the last turn that cites it."]


def active_section_shape(active: ActiveSection) -> ActiveSectionAnswer:
    """Return a section that recent answers cite."""
    return {
        "document_id": str(active.document.pk),
        "heading": active.heading,
        "last_position": active.position,
    }


class MemoryAnswer(TypedDict):
    session_id: Id
    entities: Annotated[list[EntityAnswer], "The most present first."]
    documents: Annotated[
        list[ActiveDocumentAnswer], "Those you said something of, then those cited on this topic."
    ]
    sections: Annotated[list[ActiveSectionAnswer], "The latest first."]


def memory_shape(session: Session) -> MemoryAnswer:
    """Return the session's entities, documents and sections: six queries."""
    return {
        "session_id": str(session.pk),
        "entities": [entity_shape(each) for each in list_remembered_entities(session)],
        "documents": [active_document_shape(each) for each in list_active_documents(session)],
        "sections": [active_section_shape(each) for each in list_active_sections(session)],
    }
