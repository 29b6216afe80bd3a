"""A link between the product and something it depends on, to be cut, frozen and slowed."""

import socket
import threading
import time
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

CHUNK = 1 << 16


class Link:
    """A TCP port of this machine that leads to a server as long as the link is whole."""

    def __init__(self, target: str | tuple[str, int]) -> None:
        """Lead to a host and port, or to a Unix socket."""
        self.delay = 0.0
        # The reply of an impostor in the server's place, to any request.
        self.lie: bytes | None = None
        self._target = target
        self._thawed = threading.Event()
        self._thawed.set()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    @classmethod
    def to_database(cls, url: str) -> tuple["Link", str]:
        """Return a link to PostgreSQL, and the URL that leads through it."""
        parts = urlsplit(url)
        folder = parse_qs(parts.query).get("host", [""])[0]
        there = f"{folder}/.s.PGSQL.5432" if folder else (parts.hostname or "", parts.port or 5432)
        link = cls(there)
        user = parts.username or "postgres"
        return link, f"postgresql://{user}:{parts.password or ''}@127.0.0.1:{link.port}{parts.path}"

    def freeze(self) -> None:
        """Let nothing through, either way, while connections stay and new ones are taken."""
        self._thawed.clear()

    def thaw(self) -> None:
        self._thawed.set()

    def cut(self) -> None:
        """End all connections and refuse new ones, as a server that was killed."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.drop()

    def drop(self) -> None:
        """End all connections; new ones are taken, as by a server that was restarted."""
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _address = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        if self.lie is not None:
            self._answer(near, self.lie)
            return
        try:
            far = self._reached()
        except OSError:
            near.close()
            return
        with near, far:
            self._open |= {near, far}
            back = threading.Thread(target=self._pump, args=(far, near), daemon=True)
            back.start()
            self._pump(near, far)
            back.join()
            self._open -= {near, far}

    def _answer(self, near: socket.socket, lie: bytes) -> None:
        with near, suppress(OSError):
            self._open.add(near)
            while near.recv(CHUNK):
                near.sendall(lie)
        self._open.discard(near)

    def _reached(self) -> socket.socket:
        if not isinstance(self._target, str):
            return socket.create_connection(self._target)
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._target)
        return far

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                self._thawed.wait()
                if self.delay:
                    time.sleep(self.delay)
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
