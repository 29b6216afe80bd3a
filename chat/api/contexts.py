"""Endpoint for context records: the ids and numbers of the prompt behind an answer."""

from typing import Annotated, TypedDict
from uuid import UUID

from chat.models import ContextPassage, ContextRecord
from chat.shapes.resources.vocabulary import shape


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
    """Return the record with all its parts; load it by `transcript.load_newest_context`."""
    return shape(
        ContextAnswer,
        record,
        turns=[shape(ContextTurnAnswer, row) for row in record.turns.all()],
        left_out=record.gaps,
        passages=[_passage_shape(row) for row in record.passages.all()],
        steps={step["step"]: step["milliseconds"] for step in record.steps},
    )


def _passage_shape(row: ContextPassage) -> ContextPassageAnswer:
    return shape(
        ContextPassageAnswer,
        row,
        document_id=str(row.passage.document_id) if row.passage else None,
        # Passages without a label were found, but did not fit into the prompt.
        offered=row.label is not None,
    )
