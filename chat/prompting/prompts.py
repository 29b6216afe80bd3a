"""How a prompt is put together so that it can't overflow its window; its text is chat.prompting's.

Pure: values in, values out. Passages and earlier turns are data; the system prompt says so, and the
code holds it: only offered labels can be cited, whatever a passage says.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from chat.prompting.drafts import Message, Part, PricedPassage, Prompt, PromptDraft
from chat.prompting.filling import filling, room_for_turns, wanted_by_history
from chat.prompting.fixed import NOTHING_ASIDE, fixed_tokens, matter_of, with_room, wording
from chat.prompting.history import NamedMarkers, select
from chat.prompting.wording import BRACKETED_NUMBER, WORDINGS, Aside
from citations.retrieval import Found
from memory.models.conversations import AnswerLength
from memory.recall import Recalled
from memory.recall.budget import PRIMING, Limits, divide
from memory.recall.history import MARKER_TOKENS
from memory.text.token_counting import count_tokens

__all__ = [
    "BRACKETED_NUMBER",
    "PRIMING",
    "VERSIONS",
    "Message",
    "Part",
    "Prompt",
    "build",
    "fixed_tokens",
]

VERSIONS = tuple(WORDINGS)
# The most tokens of an answer, by how long it is to be.
ANSWER_TOKENS = {AnswerLength.BRIEF: 200, AnswerLength.NORMAL: 500, AnswerLength.THOROUGH: 1500}


def build(
    question: str,
    recalled: Recalled,
    found: Sequence[Found],
    limits: Limits,
    *,
    today: date | None = None,
    length: str = AnswerLength.NORMAL,
    wishes: Sequence[str] = (),
    aside: Aside = NOTHING_ASIDE,
    language: str = "",
    cited: NamedMarkers | None = None,
    in_doubt: bool = True,
) -> Prompt:
    """Put the prompt together within the limits; raises QuestionTooLong where that can't be.

    `wishes` are what the person wants of every answer, `language` the one they want it in;
    `aside` is what they said before, elsewhere or of themselves; `cited` is what the newest answer
    cites; `in_doubt` whether what was found may well not answer the question.
    """
    text = wording()
    aside = with_room(aside, limits, question, wishes)
    system, asked = fixed_tokens(limits.window, question, wishes, aside)
    entries = [PricedPassage(passage, count_tokens(text.passage(1, passage))) for passage in found]
    budget = divide(
        limits,
        system=system,
        question=asked,
        history=wanted_by_history(recalled, limits),
        passages=sum(entry.tokens for entry in entries),
    )
    is_as_typed = recalled.rewrite.query.strip() == question.strip()
    meaning = "" if is_as_typed else recalled.rewrite.query
    matter = replace(
        matter_of(question, language), meaning=meaning, today=today, length=length, aside=aside
    )
    turns = room_for_turns(recalled, budget.history) if text.in_blocks else budget.history
    earlier = select(recalled, turns, limits, in_blocks=text.in_blocks)
    chosen = _fitting(entries, budget.passages)
    answer = min(budget.answer, max(limits.answer, ANSWER_TOKENS[AnswerLength(length)]))
    used = PRIMING + system + asked + answer + sum(entry.tokens for entry in chosen)
    room = limits.usable - used - earlier.selection.tokens - MARKER_TOKENS
    draft = PromptDraft(
        text=text,
        window=limits.window,
        system=text.system(limits.window, wishes),
        matter=replace(matter, in_doubt=in_doubt),
        recalled=recalled,
        entries=chosen,
        earlier=earlier,
        filling=filling(recalled, earlier.selection, limits, room=room if text.in_blocks else 0),
        cited=cited if text.keeps_markers else None,
    )
    # The tokens of joined texts can differ by a few from the sum of their parts.
    while draft.tokens > limits.usable - limits.answer_floor and draft.can_shrink():
        draft = draft.smaller()
    parts = [
        Part("system", system, max(system, limits.system)),
        *draft.parts_of_history(budget.history),
        Part("passages", sum(entry.tokens for entry in draft.entries), budget.passages),
        Part("question", asked, max(asked, limits.question)),
    ]
    room = max(1, min(budget.answer, limits.usable - draft.tokens))
    return draft.prompt(parts, min(room, ANSWER_TOKENS[AnswerLength(length)]))


def _fitting(entries: Sequence[PricedPassage], allowance: int) -> list[PricedPassage]:
    """Return the best passages that fit together, best first."""
    chosen = []
    for entry in entries:
        if entry.tokens <= allowance:
            chosen.append(entry)
            allowance -= entry.tokens
    return chosen
