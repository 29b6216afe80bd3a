"""Documentation of endpoints in the schema: their responses and the event stream."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import signature
from typing import Any, TypeVar, is_typeddict

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from chat.api.schema.components import build_event, build_schema
from chat.api.schema.examples import EVENTS
from chat.protocol.errors import Error
from chat.shapes.bibliographies import FORMS
from chat.shapes.resources.deletions import DeletionAnswer
from chat.shapes.resources.events import QUERY_EVENTS, TURN_EVENTS
from chat.streams.kept_open import EVENT_STREAM

Method = TypeVar("Method", bound=Callable[..., Any])

ERRORS = {
    400: ("invalid_request", "The body, or a field of it, isn't what it should be."),
    401: ("not_authenticated", "No credential, or none that is valid."),
    403: (
        "insufficient_scope",
        "A token of a smaller scope, a cookie without CSRF token, or no consent to it of yours.",
    ),
    404: ("not_found", "Unknown, someone else's, expired or malformed: all alike."),
    405: ("method_not_allowed", "There is no such method here."),
    408: ("too_slow", "The body came too slowly, or not at all."),
    409: ("turn_in_progress", "It is full, busy or done already, or a legal hold forbids it."),
    413: ("body_too_large", "The body is larger than MAX_BODY_BYTES."),
    415: ("unsupported_media_type", "The body isn't application/json."),
    429: ("limit_reached", "As many requests, or questions, as your tier allows; see Retry-After."),
    503: ("overloaded", "Too many wait, or the model can't answer; see `code` and Retry-After."),
    422: ("idempotency_conflict", "This Idempotency-Key was used for another request."),
}
# Tags of the schema by module; other endpoints are tagged by their ids.
TAGS = {"account": "your data", "memory": "memory", "documents": "documents"}


def documented(
    operation: str,
    summary: str,
    *,
    answer: Any = None,
    status: int = 200,
    request: Any = None,
    errors: Iterable[int] = (),
    parameters: Sequence[Any] = (),
    more: dict[Any, Any] | None = None,
    examples: Sequence[OpenApiExample] = (),
    tag: str = "",
) -> Callable[[Method], Method]:
    """Describe a method: its parameters, its responses, and errors beside the usual ones."""

    def describe(method: Method) -> Method:
        met = more or {}
        if answer is not None or not more:
            is_gone = method.__name__ == "delete" and answer is None
            met = {204 if is_gone else status: answer, **met}
        met = {code: build_schema(one) if is_typeddict(one) else one for code, one in met.items()}
        ids = [name for name in signature(method).parameters if name in PLACES or "_id" in name]
        refused = {*_list_usual_errors(method.__name__, ids, parameters, request), *errors}
        return extend_schema(
            operation_id=operation,
            tags=[tag or _tag(method.__module__, ids, parameters)],
            summary=summary,
            request=request,
            responses={
                **met,
                **{code: _describe_refusal(code) for code in (*sorted(refused), 429)},
            },
            parameters=[*(PLACES.get(name) or _describe_id(name) for name in ids), *parameters],
            examples=list(examples),
        )(method)

    return describe


def _list_usual_errors(
    verb: str, ids: Sequence[str], parameters: Sequence[Any], request: Any
) -> Iterator[int]:
    """Yield the statuses of errors that follow from the method's verb, ids and parameters."""
    yield 401
    yield from [404] if ids else []
    yield from [403] if verb != "get" else []
    yield from [409] if verb == "delete" else []
    yield from [400, 413, 415] if request else []
    yield from [400] if any(isinstance(each, type) for each in parameters) else []


def _tag(module: str, ids: Sequence[str], parameters: Sequence[Any]) -> str:
    own = [TAGS[part] for part in module.split(".") if part in TAGS]
    if own and "session_id" not in ids:
        return own[0]
    if "document_id" in ids:
        return "documents"
    return "turns" if "turn_id" in ids or KEY in parameters else "sessions"


def _describe_refusal(status: int) -> OpenApiResponse:
    code, meaning = ERRORS[status]
    example = OpenApiExample(code, value={"error": {"code": code, "message": meaning}})
    return OpenApiResponse(build_schema(Error), meaning, [example])


# Responses of bibliographies by media type.
BIBLIOGRAPHIES = {
    (200, media_type.partition(";")[0]): build_schema(list[dict[str, Any]])
    if media_type.endswith("json")
    else OpenApiTypes.STR
    for _write, media_type, _ending in FORMS.values()
}


def _describe_id(name: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.UUID, OpenApiParameter.PATH)


PLACES = {"number": OpenApiParameter("number", int, OpenApiParameter.PATH, description="From 1.")}
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Asking again with the same key, within 24 hours, gives the same turn. A question "
    "that is stored nowhere can have none.",
)
LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    str,
    OpenApiParameter.HEADER,
    description="The id of the last event you have; the stream goes on behind it.",
)
STREAM_MEANING = (
    "Server-sent events: `turn`, which says in how many `documents` is searched; `rewrite`; "
    "`passages`; any number of `delta` whose texts make up the response; `citations`; and at the "
    "end `done` with the whole turn, or `error` with code, message and the turn, which is kept. "
    "While many ask, the stream may begin with `waiting`, before the question is stored: if it "
    "isn't taken then, `error` has `status` and `retry_after`, as a response would have. "
    "Another `turn` event means that the answer begins anew. "
    "Lines that begin with a colon only keep the connection open.\n\n"
    f"```\n{EVENTS}```"
)


def describe_answer(answer: Any, meaning: str, example: Any = None) -> OpenApiResponse:
    """Describe a response, with an example if one is given."""
    shown = OpenApiExample("An answer", value=example, media_type="application/json")
    return OpenApiResponse(build_schema(answer), meaning, [shown] if example else [])


DELETION = describe_answer(DeletionAnswer, "How much else would go.")


def _stream(name: str, events: dict[str, Any]) -> dict[Any, Any]:
    return {(200, EVENT_STREAM): OpenApiResponse(build_event(name, events), STREAM_MEANING)}


STREAM = _stream("TurnEvent", TURN_EVENTS)
QUERY_STREAM = _stream("QueryEvent", QUERY_EVENTS)
ORIGINAL_FILE = {(200, "application/octet-stream"): OpenApiTypes.BINARY}
PICTURE = {(200, "image/png"): OpenApiTypes.BINARY}
PACKAGE_FILE = {(200, "application/zip"): OpenApiTypes.BINARY}
