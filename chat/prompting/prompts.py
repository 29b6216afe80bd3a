"""The assembly of prompts that can't overflow their window; their text is in wording.

Pure. Passages and earlier turns are data. The system prompt says so, and the code enforces it: only
offered labels can be cited, whatever a passage contains.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.prompting.drafts import Part, PricedPassage, Prompt, PromptDraft
from chat.prompting.history import (
    compute_demand,
    fill_room,
    select,
    turn_allowance,
)
from chat.prompting.wording import (
    Matter,
    count_fixed_tokens,
    fit_aside,
    render_passage,
    write_system_message,
)
from citations.languages import identify_language
from citations.retrieval import Found
from memory.models.conversations import AnswerLength
from memory.recall import Recalled
from memory.recall.budget import PRIMING, Budget, Limits, divide
from memory.recall.history import MARKER_TOKENS
from memory.text.token_counting import count_tokens

# Most tokens of an answer, by its requested length.
ANSWER_TOKENS = {AnswerLength.BRIEF: 200, AnswerLength.NORMAL: 500, AnswerLength.THOROUGH: 1500}


def build(
    matter: Matter,
    recalled: Recalled,
    found: Sequence[Found],
    limits: Limits,
    *,
    wishes: Sequence[str] = (),
) -> Prompt:
    """Assemble the prompt within the limits; raises QuestionTooLong if it can't fit.

    `wishes` are the person's wishes about every answer.
    """
    most = ANSWER_TOKENS[AnswerLength(matter.length)]
    matter = _complete_matter(matter, recalled, limits, wishes)
    prices = _price_parts(matter, recalled, found, limits, wishes)
    chosen = _fit_passages(prices.passages, prices.budget.passages)
    room = limits.usable - prices.sum_tokens(chosen, answer=max(limits.answer, most))
    earlier = select(recalled, turn_allowance(recalled, prices.budget.history), limits)
    room -= earlier.selection.tokens + MARKER_TOKENS
    draft = PromptDraft(
        window=limits.window,
        system=write_system_message(limits.window, wishes),
        matter=matter,
        recalled=recalled,
        entries=chosen,
        earlier=earlier,
        filling=fill_room(recalled, earlier.selection, limits, room=room),
    ).shrink(limits.usable - limits.answer_floor)
    left = max(1, min(prices.budget.answer, limits.usable - draft.tokens))
    return draft.prompt(prices.parts(draft, limits), min(left, most))


def _complete_matter(
    matter: Matter, recalled: Recalled, limits: Limits, wishes: Sequence[str]
) -> Matter:
    """Return the matter with its meaning, its language, and an aside that fits."""
    meant = recalled.rewrite.query
    return replace(
        matter,
        meaning="" if meant.strip() == matter.question.strip() else meant,
        aside=fit_aside(matter.aside, limits, matter.question, wishes),
        language=matter.language or identify_language(matter.question),
    )


@dataclass(frozen=True)
class _Prices:
    """The tokens of the parts of a prompt, and their budget."""

    system: int
    question: int
    passages: list[PricedPassage]
    budget: Budget

    def sum_tokens(self, chosen: Sequence[PricedPassage], *, answer: int) -> int:
        """Return the tokens of everything but the history, including those for the answer."""
        told = min(self.budget.answer, answer)
        fixed = self.system + self.question
        return PRIMING + fixed + told + sum(entry.tokens for entry in chosen)

    def parts(self, draft: PromptDraft, limits: Limits) -> list[Part]:
        """Return the tokens and the allowance of each part of the draft."""
        passages = sum(entry.tokens for entry in draft.entries)
        return [
            Part("system", self.system, max(self.system, limits.system)),
            *draft.history_parts(self.budget.history),
            Part("passages", passages, self.budget.passages),
            Part("question", self.question, max(self.question, limits.question)),
        ]


def _price_parts(
    matter: Matter,
    recalled: Recalled,
    found: Sequence[Found],
    limits: Limits,
    wishes: Sequence[str],
) -> _Prices:
    system, asked = count_fixed_tokens(
        limits.window, matter.question, wishes, matter.aside, matter.form
    )
    passages = [PricedPassage(each, count_tokens(render_passage(1, each))) for each in found]
    budget = divide(
        limits,
        system=system,
        question=asked,
        history=compute_demand(recalled, limits),
        passages=sum(entry.tokens for entry in passages),
    )
    return _Prices(system, asked, passages, budget)


def _fit_passages(entries: Sequence[PricedPassage], allowance: int) -> list[PricedPassage]:
    """Return the best passages that fit together, best first."""
    chosen = []
    for entry in entries:
        if entry.tokens <= allowance:
            chosen.append(entry)
            allowance -= entry.tokens
    return chosen
