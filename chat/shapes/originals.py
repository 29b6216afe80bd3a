"""Downloads of a document's original file, always as an attachment of a neutral type."""

import unicodedata
from collections.abc import Iterator
from mimetypes import guess_extension

from django.http import HttpRequest, StreamingHttpResponse

from citations.ingestion.originals import read_original
from citations.models import Document
from memory import audit
from memory.models import User
from memory.people.streaming import stream_pieces

PIECE = 64 * 1024
# A type that browsers neither show nor run, since the content is untrusted.
UNSHOWN = "application/octet-stream"


def send_original(
    request: HttpRequest, document: Document, *, actor: User
) -> StreamingHttpResponse:
    """Return the original file of a document that the actor may read, or raise NotFound."""
    file = read_original(document)
    audit.record("document.fetched", actor=actor.pk, subject=document)
    there = Document.objects.readable_documents(actor).filter(pk=document.pk)
    response = stream_pieces(
        request,
        _split_file(file),
        media_type=UNSHOWN,
        name=choose_name(document),
        still=there.exists,
    )
    response["Content-Length"] = str(len(file))
    return response


def choose_name(document: Document) -> str:
    """Return the file's name without characters that would hide its extension."""
    name = "".join(
        sign for sign in document.file_name if not unicodedata.category(sign).startswith("C")
    )
    return name or f"document-{document.pk}{guess_extension(document.media_type) or ''}"


def _split_file(file: bytes) -> Iterator[bytes]:
    for start in range(0, len(file), PIECE):
        yield file[start : start + PIECE]
