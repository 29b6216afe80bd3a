"""Understanding of a question in its context: its rewrite, its span of time and its topic."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memory.recall import entities
from memory.recall.facts.clauses import has_seam, split_clauses
from memory.recall.facts.extraction import extract_question
from memory.recall.given import Given, Past
from memory.recall.index.blocks import Pair
from memory.recall.past import PastTurn, Stored, is_answered
from memory.recall.rewriting import rewrite, rewrite_with_turn
from memory.recall.rewriting.exchanges import Exchange, Known, Rewrite
from memory.recall.rewriting.lists import find_listed_items
from memory.recall.rewriting.pointing import strip_reference
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.references import points_at_items
from memory.recall.talk.conversation import talk_in
from memory.recall.talk.small_talk import drop_greeting
from memory.recall.topics import Topic, find_topic, get_current_topic
from memory.text.embedding import Embedded

# Most of the relevant turns read for a reference, and of the newest for a list.
MOST_LOOKED_AT, MOST_LISTS = 3, 30


@dataclass(frozen=True, kw_only=True)
class Understood:
    """The rewritten query, and the context that it was derived from."""

    # The question as typed, parsed once.
    question: ReadQuestion
    rewrite: Rewrite
    # The rewritten question and the typed one, for comparison.
    asked: Embedded
    typed: Embedded
    # Exchanges of the topic: the first turn and the newest, oldest first.
    exchanges: tuple[Exchange, ...]
    # The position with which the topic began, 0 if it begins with this question. Whether it is
    # unrelated to earlier turns, or returns to an earlier topic.
    begun: int
    new_topic: bool
    is_resumed: bool


def understand(
    past: Past,
    question: ReadQuestion,
    newest: Sequence[PastTurn],
    *,
    standalone: Rewrite | None = None,
) -> Understood:
    """Return the question rewritten after the newest turns, which begin with the first.

    A given `standalone` rewrite is used unchanged.
    """
    typed = Embedded(question.text)
    read, topic = _resolve_topic(
        question, ReadPast(past, newest), typed, is_given=standalone is not None
    )
    new_topic = bool(newest) and topic.is_new
    rewritten = standalone
    if rewritten is None:
        may_refer = read is question and question.leans_back and not new_topic
        known = list_known(past) if may_refer else ()
        rewritten = _rewrite_question(question, read, topic, known, new_topic=new_topic)
    if isinstance(past, Given):  # its turns have no rows to refer to
        rewritten = replace(rewritten, positions=())
    asked = typed if rewritten.query == question.text else Embedded(rewritten.query)
    return Understood(
        question=question,
        rewrite=rewritten,
        asked=asked,
        typed=typed,
        exchanges=topic.exchanges,
        begun=topic.begun,
        new_topic=new_topic,
        is_resumed=topic.is_resumed,
    )


def _resolve_topic(
    question: ReadQuestion, told: "ReadPast", typed: Embedded, *, is_given: bool
) -> tuple[ReadQuestion, Topic]:
    """Return the question, without its reference to an earlier turn, and its topic."""
    newest = told.newest
    if is_given or talk_in(question, newest[-1].response if newest else ""):
        return question, get_current_topic(told)
    if newest and (meant := find_pointed(question, told, typed)):
        return meant
    return question, find_topic(question, told, asked=typed)


def _rewrite_question(
    question: ReadQuestion,
    read: ReadQuestion,
    topic: Topic,
    known: Sequence[Known],
    *,
    new_topic: bool,
) -> Rewrite:
    """Return the question with the words that it needs of its topic, or of a referenced turn."""
    if new_topic:  # another topic's words are not added
        return Rewrite(question.text, "new_topic")
    if read is not question:
        return rewrite_with_turn(read, topic.exchanges[-1])
    return rewrite(question, topic.exchanges, known=known, doubt=topic.doubt)


def find_pointed(
    question: ReadQuestion, told: "ReadPast", typed: Embedded
) -> tuple[ReadQuestion, Topic] | None:
    """Return the question without its reference to an earlier turn, and that turn as its topic.

    It is the most relevant turn, or the newest with a list if an item is asked for.
    """
    rest = strip_reference(question.text)
    if not rest:
        return None
    meant = told.listing() if points_at_items(rest) else told.nearest(typed)
    if meant is None:
        return None
    newest = max(told.exchanges)
    begun = told.topics.get(meant.position, meant.position)
    is_resumed = begun != told.topics.get(newest, newest)
    return ReadQuestion(rest), Topic((meant,), begun, is_resumed=is_resumed)


class Exchanges(Mapping[int, Exchange]):
    """Turns by position, each read as an exchange on first use."""

    def __init__(self, turns: Mapping[int, PastTurn]) -> None:
        self._turns = turns
        self._read: dict[int, Exchange] = {}

    def __getitem__(self, position: int) -> Exchange:
        if position not in self._read:
            self._read[position] = _exchange(self._turns[position])
        return self._read[position]

    def __iter__(self) -> Iterator[int]:
        return iter(self._turns)

    def __len__(self) -> int:
        return len(self._turns)


@dataclass(frozen=True)
class ReadPast:
    """The earlier turns, as rewriting and topics read them."""

    past: Past
    newest: Sequence[PastTurn]

    @cached_property
    def exchanges(self) -> "Exchanges":
        return Exchanges({turn.position: turn for turn in self.newest})

    @cached_property
    def newest_topics(self) -> Mapping[int, int]:
        noted = {turn.position: turn.topic for turn in self.newest if turn.topic}
        return noted if len(noted) == len(self.newest) else self.topics

    @cached_property
    def topics(self) -> Mapping[int, int]:
        topics = self.past.topics()
        # The first turn is read even if it is too old for the search of topics.
        return {at: 1 for at in self.exchanges if at not in topics} | dict(topics)

    def read(self, positions: Collection[int]) -> Mapping[int, Exchange]:
        return {turn.position: _exchange(turn) for turn in self.past.read(positions)}

    def vectors(self, positions: Collection[int]) -> Mapping[int, Pair]:
        return self.past.vectors(positions)

    def nearest(self, asked: Embedded) -> Exchange | None:
        """Return the most relevant answered turn, if one is relevant.

        A turn that referred to it is as near, but less informative.
        """
        scores = self.past.scores(asked)
        best = sorted(scores, key=lambda at: scores[at], reverse=True)[:MOST_LOOKED_AT]
        read = self.read(best)
        found = [read[at] for at in best if at in read and not read[at].is_refused]
        return min(found, key=lambda each: bool(strip_reference(each.query)), default=None)

    def listing(self) -> Exchange | None:
        """Return the newest turn with a list, among the last MOST_LISTS."""
        last = self.past.last_position
        read = self.read(range(max(1, last - MOST_LISTS + 1), last + 1))
        newest = (read[at] for at in sorted(read, reverse=True))
        return next((each for each in newest if find_listed_items(each)), None)


def _exchange(turn: PastTurn) -> Exchange:
    is_refused = not is_answered(turn)
    response = "" if is_refused else turn.response
    standalone = turn.standalone_query or ""
    # Statements beside a question are no part of its topic: "I'm Tom. Who pays?" A single clause is
    # either a question or a statement; extracting facts takes milliseconds.
    several = has_seam(turn.query) and len(split_clauses(turn.query)) > 1
    asked = extract_question(turn.query) if several else ""
    query = drop_greeting(asked or turn.query)
    return Exchange(query, response, turn.position, standalone, is_refused=is_refused)


def list_known(past: Past) -> Sequence[Known]:
    """Return the session's entities; a client's history has none."""
    return (
        entities.list_known_entities(past.session, past.before) if isinstance(past, Stored) else ()
    )
