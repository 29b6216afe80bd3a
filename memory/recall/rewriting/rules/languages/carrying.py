"""Carrying on: what a question that leans on another takes from it, put behind it."""

from collections.abc import Callable

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.text.reading import Token

LOOKED_AT = 4  # exchanges
MOST_CARRIED, CARRIED_CONFIDENCE = 4, 0.5  # words


def carried(question: ReadQuestion, what: str, exchange: Exchange) -> Rewrite:
    """Return the question with what it is about behind it, if the exchange tells."""
    if not what:
        return Rewrite(question.text, "nothing_to_carry")
    told = behind(question.text, what)
    return Rewrite(told, TOPIC_CARRIED, exchange.positions, CARRIED_CONFIDENCE)


def first_words(exchange: Exchange, says: Callable[[Token], bool]) -> str:
    """Return the first words of its question that say something, without what is a guess."""
    said = exchange.asked_alone.tokens
    words = [each.text for each in said if each.stem and says(each)]
    return " ".join(dict.fromkeys(words[:MOST_CARRIED]))
