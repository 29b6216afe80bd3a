"""A conversation, read once: what each turn said, and where each content word was mentioned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.language.questions import has_pronoun, introduces, names_its_topic
from memory.recall.rewriting.language.reading import Token, read

ANSWERS = 2  # how many of the newest answers are read
ANSWER_TOKENS = 130
LONGEST = 2_000  # characters of a question that are looked at for its form


@dataclass(frozen=True)
class Said:
    """An exchange as it is read: the question, and the beginning of a recent answer."""

    exchange: Exchange
    back: int  # 1 is the newest
    question: list[Token]
    answer: list[Token]

    @cached_property
    def asked(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.question if token.stem)

    @cached_property
    def answered(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.answer if token.stem)

    @cached_property
    def has_pronoun(self) -> bool:
        return has_pronoun(self.question)

    @cached_property
    def introduces(self) -> bool:
        return introduces(self.exchange.query[:LONGEST])


@dataclass(frozen=True)
class Mention:
    """One place where a candidate was said."""

    said: Said
    tokens: list[Token]
    index: int

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def neighbours(self) -> list[Token]:
        return [
            self.tokens[at] for at in (self.index - 1, self.index + 1) if 0 <= at < len(self.tokens)
        ]


@dataclass(frozen=True)
class Candidate:
    """A stem, and where it was said, oldest first."""

    stem: str
    asked: list[Mention] = field(default_factory=list)
    answered: list[Mention] = field(default_factory=list)

    @property
    def mentions(self) -> list[Mention]:
        return self.asked + self.answered

    @property
    def word(self) -> str:
        return self.mentions[-1].token.word


@dataclass(frozen=True)
class Conversation:
    """The question and what came before it, read once."""

    query: str
    own: frozenset[str]
    said: list[Said]
    # For each exchange, what its question said for the first time.
    new: list[frozenset[str]]

    @classmethod
    def of(cls, query: str, exchanges: Sequence[Exchange]) -> "Conversation":
        """Read the exchanges, oldest first."""
        own = frozenset(token.stem for token in read(query) if token.stem)
        said = [_said(exchange, len(exchanges) - at) for at, exchange in enumerate(exchanges)]
        new, seen = [], frozenset[str]()
        for each in said:
            new.append(each.asked - seen)
            seen |= each.asked
        return cls(query, own, said, new)

    @cached_property
    def last_topic(self) -> int:
        """How far back a question last named something new in its own words; 0 is never."""
        return next((each.back for each in self._naming), 0)

    @cached_property
    def last_introduced(self) -> int:
        """The same of questions whose form names a topic."""
        return next((each.back for each in self._naming if each.introduces), 0)

    @property
    def _naming(self) -> Iterator[Said]:
        for each, new in zip(reversed(self.said), reversed(self.new), strict=True):
            if new and not each.has_pronoun:
                yield each

    @cached_property
    def is_elsewhere(self) -> bool:
        """Tell whether the question names something new and has nothing of what was said."""
        if not self.said or not self.said[-1].answer:
            return False  # what was answered would be the better half of the evidence
        said = frozenset[str]().union(*(each.asked | each.answered for each in self.said))
        return not self.own & said and names_its_topic(self.query)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Every content word of the questions and of the newest answers, in order of appearance."""
        found: dict[str, Candidate] = {}
        for said in self.said:
            for tokens in (said.question, said.answer):
                for index, token in enumerate(tokens):
                    if token.stem and token.stem not in self.own:
                        candidate = found.setdefault(token.stem, Candidate(token.stem))
                        mentions = candidate.answered
                        if tokens is said.question:
                            mentions = candidate.asked
                        mentions.append(Mention(said, tokens, index))
        return list(found.values())


def _said(exchange: Exchange, back: int) -> Said:
    answer = read(exchange.response, ANSWER_TOKENS) if back <= ANSWERS else []
    return Said(exchange, back, read(exchange.query), answer)
