"""Phrases of earlier turns that hold the chosen words."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from memory.recall.rewriting.selection.choosing import Chosen
from memory.recall.rewriting.selection.mentions import Mention
from memory.text.reading import Token

LONGEST_NAME = 4  # words
JOINING, LONGEST_JOIN = frozenset("of the and for - de del la el en".split()), 2
FOCUS = 1.6  # how much more a phrase weighs that introduced the newest topic


@dataclass(frozen=True)
class Phrase:
    """Words of an earlier turn as they stood there, with the tokens before and behind them."""

    tokens: tuple[Token, ...]
    source: str
    position: int
    before: tuple[Token, ...] = ()
    behind: tuple[Token, ...] = ()

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens if token.stem)

    @property
    def text(self) -> str:
        return self._text(self.tokens)

    def complete_name(self, asked: Collection[str]) -> "Phrase":
        """Return the phrase with the rest of its name ("York" of "New York"), if none is asked."""
        tokens = self.tokens
        for token in reversed(self.before):
            tokens = (token, *tokens) if _are_one_name(token, tokens[0]) else tokens
        for token in self.behind:
            tokens = (*tokens, token) if _are_one_name(tokens[-1], token) else tokens
        more = {token.stem for token in tokens} - self.stems
        is_title = len(tokens) > LONGEST_NAME or not more.isdisjoint(asked)
        return self if is_title else replace(self, tokens=tokens)

    def divided(self, *, is_plural: bool) -> tuple[str, str]:
        """Split off the words that can stand for a pronoun: a name, or a plural for "they"."""
        start, end = self._plural() if is_plural else self._name()
        rest = (token.text for token in (*self.tokens[:start], *self.tokens[end:]) if token.stem)
        return self._text(self.tokens[start:end]), " ".join(rest)

    def _plural(self) -> tuple[int, int]:
        plurals = (at for at, token in enumerate(self.tokens) if has_plural_ending(token))
        return 0, next(plurals, len(self.tokens) - 1) + 1

    def _name(self) -> tuple[int, int]:
        """Return where the words with capitals begin and end, if others stand beside them."""
        at = [index for index, token in enumerate(self.tokens) if token.stem and token.capitals]
        if not at or at[0] == 0 or all(self.tokens[index].capitals == 1 for index in at):
            return 0, len(self.tokens)
        end = at[-1] + 1
        # The noun behind a name belongs to it: "the PI3K pathway".
        while end < len(self.tokens) and self.tokens[end].stem:
            end += 1
        return (at[0] - 1 if self.tokens[at[0] - 1].word == "the" else at[0]), end

    def _text(self, tokens: Sequence[Token]) -> str:
        return self.source[tokens[0].start : tokens[-1].end]


def has_plural_ending(token: Token) -> bool:
    return bool(token.stem) and token.word.endswith("s") and not token.word.endswith("ss")


def find_phrases(chosen: Chosen) -> list[Phrase]:
    """Return as few phrases as hold all chosen words, the weightiest first."""
    pairs = zip(chosen.candidates, chosen.probabilities, strict=True)
    weights = {candidate.stem: weight for candidate, weight in pairs}
    mentions = [mention for candidate in chosen.candidates for mention in candidate.mentions]
    said, back = chosen.conversation.said, chosen.conversation.last_introduced
    focus = said[-back].question.text if back else None

    def worth(phrase: Phrase) -> tuple[float, int]:
        weight = sum(weights.get(stem, 0.0) for stem in phrase.stems)
        weight *= FOCUS if phrase.source == focus else 1.0
        return round(weight, 6), -abs(len(said) - phrase.position)

    found: list[Phrase] = []
    missing = set(weights)
    while missing:
        best = max(_stretches(mentions, missing), key=worth)
        found.append(best)
        missing -= best.stems
    return found


def _stretches(mentions: Sequence[Mention], stems: Collection[str]) -> Iterator[Phrase]:
    """Yield the stretches around those of the mentions that have these stems, each once."""
    passed: set[int] = set()
    for mention in mentions:
        if mention.token.stem in stems and id(mention.token) not in passed:
            phrase = _around(mention, stems)
            passed.update(map(id, phrase.tokens))
            yield phrase


def _around(mention: Mention, stems: Collection[str]) -> Phrase:
    """Return the longest stretch around the mention that holds these words and small ones."""
    tokens = mention.tokens
    start = end = mention.index
    while (step := _next(tokens, start, -1, stems)) is not None:
        start = step
    while (step := _next(tokens, end, 1, stems)) is not None:
        end = step
    if start and tokens[start - 1].word == "the":
        start -= 1
    exchange = mention.said.exchange
    source = exchange.spoken if mention.is_in_answer else exchange.query
    within = tuple(tokens[start : end + 1])
    return Phrase(within, source, exchange.position, tokens[:start], tokens[end + 1 :])


def _next(tokens: Sequence[Token], at: int, step: int, stems: Collection[str]) -> int | None:
    """Return where the stretch goes on in that direction, over at most two small words."""
    for distance in range(1, LONGEST_JOIN + 2):
        index = at + step * distance
        if not 0 <= index < len(tokens):
            return None
        if tokens[index].stem in stems and tokens[index].stem:
            return index
        if tokens[index].word not in JOINING:
            return None
    return None


def _are_one_name(one: Token, other: Token) -> bool:
    are_names = one.capitals >= 2 and other.capitals >= 2
    return are_names and one.sentence == other.sentence and other.start - one.end == 1
