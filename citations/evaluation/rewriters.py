"""How a line's question becomes one that stands alone."""

from collections.abc import Callable
from itertools import pairwise

from django.core.management.base import CommandError
from django.utils.module_loading import import_string

from citations.evaluation.files import Line
from memory.recall.rewriting import Ask, Exchange, Rewrite, rewrite

Rewriter = Callable[[Line], Rewrite]
NAMES = ("builtin", "model", "none", "human")


def rewriter(name: str) -> Rewriter:
    """Return the rewriter of that name; only `human` looks at the line's own rewrite."""
    if name == "none":
        return lambda line: Rewrite(line["query"], "none")
    if name == "human":
        return lambda line: Rewrite(line["rewrite"] or line["query"], "human")
    ask = model() if name == "model" else None
    return lambda line: rewrite(line["query"], exchanges(line), ask)


def exchanges(line: Line) -> list[Exchange]:
    """Return the questions and answers before the line's question, oldest first."""
    return [
        Exchange(before["content"], after["content"])
        for before, after in pairwise(line["history"])
        if before["role"] == "user" and after["role"] == "assistant"
    ]


def model() -> Ask:
    # The model client belongs to the layer above, which this one doesn't import.
    try:
        ask: Ask = import_string("chat.llm.ask")
    except ImportError as error:
        raise CommandError("There is no model client.") from error
    return ask
