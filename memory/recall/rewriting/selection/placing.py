"""Put what was chosen into the question: in place of its reference, or behind it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.questions import (
    ITS,
    THEIR,
    THEY,
    ReadQuestion,
)
from memory.recall.rewriting.selection.choosing import Chosen
from memory.recall.rewriting.selection.mentions import Mention
from memory.text.reading import ReadText, Token

PLURAL = THEY | THEIR | frozenset(["these", "those"])
POSSESSIVE = ITS | THEIR | frozenset(["his"])
JOINING = frozenset(["of", "the", "and", "for", "-"])
LONGEST_JOIN = 2
ABOUT = {"en": "about", "es": "sobre", "de": "zu", "fr": "sur"}
_BEHIND = re.compile(rf" \((?:{'|'.join(ABOUT.values())}) [^()]*(?:\([^()]*\)[^()]*)*\)(?=\W*$)")
FOCUS = 1.6


@dataclass(frozen=True)
class Phrase:
    """Words of an earlier turn as they stood there."""

    tokens: tuple[Token, ...]
    source: str
    position: int

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens if token.stem)

    @property
    def text(self) -> str:
        return self.source[self.tokens[0].start : self.tokens[-1].end]

    def divided(self, *, plural: bool) -> "tuple[str, str]":
        """Return what of it names a thing, for a pronoun's place, and the other words.

        "makes Servicer Advances" names Servicer Advances; of several things, "drugs target PIK3CA"
        names drugs.
        """
        tokens = self.tokens
        ends = (
            index
            for index, token in enumerate(tokens)
            if _is_plural(token) and [each.word for each in tokens[index + 1 : index + 2]] != ["of"]
        )
        start, end = 0, next(ends, -1) if plural else -1
        if end < 0:
            start, end = _names(tokens)
        thing = self.source[tokens[start].start : tokens[end].end]
        others = (*tokens[:start], *tokens[end + 1 :])
        return thing, " ".join(token.text for token in others if token.stem)


@dataclass(frozen=True)
class PlacedQuestion:
    """A question with phrases in it."""

    query: str
    in_place: bool
    positions: tuple[int, ...]


def place(question: ReadQuestion, chosen: Chosen) -> PlacedQuestion:
    """Return the question with the chosen words: the best phrase for its pronoun, the rest behind.

    Each phrase is a stretch of an earlier turn that holds chosen words and small ones between.
    """
    phrases = _phrases(chosen)
    query, rest = question.text.strip(), [phrase.text.removeprefix("the ") for phrase in phrases]
    if query != question.text:
        question = ReadQuestion(query)
    pronoun = question.pronoun
    if pronoun is not None and phrases:
        thing, other = phrases[0].divided(plural=pronoun.word in PLURAL)
        query, rest = substituted(query, pronoun, thing), [other, *rest[1:]]
    positions = sorted({phrase.position for phrase in phrases} - {0})
    placed = behind(query, ", ".join(filter(None, rest)))
    return PlacedQuestion(placed, pronoun is not None, tuple(positions))


def put(question: ReadQuestion, phrase: str) -> str:
    """Return the question with the phrase for its pronoun, or behind it if it has none."""
    query, pronoun = question.text, question.pronoun
    return behind(query, phrase) if pronoun is None else substituted(query, pronoun, phrase)


def behind(query: str, words: str) -> str:
    """Return the question with what it is about behind it, before its question mark."""
    if not words:
        return query
    asked = query.rstrip("?!. ")
    mark = "?" if query.rstrip().endswith("?") else ""
    return f"{asked} ({ABOUT[language_of(query)]} {words}){mark}" if asked else f"{words}{mark}"


def without_behind(query: str) -> str:
    """Return a question that was searched for without what was put behind it as a guess."""
    return _BEHIND.sub("", query)


def substituted(query: str, pronoun: Token, phrase: str) -> str:
    """Return the question with the phrase where the pronoun stands."""
    letters = len(pronoun.text) - len(pronoun.text.lstrip("".join(set(pronoun.text) - set("'’"))))
    following = query[pronoun.start + letters :]
    has_noun = any(token.kind == "content" for token in ReadText(following, 1).tokens)
    owns = pronoun.word in POSSESSIVE or (pronoun.word == "her" and has_noun)
    if owns:
        phrase += "’" if phrase.endswith("s") else "’s"
    if pronoun.start == 0:
        phrase = phrase[:1].upper() + phrase[1:]
    return query[: pronoun.start] + phrase + following


def _phrases(chosen: Chosen) -> list[Phrase]:
    """Return as few phrases as hold all chosen words, the weightiest first."""
    pairs = zip(chosen.candidates, chosen.probabilities, strict=True)
    weights = {candidate.stem: weight for candidate, weight in pairs}
    mentions = [mention for candidate in chosen.candidates for mention in candidate.mentions]
    said, back = chosen.conversation.said, chosen.conversation.last_introduced
    focus = said[-back].question.text if back else None  # what named the newest topic

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
    source = mention.said
    whole = source.exchange.response if mention.is_in_answer else source.question.text
    return Phrase(tuple(tokens[start : end + 1]), whole, source.exchange.position)


def _names(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where the words with capitals begin and end, if others stand before or behind."""
    at = [index for index, token in enumerate(tokens) if token.stem and token.capitals]
    if not at or at[0] == 0 or all(tokens[index].capitals == 1 for index in at):
        return 0, len(tokens) - 1
    end = at[-1]
    # "the" belongs to the name that follows it, and "pathway" to the PI3K pathway.
    while end + 1 < len(tokens) and tokens[end + 1].stem:
        end += 1
    return (at[0] - 1 if tokens[at[0] - 1].word == "the" else at[0]), end


def _is_plural(token: Token) -> bool:
    return bool(token.stem) and token.word.endswith("s") and not token.word.endswith("ss")


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
