"""What a recorded answer adds to the metrics: times, memory, claims, and why a model failed."""

from collections import Counter
from typing import TYPE_CHECKING

from chat.turns.pipeline_steps import list_steps
from memory.metrics import TracedStep, count, observe, traced
from memory.models import Turn
from memory.text.words import terms

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

FIRST_PIECE = "first_piece"
# The first turns of a session have little to remember.
FROM_TURN = 3


def measure(ground: "Ground", status: str) -> None:
    """Count and trace what is known of an answer besides what its rows say."""
    if ground.draft.failure:
        count("model_errors_total", failure=ground.draft.failure)
    _observe_steps(ground, status)
    for state, number in Counter(str(judged.state) for judged in ground.citing.judged).items():
        count("claims_total", number, state=state)
    for part in ground.prompt.parts:
        count("prompt_tokens_total", part.tokens, part=part.name)
    if status == Turn.Status.COMPLETE and ground.recalled.last_position + 1 >= FROM_TURN:
        count("memory_turns_total", result=rate_memory(ground))
    steps, begins = ground.timings.steps, ground.timings.begins
    done = [TracedStep(step, begins[step], steps[step] / 1000) for step in begins if step in steps]
    failure = ground.draft.failure or "none"
    traced("turn", ground.timings.begun, done, status=status, failure=failure)


def _observe_steps(ground: "Ground", status: str) -> None:
    times = {step["step"]: step["milliseconds"] for step in list_steps(ground, status, "")}
    times["recorded"] = ground.timings.steps.get("record", 0)
    for step, milliseconds in times.items():
        if milliseconds:
            observe("step_seconds", milliseconds / 1000, step=step)
    if first := ground.timings.steps.get(FIRST_PIECE):
        observe("first_piece_seconds", first / 1000)


def rate_memory(ground: "Ground") -> str:
    """Return whether what is cited was found by the session's memory: hit, missed or uncited.

    By its memory is a passage of a document that the session cited before, or one with a word that
    the rewrite took from earlier turns. An answer about the session tells its turns.
    """
    if ground.outcome == Turn.Outcome.ABOUT_CONVERSATION:
        return "hit"
    citing, rewrite = ground.citing, ground.recalled.rewrite
    offers = [*(marker.offer for marker in citing.markers), *citing.added]
    known = {hit.passage.pk for hit in ground.found if hit.bias > 1 or hit.carried_over}
    taken = set(terms(rewrite.query)) - set(terms(ground.query)) if rewrite.positions else set()
    for passage in (offer.passage for offer in offers):
        if passage.pk in known or not taken.isdisjoint(terms(passage.text)):
            return "hit"
    return "missed" if offers else "uncited"
