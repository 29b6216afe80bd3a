"""A phrase of an earlier turn that may be put into a question, and what of it names a thing."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memory.recall.rewriting.language.noun_phrases import (
    DOERS,
    TELLING,
    is_fragment,
    names_nothing,
    noun_phrase,
    tells,
    the_verb,
)
from memory.text.reading import Token

LONGEST_NAME = 4  # words
ASKED_OF = frozenset("what which how many much".split())
PLACING = frozenset("in on at with under from into".split())
OWN = frozenset(["my", "our", "your"])
# Singulars: "the basis of", "a series of".
_ENDS_IN_S = re.compile(r"(?:is|us|^series|^species|^news|^means)$")


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
        parts = list(filter(None, map(noun_phrase, (tokens[:at], tokens[at + 1 :]))))
        parts = parts[:1] if self.is_stated else parts
        return ", ".join(self.source[part[0].start : part[-1].end] for part in parts)

    @property
    def names_something(self) -> bool:
        """Whether it has more than the verb of its question, or a word that is none by itself."""
        is_verb = self.verb in self.tokens and len(self.stems) == 1
        return not is_verb and not is_fragment(self.tokens, *self.around)

    def is_indefinite(self, thing: str) -> bool:
        """Whether the thing, which the phrase begins with, was brought up by "a"."""
        before = self.around[0]
        return bool(before) and before[-1].word in ("a", "an") and self.text.startswith(thing)

    def is_in(self, place: "Phrase") -> bool:
        """Whether what the other names is where this is: "an account in homebank", and not
        "homebank use in csv files".
        """
        behind = self.around[1][:3]
        where = [token.start for token in behind[1:]] if self.source == place.source else []
        is_there = bool(where) and behind[0].word in PLACING and place.tokens[0].start in where
        return is_there and self.tokens[-1] is not self.verb

    @property
    def verb(self) -> Token | None:
        """The verb of what it stands in, if that is a question that shows it."""
        before, behind = self.around
        return the_verb((*before, *self.tokens, *behind))

    @property
    def is_stated(self) -> bool:
        """Whether it stands in a statement: what that says of its subject is no name of it."""
        first = (*self.around[0], *self.tokens)[0]
        return first.word in TELLING

    @property
    def is_asked(self) -> bool:
        """Whether it is what was asked of something else: "what age", "how old"."""
        before = self.around[0]
        return bool(before) and before[-1].word in ASKED_OF and len(self.tokens) == 1

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens if token.stem)

    @property
    def text(self) -> str:
        return self.source[self.tokens[0].start : self.tokens[-1].end]

    def divided(self, *, plural: bool, owns: bool = False) -> "tuple[str, str]":
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
        if last and before and before[-1].word in OWN and not self.is_stated:
            first, is_done = (), True  # "can my firm try the grid" is of the grid
        tokens = first or (last if is_done else ()) or self.tokens
        ends = (
            index
            for index, token in enumerate(tokens)
            if is_plural(token) and [each.word for each in tokens[index + 1 : index + 2]] != ["of"]
        )
        start, end = 0, next(ends, -1) if plural else -1
        owner = 0 if plural else _owner(tokens, is_asked_anew=owns)
        if owner:
            start, end = owner, len(tokens) - 1
        elif end < 0:
            start, end = _names(tokens)
        thing = self.source[tokens[start].start : tokens[end].end]
        named = tokens[start : end + 1]
        asked = tokens[:start] if owner else ()  # of what is meant, and not asked any more
        others = [
            token
            for token in self.tokens
            if token not in named and token not in asked and not self.is_stated
        ]
        told = [each for each in others if tells(each, verb) and not names_nothing(each)]
        return thing, " ".join(each.text for each in told)


def _owner(tokens: Sequence[Token], *, is_asked_anew: bool) -> int:
    """Return where what several things are of begins, 0 if it doesn't: "the revenues of Quillborn"
    are no "it", nor is it the "draught of the ferry" whose weight is asked for next.
    """
    if is_asked_anew and len(tokens) > 2 and tokens[1].word == "of" and not tokens[0].capitals:
        return 2
    at = next((at for at, token in enumerate(tokens) if token.word == "of"), 0)
    things = tokens[at - 1]
    is_several = is_plural(things) and not things.capitals and not _ENDS_IN_S.search(things.word)
    is_one = at + 1 < len(tokens) and not is_plural(tokens[-1])
    return at + 1 if at and is_several and is_one else 0


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


def is_plural(token: Token) -> bool:
    return bool(token.stem) and token.word.endswith("s") and not token.word.endswith("ss")
