"""The recording of a turn: answer, citations, context record, jobs, all in one transaction."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import structlog

from chat.extractive import MODEL
from chat.models import ContextEarlier, ContextFact, ContextPassage, ContextRecord, ContextTurn
from chat.turns.personal.origins import find_told_turns, is_all_there
from chat.turns.personal.telling import list_origins
from chat.turns.pipeline_steps import list_steps, measure
from chat.turns.writing import SourceGone
from citations.attribution import citing
from memory.conversations import attempts
from memory.conversations.attempts import Ending, end, lock
from memory.jobs import enqueue_each
from memory.models import Fact, Turn
from memory.models.turns import SOURCE_GONE, WITHDRAWN
from memory.outages import one_transaction
from memory.recall import entities
from memory.recall.history import Gap
from memory.recall.index.indexing import EMBED, make_again
from memory.recall.summaries import editing, making
from memory.sealing import fingerprint_words

if TYPE_CHECKING:
    from chat.turns.grounding.ground import Ground
    from chat.turns.pipeline import Prepared

log = structlog.get_logger(__name__)


@one_transaction
def begin(prepared: "Prepared", opening: dict[str, object]) -> None:
    """Store the answer's opening, and the private documents that it may use."""
    citing.note_offered(prepared.turn, prepared.prompt.offers)
    citing.note_named(prepared.turn, prepared.recounted.names)
    attempts.begin(prepared.attempt, opening=opening)


def build_ending(ground: "Ground", status: str, failure: str) -> Ending:
    """Build the ending of an answer from its complete text."""
    return Ending(
        status=status,
        text=ground.citing.text,
        failure=failure,
        model=ground.model,
        rewrite=ground.recalled.rewrite,
        new_topic=ground.recalled.new_topic,
        prompt_tokens=ground.prompt.tokens,
        reasoning=ground.draft.reasoning,
        outcome=ground.outcome,
        answerability=ground.answerability,
        intent=ground.draft.form.intent,
        structure=ground.draft.form.name,
        structured_output=ground.draft.form.make_stored(ground.citing.text),
    )


def record(prepared: "Prepared", *, status: str, failure: str, is_last: bool = True) -> None:
    """Write the whole result of the attempt in one transaction; raises LostAttempt if it is lost.

    Raises SourceGone, with nothing written, unless `is_last`.
    """
    cited = citing.cite(prepared.turn, prepared.citing)
    ending = build_ending(prepared, status, failure)
    ending = replace(ending, topic=prepared.recalled.begun or prepared.turn.position)
    with prepared.timings.step("record"):
        ending = _record_at_once(prepared, ending, cited, is_last=is_last)
    measure(prepared, ending.status)
    _log(prepared, ending.status)


@one_transaction
def _record_at_once(
    prepared: "Prepared", ending: Ending, cited: citing.Cited, *, is_last: bool
) -> Ending:
    """Write everything, and return the ending, without material deleted meanwhile."""
    turn = prepared.turn
    session = lock(prepared.attempt)
    still = _present(prepared)
    citing.note_offered(turn, prepared.prompt.offers, still)
    is_all_named = citing.note_named(turn, prepared.recounted.names)
    ending = _drop_deleted(prepared, ending, still, is_last=is_last)
    if not is_all_named:
        ending = end_without_document(ending)
    ending = end(prepared.attempt, ending, locked=session)
    if ending.text:  # an attempt without a text keeps the earlier text's citations
        citing.store(turn, prepared.citing, cited, still)
    if ending.model == MODEL and not cited.citations and not prepared.recounted.names:
        turn.offered.all().delete()  # it only says that nothing was found
    told = find_told_turns(prepared, is_cited=bool(cited.citations))
    _record_context(prepared, ending, still, told)
    _renew_what_is_made_of_it(prepared, ending)
    return ending


def _drop_deleted(
    prepared: "Prepared", ending: Ending, still: Collection[int], *, is_last: bool
) -> Ending:
    """Return the ending, without a text that repeats material deleted meanwhile."""
    if citing.is_built_on_deleted(prepared.citing, still):
        return end_without_document(ending)
    if not ending.text or not _tells_of_deleted(prepared, ending.model):
        return ending
    if not is_last:
        raise SourceGone
    return replace(ending, status=Turn.Status.FAILED, text="", failure=SOURCE_GONE)


def _renew_what_is_made_of_it(prepared: "Prepared", ending: Ending) -> None:
    """Enqueue jobs for the data derived from an answer, and delete that of the earlier one."""
    turn = prepared.turn
    if prepared.keeps and ending.text:  # derived from the earlier text
        make_again(turn)
        entities.delete_named_in(turn.session, [turn.pk])
    has_content = ending.outcome not in Turn.Outcome.list_empty()
    if ending.status == Turn.Status.COMPLETE and has_content:
        enqueue_each([EMBED, entities.REMEMBER], turn.pk, owner=turn.owner_id)
    if prepared.attempt.number > 1:  # summaries of the turn lack this answer
        editing.delete_summaries(turn.session, [turn.position])
    if making.needs_condensing(turn.session, turn.position):
        making.condense_later(turn.session_id, turn.owner_id)


