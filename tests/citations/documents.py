"""Adding documents to be searched, and searching the index for them."""

from django.utils import timezone

from citations import index
from citations.index.ranking import index_terms
from citations.index.scope import Scope
from citations.ingestion.adding import add_document
from citations.ingestion.pacing import INGEST
from citations.ingestion.unit_embedding import EMBED_UNITS
from citations.models import Document, Passage
from memory.jobs import queue
from memory.models import Job, User
from memory.text.embedding import Embedded


def add(text: str, owner: User | None = None, *, title: str = "Note") -> Document:
    """Add a plain text and cut it."""
    document = add_document(text.encode(), file_name="note.txt", owner=owner, title=title)
    return read(document)


def read(document: Document) -> Document:
    """Let it be read and found. What is asked of it afterwards is left waiting: it takes longer."""
    due = Job.objects.due().filter(kind=INGEST, subject=document.pk)
    while job := due.first():
        queue.run(job.pk)
    document.refresh_from_db()
    assert document.status == Document.Status.READY, document.failure
    return document


def embed_units(document: Document) -> Document:
    """Embed the units of a document that can be found."""
    waiting = Job.objects.filter(kind=EMBED_UNITS, subject=document.pk)
    while waiting.update(due_at=timezone.now()):
        queue.run(waiting.get().pk)
        waiting = waiting.filter(status=Job.Status.WAITING)
    return document


def found_by_words(question: str, scope: Scope) -> dict[object, float]:
    hits = index.read_index(index_terms(question), scope).search_words(index_terms(question), 100)
    documents = dict(Passage.objects.values_list("pk", "document_id"))
    return {documents[hit.passage]: hit.score for hit in hits}


def found_by_vector(question: str, scope: Scope) -> dict[object, float]:
    hits = index.read_index([], scope).nearest(Embedded(question), 100)
    documents = dict(Passage.objects.values_list("pk", "document_id"))
    return {documents[hit.passage]: hit.score for hit in hits}
