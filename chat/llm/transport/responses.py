"""What a server answers over HTTP, taken apart as it comes by the parser that serves us, too. Pure.

Nothing of it grows without a bound but the body, which whoever reads it has to bound.
"""

import httptools
import httpx2

# Bytes of a head, and of what stands around the pieces of a body; one read may bring more.
MOST_UNFINISHED = 100 << 10
ENDS = {b"content-length", b"transfer-encoding"}


class IncomingResponse:
    """One response."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.has_head = self.is_whole = False
        # Whether the same connection may be asked again.
        self.may_go_on = False
        self._body: list[bytes] = []
        self._unfinished = 0  # bytes since the last piece of the body
        self._parser = httptools.HttpResponseParser(self)
        # What servers do that mean no harm: who answers here is asked nothing else meanwhile.
        self._parser.set_dangerous_leniencies(
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )

    def feed(self, received: bytes) -> None:
        """Take what has come; raises RemoteProtocolError."""
        self._unfinished += len(received)
        try:
            self._parser.feed_data(received)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self.may_go_on = False
            if not self.is_whole:
                raise httpx2.RemoteProtocolError("no HTTP") from error
        if self._unfinished > MOST_UNFINISHED and not self.is_whole:
            raise httpx2.RemoteProtocolError("too much around the body")

    def close(self) -> None:
        """Hear that nothing more comes; raises RemoteProtocolError if it should."""
        self.may_go_on = False
        if not self.has_head or ENDS & {name.lower() for name, _ in self.headers}:
            raise httpx2.RemoteProtocolError("the server has left")
        self.is_whole = True

    def taken(self) -> bytes:
        """Return what has come of the body since the last time."""
        body, self._body = self._body, []
        return b"".join(body)

    # --- Called by the parser, also for what comes behind the response ----------------------------

    def on_message_begin(self) -> None:
        self.may_go_on = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self.has_head:
            return
        self.status = self._parser.get_status_code()
        self.has_head = self.status >= 200
        if not self.has_head:  # what is said before the response
            self.headers.clear()

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        if not self.is_whole:
            self._body.append(body)

    def on_message_complete(self) -> None:
        if self.has_head and not self.is_whole:
            self.is_whole, self.may_go_on = True, self._parser.should_keep_alive()
