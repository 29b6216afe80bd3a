"""Structured logs: one JSON object a line with the request id; ids and numbers only.

Errors keep their kind and their place. Their messages, the locals of their frames and the query
strings of requests stay out: any of them may hold what a person said.
"""

import re
import sys
import traceback
from typing import Any
from uuid import UUID

import structlog
from structlog.typing import EventDict, Processor

SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# The rest of a path after these is a secret.
OPENS = re.compile(
    r"(/account/link/|/account/password/reset/key/|/account/confirm-email/"
    r"|/packages/[^/\s]+/file/|/erasures/)[^\s?\"']+"
)

OF_LIBRARIES: dict[str, dict[str, Any]] = {
    # Django and uvicorn bring handlers of their own; all lines leave by the root's.
    "django": {"handlers": [], "propagate": True},
    "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
    # Lines for each request have the client's address and the query string: never logged.
    "uvicorn.access": {"handlers": [], "propagate": True, "level": "WARNING"},
    # httpx logs addresses; kombu warns that the broker's folders have no host name.
    "httpx": {"level": "WARNING"},
    "httpx2": {"level": "WARNING"},
    "openai": {"level": "WARNING"},
    "kombu.connection": {"level": "ERROR"},
}


def build_logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return the dictConfig of standard logging and structlog together, and set structlog up."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    _drop_request,
                    _drop_expected_traceback,
                    _mask_secrets,
                    _drop_task_arguments,
                    _drop_future_description,
                    _reduce_traceback,
                    *(FOR_MACHINES if as_json else FOR_PEOPLE),
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": OF_LIBRARIES,
    }


def _drop_request(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Drop the request, its query string and the coloured message, which Django and uvicorn add."""
    request = event.pop("request", None)
    event.pop("color_message", None)
    if path := getattr(request, "path", ""):
        event["event"] = str(event["event"]).replace(path, _show_path(request))
    return event


def _show_path(request: Any) -> str:
    """Return the path if it has only ids and numbers, else its route, if there is one."""
    match = request.resolver_match
    if match is None:
        return "…"
    is_known = all(isinstance(value, UUID | int) for value in match.kwargs.values())
    return str(request.path if is_known else f"/{match.route}")


def _drop_expected_traceback(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Drop the traceback of expected refusals: a wrong host, or a lack of permission."""
    if 400 <= (event.get("status_code") or 500) < 500:
        event.pop("exc_info", None)
    return event


def _mask_secrets(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Mask secrets in paths."""
    event["event"] = OPENS.sub(r"\1...", str(event["event"]))
    return event


def _drop_task_arguments(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Drop the arguments and the error message that Celery logs of a failed task."""
    if str(event.get("logger", "")).startswith("celery"):
        told = event.pop("data", None)
        if told or event.get("exc_info"):
            event["event"] = "task_raised"
            event["task"] = told.get("name", "") if isinstance(told, dict) else ""
    return event


def _drop_future_description(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Drop asyncio's description of an unawaited future, which quotes the error message."""
    if event.get("logger") == "asyncio":
        event["event"] = str(event["event"]).partition("\n")[0]
    return event


def _reduce_traceback(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Replace an exception by its kind and its places in the code."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found if isinstance(found, BaseException) else found and found[1]
    if error:
        event["error"] = type(error).__name__
        event["traceback"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def _format_traceback(_logger: Any, _name: str, event: EventDict) -> EventDict:
    """Put the exception's places in the code beneath the line, its kind last."""
    if "traceback" in event:
        event["exception"] = "\n".join([*event.pop("traceback"), event.pop("error")])
    return event


FOR_MACHINES: list[Processor] = [structlog.processors.JSONRenderer()]
# With colours at a terminal.
FOR_PEOPLE: list[Processor] = [
    _format_traceback,
    structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    ),
]
