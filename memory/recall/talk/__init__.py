"""What is said in a conversation without being of a document: small talk, and the talk itself."""

from memory.recall.talk.conversation import SAID_OF_ANSWERS, classify_talk
from memory.recall.talk.small_talk import SmallTalk, small_talk
from memory.text.reading import ReadText

SMALL_TALK, ABOUT_CONVERSATION = "small_talk", "about_conversation"
# "Shorter", "in German", "who says that?": about the last answer.
OF_THE_ANSWER = "of_the_answer"
# "Yes", "please do", "go on": more of what was answered last.
GO_ON = "go_on"


def talk_in(message: ReadText, answered: str = "", *, is_refused: bool = False) -> str:
    """Return the kind of talk that a message is, after the answer before it; nothing if none.

    A nod to an answer that ends with a question says yes to it.
    """
    talk = small_talk(message)
    asks = answered.rstrip().endswith("?")
    if answered and (talk == SmallTalk.YES or (talk == SmallTalk.NOD and asks)):
        return GO_ON
    if talk:
        return SMALL_TALK
    about = classify_talk(message.text)
    if about in SAID_OF_ANSWERS:
        return OF_THE_ANSWER if answered else ABOUT_CONVERSATION if is_refused else ""
    return ABOUT_CONVERSATION if about else ""
