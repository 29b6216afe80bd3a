"""A prompt before it is sent: what it holds, in which order, and what it gives up to fit."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings

from chat.prompting.filling import Filling
from chat.prompting.fixed import counted_once
from chat.prompting.history import Earlier, NamedMarkers, relabelled
from chat.prompting.wording import Matter, Wording
from citations.attribution.citing import Offer
from citations.retrieval import Found
from memory.recall import Brief, Recalled, RecalledTurn
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING
from memory.recall.history import Gap, Selection, marker
from memory.text.token_counting import count_tokens

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
class PromptDraft:
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
        """System prompt, earlier turns, and the question with the rest; a line names the gaps,
        with the summaries of what is in them.
        """
        messages = [_Counted("system", self.system, counted_once(self.system))]
        apart = self.apart
        standing = {turn.position for turn in apart}
        gaps = self._gaps([at for at in self.earlier.selection.positions if at in standing])
        ladder = f"\n{self.text.summaries(self.filling.ladder)}" if self.filling.ladder else ""
        note = f"{marker(gaps)}{ladder}\n\n" if gaps else ""
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

    def within(self, most: int) -> "PromptDraft":
        """Return it with as few tokens, as far as it can give something up.

        The tokens of joined texts can differ by a few from the sum of their parts.
        """
        draft = self
        while draft.tokens > most and draft.can_shrink():
            draft = draft.smaller()
        return draft

    def can_shrink(self) -> bool:
        fill = self.filling.spare or self.filling.ladder
        return bool(fill or self.entries or self.turns or self.cited or self.matter.meaning)

    def smaller(self) -> "PromptDraft":
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
