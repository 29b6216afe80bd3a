"""What the model saw for an answer, as the API shows it: ids and numbers."""

from typing import Any

from rest_framework import serializers

from chat.api.schema.answers import Flag, Id, Number, Score, Shape, Text
from chat.models import ContextPassage, ContextRecord

TURNS = ("turn_id", "position", "tokens", "shortened")
PASSAGES = (
    "passage_id",
    "rank",
    "label",
    "score",
    "word_score",
    "vector_score",
    "bias",
    "carried_over",
    "tokens",
)


def context_shape(record: ContextRecord) -> dict[str, Any]:
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
        "turns": [{name: getattr(row, name) for name in TURNS} for row in record.turns.all()],
        "left_out": record.gaps,
        "passages": [_passage(row) for row in record.passages.all()],
        "steps": {step["step"]: step["milliseconds"] for step in record.steps},
    }


def _passage(row: ContextPassage) -> dict[str, Any]:
    document = row.passage.document_id if row.passage else None
    # Those without a label were found, but there was no room to offer them.
    offered = {"document_id": document, "offered": row.label is not None}
    return {name: getattr(row, name) for name in PASSAGES} | offered


# --- For the schema ------------------------------------------------------------------------------


class ContextPartAnswer(Shape):
    part = Text()
    tokens = Number()
    allowance = Number()


class ContextTurnAnswer(Shape):
    turn_id = Id()
    position = Number()
    tokens = Number()
    shortened = Flag()


class ContextGapAnswer(Shape):
    first = Number(help_text="Position of the first turn that was left out.")
    last = Number()
    reason = Text()


class ContextPassageAnswer(Shape):
    passage_id = Number(allow_null=True, help_text="Null if the document was removed.")
    document_id = Id(allow_null=True)
    rank = Number()
    label = Number(  # type: ignore[assignment]
        allow_null=True, help_text="Its number in the prompt."
    )
    score = Score()
    word_score = Score(allow_null=True)
    vector_score = Score(allow_null=True)
    bias = Score(help_text="What its document's standing in the session moved it by; 1 for not.")
    carried_over = Flag(help_text="From the sources of the answer before.")
    tokens = Number()
    offered = Flag(help_text="Whether there was room for it in the prompt.")


class ContextAnswer(Shape):
    turn_id = Id()
    attempt = Number()
    strategy = Text()
    reason = Text()
    rewrite_reason = Text()
    window = Number()
    prompt_tokens = Number()
    model = Text()
    prompt_version = Text()
    prompt_hash = Text(help_text="Equal for equal prompts of yours; nobody else's are like them.")
    markers_removed = Number(help_text="Markers of passages that were not offered.")
    finish_reason = Text(allow_null=True, help_text="Why the model's server says it stopped.")
    reported_prompt_tokens = Number(allow_null=True, help_text="As the model's server counts.")
    reported_answer_tokens = Number(allow_null=True)
    parts = ContextPartAnswer(many=True)
    turns = ContextTurnAnswer(many=True)
    left_out = ContextGapAnswer(many=True)
    passages = ContextPassageAnswer(many=True)
    steps = serializers.DictField(child=Score(), help_text="Milliseconds of each step.")
