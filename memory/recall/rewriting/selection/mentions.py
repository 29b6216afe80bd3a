"""A parsed conversation: the words of each turn, and the mentions of each content word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memory.recall.rewriting.exchanges import Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.reading import Token
from memory.text.words import SMALL_WORDS, detect_language

ANSWERS = 2  # number of newest answers examined


@dataclass(frozen=True)
class SeenExchange:
    """The examined part of an exchange: its question, and the beginning of a recent answer."""

    exchange: Exchange
    back: int  # 1 for the newest

    @cached_property
    def question(self) -> ReadQuestion:
        return self.exchange.question

    @cached_property
    def answer(self) -> tuple[Token, ...]:
        return self.exchange.answer.tokens if self.back <= ANSWERS else ()

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of its question."""
        return self.question.stems

    @cached_property
    def answered(self) -> frozenset[str]:
        """The stems of its answer."""
        return self.exchange.answer.stems if self.back <= ANSWERS else frozenset()


@dataclass(frozen=True)
class Mention:
    """One occurrence of a candidate."""

    said: SeenExchange
    tokens: tuple[Token, ...]
    index: int
    is_in_answer: bool

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def neighbours(self) -> list[Token]:
        return [
            self.tokens[at] for at in (self.index - 1, self.index + 1) if 0 <= at < len(self.tokens)
        ]


@dataclass(frozen=True)
class OfferedWord:
    """A stem, and its mentions, oldest first."""

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
class ReadConversation:
    """The question and the exchanges before it, parsed once."""

    question: ReadQuestion
    said: list[SeenExchange]
    # For each exchange, the stems that its question mentioned first.
    new: list[frozenset[str]]

    @classmethod
    def read(cls, question: ReadQuestion, exchanges: Sequence[Exchange]) -> "ReadConversation":
        """Read the exchanges, oldest first."""
        said = [
            SeenExchange(exchange, len(exchanges) - at) for at, exchange in enumerate(exchanges)
        ]
        new, seen = [], frozenset[str]()
        for each in said:
            new.append(each.asked - seen)
            seen |= each.asked
        return cls(question, said, new)

    @cached_property
    def own(self) -> frozenset[str]:
        """The stems of the question."""
        return self.question.stems

    @cached_property
    def own_in_newest_answer(self) -> list[int]:
        """The indices of the question's words in the newest answer."""
        return [at for at, token in enumerate(self.said[-1].answer) if token.stem in self.own]

    @cached_property
    def last_topic(self) -> int:
        """The distance of the last question with a new topic in its own words; 0 is never."""
        return next((each.back for each in self._naming), 0)

    @cached_property
    def last_introduced(self) -> int:
        """The same for questions whose form introduces a topic."""
        return next((each.back for each in self._naming if each.question.introduces), 0)

    @property
    def _naming(self) -> Iterator[SeenExchange]:
        for each, new in zip(reversed(self.said), reversed(self.new), strict=True):
            if new and not each.question.has_pronoun:
                yield each

    @cached_property
    def is_of_another_topic(self) -> bool:
        """Whether the question names something new and shares no word with the exchanges."""
        if not self.said or not self.said[-1].answer:
            return False  # without an answer, half of the evidence is missing
        said = frozenset[str]().union(*(each.asked | each.answered for each in self.said))
        return not self.own & said and self.question.names_its_topic

    @cached_property
    def candidates(self) -> list[OfferedWord]:
        """Every content word of the questions and of the newest answers, in order of appearance."""
        found: dict[str, OfferedWord] = {}
        language = detect_language(self.question.text)
        small = SMALL_WORDS[language] if language != "en" else frozenset[str]()
        for said in self.said:
            for is_answer, tokens in enumerate((said.question.tokens, said.answer)):
                for index, token in enumerate(tokens):
                    if token.stem and token.stem not in self.own and token.word not in small:
                        candidate = found.setdefault(token.stem, OfferedWord(token.stem))
                        mentions = candidate.answered if is_answer else candidate.asked
                        mentions.append(Mention(said, tokens, index, bool(is_answer)))
        return list(found.values())
