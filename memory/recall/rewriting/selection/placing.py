"""Insertion of the chosen words into the question: in place of its pronoun, or behind it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from memory.recall.rewriting.exchanges import (
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Rewrite,
    append_topic,
)
from memory.recall.rewriting.questions import (
    CONTRACTED,
    HE,
    ITS,
    SHE,
    THEIR,
    ReadQuestion,
)
from memory.recall.rewriting.selection.choosing import Chosen
from memory.recall.rewriting.selection.mentions import Mention
from memory.text.reading import ReadText, Token
from memory.text.words import split_words

LONGEST_NAME = 4  # words
JOINING, LONGEST_JOIN = frozenset("of the and for - de del la el en".split()), 2
FOCUS = 1.6  # bonus of a phrase that introduced the newest topic


@dataclass(frozen=True)
class Phrase:
    """Words of an earlier turn as they occurred, with the tokens before and behind them."""

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
        return self.source[self.tokens[0].start : self.tokens[-1].end]

    def complete_name(self, asked: Collection[str]) -> "Phrase":
        """Return the phrase with the rest of its name ("York" of "New York"), unless asked."""
        tokens = self.tokens
        for token in reversed(self.before):
            tokens = (token, *tokens) if _are_one_name(token, tokens[0]) else tokens
        for token in self.behind:
            tokens = (*tokens, token) if _are_one_name(tokens[-1], token) else tokens
        more = {token.stem for token in tokens} - self.stems
        is_title = len(tokens) > LONGEST_NAME or not more.isdisjoint(asked)
        return self if is_title else replace(self, tokens=tokens)


def find_phrases(chosen: Chosen) -> list[Phrase]:
    """Return the fewest phrases with all chosen words, the heaviest first."""
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
        best = max(_list_stretches(mentions, missing), key=worth)
        found.append(best)
        missing -= best.stems
    return found


def _list_stretches(mentions: Sequence[Mention], stems: Collection[str]) -> Iterator[Phrase]:
    """Yield the stretches around the mentions with these stems, each once."""
    passed: set[int] = set()
    for mention in mentions:
        if mention.token.stem in stems and id(mention.token) not in passed:
            phrase = _find_longest_phrase(mention, stems)
            passed.update(map(id, phrase.tokens))
            yield phrase


def _find_longest_phrase(mention: Mention, stems: Collection[str]) -> Phrase:
    """Return the longest stretch around the mention with only these words and small ones."""
    tokens = mention.tokens
    start = end = mention.index
    while (step := _find_next_index(tokens, start, -1, stems)) is not None:
        start = step
    while (step := _find_next_index(tokens, end, 1, stems)) is not None:
        end = step
    if start and tokens[start - 1].word == "the":
        start -= 1
    exchange = mention.said.exchange
    source = exchange.spoken if mention.is_in_answer else exchange.query
    within = tuple(tokens[start : end + 1])
    return Phrase(within, source, exchange.position, tokens[:start], tokens[end + 1 :])


def _find_next_index(
    tokens: Sequence[Token], at: int, step: int, stems: Collection[str]
) -> int | None:
    """Return the next index of the stretch in that direction, over at most two small words."""
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


POSSESSIVE = ITS | THEIR | frozenset(["his"])
MOST_BEHIND = 3  # Least need for completing names.
# Least need for completing names.
LIKELY = 0.7
# Least probability of a phrase to be put behind the question, and behind one whose pronoun is
# replaced. Of the second, .3 costs .01 to .02 of coref_lenient on CAsT and spares old topics.
BESIDE, BESIDE_REFERENCE = 0.2, 0.3
_HAS = re.compile(r"\s+(?:been|got|had)\b", re.IGNORECASE)


def place(question: ReadQuestion, chosen: Chosen) -> Rewrite:
    """Return the question with the best phrase for its pronoun, and the others behind it."""
    query = question.text.strip()
    question = question if query == question.text else ReadQuestion(query)
    phrases = _select_likely_phrases(find_phrases(chosen), chosen, question)
    if chosen.need >= LIKELY:
        phrases = [phrase.complete_name(question.stems) for phrase in phrases]
    rest = [phrase.text.removeprefix("the ") for phrase in phrases]
    pronoun = _find_replaceable_pronoun(question, phrases)
    if pronoun is not None:
        query, rest = _substitute_pronoun(query, pronoun, phrases[0].text), rest[1:]
    positions = sorted({phrase.position for phrase in phrases} - {0})
    added = ", ".join(islice(_select_new_phrases(rest, query), MOST_BEHIND))
    reason = TOPIC_CARRIED if pronoun is None else REFERENCE_RESOLVED
    sure = chosen.probabilities[0] if chosen.probabilities else 1.0
    confidence = round(chosen.need * sure, 3)
    return Rewrite(append_topic(query, added), reason, tuple(positions), confidence)


def put(question: ReadQuestion, phrase: str) -> str:
    """Return the question with the phrase for its pronoun, or behind it if it has none."""
    query, pronoun = question.text, question.pronoun
    return (
        append_topic(query, phrase)
        if pronoun is None
        else _substitute_pronoun(query, pronoun, phrase)
    )


def _find_replaceable_pronoun(question: ReadQuestion, phrases: Sequence[Phrase]) -> Token | None:
    """Return the pronoun that the phrases may replace: only a name replaces "he"."""
    pronoun = question.pronoun if phrases else None
    if pronoun is None:
        return None
    named = any(token.capitals for phrase in phrases for token in phrase.tokens)
    return pronoun if named or pronoun.word not in HE | SHE else None


def _select_likely_phrases(
    phrases: Sequence[Phrase], chosen: Chosen, question: ReadQuestion
) -> Sequence[Phrase]:
    """Return the phrases likely enough to be needed, or the best."""
    stems = (candidate.stem for candidate in chosen.candidates)
    likely = dict(zip(stems, chosen.probabilities, strict=True))
    is_replaced = _find_replaceable_pronoun(question, phrases) is not None
    least = BESIDE_REFERENCE if is_replaced else BESIDE
    others = (
        phrase
        for phrase in phrases[1:]
        if max(likely.get(stem, 0.0) for stem in phrase.stems) >= least
    )
    return [*phrases[:1], *others]


def _select_new_phrases(phrases: Sequence[str], query: str) -> Iterator[str]:
    """Yield the phrases with a word that neither the question nor an earlier phrase has."""
    said = set(split_words(query))
    for phrase in phrases:
        if not said.issuperset(split_words(phrase)):
            yield phrase
        said.update(split_words(phrase))


def _substitute_pronoun(query: str, pronoun: Token, phrase: str) -> str:
    """Return the question with the phrase instead of the pronoun."""
    following = query[pronoun.end :]
    if contracted := CONTRACTED.search(pronoun.text):
        following = f" {_expand_contraction(contracted[1].lower(), following)}{following}"
    has_noun = any(token.kind == "content" for token in ReadText(following, 1).tokens)
    if pronoun.word in POSSESSIVE or (pronoun.word == "her" and has_noun):
        phrase += "’" if phrase.endswith("s") else "’s"
    if pronoun.start == 0:
        phrase = phrase[:1].upper() + phrase[1:]
    return query[: pronoun.start] + phrase + following


def _expand_contraction(short: str, following: str) -> str:
    """Return the verb contracted with a pronoun: "it's late", "it's been late"."""
    if short == "s":
        return "has" if _HAS.match(following) else "is"
    return {"re": "are", "ll": "will", "d": "would", "ve": "have"}[short]
