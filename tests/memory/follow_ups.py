"""Questions as they are searched for, after those before them."""

from memory.recall.rewriting import Exchange, ReadQuestion, rewrite


def searched(*turns: tuple[str, str] | str) -> str:
    """Return what the last question is searched for, after the turns before it."""
    told: list[Exchange] = []
    for position, turn in enumerate(turns, start=1):
        query, response = turn if isinstance(turn, tuple) else (turn, "> So it is said. [1]")
        rewritten = rewrite(ReadQuestion(query), told)
        told.append(Exchange(query, response, position, rewritten.query))
    return told[-1].standalone
