"""Pastimes: what is asked to pass the time, a joke, the weather, a sum, and of no document."""

import re

from memory.text.words import words

# What is longer says something.
LONGEST = 120
# Asked for to pass the time: what a document holds of it is found, but none is waited for.
_PASTIMES = frozenset(
    tuple(words(phrase))
    for phrase in """tell me a joke|tell me another joke|tell a joke|do you know a joke
        |do you know any jokes|tell me something funny|make me laugh|sing a song|sing me a song
        |tell me a story|write me a poem|write a poem|say something|say something nice|surprise me
        |what's the weather|what's the weather like|how's the weather|whats the weather|weather
        |whats the weather like|hows the weather|what's the weather today|whats the weather today
        |cuéntame un chiste|dime un chiste|cuenta un chiste|qué tiempo hace
        |erzähl mir einen witz|erzähl einen witz|erzähle mir einen witz|erzähle einen witz
        |kennst du einen witz|wie ist das wetter|raconte moi une blague
        |raconte une blague|dis moi une blague|quel temps fait il""".split("|")
)
# "2+2", "what is 12 x 12?"; "2020-01-05" is a date.
_SUM = re.compile(
    r"\W*(?:(?:what['’]?s|what is|how much is|calculate|(?P<de>was ist|wie ?viel ist)"
    r"|(?P<es>cu[aá]nto es)|(?P<fr>combien font)) )?"
    r"\d[\d.,]*(?:(?:\s?[+*×÷]\s?|\s[-/x]\s)\d[\d.,]*)+[\s=?]*",
    re.IGNORECASE,
)
_POLITE = ("please", "bitte", "por", "favor", "can", "could", "you")


def is_pastime(message: str) -> bool:
    """Return whether the message asks for a joke, a song, the time, a sum or the like, of no
    document.
    """
    said = words(message) if len(message) <= LONGEST else []
    if said and language_of_sum(message):
        return True
    bare = (word for word in said if word not in _POLITE)
    return tuple(said) in _PASTIMES or tuple(bare) in _PASTIMES


def language_of_sum(message: str) -> str:
    """Return the language in which the message asks for a sum, English if for figures alone; empty
    if it asks for anything else.
    """
    asked = _SUM.fullmatch(message[: LONGEST + 1])
    return (asked.lastgroup or "en") if asked else ""
