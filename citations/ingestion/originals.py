"""Originals: the files of documents, kept so that a later version can read them again.

They are sealed under their owner's key and deleted with their documents. Documents added before
originals were kept have none until someone adds the same file again.
"""

from citations.models import Document, OriginalFile
from memory.errors import NotFound


def bring_original(document: Document, file: bytes) -> None:
    """Store the document's file, unless it is there; the caller has locked the document."""
    row = OriginalFile(document=document, owner_id=document.owner_id, file=file)
    OriginalFile.objects.bulk_create([row], ignore_conflicts=True)


def has_original(document: Document) -> bool:
    """Return whether the document's file is there: until it is read, it always is."""
    if document.status == Document.Status.WAITING:
        return True
    return OriginalFile.objects.filter(document=document).exists()


def read_original(document: Document) -> bytes:
    """Return the document's file as it was added, or raise NotFound if it was not kept."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    kept = OriginalFile.objects.filter(document=document)
    for rows in (waiting, kept):  # in this order: it may be read meanwhile
        row = rows.only("owner", "file").first()
        if row is not None and row.file is not None:
            return bytes(row.file)
    raise NotFound
