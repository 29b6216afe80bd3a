"""Renewal: after another embedder was chosen, all vectors are made again in the background.

Until a document or a session has its new vectors, its old ones are used, and the question is
embedded by the old engine too (citations.index, memory.recall.index.blocks). Work is asked for a
little at a time and gives way to everything else; killed anywhere, it goes on where it was. What is
held keeps the vectors that it has.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from citations import index
from citations.ingestion.preparing import EMBED_UNITS
from citations.ingestion.reindexing import replace
from citations.ingestion.slices import Embedding
from citations.models import Document, EmbedderRecord, PassageVectors, UnitVectors
from memory import jobs
from memory.jobs import Lease, enqueue
from memory.recall.index.indexing import renew_some
from memory.recall.index.renewal import renew_words_if_changed
from memory.text.embedding import embedder

RENEW = jobs.kind_of_work("renew_vectors", jobs.WorkClass.BULK)
REEMBED = jobs.kind_of_work("reembed", jobs.WorkClass.BULK)
# What the job is about: the installation as a whole.
WHOLE = UUID("0193522e-0000-7000-8000-000000000001")
# So much is asked for at a time, and so often.
DOCUMENTS, SESSIONS, PAUSE = 20, 100, timedelta(seconds=5)


def renew_what_changed() -> None:
    """Ask for all that another embedder, or an update, makes again."""
    renew_if_changed()
    renew_words_if_changed()


def renew_if_changed() -> None:
    """Ask for new vectors if the embedder isn't the one that was used last, or some never were."""
    engine = embedder()
    last = EmbedderRecord.objects.order_by("-since").first()
    if engine is None:
        return
    if last is not None and last.model == engine.model and not lacking(UnitVectors, engine.model):
        return
    with transaction.atomic():
        EmbedderRecord.objects.update_or_create(
            model=engine.model, defaults={"since": timezone.now()}
        )
        enqueue(RENEW, WHOLE)


def renew(lease: Lease) -> None:
    """Do the job: ask for the vectors of some documents and sessions, and come again."""
    engine = embedder()
    documents = lacking(PassageVectors, engine.model) if engine else []
    for pk, owner in documents:
        enqueue(REEMBED, pk, owner=owner)
    sessions = renew_some(SESSIONS) if engine else 0
    unread = lacking(UnitVectors, engine.model) if engine and not documents else []
    for pk, owner in unread:
        enqueue(EMBED_UNITS, pk, owner=owner)
    with lease.finishing():
        if engine is not None and (documents or sessions or unread):
            enqueue(RENEW, WHOLE, delay=PAUSE)
        elif engine is not None:
            index.adopt(engine.model)


def lacking(kind: type[PassageVectors | UnitVectors], model: str) -> list[tuple[UUID, UUID | None]]:
    """Return some documents that have no vectors of the kind by the model, with their owners."""
    theirs = kind.objects.filter(document=OuterRef("pk"), model=model)
    rows = Document.objects.ready().filter(~Exists(theirs), passage_count__gt=0)
    return list(rows.order_by("pk").values_list("pk", "owner")[:DOCUMENTS])


def embed_anew(lease: Lease) -> None:
    """Do the job: embed a document's passages anew, and put them in the place of the old ones.

    Of a long one, a slice: another job goes on.
    """
    engine = embedder()
    document = Document.objects.ready().filter(pk=lease.subject).first()
    if engine is None or document is None or document.vectors.filter(model=engine.model).exists():
        with lease.finishing():
            return
    passages = list(document.passages.order_by("position"))
    embedding = Embedding(document, passages, engine, lease)
    if not embedding.go_on():
        embedding.end_slice(REEMBED)
        return
    with lease.finishing():
        replace(document, passages, embedding.whole(), engine)
