"""Background work of this app: jobs that the workers find by these names (memory.jobs)."""

from citations import library
from citations.ingestion import ingesting, preparing, reindexing, renewal
from citations.ingestion.pacing import INGEST
from citations.session_focus.active import places_of
from memory.jobs import Lease, job
from memory.models import Turn
from memory.recall import entities
from memory.recall.naming import named_in


@job(INGEST, gave_up=preparing.mark_failed)
def ingest(lease: Lease) -> None:
    """Read a document, cut it into passages and index them."""
    ingesting.ingest_document(lease)


@job(library.RETITLE)
def retitle(lease: Lease) -> None:
    """Index a document's words under its new title."""
    reindexing.reindex_retitled(lease)


@job(renewal.RENEW)
def renew_vectors(lease: Lease) -> None:
    """Ask for what the embedder of now has not embedded yet."""
    renewal.renew(lease)


@job(renewal.REEMBED)
def reembed(lease: Lease) -> None:
    """Embed a document's passages by the embedder of now."""
    renewal.embed_anew(lease)


@job(entities.REMEMBER)
def remember_turn(lease: Lease) -> None:
    """Note what a finished turn names; it needs to know where its citations lead."""
    turn = Turn.objects.remembered().filter(**lease.about).first()
    named = named_in(turn.query, turn.response, places_of(turn)) if turn else []
    with lease.finishing():
        if turn is not None:
            entities.remember(turn, named)
