"""What is said in a conversation without being of it: small talk, and refusals of our own."""

from memory.recall.talk.conversation import SAID_OF_ANSWERS, about_conversation
from memory.recall.talk.small_talk import SmallTalk, small_talk
from memory.text.reading import ReadText

SMALL_TALK, ABOUT_CONVERSATION = "small_talk", "about_conversation"
# "Shorter", "in German", "who says that?": of the answer before.
OF_THE_ANSWER = "of_the_answer"


def talk_in(message: ReadText, answered: str = "", *, is_refused: bool = False) -> str:
    """Return SMALL_TALK, ABOUT_CONVERSATION or OF_THE_ANSWER if the message is that, else nothing.

    A nod to an answer that ends with a question says yes to it; without an answer, there is nothing
    to be made shorter, which is all there is to say where nothing was found.
    """
    talk = small_talk(message)
    if talk and not (talk == SmallTalk.NOD and answered.rstrip().endswith("?")):
        return SMALL_TALK
    about = about_conversation(message.text)
    if about in SAID_OF_ANSWERS:
        return OF_THE_ANSWER if answered else ABOUT_CONVERSATION if is_refused else ""
    return ABOUT_CONVERSATION if about else ""
