"""How a prompt is put together so that it can't overflow its window; its text is chat.prompting's.

Pure: values in, values out. Passages and earlier turns are data; the system prompt says so, and the
code holds it: only offered labels can be cited, whatever a passage says.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from chat.prompting.drafts import Message, Part, PricedPassage, Prompt, PromptDraft
from chat.prompting.filling import Filling, filling, room_for_turns, wanted_by_history
from chat.prompting.fixed import fixed_tokens, with_room, wording
from chat.prompting.history import Earlier, NamedMarkers, select
from chat.prompting.wording import BRACKETED_NUMBER, WORDINGS, Matter
from citations.languages import language_of
from citations.retrieval import Found
from memory.models.conversations import AnswerLength
from memory.recall import Recalled
from memory.recall.budget import PRIMING, Budget, Limits, divide
from memory.recall.history import MARKER_TOKENS
from memory.text.token_counting import count_tokens

__all__ = [
    "BRACKETED_NUMBER",
    "PRIMING",
    "VERSIONS",
    "Matter",
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
    matter: Matter,
    recalled: Recalled,
    found: Sequence[Found],
    limits: Limits,
    *,
    wishes: Sequence[str] = (),
    cited: NamedMarkers | None = None,
) -> Prompt:
    """Put the prompt together within the limits; raises QuestionTooLong where that can't be.

    `wishes` are what the person wants of every answer; `cited` is what the newest answer cites.
    """
    text, most = wording(), ANSWER_TOKENS[AnswerLength(matter.length)]
    matter = _understood(matter, recalled, limits, wishes)
    prices = _Prices.of(matter, recalled, found, limits, wishes)
    chosen = _fitting(prices.passages, prices.budget.passages)
    room = limits.usable - prices.used_by(chosen, answer=max(limits.answer, most))
    earlier, beside = _history(recalled, prices.budget, limits, room=room)
    draft = PromptDraft(
        text=text,
        window=limits.window,
        system=text.system(limits.window, wishes),
        matter=matter,
        recalled=recalled,
        entries=chosen,
        earlier=earlier,
        filling=beside,
        cited=cited if text.keeps_markers else None,
    ).within(limits.usable - limits.answer_floor)
    left = max(1, min(prices.budget.answer, limits.usable - draft.tokens))
    return draft.prompt(prices.parts(draft, limits), min(left, most))


def _understood(
    matter: Matter, recalled: Recalled, limits: Limits, wishes: Sequence[str]
) -> Matter:
    """Return it with what the question means, its language, and no more aside than has room."""
    meant = recalled.rewrite.query
    return replace(
        matter,
        meaning="" if meant.strip() == matter.question.strip() else meant,
        aside=with_room(matter.aside, limits, matter.question, wishes),
        language=matter.language or language_of(matter.question),
    )


@dataclass(frozen=True)
class _Prices:
    """What the parts of a prompt cost, and what each of them may use."""

    system: int
    question: int
    passages: list[PricedPassage]
    budget: Budget

    @classmethod
    def of(
        cls,
        matter: Matter,
        recalled: Recalled,
        found: Sequence[Found],
        limits: Limits,
        wishes: Sequence[str],
    ) -> Self:
        system, asked = fixed_tokens(limits.window, matter.question, wishes, matter.aside)
        said = wording().passage
        passages = [PricedPassage(passage, count_tokens(said(1, passage))) for passage in found]
        budget = divide(
            limits,
            system=system,
            question=asked,
            history=wanted_by_history(recalled, limits),
            passages=sum(entry.tokens for entry in passages),
        )
        return cls(system, asked, passages, budget)

    @property
    def fixed(self) -> int:
        """The tokens of what is never cut."""
        return self.system + self.question

    def used_by(self, chosen: Sequence[PricedPassage], *, answer: int) -> int:
        """Return the tokens of all but the history, with the answer that may be as long."""
        told = min(self.budget.answer, answer)
        return PRIMING + self.fixed + told + sum(entry.tokens for entry in chosen)

    def parts(self, draft: PromptDraft, limits: Limits) -> list[Part]:
        """Return what each part of the draft uses of what it may."""
        passages = sum(entry.tokens for entry in draft.entries)
        return [
            Part("system", self.system, max(self.system, limits.system)),
            *draft.parts_of_history(self.budget.history),
            Part("passages", passages, self.budget.passages),
            Part("question", self.question, max(self.question, limits.question)),
        ]


def _history(
    recalled: Recalled, budget: Budget, limits: Limits, *, room: int
) -> tuple[Earlier, Filling]:
    """Return the turns that were chosen, and what goes in beside them if they leave some room."""
    in_blocks = wording().in_blocks
    turns = room_for_turns(recalled, budget.history) if in_blocks else budget.history
    earlier = select(recalled, turns, limits, in_blocks=in_blocks)
    room -= earlier.selection.tokens + MARKER_TOKENS
    return earlier, filling(recalled, earlier.selection, limits, room=room if in_blocks else 0)


def _fitting(entries: Sequence[PricedPassage], allowance: int) -> list[PricedPassage]:
    """Return the best passages that fit together, best first."""
    chosen = []
    for entry in entries:
        if entry.tokens <= allowance:
            chosen.append(entry)
            allowance -= entry.tokens
    return chosen
