"""The programs that `manage.py serve` runs: web servers, workers and the clock."""

import contextlib
import http.client
import socket
import sys

# Addresses that mean all interfaces, and their local address.
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
# Connections of a process beyond which uvicorn answers 503; each takes an open file.
MOST_CONNECTIONS = 4000


class CannotServe(Exception):
    """The start failed, or a child keeps dying; the message names the cause."""


def open_listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket, bound to the address, on which child processes can listen."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise CannotServe(
            f"Can't listen on {host} port {port}: {reason}. Choose another one: PORT=8001 make run"
        ) from error
    listener.set_inheritable(True)
    return listener


def format_address(host: str, port: int) -> str:
    """Return the URL for a browser on this machine."""
    host = EVERY_ADDRESS.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_answering(host: str, port: int) -> bool:
    """Return whether a web process answers."""
    # Not urllib: it would use a proxy of the environment for this machine's own address.
    connection = http.client.HTTPConnection(EVERY_ADDRESS.get(host, host), port, timeout=5)
    away = contextlib.suppress(OSError, http.client.HTTPException)
    with away, contextlib.closing(connection):
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    return False


def build_web_command(descriptor: int) -> list[str]:
    """Return the command of one web process on the inherited socket."""
    # Django and allauth read forwarded headers, and trust as many proxies as TRUSTED_PROXIES says;
    # uvicorn would trust the client's.
    return [
        *(sys.executable, "-m", "uvicorn", "config.asgi:application"),
        *("--fd", str(descriptor), "--lifespan", "on", "--timeout-graceful-shutdown", "5"),
        *("--no-proxy-headers", "--no-server-header", "--no-access-log", "--log-level", "warning"),
        *("--ws", "none", "--limit-concurrency", str(MOST_CONNECTIONS)),
    ]


def build_worker_command() -> list[str]:
    """Return the command of one worker."""
    return [sys.executable, "-m", "django", "work"]


def build_clock_command() -> list[str]:
    """Return the command of the clock: Celery's beat, with a worker for its tasks."""
    return [
        *(sys.executable, "-m", "celery", "--app", "config", "--quiet", "worker"),
        *("--beat", "--pool", "solo", "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def list_classes(worker: int, workers: int) -> str:
    """Return the work classes of the worker with this number, in order.

    The first of several takes no bulk work, and the others begin with conversations, so neither of
    the two urgent classes waits for the other.
    """
    if workers == 1:
        return "rights,conversations,bulk"
    return "conversations,rights,bulk" if worker else "rights,conversations"
