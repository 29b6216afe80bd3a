"""What a recorded answer adds to the metrics: times, what its check came to, why a model failed."""

from collections import Counter
from typing import TYPE_CHECKING

from memory.metrics import count, observe

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

FIRST_PIECE = "first_piece"


def measure(ground: "Ground") -> None:
    """Count what is known of an answer besides what its rows say."""
    if ground.draft.failure:
        count("model_errors_total", failure=ground.draft.failure)
    for step, milliseconds in ground.timings.steps.items():
        if step == FIRST_PIECE:
            observe("first_piece_seconds", milliseconds / 1000)
        else:
            observe("step_seconds", milliseconds / 1000, step=step)
    for state, number in Counter(str(judged.state) for judged in ground.citing.judged).items():
        count("claims_total", number, state=state)
