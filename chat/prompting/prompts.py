"""How a prompt is put together so that it can't overflow its window; its text is chat.prompting's.

Pure: values in, values out. Passages and earlier turns are data; the system prompt says so, and the
code holds it: only offered labels can be cited, whatever a passage says.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from django.conf import settings

from chat.prompting.filling import Filling, filling, room_for_turns, wanted_by_history
from chat.prompting.fixed import (
    NOTHING_ASIDE,
    counted_once,
    fixed_tokens,
    matter_of,
    with_room,
    wording,
)
from chat.prompting.history import Earlier, NamedMarkers, relabelled, select
from chat.prompting.wording import BRACKETED_NUMBER, WORDINGS, Aside, Matter, Wording
from citations.attribution.citing import Offer
from citations.retrieval import Found
from memory.models.conversations import AnswerLength
from memory.recall import Brief, Recalled, RecalledTurn
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING, Limits, divide
from memory.recall.history import MARKER_TOKENS, Gap, Selection, marker
from memory.text.token_counting import count_tokens

__all__ = [
    "BRACKETED_NUMBER",
    "PRIMING",
    "VERSIONS",
    "Part",
    "Prompt",
    "build",
    "fixed_tokens",
]

VERSIONS = tuple(WORDINGS)
# The most tokens of an answer, by how long it is to be.
ANSWER_TOKENS = {AnswerLength.BRIEF: 200, AnswerLength.NORMAL: 500, AnswerLength.THOROUGH: 1500}


Message = dict[str, str]


@dataclass(frozen=True)
class Part:
    """What a part of the prompt uses of what it may."""

    name: str
    tokens: int
    allowance: int


@dataclass(frozen=True)
class Prompt:
    """The messages for the model, and what went into them."""

    messages: list[Message]
    offers: list[Offer]
    turns: list[RecalledTurn]
    # Others, in few words.
    briefs: list[Brief]
    ladder: tuple[Brief, ...]
    selection: Selection
    parts: list[Part]
    tokens: int
    answer_tokens: int
    version: str

    @property
    def hash(self) -> str:
        """A fingerprint of exactly what the model saw."""
        text = "\0".join(f"{message['role']}\0{message['content']}" for message in self.messages)
        return hashlib.sha256(text.encode()).hexdigest()


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
    draft = _Draft(
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


def _fitting(entries: Sequence["PricedPassage"], allowance: int) -> list["PricedPassage"]:
    """Return the best passages that fit together, best first."""
    chosen = []
    for entry in entries:
        if entry.tokens <= allowance:
            chosen.append(entry)
            allowance -= entry.tokens
    return chosen


@dataclass(frozen=True)
class PricedPassage:
    """A passage that was found, and what it costs in a prompt."""

    found: Found
    tokens: int


@dataclass(frozen=True)
class _Counted:
    """A message with its tokens."""

    role: str
    content: str
    tokens: int


@dataclass(frozen=True)
class _Draft:
    """A prompt that may still have to give something up."""

    text: Wording
    window: int
    system: str
    matter: Matter
    recalled: Recalled
    entries: list[PricedPassage]
    earlier: Earlier
    filling: Filling
    cited: NamedMarkers | None

    @cached_property
    def turns(self) -> list[RecalledTurn]:
        positions = self.earlier.selection.positions
        return [self.recalled.turns[position] for position in positions]

    @cached_property
    def apart(self) -> list[RecalledTurn]:
        """Those that stand with the question."""
        chosen = [turn for turn in self.turns if self.earlier.is_apart(turn.position)]
        return sorted([*chosen, *self.filling.turns], key=lambda turn: turn.position)

    @cached_property
    def offers(self) -> list[Offer]:
        passages = [entry.found.passage for entry in self.entries]
        return [
            Offer(label, passage, passage.document_id)
            for label, passage in enumerate(passages, start=1)
        ]

    def parts_of_history(self, allowance: int) -> list[Part]:
        used = self.earlier.selection.tokens + self.filling.spare_tokens
        ladder = self.filling.ladder_tokens
        summaries = [Part("summaries", ladder, ladder)] if ladder else []
        return [Part("history", used, max(used, allowance)), *summaries]

    def prompt(self, parts: list[Part], answer_tokens: int) -> Prompt:
        """Return it as it is now."""
        return Prompt(
            messages=[{"role": each.role, "content": each.content} for each in self.messages],
            offers=self.offers,
            turns=[*self.turns, *self.filling.turns],
            briefs=self.filling.briefs,
            ladder=self.filling.ladder,
            selection=self.filling.accounts_for(self.earlier.selection),
            parts=parts,
            tokens=self.tokens,
            answer_tokens=answer_tokens,
            version=settings.PROMPT_VERSION,
        )

    @cached_property
    def tokens(self) -> int:
        return PRIMING + sum(message.tokens + MESSAGE_OVERHEAD for message in self.messages)

    @cached_property
    def messages(self) -> list[_Counted]:
        """System prompt, earlier turns, and the question with the rest; a line names the gaps."""
        messages = [_Counted("system", self.system, counted_once(self.system))]
        apart = self.apart
        standing = {turn.position for turn in apart}
        gaps = self._gaps([at for at in self.earlier.selection.positions if at in standing])
        note = f"{self._note(gaps)}\n\n" if gaps else ""
        for turn in self.turns:
            if turn.position in standing:
                continue
            asked = _Counted("user", turn.query, turn.query_tokens)
            if note and turn.position > gaps[0].first:
                asked = _counted("user", note + turn.query)
                note = ""
            messages += [asked, self._answer(turn)]
        found = [entry.found for entry in self.entries]
        last = replace(self.matter, passages=found, earlier=apart, briefs=self.filling.briefs)
        return [*messages, _counted("user", note + self.text.asked(last, self.window))]

    def _note(self, gaps: Sequence[Gap]) -> str:
        """Return the line that names the gaps, with the summaries of what is in them."""
        if not self.filling.ladder:
            return marker(gaps)
        return f"{marker(gaps)}\n{self.text.summaries(self.filling.ladder)}"

    def _gaps(self, apart: Sequence[int]) -> list[Gap]:
        """Return the gaps between the messages: what stands with the question is left out there,
        so that the line is the same whichever turns that are.
        """
        gaps: list[Gap] = []
        missing = [*self.earlier.selection.gaps, *(Gap(at, at, "") for at in apart)]
        for gap in sorted(missing, key=lambda gap: gap.first):
            if apart and gaps and gaps[-1].last + 1 == gap.first:
                gaps[-1] = replace(gaps[-1], last=gap.last)
            else:
                gaps.append(gap)
        return gaps

    def _answer(self, turn: RecalledTurn) -> _Counted:
        if self.cited and turn.position == self.cited.position:
            return _counted("assistant", relabelled(turn, self.cited, self.offers))
        return _Counted("assistant", turn.response, turn.response_tokens)

    def can_shrink(self) -> bool:
        fill = self.filling.spare or self.filling.ladder
        return bool(fill or self.entries or self.turns or self.cited or self.matter.meaning)

    def smaller(self) -> "_Draft":
        """Give up markers, what filled the room, a passage, the oldest turn, the meaning."""
        if self.cited:
            return replace(self, cited=None)
        if self.filling.spare or self.filling.ladder:
            return replace(self, filling=self.filling.smaller())
        if self.entries:
            return replace(self, entries=self.entries[:-1])
        if not self.turns:
            return replace(self, matter=replace(self.matter, meaning=""))
        selection = self.earlier.selection
        oldest, *kept = selection.positions
        tokens = selection.tokens - self.recalled.turns[oldest].tokens
        gap = Gap(oldest, oldest, "no_room")
        gaps = tuple(sorted([*selection.gaps, gap], key=lambda gap: gap.first))
        return replace(
            self, earlier=replace(self.earlier, selection=Selection(tuple(kept), tokens, gaps))
        )


def _counted(role: str, content: str) -> _Counted:
    return _Counted(role, content, count_tokens(content))
