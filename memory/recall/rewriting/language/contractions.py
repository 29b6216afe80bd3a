"""What is typed without its apostrophe: "if its kept hotter" says "it is", and owns nothing."""

import re

_SMALL = (
    r"(?:an?|the|not|too|so|still|already|all|been|really|always|never|now|no|in|on|at|under|out"
    r"|off|above|below|for|from|because|my|your|ok|okay)"
)
# No noun stands behind these: "if its kept hotter".
_DONE = r"(?:kept|gone|done|made|left|lost|sold|put|given|taken|written|sent|shut|stuck|torn|worn)"
# Behind "if", what ends the clause or goes on with a preposition is what it is like.
_LIKE = (
    r"(?:[^\W\d_]{2,}(?:ed|er|ing)|hot|cold|warm|wet|dry|old|new|dead|empty|full|late|early|open"
    r"|safe|legal|free|possible|ready|true|wrong|right|dirty|clean|broken|frozen|high|low|big"
    r"|small|long|short|loud|dark|slow|fast|bad|good|expensive|cheap|holiday|raining)"
    r"(?=\W*$|[,;.!?]|\s+(?:than|in|on|at|by|with|without|for|from|to|or|and|when|while|after"
    r"|before|outside|inside|then|too|again|already|enough|up|down|off)\b)"
)
_IF = r"(?:if|when|while|because|since|once|unless|although|though|until|think|means)"
_ITS = re.compile(
    rf"\bits(?=\s+(?:{_SMALL}|{_DONE})\b)|\b(?P<if>{_IF}\s+)its(?=\s+{_LIKE})",
    re.IGNORECASE,
)
_SHORT = 400  # characters: what is longer is written with care


def with_apostrophes(question: str) -> str:
    """Return the question with "it's" for an "its" that can only mean that."""
    if len(question) > _SHORT:
        return question
    return _ITS.sub(lambda found: f"{found['if'] or ''}it's", question)
