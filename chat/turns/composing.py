"""The text of an answer as it comes: said at once, by a model, or by the passages themselves.

For turns, and for questions that are not stored.
"""

from contextlib import aclosing
from dataclasses import replace

from django.utils import translation

from chat import llm, quoting
from chat.contract import UNUSABLE
from chat.database_threads import aside
from chat.quoting.writing import shown_as
from chat.turns.drafting import Steps
from chat.turns.grounding import Ground
from memory.errors import ModelError
from memory.models import Turn
from memory.recall.rewriting import MORE_OF_THE_SAME, OF_THE_ANSWER

Outcome = Turn.Outcome


async def written(ground: Ground, *, keeps: bool = False, last_try: bool = False) -> Steps:
    """Yield the answer in the pieces in which it comes, or raise ModelError.

    `keeps` if there is a text that only a better one may replace; `last_try` if the prompt will not
    be built again for a server that says it is too long.
    """
    draft = ground.draft
    if ground.reply or not ground.asks_model:
        yield draft.give(ground.reply or await aside(_quoted, ground))
    else:
        steps = draft.by_model()
        try:
            async with aclosing(steps):
                async for step in steps:
                    yield step
        except ModelError as error:
            comes_again = isinstance(error, llm.ContextOverflow) and not last_try
            if comes_again or draft.said.strip() or keeps or not ground.may_step_in:
                raise
            draft.failure = error.code
        steps = _made_good(ground, keeps=keeps)
        async with aclosing(steps):
            async for step in steps:
                yield step
    yield draft.close()


async def _made_good(ground: Ground, *, keeps: bool) -> Steps:
    """Put something better in the place of what is no answer, where there is something."""
    draft = ground.draft
    is_longer, steps = bool(draft.earlier), None
    if draft.problem in UNUSABLE and (is_longer or keeps or ground.may_step_in):
        draft.failure = f"model_{draft.problem}"
    if draft.problem == Outcome.LOOPED and (is_longer or not draft.failure):
        steps = draft.settle()
    elif draft.failure and not is_longer:
        draft.is_built_in, draft.problem, draft.reasoning = True, "", ""
        steps = draft.begin_anew("" if keeps else await aside(_quoted, ground))
    if is_longer and draft.failure:  # what was there before can still be gone on with
        draft.problem = Outcome.CUT
    if steps:
        async with aclosing(steps):
            async for step in steps:
                yield step


def _quoted(ground: Ground) -> str:
    """Return the answer that the passages give, with our words in the question's language."""
    with translation.override(ground.tongue):
        return _from_passages(ground)


def _from_passages(ground: Ground) -> str:
    if ground.ready:
        labels = {offer.passage.pk: offer.label for offer in ground.prompt.offers}
        if text := ground.ready.written(labels):
            return text
    recalled = ground.recalled
    if recalled.rewrite.reason == OF_THE_ANSWER and ground.holds_something:
        return _shortened(ground)
    more = recalled.rewrite.reason == MORE_OF_THE_SAME
    said = [exchange.response for exchange in recalled.exchanges] if more else None
    if not ground.holds_something and ground.unread:
        return quoting.nothing_yet([document.title for document in ground.unread])
    if not ground.holds_something:
        return quoting.nothing(said)
    manner = quoting.Manner(
        is_brief=ground.personal.is_brief, has_bullets=ground.personal.has_bullets
    )
    return quoting.quote(
        ground.reading,
        ground.prompt.offers,
        said=said,
        manner=manner,
        in_doubt=not ground.is_sure,
    )


def _shortened(ground: Ground) -> str:
    """Return the best sentence of those that the last answer quotes, or else that it cites."""
    said = "\n".join(each.response for each in ground.recalled.exchanges[-1:]).replace("**", "")
    read = ground.reading.candidates
    quoted = [each for each in read if shown_as(each.unit, each.passage.text) in said]
    cited = {each.passage for each in ground.found if each.is_required}
    among = quoted or [each for each in read if each.passage in cited] or read
    best = sorted(among, key=lambda each: -each.score)[:1]
    manner = quoting.Manner(is_brief=True, has_bullets=ground.personal.has_bullets)
    reading = replace(ground.reading, candidates=best)
    return quoting.quote(reading, ground.prompt.offers, manner=manner)
