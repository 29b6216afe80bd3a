"""Follow-ups become questions that can be searched without their conversation.

A reference of a small table (English and Spanish) is resolved first; else a trained selector
decides whether the question needs words of earlier turns, and which. A language model's rewrite is
one more search. The reason codes are in `exchanges`; `asked` adds its own.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.errors import ModelError
from memory.recall.rewriting.asked import Ask, asked, is_doubtful, may_be_asked
from memory.recall.rewriting.exchanges import (
    ASKED_FURTHER,
    EARLIER_SESSION,
    FIRST_QUESTION,
    LIST_ITEM,
    MORE_OF_THE_SAME,
    REFERENCE_RESOLVED,
    STANDS_ALONE,
    TOPIC_CARRIED,
    Exchange,
    Known,
    Rewrite,
)
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.rewriting.resolving import resolve, resolve_pointed
from memory.recall.talk import ABOUT_CONVERSATION, GO_ON, OF_THE_ANSWER, SMALL_TALK, talk_in

__all__ = [
    "ABOUT_CONVERSATION",
    "ASKED_FURTHER",
    "EARLIER_SESSION",
    "LIST_ITEM",
    "MORE_OF_THE_SAME",
    "OF_THE_ANSWER",
    "REFERENCE_RESOLVED",
    "SMALL_TALK",
    "STANDS_ALONE",
    "TOPIC_CARRIED",
    "Ask",
    "Exchange",
    "Known",
    "ReadQuestion",
    "Rewrite",
    "asked",
    "is_doubtful",
    "may_be_asked",
    "rewrite",
    "rewrite_with_turn",
]


def rewrite(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    ask: Ask | None = None,
    *,
    known: Sequence[Known] = (),
    doubt: float = 0.0,
) -> Rewrite:
    """Return the question as it stands alone after the exchanges, oldest first.

    `known` are entities of the session, most important first; `doubt` is the probability that the
    question has nothing to do with the exchanges. With `ask` (prompt to answer) a language model
    rewrites a question that needs it; if it fails, the built-in rewrite stands.
    """
    last = exchanges[-1] if exchanges else Exchange("", "")
    if talk := talk_in(question, last.response, is_refused=last.is_refused):
        if talk == OF_THE_ANSWER and exchanges:
            return Rewrite(last.searched, talk, last.positions)
        if talk == GO_ON:
            return Rewrite(last.searched, MORE_OF_THE_SAME, last.positions)
        return Rewrite(question.text, talk)
    if not exchanges and not known:
        return Rewrite(question.text, FIRST_QUESTION)
    built_in = resolve(question, exchanges, known, doubt=doubt)
    if ask is None or not may_be_asked(built_in, exchanges):
        return built_in
    try:
        by_model = asked(question, exchanges, known, ask)
    except ModelError:
        return replace(built_in, reason="model_failed")
    return by_model or replace(built_in, reason="model_answer_refused")


def rewrite_with_turn(
    question: ReadQuestion, exchange: Exchange, ask: Ask | None = None
) -> Rewrite:
    """Return the question as it stands alone after the one turn that it points at."""
    found = rewrite(question, [exchange], ask)
    is_left = found.query == question.text and found.reason not in (SMALL_TALK, ABOUT_CONVERSATION)
    return resolve_pointed(question, exchange) if is_left else found
