"""Background work of this app: jobs that the workers find by these names (memory.jobs)."""

from citations import ingestion, library, reindexing
from memory.jobs import Lease, job


@job(ingestion.INGEST, gave_up=ingestion.fail)
def ingest(lease: Lease) -> None:
    """Read a document, cut it into passages and index them."""
    ingestion.ingest_document(lease)


@job(library.RETITLE)
def retitle(lease: Lease) -> None:
    """Index a document's words under its new title."""
    reindexing.reindex_retitled(lease)
