"""The check of a finished answer: its statements against what was offered, aside, in bounded time.

The text stands on the page by then. What can't be checked is recorded without claims.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chat.database_threads import run_slow
from chat.turns.structured.checking import find_statements
from citations.attribution.attributing import CheckTooSlow, check
from citations.attribution.offers import Judged
from memory.errors import described
from memory.models import Turn
from memory.recall.rewriting import ABOUT_CONVERSATION

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

log = logging.getLogger(__name__)

LONGEST = 5.0  # seconds


async def check_claims(ground: "Ground", *, was_stopped: bool = False) -> Sequence[Judged]:
    """Judge the answer's claims by the passages offered; none if that fails."""
    try:
        judging = run_slow(_judged, ground, was_stopped)
        return await asyncio.wait_for(judging, LONGEST + 1)
    except (TimeoutError, CheckTooSlow):
        log.warning("claims_not_checked", extra={"reason": "too_slow"})
    except Exception as error:  # noqa: BLE001 - an answer is worth more than its check
        log.error("claims_not_checked", extra=described(error))
    return ()


def _judged(ground: "Ground", was_stopped: bool) -> list[Judged]:
    rewrite = ground.recalled.rewrite
    if ground.reply or rewrite.reason == ABOUT_CONVERSATION:
        return []  # it is not about documents
    form = ground.draft.form
    return check(
        ground.citing,
        found=find_statements(form, ground.citing, is_quoted=not ground.is_models)
        if form.output or form.kept
        else None,
        question=rewrite.query,
        only_quotations=not ground.is_models,
        was_cut=was_stopped or ground.draft.problem == Turn.Outcome.CUT,
        seconds=LONGEST,
    )
