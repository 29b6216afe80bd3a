"""Follow-ups become questions that can be searched on their own.

A rule resolves what rules can (lists, comparisons, "tell me more"); for the rest a trained gate and
selector decide whether the question needs anything, and which words of the earlier turns; those are
put in place of its pronoun, or behind it. What a language model makes of it is one more search, or,
with `ask`, is measured in its place.

Reasons: `first_question` and `stands_alone` (left as typed), `nothing_to_carry` (it leans on
something that was not found), `reference_resolved` (a pronoun was replaced), `topic_carried` (words
were added), `list_item` (an item or the choice of a list was named), `more_of_the_same` (the
previous search again), `asked_further` (the previous question once more, and why or when),
`small_talk` and `about_conversation` (left as typed, being no question to the library),
`of_the_answer` (what the last answer was made of, for something to be said of it),
`earlier_session` (words of a turn of another session were added); `asked` and `dates` add their
own, and so does what is found (`respelled`).
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.errors import ModelError
from memory.recall.rewriting.asked import Ask, asked, is_doubtful, may_be_asked
from memory.recall.rewriting.exchanges import (
    ASKED_FURTHER,
    EARLIER_SESSION,
    MORE_OF_THE_SAME,
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Exchange,
    Known,
    Rewrite,
)
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.resolving import named_after, resolve
from memory.recall.talk import ABOUT_CONVERSATION, GO_ON, OF_THE_ANSWER, SMALL_TALK, talk_in

__all__ = [
    "ABOUT_CONVERSATION",
    "ASKED_FURTHER",
    "EARLIER_SESSION",
    "MORE_OF_THE_SAME",
    "OF_THE_ANSWER",
    "REFERENCE_RESOLVED",
    "SMALL_TALK",
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
    "rewrite_after",
]


def rewrite(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    ask: Ask | None = None,
    *,
    known: Sequence[Known] = (),
    doubt: float = 0.0,
) -> Rewrite:
    """Return the question as it stands alone, given the earlier exchanges, oldest first.

    `known` are things that the session is about, most important first; `doubt` is the probability
    that the question has nothing to do with the exchanges, so that its gap has to be surer. With
    `ask` (prompt to answer) a language model rewrites a question that needs it; what it makes of it
    is checked, and on any failure the built-in rewrite stands.
    """
    last = exchanges[-1] if exchanges else Exchange("", "")
    if talk := talk_in(question, last.response, is_refused=last.is_refused):
        if talk == OF_THE_ANSWER and exchanges:  # it is said from what that was made of
            return Rewrite(exchanges[-1].searched, talk, exchanges[-1].positions)
        if talk == GO_ON:
            return Rewrite(last.searched, MORE_OF_THE_SAME, last.positions)
        return Rewrite(question.text, talk)
    if not exchanges and not known:
        return Rewrite(question.text, "first_question")
    built_in = resolve(question, exchanges, known, doubt=doubt)
    if ask is None or not may_be_asked(built_in, exchanges):
        return built_in
    try:
        by_model = asked(question, exchanges, known, ask)
    except ModelError:
        return replace(built_in, reason="model_failed")
    return by_model or replace(built_in, reason="model_answer_refused")


def rewrite_after(question: ReadQuestion, exchange: Exchange, ask: Ask | None = None) -> Rewrite:
    """Return the question as it stands alone after the one turn that it points at."""
    found = rewrite(question, [exchange], ask)
    is_left = found.query == question.text and found.reason not in (SMALL_TALK, ABOUT_CONVERSATION)
    return named_after(question, exchange) if is_left else found
