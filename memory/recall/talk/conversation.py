"""Questions about the conversation itself, which no document answers.

They are recognised by their whole wording, in English, Spanish, German and French. "What did I ask
first?" is one, "What did I ask the court for?" is not.
"""

import re
from enum import StrEnum

from memory.recall.talk.small_talk import PHRASES, SmallTalk, classify_small_talk
from memory.recall.wordings import compile_pattern, join_patterns
from memory.text.reading import ReadText
from memory.text.words import fold

SMALL_TALK, ABOUT_CONVERSATION = "small_talk", "about_conversation"
# "Shorter", "in German", "who says that?": about the last answer.
OF_THE_ANSWER = "of_the_answer"
# "Yes", "please do", "go on": a continuation of the last answer.
GO_ON = "go_on"
# Longest question about the conversation, in characters.
LONGEST = 160


class AboutConversation(StrEnum):
    """The kind of a question about the conversation."""

    FIRST = "first"  # question
    LAST = "last"  # question
    QUESTIONS = "questions"
    LAST_ANSWER = "last_answer"  # repeated
    SOURCES = "sources"
    SUMMARY = "summary"
    # The list of documents.
    LIBRARY = "library"
    # The sources of the last answer; a shorter version; and a version that only a language model
    # can write.
    GROUNDS = "grounds"
    SHORTER = "shorter"
    OTHERWISE = "otherwise"
    # Questions or answers about a subject, which `find_subject` returns.
    ABOUT = "about"
    SAID = "said"


# Kinds that refer to the last answer, and need one.
SAID_OF_ANSWERS = frozenset(
    (AboutConversation.GROUNDS, AboutConversation.SHORTER, AboutConversation.OTHERWISE)
)
# Abbreviations in hurried messages, in full.
_TYPED = {"u": "you", "ur": "your", "pls": "please", "plz": "please", "wht": "what"}
_TYPED |= {
    "whats": "what s",
    "wheres": "where s",
    "thats": "that s",
    "hab": "habe",
    "youre": "you re",
}
_HERE = re.compile(r" in (?:this|our) (?:chat|conversation)$")


def classify_talk(text: str) -> AboutConversation | None:
    """Return the kind of question about the conversation that a message is, or None."""
    said = _normalise_message(text)
    return next(
        (kind for kind in AboutConversation if said and _compile_wording(kind).fullmatch(said)),
        None,
    )


def find_subject(text: str) -> str:
    """Return the subject of a question about earlier questions or answers, or nothing."""
    return _HERE.sub("", _find_subject(text, AboutConversation.SAID, AboutConversation.ABOUT))


def find_asked_subject(text: str) -> str:
    """Return the subject of a question about all earlier questions, in any conversation."""
    is_counted = re.search(r"\bhow (?:often|many)\b", text.lower())
    is_here = re.search(r"\bin (?:this|our) (?:chat|conversation)\b", text.lower())
    return "" if is_here or is_counted else _find_subject(text, AboutConversation.ABOUT)


def _find_subject(text: str, *kinds: AboutConversation) -> str:
    said, typed = _normalise_message(text), " ".join(re.findall(r"\w+", text.lower()))
    for kind in kinds:
        if match := _compile_wording(kind).fullmatch(said):
            at = next((at for at, each in enumerate(match.groups(), 1) if each), 0)
            source = typed if len(typed) == len(said) else said  # with its accents
            return source[match.start(at) : match.end(at)] if at else ""
    return ""


def _normalise_message(text: str) -> str:
    """Return the message without marks and accents; empty if it is too long."""
    said = re.findall(r"\w+", fold(text).lower()) if len(text) <= LONGEST else []
    return " ".join(_TYPED.get(word, word) for word in said)


def _compile_wording(kind: AboutConversation) -> re.Pattern[str]:
    """Compile a wording on first use: many programs answer no question."""
    about, words = PHRASES["about"][kind], PHRASES["words"]
    return compile_pattern(
        rf"{words['please']}{join_patterns([join_patterns(about)])}{words['behind']}"
    )


def talk_in(message: ReadText, answered: str = "", *, is_refused: bool = False) -> str:
    """Return the kind of talk of a message, given the answer before it; empty if none.

    A nod to an answer that ends with a question counts as a yes.
    """
    talk = classify_small_talk(message)
    asks = answered.rstrip().endswith("?")
    if answered and (talk == SmallTalk.YES or (talk == SmallTalk.NOD and asks)):
        return GO_ON
    if talk:
        return SMALL_TALK
    about = classify_talk(message.text)
    if about in SAID_OF_ANSWERS:
        return OF_THE_ANSWER if answered else ABOUT_CONVERSATION if is_refused else ""
    return ABOUT_CONVERSATION if about else ""
