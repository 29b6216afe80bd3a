"""Files written while they are sent, for as long as their reader is authorised."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

from memory.errors import NotFound
from memory.people.credentials import Credential, find_valid_credentials, get_credential

# Interval of the checks, in seconds; and bytes sent at once.
RECHECK_SECONDS = 2.0
PIECE = 64 * 1024
Still = Callable[[], bool]


def always() -> bool:
    """Return True: only the credential is checked."""
    return True


def stream_pieces(
    request: HttpRequest,
    pieces: Iterator[bytes],
    *,
    media_type: str,
    name: str,
    still: Still = always,
) -> StreamingHttpResponse:
    """Return the pieces as a file of the name, each sent before the next is made.

    It breaks off once the reader's credential is invalid, or `still` is false. No cursor may stay
    open between two pieces: a slow reader would hold a connection.
    """
    held = _Held(get_credential(request), still)

    async def one_by_one() -> AsyncIterator[bytes]:
        following = sync_to_async(partial(_read_next_piece, pieces))
        check = sync_to_async(held.check)
        while piece := await following():
            for start in range(0, len(piece), PIECE):
                if held.is_due:
                    await check()
                yield piece[start : start + PIECE]

    # Under ASGI, Django would otherwise gather all pieces before it sends the first.
    body = one_by_one() if hasattr(request, "scope") else pieces
    disposition = content_disposition_header(as_attachment=True, filename=name)
    headers = {"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(body, content_type=media_type, headers=headers)


class _Held:
    """The right to a file during its transfer."""

    def __init__(self, credential: Credential, still: Still) -> None:
        self._credential, self._still = credential, still
        self._asked = time.monotonic()

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._asked >= RECHECK_SECONDS

    def check(self) -> None:
        """Raise NotFound if it is withdrawn, and release the connection."""
        try:
            if not find_valid_credentials([self._credential]) or not self._still():
                raise NotFound
        finally:
            close_old_connections()
        self._asked = time.monotonic()


def _read_next_piece(pieces: Iterator[bytes]) -> bytes:
    """Return the next piece, or none at the end, and release the connection."""
    try:
        return next(pieces, b"")
    finally:
        close_old_connections()
