"""The text of the person's own documents."""

from collections.abc import Iterator

from citations.models import Document
from memory.models import User


def write_files(person: User) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the name and the lines of a file for each document that the person added."""
    for document in list_own_documents(person):
        yield name_file(document), _write_lines(document)


def list_own_documents(person: User) -> list[Document]:
    """Return the readable documents that the person added, oldest first."""
    read = [Document.Status.READY, Document.Status.REPLACED]
    mine = Document.objects.filter(owner=person, status__in=read)
    return list(mine.defer("file").order_by("pk"))


def name_file(document: Document) -> str:
    """Return the path of the document's text in the package."""
    return f"files/{document.pk}.txt"


def _write_lines(document: Document) -> Iterator[str]:
    yield f"{document.title}\n"
    heading = ""
    for passage in document.passages.order_by("position").iterator(chunk_size=500):
        if passage.heading != heading:
            heading = passage.heading
            yield f"\n\n{heading}\n"
        yield f"\n{passage.text}\n"
