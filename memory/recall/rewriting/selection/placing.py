"""Put what was chosen into the question: in place of its reference, or behind it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from memory.recall.rewriting.exchanges import LIKELY
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.noun_phrases import (
    DOERS,
    is_fragment,
    noun_phrase,
    tells,
    the_verb,
)
from memory.recall.rewriting.language.questions import (
    CONTRACTED,
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
LONGEST_NAME = 4  # words
MOST_BEHIND = 3  # phrases: what is shown as searched for has to be read
ABOUT = {"en": "about", "es": "sobre", "de": "zu", "fr": "sur"}
_BEHIND = re.compile(
    rf" \((?:{'|'.join(ABOUT.values())}) (?P<guess>[^()]*(?:\([^()]*\)[^()]*)*)\)(?=\W*$)"
)
FOCUS = 1.6
HAS = re.compile(r"\s+(?:been|got|had)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Phrase:
    """Words of an earlier turn as they stood there."""

    tokens: tuple[Token, ...]
    source: str
    position: int
    # What stands before and behind them.
    around: tuple[tuple[Token, ...], tuple[Token, ...]] = ((), ())

    def with_whole_names(self, asked: Collection[str]) -> "Phrase":
        """Return the phrase with the rest of a name of which it has a part: New York for York.

        Not if the question has that already, or if it is no name but a title.
        """
        before, behind = self.around
        tokens = self.tokens
        for word in reversed(before):
            tokens = (word, *tokens) if _are_one_name(word, tokens[0]) else tokens
        for word in behind:
            tokens = (*tokens, word) if _are_one_name(tokens[-1], word) else tokens
        more = {each.stem for each in tokens} - self.stems
        is_title = len(tokens) > LONGEST_NAME or not more.isdisjoint(asked)
        return self if is_title else replace(self, tokens=tokens)

    def without_verb(self) -> str:
        """Return its text as it can be put behind a question: as a noun phrase, if it has one."""
        verb, tokens = self.verb, self.tokens
        if is_fragment(tokens, *self.around):
            return ""
        at = tokens.index(verb) if verb in tokens else len(tokens)
        parts = filter(None, map(noun_phrase, (tokens[:at], tokens[at + 1 :])))
        return ", ".join(self.source[part[0].start : part[-1].end] for part in parts)

    @property
    def verb(self) -> Token | None:
        """The verb of what it stands in, if that is a question that shows it."""
        before, behind = self.around
        return the_verb((*before, *self.tokens, *behind))

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
        verb = self.verb
        at = self.tokens.index(verb) if verb in self.tokens else len(self.tokens)
        first, last = map(noun_phrase, (self.tokens[:at], self.tokens[at + 1 :]))
        # "How do I treat lice?"; else one word behind it may be all that is named.
        before = self.around[0]
        is_done = len(last) > 1 or bool(before and before[-1].word in DOERS)
        tokens = first or (last if is_done else ()) or self.tokens
        ends = (
            index
            for index, token in enumerate(tokens)
            if _is_plural(token) and [each.word for each in tokens[index + 1 : index + 2]] != ["of"]
        )
        start, end = 0, next(ends, -1) if plural else -1
        if end < 0:
            start, end = _names(tokens)
        thing = self.source[tokens[start].start : tokens[end].end]
        named = tokens[start : end + 1]
        others = [token for token in self.tokens if token not in named]
        return thing, " ".join(each.text for each in others if tells(each, verb))


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
    if chosen.need >= LIKELY:  # else the less the better
        phrases = [phrase.with_whole_names(question.stems) for phrase in phrases]
    query = question.text.strip()
    rest = [phrase.without_verb().removeprefix("the ") for phrase in phrases]
    if query != question.text:
        question = ReadQuestion(query)
    pronoun = question.pronoun
    if pronoun is not None and phrases:
        thing, other = phrases[0].divided(plural=pronoun.word in PLURAL)
        query, rest = substituted(query, pronoun, thing), [other, *rest[1:]]
    positions = sorted({phrase.position for phrase in phrases} - {0})
    placed = behind(query, ", ".join(islice(filter(None, rest), MOST_BEHIND)))
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


def put_behind(query: str) -> str:
    """Return what was put behind a question as a guess, or nothing."""
    match = _BEHIND.search(query)
    return match["guess"] if match else ""


def without_behind(query: str) -> str:
    """Return a question that was searched for without what was put behind it as a guess."""
    return _BEHIND.sub("", query)


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
    """Tell whether the phrase is a plural that says not which: "drugs", of which some are."""
    first, *_, last = [ReadText(phrase).tokens[at] for at in (0, 0, -1)]
    return _is_plural(last) and last.text.islower() and first.kind == "content"


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


def _are_one_name(one: Token, other: Token) -> bool:
    are_names = one.capitals >= 2 and other.capitals >= 2
    return are_names and one.sentence == other.sentence and other.start - one.end == 1


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
