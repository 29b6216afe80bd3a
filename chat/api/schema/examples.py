"""Examples of requests and responses in the schema, read from examples.json and events.txt."""

import json
from pathlib import Path
from typing import Any

from drf_spectacular.utils import OpenApiExample

FOLDER = Path(__file__).parent
EXAMPLES: dict[str, Any] = json.loads((FOLDER / "examples.json").read_text())
EVENTS = (FOLDER / "events.txt").read_text()
OF_ELSEWHERE = ("earlier", "remembered")


def drop_ids(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the example of a turn as an unstored answer: without ids and other sessions' rows."""
    own = ("turn_id", "session_id", "position", "citation_id", "claim_id")
    return {
        name: [drop_ids(row) for row in value]
        if name in ("citations", "claims") and all(isinstance(row, dict) for row in value)
        else (None if name in own else value)
        for name, value in answer.items()
        if name not in OF_ELSEWHERE
    }


def list_asked(kind: str) -> list[OpenApiExample]:
    """List the examples of requests of a kind."""
    named = EXAMPLES["asked"][kind].items()
    return [OpenApiExample(name, value=value, request_only=True) for name, value in named]


EXAMPLE_TURN, EXAMPLE_ENTITY = EXAMPLES["turn"], EXAMPLES["entity"]
EXAMPLE_SUMMARY, EXAMPLE_VERIFICATION = EXAMPLES["summary"], EXAMPLES["verification"]
EXAMPLE_ANSWER = drop_ids(EXAMPLE_TURN)
QUERY_EXAMPLES, VERIFY_EXAMPLES = list_asked("query"), list_asked("text")
NEW_TURN_EXAMPLES = list_asked("turn")
