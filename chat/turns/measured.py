"""What a recorded answer adds to the metrics: times, what its check came to, why a model failed."""

from collections import Counter
from typing import TYPE_CHECKING

from memory.metrics import TracedStep, count, observe, traced

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

FIRST_PIECE = "first_piece"


def measure(ground: "Ground", status: str) -> None:
    """Count and trace what is known of an answer besides what its rows say."""
    if ground.draft.failure:
        count("model_errors_total", failure=ground.draft.failure)
    for step, milliseconds in ground.timings.steps.items():
        if step == FIRST_PIECE:
            observe("first_piece_seconds", milliseconds / 1000)
        else:
            observe("step_seconds", milliseconds / 1000, step=step)
    for state, number in Counter(str(judged.state) for judged in ground.citing.judged).items():
        count("claims_total", number, state=state)
    steps, begins = ground.timings.steps, ground.timings.begins
    done = [TracedStep(step, begins[step], steps[step] / 1000) for step in begins if step in steps]
    failure = ground.draft.failure or "none"
    traced("turn", ground.timings.begun, done, status=status, failure=failure)
