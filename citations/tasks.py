"""Background work of this app: jobs that the workers find by these names (memory.jobs)."""

from citations import library
from citations.ingestion import ingesting, preparing, unit_embedding
from citations.ingestion.pacing import INGEST
from citations.ingestion.renewal import exchanging, reembedding, reindexing, rereading
from citations.session_focus.active import list_places
from memory.jobs import Lease, Pulse, job
from memory.models import Turn
from memory.recall import entities
from memory.recall.naming import named_in
from memory.tasks import cleans_up


@job(INGEST, gave_up=preparing.mark_failed)
def ingest(lease: Lease) -> None:
    """Read a document, cut it into passages and index them."""
    ingesting.ingest_document(lease)


@job(library.REREAD, gave_up=rereading.mark_not_reread)
def reread(lease: Lease) -> None:
    """Read a document again that an older version has read."""
    rereading.reread_document(lease)


@job(library.EXCHANGE, gave_up=rereading.mark_not_reread)
def exchange_reading(lease: Lease) -> None:
    """Embed what is new in a document, and exchange its readings."""
    rereading.exchange_reading(lease)


@job(exchanging.DELETE_REPLACED)
def delete_replaced(lease: Lease) -> None:
    """Delete passages that were replaced and that nothing points at."""
    exchanging.delete_replaced(lease)


@cleans_up("replaced passages")
def delete_unused(pulse: Pulse) -> None:
    """Delete replaced passages whose last citation went since."""
    exchanging.delete_unused(pulse)


@job(library.RETITLE)
def retitle(lease: Lease) -> None:
    """Index a document's words under its new title."""
    reindexing.reindex_retitled(lease)


@job(unit_embedding.EMBED_UNITS)
def embed_units(lease: Lease) -> None:
    """Embed the units of a document that have no vectors."""
    unit_embedding.embed_lacking_units(lease)


@job(reembedding.RENEW)
def renew_vectors(lease: Lease) -> None:
    """Ask for what the embedder of now has not embedded yet."""
    reembedding.renew(lease)


@job(reembedding.REEMBED)
def reembed(lease: Lease) -> None:
    """Embed a document's passages by the embedder of now."""
    reembedding.embed_anew(lease)


@job(entities.REMEMBER)
def remember_turn(lease: Lease) -> None:
    """Note what a finished turn names; it needs to know where its citations lead."""
    turn = Turn.objects.remembered().filter(**lease.lookup).first()
    named = named_in(turn.query, turn.response, list_places(turn)) if turn else []
    with lease.finishing():
        if turn is not None:
            entities.remember(turn, named)
