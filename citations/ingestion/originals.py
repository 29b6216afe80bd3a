"""Originals: the files of documents, kept so that a later version can read them again.

They are sealed under their owner's key and deleted with their documents. Documents added before
originals were kept have none until someone adds the same file again.
"""

from citations.models import Document, OriginalFile
from memory.errors import NotFound


def bring_original(document: Document, file: bytes) -> None:
    """Store the document's file, unless it is stored; the caller has locked the document."""
    row = OriginalFile(document=document, owner_id=document.owner_id, file=file)
    OriginalFile.objects.bulk_create([row], ignore_conflicts=True)


def has_original(document: Document) -> bool:
    """Return whether the document's file is stored, as it always is until it was read."""
    if document.status == Document.Status.WAITING:
        return True
    return OriginalFile.objects.filter(document=document).exists()


def read_original(document: Document) -> bytes:
    """Return the document's original file, or raise NotFound if it was not kept."""
    waiting = Document.objects.filter(pk=document.pk, status=Document.Status.WAITING)
    kept = OriginalFile.objects.filter(document=document)
    for rows in (waiting, kept):  # in this order, as the file moves once it was read
        row = rows.only("owner", "file").first()
        if row is not None and row.file is not None:
            return bytes(row.file)
    raise NotFound
