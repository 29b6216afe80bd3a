"""The steps of a turn in the API, events and page."""

from typing import Annotated, TypedDict

from django.db.models import Prefetch, prefetch_related_objects

from chat.models import ContextRecord
from memory.models import Turn

STEPS = Prefetch(
    "context_records",
    ContextRecord.objects.only("turn", "pipeline_steps").order_by("-attempt"),
    to_attr="step_records",
)
STEP_NAMES = (
    "understood", "rewritten", "searched", "ranked", "read", "prompted", "written", "checked",
)  # fmt: skip


class StepAnswer(TypedDict):
    step: Annotated[str, (*STEP_NAMES,), "The time of `rewritten` is part of that of `understood`."]
    state: Annotated[str, ("done", "skipped", "failed")]
    milliseconds: float
    reason: Annotated[str, "A code, or empty."]
    turns: int
    passages: int
    tokens: int


def list_recorded_steps(turn: Turn) -> list[StepAnswer]:
    """Return the steps of the turn's newest attempt that has any; an unsaved turn has its own."""
    if turn._state.adding:
        own: list[StepAnswer] = getattr(turn, "pipeline_steps", [])
        return own
    prefetch_related_objects([turn], STEPS)
    records = getattr(turn, "step_records", [])
    recorded: list[StepAnswer] = records[0].pipeline_steps if records else []
    return recorded
