"""Endpoints for a session's memory: read and correct it, and weight its documents."""

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema.bodies import Strict
from chat.api.schema.documentation import describe_answer, documented
from chat.api.schema.examples import EXAMPLE_ENTITY
from chat.api.schema.fields import ChoiceField, IdField, LineField, TextField
from chat.protocol.parsing import parse_id
from chat.protocol.requests import Endpoint, check_body, find_row, get_own_session
from chat.shapes.resources.memory import (
    ActiveDocumentAnswer,
    EntityAnswer,
    MemoryAnswer,
    active_document_shape,
    entity_shape,
    memory_shape,
)
from citations.models import DocumentStanding
from citations.session_focus import active
from memory.models import Entity
from memory.recall import entities, entity_corrections
from memory.recall.entities import Weighed
from memory.recall.naming import LONGEST_NAME, LONGEST_SNIPPET


class EntityChanges(Strict):
    """Changes of an entity, in the person's words."""

    name = LineField(max_length=LONGEST_NAME, required=False)
    kind = ChoiceField(choices=Entity.Kind.choices, required=False)
    snippet = TextField(
        max_length=LONGEST_SNIPPET, allow_blank=True, required=False, help_text="What it is."
    )


class NewEntity(EntityChanges):
    name = LineField(max_length=LONGEST_NAME)
    kind = ChoiceField(choices=Entity.Kind.choices, default=Entity.Kind.NAME)
    turn_id = IdField(
        allow_null=True,
        required=False,
        help_text="A turn of the session that it comes from: it goes with that turn.",
    )


class NewStanding(Strict):
    standing = ChoiceField(
        choices=DocumentStanding.Standing.choices,
        allow_null=True,
        help_text="`boosted` ranks its passages higher, `muted` lower without hiding them, "
        "`required` has one among those found if any fits; null takes it back.",
    )


# --- For the schema ------------------------------------------------------------------------------

MEMORY = describe_answer(MemoryAnswer, "What the session remembers.")
ENTITY = describe_answer(EntityAnswer, "The thing as it is remembered.", EXAMPLE_ENTITY)
STANDING = describe_answer(ActiveDocumentAnswer, "The document as it stands.")


# --- Endpoints -----------------------------------------------------------------------------------


class Memory(Endpoint):
    @documented(
        "read_memory",
        "Read what a session remembers: names, terms, documents and sections",
        answer=MEMORY,
    )
    def get(self, request: Request, session_id: str) -> Response:
        return Response(memory_shape(get_own_session(request, session_id)))


class Entities(Endpoint):
    @documented(
        "add_entity",
        "Have a session remember a name or a term",
        request=NewEntity,
        answer=ENTITY,
        status=201,
        errors=(409,),
    )
    def post(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        values = check_body(request, NewEntity)
        turn_id = values.pop("turn_id", None)
        turn = find_row(session.turns.remembered(), str(turn_id)) if turn_id else None
        entity = entity_corrections.add(session, turn=turn, **values)
        return Response(_entity_shape(entity), status=201)


class OneEntity(Endpoint):
    @documented(
        "change_entity",
        "Correct what a session remembers; from then on it is kept as you wrote it",
        request=EntityChanges,
        answer=ENTITY,
        errors=(409,),
    )
    def patch(self, request: Request, session_id: str, entity_id: str) -> Response:
        entity = _get_own_entity(request, session_id, entity_id)
        if values := check_body(request, EntityChanges):
            entity_corrections.change(entity, **values)
        return Response(_entity_shape(entity))

    @documented(
        "remove_entity", "Have a session forget a name or a term; it doesn't come back by itself"
    )
    def delete(self, request: Request, session_id: str, entity_id: str) -> Response:
        entity_corrections.delete(_get_own_entity(request, session_id, entity_id))
        return Response(status=204)


class StandingInSession(Endpoint):
    @documented(
        "say_standing",
        "Say how a document stands in a session",
        request=NewStanding,
        answer=STANDING,
        tag="sessions",
    )
    def put(self, request: Request, session_id: str, document_id: str) -> Response:
        session = get_own_session(request, session_id)
        values = check_body(request, NewStanding)
        with transaction.atomic():
            active.set_standing(session, parse_id(document_id), values["standing"] or "")
            row = active.get_active_document(session, parse_id(document_id))
        return Response(active_document_shape(row))


def _get_own_entity(request: Request, session_id: str, entity_id: str) -> Entity:
    session = get_own_session(request, session_id)
    rows = Entity.objects.visible(session.owner).filter(session=session)
    return find_row(rows.select_related("session"), entity_id)


def _entity_shape(entity: Entity) -> EntityAnswer:
    weight = entities.compute_weight(entity, entity.session.last_position + 1)
    return entity_shape(Weighed(entity, weight))
