"""A prompt under construction: its parts, their order, and the order of cuts."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from chat.prompting.history import Earlier, Filling
from chat.prompting.wording import VERSION, Matter, count_once, render_summaries, write_last_message
from citations.attribution.offers import Offer, make_offers
from citations.retrieval import Found
from memory.recall import Brief, Recalled, RecalledTurn
from memory.recall.budget import MESSAGE_OVERHEAD, PRIMING
from memory.recall.history import Gap, Selection, format_gap_marker
from memory.text.token_counting import count_tokens

Message = dict[str, str]


@dataclass(frozen=True)
class Part:
    """The tokens that a part of the prompt uses and may use."""

    name: str
    tokens: int
    allowance: int


@dataclass(frozen=True)
class Prompt:
    """The messages for the model, and their contents."""

    messages: list[Message]
    offers: list[Offer]
    turns: list[RecalledTurn]
    # Summaries of others.
    briefs: list[Brief]
    summaries: tuple[Brief, ...]
    selection: Selection
    parts: list[Part]
    tokens: int
    answer_tokens: int
    version: str

    @property
    def hash(self) -> str:
        """A digest of the exact messages."""
        text = "\0".join(f"{message['role']}\0{message['content']}" for message in self.messages)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class PricedPassage:
    """A retrieved passage and its cost in tokens."""

    found: Found
    tokens: int


@dataclass(frozen=True)
class _Counted:
    """A message and its tokens."""

    role: str
    content: str
    tokens: int


@dataclass(frozen=True)
class PromptDraft:
    """A prompt that may still have to be cut."""

    window: int
    system: str
    matter: Matter
    recalled: Recalled
    entries: list[PricedPassage]
    earlier: Earlier
    filling: Filling

    @cached_property
    def turns(self) -> list[RecalledTurn]:
        positions = self.earlier.selection.positions
        return [self.recalled.turns[position] for position in positions]

    @cached_property
    def apart(self) -> list[RecalledTurn]:
        """The turns in the question's message."""
        chosen = [turn for turn in self.turns if self.earlier.is_apart(turn.position)]
        return sorted([*chosen, *self.filling.turns], key=lambda turn: turn.position)

    @cached_property
    def offers(self) -> list[Offer]:
        return make_offers(entry.found.passage for entry in self.entries)

    def history_parts(self, allowance: int) -> list[Part]:
        used = self.earlier.selection.tokens + self.filling.spare_tokens
        tokens = self.filling.summary_tokens
        summaries = [Part("summaries", tokens, tokens)] if tokens else []
        return [Part("history", used, max(used, allowance)), *summaries]

    def prompt(self, parts: list[Part], answer_tokens: int) -> Prompt:
        """Return the finished prompt."""
        return Prompt(
            messages=[{"role": each.role, "content": each.content} for each in self.messages],
            offers=self.offers,
            turns=[*self.turns, *self.filling.turns],
            briefs=self.filling.briefs,
            summaries=self.filling.summaries,
            selection=self.filling.extend(self.earlier.selection),
            parts=parts,
            tokens=self.tokens,
            answer_tokens=answer_tokens,
            version=VERSION,
        )

    @cached_property
    def tokens(self) -> int:
        return PRIMING + sum(message.tokens + MESSAGE_OVERHEAD for message in self.messages)

    @cached_property
    def messages(self) -> list[_Counted]:
        """The system prompt, earlier turns, and the question; a line names the gaps."""
        messages = [_Counted("system", self.system, count_once(self.system))]
        apart = self.apart
        standing = {turn.position for turn in apart}
        gaps = self._gaps([at for at in self.earlier.selection.positions if at in standing])
        summaries = (
            f"\n{render_summaries(self.filling.summaries)}" if self.filling.summaries else ""
        )
        note = f"{format_gap_marker(gaps)}{summaries}\n\n" if gaps else ""
        for turn in self.turns:
            if turn.position in standing:
                continue
            asked = _Counted("user", turn.query, turn.query_tokens)
            if note and turn.position > gaps[0].first:
                asked = _count_message("user", note + turn.query)
                note = ""
            answered = _Counted("assistant", turn.response, turn.response_tokens)
            messages += [asked, answered]
        found = [entry.found for entry in self.entries]
        last = replace(self.matter, passages=found, earlier=apart, briefs=self.filling.briefs)
        return [*messages, _count_message("user", note + write_last_message(last, self.window))]

    def _gaps(self, apart: Sequence[int]) -> list[Gap]:
        """Return the gaps between the messages, including turns in the question's message.

        So the line doesn't depend on the selection of those turns.
        """
        gaps: list[Gap] = []
        missing = [*self.earlier.selection.gaps, *(Gap(at, at, "") for at in apart)]
        for gap in sorted(missing, key=lambda gap: gap.first):
            if apart and gaps and gaps[-1].last + 1 == gap.first:
                gaps[-1] = replace(gaps[-1], last=gap.last)
            else:
                gaps.append(gap)
        return gaps

    def shrink(self, most: int) -> "PromptDraft":
        """Return the draft cut to at most that many tokens, as far as possible.

        The tokens of joined texts can differ by a few from the sum of their parts.
        """
        draft = self
        while draft.tokens > most and draft.can_shrink():
            draft = draft.smaller()
        return draft

    def can_shrink(self) -> bool:
        fill = self.filling.spare or self.filling.summaries
        return bool(fill or self.entries or self.turns or self.matter.meaning)

    def smaller(self) -> "PromptDraft":
        """Drop a spare turn or summary, a passage, the oldest turn, or the meaning."""
        if self.filling.spare or self.filling.summaries:
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


def _count_message(role: str, content: str) -> _Counted:
    return _Counted(role, content, count_tokens(content))
