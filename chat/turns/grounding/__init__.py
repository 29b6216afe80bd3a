"""What an answer is made from: for turns, and for questions that are not stored.

Its text as it comes is chat.turns.composing's.
"""

from collections.abc import Iterator
from uuid import UUID

from django.utils import translation

from chat import llm
from chat.prompting.fixed import fixed_tokens
from chat.turns.grounding.ground import AnswerRequest, Ground, Timings
from chat.turns.grounding.steps import (
    arrange_structure,
    draft_answer,
    judge_passages,
    search_library,
    understand,
)
from chat.turns.replies.plain import PlainReply
from chat.turns.tongues import select_language
from memory.models import Turn
from memory.models.conversations import Rewriting
from memory.personal_data.recipients import note_recipients
from memory.recall.budget import divide
from memory.recall.past import Past
from memory.recall.rewriting import Rewrite
from memory.text.embedding import server_asked

__all__ = [
    "SHRUNK",
    "AnswerRequest",
    "Ground",
    "check_length",
    "get_given_rewrite",
    "note_asked",
    "prepare_ground",
]

# When the server says that the prompt overflows, it is built once more in this share of the window.
SHRUNK = 0.7
# Of so many questions before one tells the language, if the question doesn't.
MOST_BEFORE = 3


def check_length(question: str, window: int, model: str = "") -> None:
    """Raise QuestionTooLong for a question that leaves no room for an answer in the window."""
    limits = llm.prompt_limits(window, model=model)
    system, asked = fixed_tokens(limits.window, question)
    divide(limits, system=system, question=asked, history=0, passages=0)


def note_asked(owner: UUID, model: str) -> None:
    """Note which servers the person's question goes to, which comes before it goes there."""
    note_recipients(owner, [*llm.servers_asked(model), *server_asked()])


def prepare_ground(request: AnswerRequest) -> Ground:
    """Do what comes before an answer: recall, find, read, build."""
    timings = Timings()
    tongue = select_language(request.query, _before(request.past))
    with translation.override(tongue):  # what is said at once
        with timings.step("recall"):
            asked = understand(request)
        with timings.step("find"):
            searched = search_library(request, asked)
        with timings.step("read"):
            judged = judge_passages(request, asked, searched)
        with timings.step("arrange"):
            searched = arrange_structure(request, asked, searched, bool(judged.told))
            judged = judged.trust_words(searched.form)
        searched.form.language = tongue
    with timings.step("build"):
        draft = draft_answer(request, asked, searched, judged)
    return Ground(
        query=request.query,
        recalled=searched.recalled,
        found=searched.found,
        prompt=draft.prompt,
        draft=draft,
        timings=timings,
        units=judged.units,
        answerability=judged.answerability,
        unread=judged.unread,
        missed=judged.missed,
        reply=judged.told.text if judged.told else asked.reply,
        personal=asked.personal,
        told=judged.told,
        recounted=PlainReply() if judged.told else asked.recounted,
        profile=searched.profile,
        tongue=tongue,
    )


def _before(past: Past) -> Iterator[str]:
    """Yield the questions before, the newest first, as far as they are asked for."""
    newest = range(max(1, past.last_position - MOST_BEFORE + 1), past.last_position + 1)
    yield from (turn.query for turn in reversed(past.read(newest)))


def get_given_rewrite(turn: Turn) -> Rewrite | None:
    """Return the standalone question that came with the turn's own, if one did."""
    if turn.rewriting == Rewriting.AUTOMATIC or turn.standalone_query is None:
        return None
    return Rewrite(turn.standalone_query, turn.rewriting)
