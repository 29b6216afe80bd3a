"""What is said in a conversation without being of it: small talk, and refusals of our own."""

from memory.recall.talk.conversation import about_conversation
from memory.recall.talk.small_talk import SmallTalk, small_talk
from memory.text.reading import ReadText

SMALL_TALK, ABOUT_CONVERSATION = "small_talk", "about_conversation"


def talk_in(message: ReadText, answered: str = "") -> str:
    """Return SMALL_TALK or ABOUT_CONVERSATION if the message is that, or an empty text.

    A nod to an answer that ends with a question says yes to it.
    """
    talk = small_talk(message)
    if talk and not (talk == SmallTalk.NOD and answered.rstrip().endswith("?")):
        return SMALL_TALK
    return ABOUT_CONVERSATION if about_conversation(message.text) else ""
