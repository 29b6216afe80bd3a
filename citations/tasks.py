"""Background work of this app: jobs that the workers find by these names (memory.jobs)."""

from citations import ingestion
from memory.jobs import Lease, job


@job(ingestion.CUT)
def cut(lease: Lease) -> None:
    """Cut a document into passages and index them."""
    ingestion.cut_document(lease)
