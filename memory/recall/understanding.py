"""Understanding a question after what was said before it: standing alone, dated, of which topic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from memory.embedding import Embedded
from memory.recall import entities
from memory.recall.past import Given, Past, Said, Stored, is_answered
from memory.recall.rewriting import Ask, Exchange, Known, Rewrite, rewrite
from memory.recall.rewriting.dates import resolve_dates
from memory.recall.rewriting.exchanges import within_reach
from memory.recall.topics import changed


@dataclass(frozen=True)
class Understood:
    """What is searched for, and what it was understood from."""

    rewrite: Rewrite
    # The standalone question and the one that was typed, for comparing.
    asked: Embedded
    typed: Embedded
    # The first turn and the newest, oldest first, as far as they are of the same topic.
    exchanges: tuple[Exchange, ...]
    new_topic: bool


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
    exchanges = _exchanges(newest)
    typed = Embedded(query)
    rewritten = standalone or rewrite(query, exchanges, ask, known=_known(past))
    new_topic = changed(query, rewritten, exchanges, vector=typed.vector, vectors=past.vectors)
    if standalone is None:
        if new_topic and rewritten.query != query:  # nothing of another topic goes into it
            rewritten = Rewrite(query, "new_topic")
        rewritten = resolve_dates(rewritten, exchanges, today) if today else rewritten
    if isinstance(past, Given):  # its turns have no rows that could be named
        rewritten = replace(rewritten, positions=())
    asked = typed if rewritten.query == query else Embedded(rewritten.query)
    return Understood(rewritten, asked, typed, exchanges, new_topic)


def _exchanges(newest: Sequence[Said]) -> tuple[Exchange, ...]:
    """Return the first turn and some of the newest; what was before a change of topic is let go."""
    seen = within_reach(newest)
    begins = [index for index, turn in enumerate(seen) if turn.new_topic]
    return tuple(
        Exchange(
            turn.query,
            turn.response if is_answered(turn) else "",
            turn.position,
            turn.standalone_query or "",
        )
        for turn in seen[begins[-1] if begins else 0 :]
    )


def _known(past: Past) -> Sequence[Known]:
    """Return what the session remembers; of a history that is given, nothing is kept."""
    return entities.known(past.session, past.before) if isinstance(past, Stored) else ()
