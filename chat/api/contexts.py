"""What the model saw for an answer, as the API shows it: ids and numbers."""

from typing import Any

from chat.models import ContextPassage, ContextRecord

Shape = dict[str, Any]
PARTS = ("part", "tokens", "allowance")
TURNS = ("turn_id", "position", "tokens", "shortened")
GAPS = ("first", "last", "reason")
PASSAGES = (
    "passage_id",
    "rank",
    "label",
    "score",
    "word_score",
    "vector_score",
    "tokens",
)


def context_shape(record: ContextRecord) -> Shape:
    """Return the record with all of its parts; load it by `transcript.newest_context`."""
    return {
        "turn_id": record.turn_id,
        "attempt": record.attempt,
        "strategy": record.strategy,
        "reason": record.reason,
        "rewrite_reason": record.rewrite_reason,
        "window": record.window,
        "prompt_tokens": record.prompt_tokens,
        "model": record.model,
        "prompt_version": record.prompt_version,
        "prompt_hash": record.prompt_hash,
        "markers_removed": record.markers_removed,
        "parts": _rows(record.parts.all(), PARTS),
        "turns": _rows(record.turns.all(), TURNS),
        "left_out": _rows(record.gaps.all(), GAPS),
        "passages": [_passage(row) for row in record.passages.all()],
        "steps": {step.step: step.milliseconds for step in record.steps.all()},
    }


def _rows(rows: Any, names: tuple[str, ...]) -> list[Shape]:
    return [{name: getattr(row, name) for name in names} for row in rows]


def _passage(row: ContextPassage) -> Shape:
    document = row.passage.document_id if row.passage else None
    # Those without a label were found, but there was no room to offer them.
    offered = {"document_id": document, "offered": row.label is not None}
    return {name: getattr(row, name) for name in PASSAGES} | offered
