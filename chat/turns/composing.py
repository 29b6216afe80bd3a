"""The streamed text of an answer: an immediate reply, a model's answer or quotations.

For turns, and for questions that are not stored.
"""

from collections.abc import Collection
from contextlib import aclosing
from dataclasses import replace

from django.utils import translation

from chat import llm
from chat.contract import UNUSABLE
from chat.database_threads import run_slow
from chat.extractive.markdown import format_item
from chat.extractive.scorer import ScoredUnit, score_units
from chat.extractive.selection import (
    MOST_PLACES,
    MOST_WORDS,
    MOST_WORDS_IN_DOUBT,
    select_stretches,
)
from chat.extractive.writing import write_not_read_yet, write_nothing_found, write_stretches
from chat.turns.drafting import Steps
from chat.turns.grounding.ground import Ground
from chat.turns.structured.writing import quote_structured
from memory.errors import ModelError
from memory.models import Turn
from memory.recall.rewriting.exchanges import MORE_OF_THE_SAME
from memory.recall.talk.conversation import OF_THE_ANSWER

Outcome = Turn.Outcome


async def write_pieces(ground: Ground, *, keeps: bool = False, last_try: bool = False) -> Steps:
    """Yield the pieces of the answer, or raise ModelError.

    `keeps`: the turn has a text that only a better one may replace. `last_try`: a prompt that the
    server finds too long is not built again.
    """
    draft = ground.draft
    if ground.reply or not ground.asks_model:
        yield draft.give(ground.reply or await run_slow(_quote_answer, ground))
    else:
        steps = draft.ask_model()
        try:
            async with aclosing(steps):
                async for step in steps:
                    yield step
        except ModelError as error:
            comes_again = isinstance(error, llm.ContextOverflow) and not last_try
            if comes_again or draft.said.strip() or keeps or not ground.may_step_in:
                raise
            draft.failure = error.code
        steps = _replace_poor(ground, keeps=keeps)
        async with aclosing(steps):
            async for step in steps:
                yield step
    yield draft.close()


async def _replace_poor(ground: Ground, *, keeps: bool) -> Steps:
    """Replace an unusable text by something better, if there is any."""
    draft = ground.draft
    is_longer, steps = bool(draft.earlier), None
    if draft.problem in UNUSABLE and (is_longer or keeps or ground.may_step_in):
        draft.failure = f"model_{draft.problem}"
    if draft.problem == Outcome.LOOPED and (is_longer or not draft.failure):
        steps = draft.settle()
    elif draft.failure and not is_longer:
        draft.is_built_in, draft.problem, draft.reasoning = True, "", ""
        steps = draft.begin_anew("" if keeps else await run_slow(_quote_answer, ground))
    if is_longer and draft.failure:  # the earlier text can still be continued
        draft.problem = Outcome.CUT
    if steps:
        async with aclosing(steps):
            async for step in steps:
                yield step


def _quote_answer(ground: Ground) -> str:
    """Return the answer made of quotations, with our own words in the question's language."""
    with translation.override(ground.language):
        return _write_quotation(ground)


def _write_quotation(ground: Ground) -> str:
    labels = {offer.passage.pk: offer.label for offer in ground.prompt.offers}
    draft = ground.draft
    if (structured := quote_structured(ground)) and draft.form.output:
        draft.citing.is_bounded = False
        return structured
    prose = _quote_prose(ground, labels)
    return "\n\n".join(filter(None, [structured, prose]))


def _quote_prose(ground: Ground, labels: dict[int, int]) -> str:
    if ground.profile and ground.profile.passage.pk in labels:
        return ground.profile.write(labels)
    recalled = ground.recalled
    more = recalled.rewrite.reason == MORE_OF_THE_SAME
    before = [exchange.response for exchange in recalled.exchanges] if more else None
    if not ground.holds_something and ground.unread:
        return write_not_read_yet([document.title for document in ground.unread])
    if not ground.holds_something:
        return write_nothing_found(before)
    is_brief = recalled.rewrite.reason == OF_THE_ANSWER or ground.personal.is_brief
    stretches = select_stretches(
        read_quotable_units(ground, labels, "\n".join(before or ()).replace("**", "")),
        words=MOST_WORDS if ground.is_sure else MOST_WORDS_IN_DOUBT,
        places=1 if is_brief else MOST_PLACES,
    )
    if not stretches:
        return write_nothing_found(before)
    asked, has_bullets = recalled.asked.text, ground.personal.has_bullets
    return write_stretches(stretches, labels, asked, has_bullets=has_bullets)


def read_quotable_units(ground: Ground, labels: Collection[int], said: str) -> list[ScoredUnit]:
    """Return the units, with score 0 for those not offered or already `said`.

    An answer that is repeated only quotes the passages that it cited.
    """
    recalled = ground.recalled
    units = ground.units or score_units(recalled.asked, ground.found, typed=recalled.typed.text)
    required = {each.passage.pk for each in ground.found if each.is_required}
    is_told_again = recalled.rewrite.reason == OF_THE_ANSWER and required
    allowed = required.intersection(labels) if is_told_again else labels
    return [
        each
        if each.passage.pk in allowed and format_item(each.text) not in (said or ())
        else replace(each, score=0.0)
        for each in units
    ]
