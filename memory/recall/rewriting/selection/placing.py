"""Put the chosen words into the question: in place of its pronoun, or behind it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from memory.recall.rewriting.exchanges import append_topic
from memory.recall.rewriting.questions import (
    CONTRACTED,
    HE,
    ITS,
    POINTING,
    SHE,
    THEIR,
    THEY,
    ReadQuestion,
)
from memory.recall.rewriting.selection.choosing import Chosen
from memory.recall.rewriting.selection.phrases import Phrase, find_phrases, has_plural_ending
from memory.text.reading import ReadText, Token
from memory.text.words import words

PLURAL = THEY | THEIR | frozenset(["these", "those"])
POSSESSIVE = ITS | THEIR | frozenset(["his"])
MOST_BEHIND = 3  # phrases: a person reads what is searched for
# From which need on names are completed.
LIKELY = 0.7
# How likely a phrase has to be needed to stand behind the question, and behind one whose pronoun is
# replaced: .3 costs .01 to .02 of coref_lenient on CAsT and spares old topics.
BESIDE, BESIDE_REFERENCE = 0.2, 0.3
_HAS = re.compile(r"\s+(?:been|got|had)\b", re.IGNORECASE)


@dataclass(frozen=True)
class PlacedQuestion:
    """A question with phrases in it."""

    query: str
    in_place: bool
    positions: tuple[int, ...]


def place(question: ReadQuestion, chosen: Chosen) -> PlacedQuestion:
    """Return the question with the best phrase for its pronoun, and the others behind it."""
    query = question.text.strip()
    question = question if query == question.text else ReadQuestion(query)
    phrases = _likely(find_phrases(chosen), chosen, question)
    if chosen.need >= LIKELY:
        phrases = [phrase.complete_name(question.stems) for phrase in phrases]
    rest = [phrase.text.removeprefix("the ") for phrase in phrases]
    pronoun = _replaceable(question, phrases)
    if pronoun is not None:
        thing, other = phrases[0].divided(is_plural=pronoun.word in PLURAL)
        query, rest = _substituted(query, pronoun, thing), [other, *rest[1:]]
    positions = sorted({phrase.position for phrase in phrases} - {0})
    added = ", ".join(islice(_new_phrases(rest, query), MOST_BEHIND))
    return PlacedQuestion(append_topic(query, added), pronoun is not None, tuple(positions))


def put(question: ReadQuestion, phrase: str) -> str:
    """Return the question with the phrase for its pronoun, or behind it if it has none."""
    query, pronoun = question.text, question.pronoun
    return append_topic(query, phrase) if pronoun is None else _substituted(query, pronoun, phrase)


def _replaceable(question: ReadQuestion, phrases: Sequence[Phrase]) -> Token | None:
    """Return the pronoun that the phrases may stand for: only a name stands for "he"."""
    pronoun = question.pronoun if phrases else None
    if pronoun is None or (pronoun.word in POINTING and question.points_at_act):
        return None
    named = any(token.capitals for phrase in phrases for token in phrase.tokens)
    return pronoun if named or pronoun.word not in HE | SHE else None


def _likely(phrases: Sequence[Phrase], chosen: Chosen, question: ReadQuestion) -> Sequence[Phrase]:
    """Return the phrases that are likely enough to be needed, or the best."""
    stems = (candidate.stem for candidate in chosen.candidates)
    likely = dict(zip(stems, chosen.probabilities, strict=True))
    is_replaced = _replaceable(question, phrases) is not None
    least = BESIDE_REFERENCE if is_replaced else BESIDE
    others = (
        phrase
        for phrase in phrases[1:]
        if max(likely.get(stem, 0.0) for stem in phrase.stems) >= least
    )
    return [*phrases[:1], *others]


def _new_phrases(phrases: Sequence[str], query: str) -> Iterator[str]:
    """Yield the phrases that say something which neither the question nor one before said."""
    said = set(words(query))
    for phrase in phrases:
        if not said.issuperset(words(phrase)):
            yield phrase
        said.update(words(phrase))


def _substituted(query: str, pronoun: Token, phrase: str) -> str:
    """Return the question with the phrase where the pronoun stands."""
    following = query[pronoun.end :]
    if contracted := CONTRACTED.search(pronoun.text):
        following = f" {_verb(contracted[1].lower(), following)}{following}"
    has_noun = any(token.kind == "content" for token in ReadText(following, 1).tokens)
    if pronoun.word in POSSESSIVE or (pronoun.word == "her" and has_noun):
        phrase += "’" if phrase.endswith("s") else "’s"
    if query[: pronoun.start].endswith(" of ") and _is_bare_plural(phrase):
        phrase = f"the {phrase}"
    if pronoun.start == 0:
        phrase = phrase[:1].upper() + phrase[1:]
    return query[: pronoun.start] + phrase + following


def _verb(short: str, following: str) -> str:
    """Return the verb contracted with a pronoun: "it's late", "it's been late"."""
    if short == "s":
        return "has" if _HAS.match(following) else "is"
    return {"re": "are", "ll": "will", "d": "would", "ve": "have"}[short]


def _is_bare_plural(phrase: str) -> bool:
    """Return whether the phrase is a plural without an article: "of them" is "of the drugs"."""
    tokens = ReadText(phrase).tokens
    return (
        has_plural_ending(tokens[-1]) and tokens[-1].text.islower() and tokens[0].kind == "content"
    )
