"""Files that are written while they are sent."""

from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header


def streamed(
    request: HttpRequest, pieces: Iterator[bytes], *, media_type: str, name: str
) -> StreamingHttpResponse:
    """Return the pieces as a file of the name, each sent before the next is made.

    No cursor may stay open between two pieces: whoever reads slowly would hold a connection.
    """

    async def one_by_one() -> AsyncIterator[bytes]:
        following = sync_to_async(partial(_next, pieces))
        while piece := await following():
            yield piece

    # Under ASGI, Django would otherwise gather all pieces before it sends the first.
    body = one_by_one() if hasattr(request, "scope") else pieces
    disposition = content_disposition_header(as_attachment=True, filename=name)
    headers = {"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(body, content_type=media_type, headers=headers)


def _next(pieces: Iterator[bytes]) -> bytes:
    """Return the next piece, or none at the end, and give the connection back."""
    try:
        return next(pieces, b"")
    finally:
        close_old_connections()
