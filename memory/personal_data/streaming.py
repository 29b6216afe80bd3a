"""Files that are written while they are sent."""

from collections.abc import AsyncIterator, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse


def streamed(
    request: HttpRequest, pieces: Iterator[bytes], *, media_type: str, name: str
) -> StreamingHttpResponse:
    """Return the pieces as a file of the name, each sent before the next is made."""

    async def one_by_one() -> AsyncIterator[bytes]:
        following = sync_to_async(partial(next, pieces, b""))
        while piece := await following():
            yield piece

    # Under ASGI, Django would otherwise gather all pieces before it sends the first.
    body = one_by_one() if hasattr(request, "scope") else pieces
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(body, content_type=media_type, headers=disposition)