def end_without_document(ending: Ending) -> Ending:
    """Return the ending of an answer whose private document was deleted meanwhile."""
    return replace(ending, status=Turn.Status.FAILED, text="", failure=WITHDRAWN)


def _tells_of_deleted(prepared: "Prepared", model: str) -> bool:
    """Return whether the answer repeats other sessions or facts deleted meanwhile."""
    is_built_in = model == MODEL
    if is_built_in and not prepared.told:
        return False
    drawn = list_origins(prepared.personal, prepared.told, is_built_in=is_built_in)
    return not is_all_there(prepared.turn.owner_id, *drawn)


def _present(prepared: "Prepared") -> frozenset[int]:
    """Return the passages found or offered that still exist; their documents stay locked."""
    offered = [offer.passage for offer in prepared.citing.offers.values() if offer.passage.pk]
    return citing.present([*(found.passage for found in prepared.found), *offered])


def _record_context(
    prepared: "Prepared", ending: Ending, still: Collection[int], told: Sequence[dict[str, int]]
) -> None:
    recalled, prompt, usage = prepared.recalled, prepared.prompt, prepared.draft.usage
    steps = prepared.timings.steps.items()
    row = ContextRecord.objects.create(
        turn=prepared.turn,
        attempt=prepared.attempt.number,
        strategy=recalled.route.strategy,
        reason=recalled.route.reason,
        rewrite_reason=recalled.rewrite.reason,
        model=ending.model,
        prompt_version=prompt.version,
        # Keyed, so that guesses of an erased turn can't be tested against later prompts.
        prompt_hash=fingerprint_words([prompt.hash], owner=prepared.turn.owner_id)[0],
        window=prepared.turn.session.context_window,
        prompt_tokens=prompt.tokens,
        markers_removed=prepared.citing.removed,
        earlier_confidence=prepared.personal.earlier.confidence,
        finish_reason=prepared.draft.finish[:40],
        reported_prompt_tokens=usage.prompt if usage else None,
        reported_answer_tokens=usage.answer if usage else None,
        parts=[
            {"part": part.name, "tokens": part.tokens, "allowance": part.allowance}
            for part in prompt.parts
        ],
        gaps=[asdict(gap) for gap in _list_gaps(prepared)],
        told=told,
        pipeline_steps=list_steps(prepared, ending.status, ending.failure),
        steps=[{"step": step, "milliseconds": milliseconds} for step, milliseconds in steps],
    )
    _record_turns(row, prepared)
    _record_personal(prepared, ending.model)
    _record_passages(row, prepared, still)


def _list_gaps(prepared: "Prepared") -> Sequence[Gap]:
    """Return the omitted turns: all stored ones, if a client gave a history."""
    if not prepared.recalled.is_given:
        return prepared.prompt.selection.gaps
    stored = prepared.turn.position - 1
    return [Gap(1, stored, "history_given")] if stored else []


def _record_turns(row: ContextRecord, prepared: "Prepared") -> None:
    whole = [
        ContextTurn(
            record=row,
            turn=turn.row,
            position=turn.position,
            tokens=turn.tokens,
            shortened=turn.shortened,
        )
        for turn in prepared.prompt.turns
        if isinstance(turn.row, Turn)  # a client's turns have no rows
    ]
    short = [
        ContextTurn(
            record=row,
            turn_id=brief.turn_id,
            position=brief.first,
            tokens=brief.tokens,
            shortened=True,
        )
        for brief in prepared.prompt.briefs
        if brief.turn_id
    ]
    ContextTurn.objects.bulk_create([*whole, *short])


def _record_personal(prepared: "Prepared", model: str) -> None:
    """Store the facts and the turns of other sessions that the answer could use.

    Those deleted meanwhile are left out.
    """
    facts, turns = list_origins(
        prepared.personal,
        prepared.told,
        is_built_in=model == MODEL,
        recounts=bool(prepared.reply),
    )
    answer = prepared.turn
    if prepared.attempt.number > 1:
        answer.facts_used.all().delete()
        answer.earlier_used.all().delete()
    if facts:
        there = set(Fact.objects.filter(pk__in=[fact.pk for fact in facts]).values_list("pk"))
        ContextFact.objects.bulk_create(
            ContextFact(answer=answer, fact=fact) for fact in facts if (fact.pk,) in there
        )
    if turns:
        ids = [each.turn.pk for each in turns]
        left = set(Turn.objects.remembered().filter(pk__in=ids).values_list("pk"))
        ContextEarlier.objects.bulk_create(
            ContextEarlier(answer=answer, turn=each.turn, score=each.score)
            for each in turns
            if (each.turn.pk,) in left
        )


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
    """Log the turn's only line: counts, tokens and times."""
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
