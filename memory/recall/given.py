"""A history that a client sends with its question, instead of a stored one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from django.conf import settings

from memory.recall.index.blocks import Pair
from memory.recall.index.messages import MOST_ROWS, Message, Messages, Side
from memory.recall.index.relevance import Comparison
from memory.recall.past import (
    MOST_TOPICS,
    GivenTurn,
    PastTurn,
    Stored,
    assign_topics,
    embed_beginnings,
    select_relevant_turns,
)
from memory.recall.rewriting.exchanges import Exchange
from memory.recall.summaries.window import Summaries
from memory.recall.talk.conversation import talk_in
from memory.text.embedding import Embedded
from memory.text.reading import ReadText

# A client's exchanges are counted for the question, and dropped with it.
MOST_COUNTED = MOST_ROWS // 2
# Most exchanges of a client that are scored; they are dropped with the question.
MOST_EMBEDDED = 2
NO_TIME = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Given:
    """A client's history: nothing of it is stored, so only its end is embedded."""

    exchanges: Sequence[Exchange]

    @property
    def last_position(self) -> int:
        return len(self.exchanges)

    @property
    def strategy(self) -> str:
        return str(settings.CONTEXT_BUILDING_STRATEGY)

    def read(self, positions: Collection[int]) -> Sequence[PastTurn]:
        there = sorted(position for position in positions if position <= self.last_position)
        told = (self._told(position) for position in there)
        return [turn for turn in told if not talk_in(ReadText(turn.query))]

    def count(self) -> int:
        return len(self.read(range(1, self.last_position + 1)))

    def topics(self) -> Mapping[int, int]:
        newest = range(max(1, self.last_position - MOST_TOPICS + 1), self.last_position + 1)
        told = map(self._told, newest)
        return assign_topics((turn.position, turn.topic, turn.new_topic) for turn in told)

    def scores(self, asked: Embedded) -> Mapping[int, float]:
        newest = range(max(1, self.last_position - MOST_COUNTED + 1), self.last_position + 1)
        messages = Messages.build([each for at in newest for each in self._messages(at)])
        return select_relevant_turns(
            messages, Comparison(asked.text, messages).scores(), before=self.last_position + 1
        )

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        return {at: pair for at, pair in self.newest_vectors.items() if at in positions}

    def summaries(self, positions: Collection[int], room: int) -> Summaries:
        return Summaries()

    @cached_property
    def newest_vectors(self) -> Mapping[int, Pair]:
        """The embeddings of the last turns; others have none."""
        newest = range(max(1, self.last_position - MOST_EMBEDDED + 1), self.last_position + 1)
        return {at: embed_beginnings(self._told(at)) for at in newest}

    def _messages(self, position: int) -> Sequence[Message]:
        told = self._told(position)
        texts = {Side.QUESTION: told.query, Side.ANSWER: told.response}
        return [Message(position, side, text, NO_TIME) for side, text in texts.items() if text]

    def _told(self, position: int) -> GivenTurn:
        exchange = self.exchanges[position - 1]
        return GivenTurn(position, exchange.query, exchange.response)


# The earlier turns of a question: by position, from 1 without a gap to the last.
Past = Stored | Given
