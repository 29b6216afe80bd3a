"""Immediate replies without a search: to small talk, and about the conversation itself."""

from collections.abc import Callable

from django.utils import translation
from django.utils.translation import gettext as _, gettext_lazy

from chat import llm
from chat.turns.replies.answers import quote_answers, repeat_last_answer, summarise_turns
from chat.turns.replies.documents import describe_library, list_sources, quote_grounds
from chat.turns.replies.plain import PlainReply
from chat.turns.replies.questions import (
    list_newest_questions,
    list_questions,
    repeat_first_question,
    repeat_last_question,
)
from memory.recall import Past
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.talk.conversation import (
    ABOUT_CONVERSATION,
    OF_THE_ANSWER,
    SAID_OF_ANSWERS,
    SMALL_TALK,
    AboutConversation,
    classify_talk,
    find_subject,
)
from memory.recall.talk.small_talk import SmallTalk, classify_small_talk, detect_talk_language

ON_SMALL_TALK = {
    SmallTalk.ABLE: gettext_lazy(
        "You can ask what the documents in the library say, and follow up in your own words, in "
        "English, German, Spanish or French. Each answer shows the passage on which it stands."
    ),
    SmallTalk.GREETING: gettext_lazy(
        "Hello! Ask me about the documents in the library: I answer with what they say, and show "
        "where it stands."
    ),
    SmallTalk.THANKS: gettext_lazy("You’re welcome. Ask on whenever you like."),
    SmallTalk.GOODBYE: gettext_lazy("Goodbye! Come back whenever you have a question."),
    SmallTalk.YES: gettext_lazy("Good. What else would you like to know?"),
    SmallTalk.NOD: gettext_lazy("Good. What else would you like to know?"),
}
REPLIES: dict[AboutConversation, Callable[[Past], PlainReply]] = {
    AboutConversation.FIRST: repeat_first_question,
    AboutConversation.LAST: repeat_last_question,
    AboutConversation.QUESTIONS: list_newest_questions,
    AboutConversation.LAST_ANSWER: repeat_last_answer,
    AboutConversation.SOURCES: list_sources,
    AboutConversation.SUMMARY: summarise_turns,
    AboutConversation.LIBRARY: describe_library,
    AboutConversation.GROUNDS: quote_grounds,
}


def make_reply(question: ReadQuestion, reason: str, past: Past) -> PlainReply:
    """Return the reply to a question that the rewrite left as typed for this reason."""
    if reason == SMALL_TALK and (talk := classify_small_talk(question)):
        language = detect_talk_language(question.text) or translation.get_language() or "en"
        with translation.override(language):
            return PlainReply(str(ON_SMALL_TALK[talk]))
    is_about = reason in (ABOUT_CONVERSATION, OF_THE_ANSWER)
    about = classify_talk(question.text) if is_about else None
    if about in SAID_OF_ANSWERS and reason == ABOUT_CONVERSATION:
        return PlainReply(
            _(
                "Nothing was found for the previous question, so there is nothing to show, "
                "shorten or reword. Ask it in other words, and I will search again."
            )
        )
    if about == AboutConversation.OTHERWISE and not llm.is_configured():
        return PlainReply(
            _(
                "That needs a language model, and none is connected: without one I can only "
                "quote. You can ask for the answer above to be shorter, or for more of it."
            )
        )
    if about == AboutConversation.ABOUT:
        return list_questions(past, find_subject(question.text))
    if about == AboutConversation.SAID and not llm.is_configured():
        return quote_answers(past, find_subject(question.text))
    return REPLIES[about](past) if about and about in REPLIES else PlainReply()
