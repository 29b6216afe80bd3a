"""Understanding a question after what was said before it: standing alone, dated, of which topic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from memory.embedding import Embedded
from memory.recall import entities
from memory.recall.past import Given, Past, Said, Stored, is_answered
from memory.recall.rewriting import Ask, Exchange, Known, Rewrite, rewrite
from memory.recall.rewriting.dates import resolve_dates
from memory.recall.talk import talk_in
from memory.recall.topics import Told, going_on, topic_of


@dataclass(frozen=True)
class Understood:
    """What is searched for, and what it was understood from."""

    rewrite: Rewrite
    # The standalone question and the one that was typed, for comparing.
    asked: Embedded
    typed: Embedded
    # Of the topic, the first turn and the newest, oldest first.
    exchanges: tuple[Exchange, ...]
    # The position with which the topic began, 0 if it begins with this question; whether it has
    # nothing to do with what was said before, or comes back to what was left.
    begun: int
    new_topic: bool
    is_resumed: bool


def understand(
    past: Past,
    query: str,
    newest: Sequence[Said],
    *,
    ask: Ask | None = None,
    standalone: Rewrite | None = None,
    today: date | None = None,
) -> Understood:
    """Return the question as it stands alone after the newest turns, which begin with the first.

    A `standalone` one that is given is taken as it is.
    """
    told, typed = _told(newest), Embedded(query)
    if standalone or (told and talk_in(query, told[-1].exchange.response)):
        topic = going_on(told)
    else:
        topic = topic_of(query, told, past.vectors, asked=typed)
    new_topic = bool(told) and topic.is_new
    if new_topic:  # nothing of another topic goes into it
        rewritten = Rewrite(query, "new_topic")
    else:
        rewritten = standalone or rewrite(
            query, topic.exchanges, ask, known=_known(past), doubt=topic.doubt
        )
    if standalone is None and today:
        rewritten = resolve_dates(rewritten, topic.exchanges, today)
    if isinstance(past, Given):  # its turns have no rows that could be named
        rewritten = replace(rewritten, positions=())
    asked = typed if rewritten.query == query else Embedded(rewritten.query)
    return Understood(
        rewritten,
        asked,
        typed,
        exchanges=topic.exchanges,
        begun=topic.begun,
        new_topic=new_topic,
        is_resumed=topic.is_resumed,
    )


def _told(newest: Sequence[Said]) -> list[Told]:
    """Return the turns as exchanges, each with the position with which its topic began."""
    told: list[Told] = []
    for turn in newest:
        before = told[-1].topic if told and not turn.new_topic else turn.position
        response = turn.response if is_answered(turn) else ""
        exchange = Exchange(turn.query, response, turn.position, turn.standalone_query or "")
        told.append(Told(exchange, turn.topic or before))
    return told


def _known(past: Past) -> Sequence[Known]:
    """Return what the session remembers; of a history that is given, nothing is kept."""
    return entities.known(past.session, past.before) if isinstance(past, Stored) else ()
