"""How a line's question becomes one that stands alone."""

from collections.abc import Callable

from chat import llm
from chat.evaluation.conversations import Retold
from chat.evaluation.files import Line
from memory.models.conversations import Rewriting
from memory.recall.rewriting import Rewrite, rewrite

Rewriter = Callable[[Line], Rewrite]
NAMES = ("builtin", "model", "none", "human")


def rewriter(name: str) -> Rewriter:
    """Return the rewriter of that name; only `human` looks at the line's own rewrite.

    The questions of the history are rewritten in order, as turns of a session would have been.
    """
    if name == "none":
        return lambda line: Rewrite(line["query"], Rewriting.AS_TYPED)
    if name == "human":
        return lambda line: Rewrite(line["rewrite"] or line["query"], "human")
    ask = llm.ask if name == "model" else None
    told = Retold(lambda question, before, known: rewrite(question, before, ask, known=known))
    return lambda line: told.rewrite(line["query"], line["history"])
