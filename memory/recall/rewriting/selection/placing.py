"""Put what was chosen into the question: in place of its reference, or behind it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import LIKELY
from memory.recall.rewriting.language.noun_phrases import DOES, the_verb
from memory.recall.rewriting.language.questions import (
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
from memory.recall.rewriting.selection.mentions import Mention
from memory.recall.rewriting.selection.phrases import Phrase, is_plural
from memory.text.reading import ReadText, Token
from memory.text.words import terms, words

PLURAL = THEY | THEIR | frozenset(["these", "those"])
POSSESSIVE = ITS | THEIR | frozenset(["his"])
JOINING = frozenset(["of", "the", "and", "for", "-"])
LONGEST_JOIN = 2
MOST_BEHIND = 3  # phrases: what is shown as searched for has to be read
# How likely a word has to be meant to stand behind a question: of those below, four in five are of
# something else. Where nothing as likely as the other stands for a pronoun, all are needed.
BESIDE = 0.2
BESIDE_REFERENCE = 0.7
FOCUS = 1.6
HAS = re.compile(r"\s+(?:been|got|had)\b", re.IGNORECASE)


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
    phrases = _bearing(_phrases(chosen), chosen, question)
    if chosen.need >= LIKELY:  # else the less the better
        phrases = [phrase.with_whole_names(question.stems) for phrase in phrases]
    query = question.text.strip()
    rest = [phrase.without_verb().removeprefix("the ") for phrase in phrases]
    if query != question.text:
        question = ReadQuestion(query)
    pronoun = _replaced(question, phrases)
    if pronoun is not None and phrases:
        subject = _subject(chosen)
        phrases, rest = _things_first(phrases, rest, subject)
        thing, other = phrases[0].divided(plural=pronoun.word in PLURAL, owns=pronoun.word in ITS)
        if subject is not None and subject.stem in phrases[0].stems - set(terms(thing)):
            thing, other = subject.text, thing  # "rsync for Android"
        thing = f"the {thing}" if phrases[0].is_indefinite(thing) else thing
        told = (
            each for phrase, each in zip(phrases[1:], rest[1:], strict=True) if not phrase.is_asked
        )
        query, rest = substituted(query, pronoun, thing), [other, *told]
    positions = sorted({phrase.position for phrase in phrases} - {0})
    placed = behind(query, ", ".join(islice(_told_once(rest, query), MOST_BEHIND)))
    return PlacedQuestion(placed, pronoun is not None, tuple(positions))


def _replaced(question: ReadQuestion, phrases: Sequence[Phrase]) -> Token | None:
    """Return the pronoun that the phrases may stand for: nothing without a name is "he"."""
    pronoun = question.pronoun
    if pronoun is None or (pronoun.word in POINTING and question.points_at_act):
        return None
    named = any(token.capitals for phrase in phrases for token in phrase.tokens)
    return pronoun if named or pronoun.word not in HE | SHE else None


def _told_once(phrases: Sequence[str], query: str) -> Iterator[str]:
    """Yield the phrases that say something which neither the question nor one before said."""
    said = set(words(query))
    for phrase in phrases:
        if not said.issuperset(words(phrase)):
            yield phrase
        said.update(words(phrase))


def _subject(chosen: Chosen) -> Token | None:
    """Return what the newest question says something of: "does *rsync* run on phones"."""
    tokens = chosen.conversation.said[-1].question.tokens
    verb = the_verb(tokens) if tokens and tokens[0].word in DOES else None
    return next((one for one, other in pairwise(tokens) if other is verb), None)


def _things_first(
    phrases: Sequence[Phrase], rest: Sequence[str], subject: Token | None
) -> tuple[list[Phrase], list[str]]:
    """Return the phrases, and what of each is put behind, with one that names a thing in the first
    place: what is done with it is no "it", nor where it is.
    """
    named = [at for at, phrase in enumerate(phrases) if phrase.names_something]
    said = (at for at in named if subject is not None and subject.stem in phrases[at].stems)
    first = next(said, named[0] if named else 0)
    first = next((at for at in named if phrases[at].is_in(phrases[first])), first)
    order = sorted(range(len(phrases)), key=lambda at: at != first)
    return [phrases[at] for at in order], [rest[at] for at in order]


def _bearing(phrases: Sequence[Phrase], chosen: Chosen, question: ReadQuestion) -> Sequence[Phrase]:
    """Return the phrases that are likely enough to be meant, or the best."""
    stems = (candidate.stem for candidate in chosen.candidates)
    likely = dict(zip(stems, chosen.probabilities, strict=True))
    best = [max(likely.get(stem, 0.0) for stem in phrase.stems) for phrase in phrases]
    if question.has_pronoun and max(best, default=0.0) < BESIDE_REFERENCE:
        return phrases
    sure = (phrase for phrase, each in zip(phrases, best, strict=True) if each >= BESIDE)
    return list(sure) or phrases[:1]


def put(question: ReadQuestion, phrase: str) -> str:
    """Return the question with the phrase for its pronoun, or behind it if it has none."""
    query, pronoun = question.text, question.pronoun
    return behind(query, phrase) if pronoun is None else substituted(query, pronoun, phrase)


def substituted(query: str, pronoun: Token, phrase: str) -> str:
    """Return the question with the phrase where the pronoun stands."""
    following = query[pronoun.end :]
    if contracted := CONTRACTED.search(pronoun.text):
        following = f" {_verb(contracted[1].lower(), following)}{following}"
    has_noun = any(token.kind == "content" for token in ReadText(following, 1).tokens)
    owns = pronoun.word in POSSESSIVE or (pronoun.word == "her" and has_noun)
    if owns:
        phrase += "’" if phrase.endswith("s") else "’s"
    if query[: pronoun.start].endswith(" of ") and _is_bare_plural(phrase):
        phrase = f"the {phrase}"
    if pronoun.start == 0:
        phrase = phrase[:1].upper() + phrase[1:]
    return query[: pronoun.start] + phrase + following


def _verb(short: str, following: str) -> str:
    """Return the verb that was drawn together with a pronoun: "it's late", "it's been late"."""
    if short == "s":
        return "has" if HAS.match(following) else "is"
    return {"re": "are", "ll": "will", "d": "would", "ve": "have"}[short]


def _is_bare_plural(phrase: str) -> bool:
    """Return whether the phrase is a plural that says not which: "drugs", of which some are."""
    first, *_, last = [ReadText(phrase).tokens[at] for at in (0, 0, -1)]
    return is_plural(last) and last.text.islower() and first.kind == "content"


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
    whole = source.exchange.spoken if mention.is_in_answer else source.question.text
    around = (tokens[:start], tokens[end + 1 :])
    return Phrase(tuple(tokens[start : end + 1]), whole, source.exchange.position, around)


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
