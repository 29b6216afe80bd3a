"""The steps of a turn as recorded, streamed and shown: state, time, counts and reasons.

No content: names, numbers and codes. Untimed work counts to the step before it: rewriting to
understanding.
"""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memory.metrics.counting import count, observe
from memory.metrics.tracing import TracedStep, send_span
from memory.models import Turn
from memory.text.words import extract_terms

if TYPE_CHECKING:
    from chat.turns.grounding.ground import Ground

Step = Mapping[str, Any]
DONE, SKIPPED, FAILED = "done", "skipped", "failed"
LONGEST_REASON = 60


def list_opening_steps(ground: "Ground") -> list[Step]:
    """Return the steps from the question to the prompt."""
    prompt, times, is_read = ground.prompt, ground.timings.steps, bool(ground.units)
    return [
        *list_search_steps(ground),
        make_step(
            "read", times.get("read"), is_done=is_read, passages=len(ground.found) if is_read else 0
        ),
        make_step(
            "prompted",
            times.get("build"),
            is_done=ground.asks_model,
            turns=len(prompt.turns),
            passages=len(prompt.offers),
            tokens=prompt.tokens,
        ),
    ]


def list_search_steps(ground: "Ground") -> list[Step]:
    """Return the steps from the question to the passages."""
    recalled, times = ground.recalled, ground.timings.steps
    rewrite, form = recalled.rewrite, ground.draft.form
    return [
        make_step(
            "understood",
            times.get("recall"),
            turns=len(recalled.turns),
            reason=recalled.route.reason,
        ),
        make_step(
            "rewritten",
            0.0,
            is_done=rewrite.query.strip() != ground.query.strip(),
            turns=len(rewrite.positions),
            reason=rewrite.reason,
        ),
        make_step(
            "searched", times.get("find"), is_done=not ground.reply, passages=len(ground.found)
        ),
        make_step(
            "ranked",
            times.get("arrange"),
            is_done=bool(ground.found),
            passages=len(ground.prompt.offers),
            reason=form.structure.name if form.structure else "",
        ),
    ]


def list_steps(ground: "Ground", status: str, failure: str) -> list[Step]:
    """Return all steps of an answer that has ended."""
    times, usage, citing = ground.timings.steps, ground.draft.usage, ground.citing
    written = make_step(
        "written",
        times.get("answer"),
        tokens=usage.answer if usage else 0,
        reason=failure or ground.outcome,
    )
    if status != Turn.Status.COMPLETE:
        written = {**written, "state": FAILED}
    checked = make_step(
        "checked",
        times.get("cite"),
        is_done=bool(citing.judged),
        passages=len({marker.offer.passage.pk for marker in citing.markers}),
    )
    return [*list_opening_steps(ground), written, checked]


def make_step(
    name: str, milliseconds: float | None, *, is_done: bool = True, reason: str = "", **counts: int
) -> Step:
    """Make one step; counts that don't apply are 0."""
    return {
        "step": name,
        "state": DONE if is_done else SKIPPED,
        "milliseconds": milliseconds or 0.0,
        "reason": str(reason)[:LONGEST_REASON],
        "turns": 0,
        "passages": 0,
        "tokens": 0,
        **counts,
    }


FIRST_PIECE = "first_piece"
# The first turn that counts: earlier ones have little to remember.
FROM_TURN = 3


def measure(ground: "Ground", status: str) -> None:
    """Count and trace the metrics of an answer that its rows don't have."""
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
    send_span("turn", ground.timings.begun, done, status=status, failure=failure)


def _observe_steps(ground: "Ground", status: str) -> None:
    times = {step["step"]: step["milliseconds"] for step in list_steps(ground, status, "")}
    times["recorded"] = ground.timings.steps.get("record", 0)
    for step, milliseconds in times.items():
        if milliseconds:
            observe("step_seconds", milliseconds / 1000, step=step)
    if first := ground.timings.steps.get(FIRST_PIECE):
        observe("first_piece_seconds", first / 1000)


def rate_memory(ground: "Ground") -> str:
    """Return whether the session's memory found a cited passage: hit, missed or uncited.

    It did if the session cited the passage's document before, or if the passage has a word that the
    rewrite took from earlier turns. An answer about the session is a hit.
    """
    if ground.outcome == Turn.Outcome.ABOUT_CONVERSATION:
        return "hit"
    citing, rewrite = ground.citing, ground.recalled.rewrite
    offers = [*(marker.offer for marker in citing.markers), *citing.added]
    known = {hit.passage.pk for hit in ground.found if hit.bias > 1 or hit.carried_over}
    taken = (
        set(extract_terms(rewrite.query)) - set(extract_terms(ground.query))
        if rewrite.positions
        else set()
    )
    for passage in (offer.passage for offer in offers):
        if passage.pk in known or not taken.isdisjoint(extract_terms(passage.text)):
            return "hit"
    return "missed" if offers else "uncited"
