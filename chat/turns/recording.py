"""Recording a turn: answer, citations, context record, jobs, all in one transaction."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from chat import quoting
from chat.models import (
    ContextGap,
    ContextPart,
    ContextPassage,
    ContextRecord,
    ContextStep,
    ContextTurn,
)
from citations.attribution import citing
from memory.conversations import attempts
from memory.conversations.attempts import Ending, end, lock
from memory.models import Turn
from memory.models.turns import WITHDRAWN
from memory.recall import entities
from memory.recall.entities import remember_later
from memory.recall.history import Gap
from memory.recall.index.indexing import embed_later, make_again
from memory.sealing import blind

if TYPE_CHECKING:
    from chat.turns.pipeline import Prepared

log = structlog.get_logger(__name__)


def begin(prepared: "Prepared", opening: dict[str, object]) -> None:
    """Note what the answer opens with, and which private documents it may be built on."""
    with transaction.atomic():
        citing.note_offered(prepared.turn, prepared.prompt.offers)
        attempts.begin(prepared.attempt, opening=opening)


def record(prepared: "Prepared", *, status: str, failure: str) -> None:
    """Write everything about the attempt's answer at once; raises LostAttempt if it isn't ours."""
    turn = prepared.turn
    cited = citing.cite(turn, prepared.citing)
    ending = Ending(
        status=status,
        text=prepared.citing.text,
        failure=failure,
        model=prepared.model,
        rewrite=prepared.recalled.rewrite,
        new_topic=prepared.recalled.new_topic,
        topic=prepared.recalled.begun or turn.position,
        prompt_tokens=prepared.prompt.tokens,
        reasoning=prepared.draft.reasoning,
        outcome=prepared.outcome,
        answerability=prepared.answerability,
    )
    with prepared.timings.step("record"), transaction.atomic():
        still = _present(prepared)
        if citing.is_built_on_deleted(prepared.citing, still):
            ending = replace(ending, status=Turn.Status.FAILED, text="", failure=WITHDRAWN)
        ending = end(prepared.attempt, ending)
        if ending.text:  # an attempt that brought nothing leaves the citations of the text it kept
            citing.store(turn, prepared.citing, cited, still)
        if ending.model == quoting.MODEL and not cited.citations:
            turn.offered.all().delete()  # it said only that there is nothing
        _record_context(prepared, ending.model, still)
        has_content = ending.outcome not in Turn.Outcome.without_content()
        if prepared.keeps and ending.text:  # of the text that was there before
            make_again(turn)
            entities.delete_named_in(turn.session, [turn.pk])
        if ending.status == Turn.Status.COMPLETE and has_content:
            embed_later(turn)
            remember_later(turn)
    _log(prepared, ending.status)


def _present(prepared: "Prepared") -> frozenset[int]:
    """Return what is left of the passages found or offered, once nobody changes the session.

    The session is locked before the documents, here as everywhere.
    """
    lock(prepared.attempt)
    offered = [offer.passage for offer in prepared.citing.offers.values() if offer.passage.pk]
    return citing.present([*(found.passage for found in prepared.found), *offered])


def _record_context(prepared: "Prepared", model: str, still: Collection[int]) -> None:
    recalled, prompt, usage = prepared.recalled, prepared.prompt, prepared.draft.usage
    row = ContextRecord.objects.create(
        turn=prepared.turn,
        attempt=prepared.attempt.number,
        strategy=recalled.route.strategy,
        reason=recalled.route.reason,
        rewrite_reason=recalled.rewrite.reason,
        model=model,
        prompt_version=prompt.version,
        # Keyed: what an erased turn said can't be tried out on the prompts of later ones.
        prompt_hash=blind([prompt.hash], owner=prepared.turn.owner_id)[0],
        window=prepared.turn.session.context_window,
        prompt_tokens=prompt.tokens,
        markers_removed=prepared.citing.removed,
        finish_reason=prepared.draft.finish[:40],
        reported_prompt_tokens=usage.prompt if usage else None,
        reported_answer_tokens=usage.answer if usage else None,
    )
    ContextPart.objects.bulk_create(
        ContextPart(record=row, part=part.name, tokens=part.tokens, allowance=part.allowance)
        for part in prompt.parts
    )
    ContextTurn.objects.bulk_create(
        ContextTurn(
            record=row,
            turn=turn.row,
            position=turn.position,
            tokens=turn.tokens,
            shortened=turn.shortened,
        )
        for turn in prompt.turns
        if isinstance(turn.row, Turn)  # what a client tells is no row
    )
    ContextGap.objects.bulk_create(
        ContextGap(record=row, first=gap.first, last=gap.last, reason=gap.reason)
        for gap in _gaps(prepared)
    )
    _record_passages(row, prepared, still)
    ContextStep.objects.bulk_create(
        ContextStep(record=row, step=step, milliseconds=milliseconds)
        for step, milliseconds in prepared.timings.steps.items()
    )


def _gaps(prepared: "Prepared") -> Sequence[Gap]:
    """Return what was left out; of the stored turns all, where a client brought a history."""
    if not prepared.recalled.is_given:
        return prepared.prompt.selection.gaps
    stored = prepared.turn.position - 1
    return [Gap(1, stored, "history_given")] if stored else []


def _record_passages(row: ContextRecord, prepared: "Prepared", still: Collection[int]) -> None:
    labels = {offer.passage.pk: offer.label for offer in prepared.prompt.offers}
    ContextPassage.objects.bulk_create(
        ContextPassage(
            record=row,
            passage_id=found.passage.pk if found.passage.pk in still else None,
            rank=rank,
            label=labels.get(found.passage.pk),
            score=found.score,
            word_score=found.word_score,
            vector_score=found.vector_score,
            bias=found.bias,
            carried_over=found.carried_over,
            tokens=found.passage.tokens,
        )
        for rank, found in enumerate(prepared.found, start=1)
    )


def _log(prepared: "Prepared", status: str) -> None:
    """Write the turn's one line: counts, tokens and times."""
    recalled, prompt = prepared.recalled, prepared.prompt
    log.info(
        "turn_context",
        turn=str(prepared.turn.pk),
        session=str(prepared.turn.session_id),
        status=status,
        outcome=prepared.outcome,
        failure=prepared.draft.failure,
        strategy=recalled.route.strategy,
        reason=recalled.route.reason,
        rewrite=recalled.rewrite.reason,
        turns_stored=recalled.last_position,
        turns_loaded=len(prompt.turns),
        turns_left_out=recalled.last_position - len(prompt.turns),
        passages_found=len(prepared.found),
        passages_offered=len(prompt.offers),
        citations=len(prepared.citing.markers),
        citations_added=len(prepared.citing.added),
        markers_removed=prepared.citing.removed,
        claims=dict(Counter(str(judged.state) for judged in prepared.citing.judged)),
        prompt_tokens=prompt.tokens,
        window=prepared.turn.session.context_window,
        milliseconds=prepared.timings.steps,
    )
