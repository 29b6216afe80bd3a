"""What the model saw for an answer, as the API shows it: ids and numbers."""

from typing import Annotated, TypedDict
from uuid import UUID

from chat.models import ContextPassage, ContextRecord


class ContextPartAnswer(TypedDict):
    part: str
    tokens: int
    allowance: int


class ContextTurnAnswer(TypedDict):
    turn_id: UUID
    position: int
    tokens: int
    shortened: bool


class ContextGapAnswer(TypedDict):
    first: Annotated[int, "Position of the first turn that was left out."]
    last: int
    reason: str


class ContextToldAnswer(TypedDict):
    first: Annotated[int, "Position of the first turn of a run."]
    last: int


class ContextPassageAnswer(TypedDict):
    passage_id: Annotated[int | None, "Null if the document was removed."]
    document_id: UUID | None
    rank: int
    label: Annotated[int | None, "Its number in the prompt."]
    score: float
    word_score: float | None
    vector_score: float | None
    bias: Annotated[float, "What its document's standing in the session moved it by; 1 for not."]
    carried_over: Annotated[bool, "From the sources of the answer before."]
    tokens: int
    offered: Annotated[bool, "Whether there was room for it in the prompt."]


class ContextAnswer(TypedDict):
    turn_id: UUID
    attempt: int
    strategy: str
    reason: str
    rewrite_reason: str
    window: int
    prompt_tokens: int
    model: str
    prompt_version: str
    prompt_hash: Annotated[str, "Equal for equal prompts of yours; nobody else's are like them."]
    markers_removed: Annotated[int, "Markers of passages that were not offered."]
    finish_reason: Annotated[str | None, "Why the model's server says it stopped."]
    reported_prompt_tokens: Annotated[int | None, "As the model's server counts."]
    reported_answer_tokens: int | None
    parts: list[ContextPartAnswer]
    turns: list[ContextTurnAnswer]
    left_out: list[ContextGapAnswer]
    told: Annotated[
        list[ContextToldAnswer] | None,
        "The turns before that the answer tells of: it goes when one of them is deleted. Null if "
        "that is not known.",
    ]
    passages: list[ContextPassageAnswer]
    steps: Annotated[dict[str, float], "Milliseconds of each step."]


def context_shape(record: ContextRecord) -> ContextAnswer:
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
        "finish_reason": record.finish_reason or None,
        "reported_prompt_tokens": record.reported_prompt_tokens,
        "reported_answer_tokens": record.reported_answer_tokens,
        "parts": record.parts,
        "turns": [
            {
                "turn_id": row.turn_id,
                "position": row.position,
                "tokens": row.tokens,
                "shortened": row.shortened,
            }
            for row in record.turns.all()
        ],
        "left_out": record.gaps,
        "told": record.told,
        "passages": [_passage(row) for row in record.passages.all()],
        "steps": {step["step"]: step["milliseconds"] for step in record.steps},
    }


def _passage(row: ContextPassage) -> ContextPassageAnswer:
    return {
        "passage_id": row.passage_id,
        "document_id": row.passage.document_id if row.passage else None,
        "rank": row.rank,
        "label": row.label,
        "score": row.score,
        "word_score": row.word_score,
        "vector_score": row.vector_score,
        "bias": row.bias,
        "carried_over": row.carried_over,
        "tokens": row.tokens,
        # Those without a label were found, but there was no room to offer them.
        "offered": row.label is not None,
    }
