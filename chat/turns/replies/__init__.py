"""What is said at once, without a search: to small talk, and about the conversation itself."""

from collections.abc import Callable

from django.utils.translation import gettext_lazy

from chat import llm
from chat.turns.replies.of_answers import last_answer, said_about, summary
from chat.turns.replies.of_documents import grounds, library, sources
from chat.turns.replies.of_questions import (
    asked_about,
    first_question,
    how_many,
    last_question,
    newest_questions,
)
from chat.turns.replies.plain import PlainReply
from memory.recall import Past
from memory.recall.rewriting import ABOUT_CONVERSATION, OF_THE_ANSWER, SMALL_TALK, ReadQuestion
from memory.recall.talk.conversation import (
    SAID_OF_ANSWERS,
    AboutConversation,
    about_conversation,
    subject_of,
)
from memory.recall.talk.courtesies import said_back
from memory.recall.talk.small_talk import language_of_talk, small_talk

NEEDS_A_MODEL = gettext_lazy(
    "That takes a language model, and none is connected: without one I can only quote. The answer "
    "above stands as the documents say it; ask for it shorter, or for more of it."
)
NOTHING_BEFORE = gettext_lazy(
    "Nothing was found for the question before, so there is nothing that could be shown, shortened "
    "or said otherwise. Ask it in other words, and I look again."
)
ABOUT: dict[AboutConversation, Callable[[Past], PlainReply]] = {
    AboutConversation.FIRST: first_question,
    AboutConversation.LAST: last_question,
    AboutConversation.QUESTIONS: newest_questions,
    AboutConversation.HOW_MANY: how_many,
    AboutConversation.LAST_ANSWER: last_answer,
    AboutConversation.SOURCES: sources,
    AboutConversation.SUMMARY: summary,
    AboutConversation.LIBRARY: library,
    AboutConversation.GROUNDS: grounds,
}


def reply_to(question: ReadQuestion, reason: str, past: Past) -> PlainReply:
    """Return what is said to a question that was left as typed for the reason."""
    if reason == SMALL_TALK and (talk := small_talk(question)):
        return PlainReply(said_back(talk, language_of_talk(question)))
    is_about = reason in (ABOUT_CONVERSATION, OF_THE_ANSWER)
    about = about_conversation(question.text) if is_about else None
    if about in SAID_OF_ANSWERS and reason == ABOUT_CONVERSATION:
        return PlainReply(str(NOTHING_BEFORE))
    if about == AboutConversation.OTHERWISE and not llm.is_configured():
        return PlainReply(str(NEEDS_A_MODEL))
    if about in (AboutConversation.ABOUT, AboutConversation.COUNT):
        is_counted = about == AboutConversation.COUNT
        return asked_about(past, subject_of(question.text), is_counted=is_counted)
    if about == AboutConversation.SAID and not llm.is_configured():
        return said_about(past, subject_of(question.text))
    if about == AboutConversation.OTHER and not llm.is_configured():
        return last_answer(past)
    return ABOUT[about](past) if about and about in ABOUT else PlainReply()
