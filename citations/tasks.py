"""Background work of this app: jobs that the workers find by these names (memory.jobs)."""

from citations.ingestion import ingesting as ingesting, unit_embedding as unit_embedding
from citations.ingestion.renewal import (
    exchanging as exchanging,
    reembedding as reembedding,
    reindexing as reindexing,
    rereading as rereading,
)
from citations.session_focus.active import list_places
from memory.jobs import Lease, job
from memory.models import Turn
from memory.recall import entities
from memory.recall.naming import find_named_entities


@job(entities.REMEMBER)
def remember_turn(lease: Lease) -> None:
    """Note the entities that a finished turn names, with the places of its citations."""
    turn = Turn.objects.remembered().filter(**lease.lookup).first()
    named = find_named_entities(turn.query, turn.response, list_places(turn)) if turn else []
    with lease.finishing():
        if turn is not None:
            entities.remember(turn, named)
