"""Reembedding: after a change of the embedder, all vectors are renewed in the background.

Until a document or a session has its new vectors, its old ones are used. The question is then
embedded by the old engine too (citations.index, memory.recall.index.blocks). Work is requested in
small batches and yields to everything else; if killed, it continues where it was. Failed work is
requested again after an hour. Rows under a legal hold keep their vectors.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from citations import index
from citations.index.unit_vectors import get_unit_model
from citations.ingestion.renewal.reindexing import index_anew
from citations.ingestion.unit_embedding import EMBED_UNITS
from citations.models import Document, EmbedderRecord, PassageVectors, UnitVectors
from memory import jobs
from memory.jobs import Lease, enqueue
from memory.models import Job
from memory.recall.index.indexing import find_outdated, renew_some
from memory.text.embedding import get_embedder

RENEW = jobs.register_kind("renew_vectors", jobs.WorkClass.BULK, jobs.AuditClass.DERIVED)
REEMBED = jobs.register_kind("reembed", jobs.WorkClass.BULK, jobs.AuditClass.DERIVED)
# The subject of the job: the installation as a whole.
WHOLE = UUID("0193522e-0000-7000-8000-000000000001")
# Documents and sessions requested at a time, and the pause between two requests.
DOCUMENTS, SESSIONS, PAUSE = 20, 100, timedelta(seconds=5)
# Pause before a job that gave up is requested again.
AFTER_GIVING_UP = timedelta(hours=1)


def renew_if_changed() -> None:
    """Request new vectors if the embedder has changed, or some vectors are missing.

    Likewise for the derived data of messages that an older version made.
    """
    engine = get_embedder()
    last = EmbedderRecord.objects.order_by("-since").first()
    if engine is None:
        return
    is_the_same = last is not None and last.model == engine.model
    is_whole = not select_unembedded_documents(UnitVectors, get_unit_model(engine.model)).exists()
    if is_the_same and is_whole and not find_outdated().exists():
        return
    with transaction.atomic():
        EmbedderRecord.objects.update_or_create(
            model=engine.model, defaults={"since": timezone.now()}
        )
        enqueue(RENEW, WHOLE)


@jobs.job(RENEW)
def renew(lease: Lease) -> None:
    """Do the job: request the vectors of some documents and sessions, and schedule the next run."""
    engine = get_embedder()
    if engine is None:
        with lease.finishing():
            return
    asked = request_reembedding(REEMBED, PassageVectors, engine.model)
    sessions = renew_some(SESSIONS)
    asked = asked or request_reembedding(EMBED_UNITS, UnitVectors, get_unit_model(engine.model))
    with lease.finishing():
        if asked or sessions:
            enqueue(RENEW, WHOLE, delay=PAUSE)
            return
        unembedded = select_unembedded_documents(PassageVectors, engine.model).exists()
        if (
            unembedded
            or select_unembedded_documents(UnitVectors, get_unit_model(engine.model)).exists()
        ):
            enqueue(RENEW, WHOLE, delay=AFTER_GIVING_UP)
        if not unembedded:
            index.adopt(engine.model)


def request_reembedding(
    kind_of_job: str, kind: type[PassageVectors | UnitVectors], model: str
) -> int:
    """Request the vectors of some documents that lack them; return the number of documents."""
    since = timezone.now() - AFTER_GIVING_UP
    given_up = Job.objects.filter(
        kind=kind_of_job, subject=OuterRef("pk"), status=Job.Status.FAILED, finished_at__gt=since
    )
    rows = list(
        select_unembedded_documents(kind, model)
        .filter(~Exists(given_up))
        .order_by("pk")[:DOCUMENTS]
    )
    for document in rows:
        enqueue(kind_of_job, document.pk, owner=document.owner_id)
    return len(rows)


def select_unembedded_documents(
    kind: type[PassageVectors | UnitVectors], model: str
) -> QuerySet[Document]:
    """Return the documents that have no vectors of the kind by the model."""
    theirs = kind.objects.filter(document=OuterRef("pk"), model=model)
    rows = Document.objects.ready().filter(~Exists(theirs), passage_count__gt=0)
    return rows.only("pk", "owner_id")


@jobs.job(REEMBED)
def embed_anew(lease: Lease) -> None:
    """Do the job: embed a document by the present embedder, unless that was done."""
    engine = get_embedder()
    document = Document.objects.ready().filter(pk=lease.subject).first()
    if document and (not engine or document.vectors.filter(model=engine.model).exists()):
        document = None
    index_anew(document, lease, REEMBED)
