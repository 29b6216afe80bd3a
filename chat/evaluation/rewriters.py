"""Rewriters of questions to be compared: built-in, model, none, human."""

from collections.abc import Callable, Sequence

from chat import llm
from chat.evaluation.conversations import Retold
from chat.evaluation.files import Line
from memory.errors import ModelError
from memory.models.conversations import Rewriting
from memory.recall.rewriting import rewrite
from memory.recall.rewriting.asked import asked, may_be_asked
from memory.recall.rewriting.exchanges import Exchange, Known, Rewrite
from memory.recall.rewriting.questions import ReadQuestion

Rewriter = Callable[[Line], Rewrite]
NAMES = ("builtin", "model", "none", "human")


def get_rewriter(name: str) -> Rewriter:
    """Return the rewriter of that name; only `human` uses the line's own rewrite.

    The questions of the history are rewritten in order, as turns of a session would have been.
    """
    if name == "none":
        return lambda line: Rewrite(line["query"], Rewriting.AS_TYPED)
    if name == "human":
        return lambda line: Rewrite(line["rewrite"] or line["query"], "human")
    told = Retold(_ask_model if name == "model" else _rewrite)
    return lambda line: told.rewrite(line["query"], line["history"])


def _rewrite(question: ReadQuestion, before: Sequence[Exchange], known: Sequence[Known]) -> Rewrite:
    return rewrite(question, before, known=known)


def _ask_model(
    question: ReadQuestion, before: Sequence[Exchange], known: Sequence[Known]
) -> Rewrite:
    """Return the language model's rewrite where it may be better and is usable."""
    built_in = _rewrite(question, before, known)
    if not may_be_asked(built_in, before):
        return built_in
    try:
        return asked(question, before, known, llm.ask) or built_in
    except ModelError:
        return built_in
