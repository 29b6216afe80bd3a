"""Does a question call for what was said in an earlier session?

By its wording, in English, Spanish and German: "mentioned earlier", "as we discussed last week",
"what did I tell you about …". What is asked of this conversation alone, "what did I just ask", does
not.
"""

import re

from memory.recall.talk.conversation import AboutConversation, about_conversation

# What is longer tells a story of its own; its beginning says whether it leans on another.
LONGEST = 600
_WHEN = (
    r"(?:earlier|before|previously|last (?:time|week|month|year|night|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday)|yesterday|the other day|(?:a|two|three|some|several|\d+)"
    r" (?:days?|weeks?|months?) ago|a while ago|back then|in (?:a|an|our|my|the|one of (?:our|my))"
    r" (?:previous|earlier|last|other|past) (?:conversation|chat|session|discussion)s?)"
)
_SAID = (
    r"(?:mentioned|discussed|talked|told|said|asked|spoke|covered|went over|looked at|saw|found"
    r"|established|agreed|explained|quoted)"
)
_VORHER = (
    r"(?:vorhin|vorher|früher|neulich|gestern|letztes mal|beim letzten mal|(?:in der )?letzten? "
    r"(?:woche|monat|jahr|tage)|letzten (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag"
    r"|sonntag)|vor (?:einem|einer|zwei|drei|ein paar|einigen|\d+) (?:tag|woche|monat)\w*)"
)
_GESAGT = (
    r"(?:erwähnt\w*|besprochen\w*|gesprochen|gesagt|erzählt|gefragt|genannt\w*|gesehen|geredet"
    r"|vereinbart\w*|erklärt\w*)"
)
_CALLS = re.compile(
    rf"\b(?:we|i|you|i've|we've|you've|have|had)\b[^.?!\n]{{0,30}}\b{_SAID}\b"
    rf"[^.?!\n]{{0,60}}\b{_WHEN}\b|\b{_SAID} {_WHEN}\b"
    rf"|\b{_WHEN}[\s,]+(?:we|i|you)\b[^.?!\n]{{0,20}}\b{_SAID}\b"
    r"|\bwhat (?:did|have) (?:i|we) (?:tell|told|say|said|discuss|discussed"
    r"|talk|talked|agree|agreed)\b"
    r"(?! (?:just|now))|\b(?:did|have) (?:i|we) (?:ever |already )?(?:tell|told|mention|mentioned"
    r"|discuss|discussed|talk|talked)\b|\bas (?:i|we) (?:said|discussed|mentioned|agreed|told)\b"
    r"|\b(?:do you )?remember (?:when|what|that|the|my|our|how|where)\b|\bremind me (?:of )?what\b"
    r"|\b(?:previous|earlier|other|past|last) (?:conversation|chat|session|discussion)s?\b"
    r"|\bfrom (?:last time|before|earlier|yesterday)\b|\blast time\b"
    r"|\b(?:qué|que) (?:te )?(?:dije|conté|comenté|hablamos|dijimos)\b|\bla (?:última|otra) vez\b"
    r"|\b(?:como|lo que) (?:ya )?(?:hablamos|comentamos|dijimos|te dije|mencioné)\b"
    r"|\bla semana pasada\b[^.?!\n]{0,40}\b(?:hablamos|dijimos|pregunté|vimos|comentamos)\b"
    r"|\bconversaci(?:ón|ones) anterior(?:es)?\b|\b(?:te acuerdas|recuerdas)\b"
    r"|\b(?:mencionad|comentad|dich)[oa]s? (?:antes|anteriormente)\b"
    rf"|\b{_VORHER} (?:(?:über|von|mit)\b[^.?!\n]{{0,40}} )?{_GESAGT}\b|\bwie (?:wir )?{_GESAGT}\b"
    rf"|\b(?:haben wir|habe ich|hast du|wir|ich|du)\b[^.?!\n]{{0,40}}\b{_VORHER}\b"
    rf"[^.?!\n]{{0,60}}\b{_GESAGT}\b"
    r"|\b(?:was|worüber) (?:habe ich|haben wir) (?:dir |dich |ihnen )?[^.?!\n]{0,60}"
    r"\b(?:gesagt|erzählt|gesprochen|besprochen|geredet)\b"
    r"|\bhabe ich (?:dir |ihnen )[^.?!\n]{0,60}\b(?:gesagt|erzählt)\b"
    r"|\b(?:weißt du noch|erinnerst du dich)\b"
    r"|\b(?:letzten|vorigen|früheren|anderen) (?:gespräch|unterhaltung|chat)\w*",
    re.IGNORECASE,
)
# Asked for is what was said, not what a document says of it.
_ASKS_WHAT_WAS_SAID = re.compile(
    r"\b(?:what|when|where|which|how)\b[^.?!\n]{0,40}\b(?:did|have|had) (?:i|we) "
    "(?:ever |already |just )?(?:tell|told|say|said|discuss|discussed"
    "|talk|talked|mention|mentioned"
    r"|agree|agreed|ask|asked)\b|\b(?:did|have) (?:i|we) (?:ever |already )?(?:tell|told|mention"
    r"|mentioned|discuss|discussed|talk|talked|ask|asked)\b|\bremind me (?:of )?what (?:i|we)\b"
    r"|\bdo you remember (?:when|what|that|how|where|if|whether) (?:i|we)\b"
    r"|\b(?:qué|que) (?:te )?(?:dije|conté|comenté|hablamos|dijimos|pregunté)\b"
    r"|\b(?:was|wann|wo|welche\w*|worüber) (?:habe ich|haben wir)\b[^.?!\n]{0,60}"
    r"\b(?:gesagt|erzählt|gesprochen|besprochen|geredet|erwähnt|gefragt)\b"
    r"|\bhabe ich (?:dir |ihnen |dich )[^.?!\n]{0,60}\b(?:gesagt|erzählt|gefragt)\b",
    re.IGNORECASE,
)


def calls_for_earlier(question: str) -> bool:
    """Return whether the question points at something said before, not just now."""
    asked = question[:LONGEST].replace("’", "'")
    return _asks_what_answers_said(asked) or _CALLS.search(asked) is not None


def asks_what_was_said(question: str) -> bool:
    """Return whether the question asks what was said, rather than about what was talked of."""
    asked = question[:LONGEST].replace("’", "'")
    return _asks_what_answers_said(asked) or _ASKS_WHAT_WAS_SAID.search(asked) is not None


def _asks_what_answers_said(question: str) -> bool:
    return about_conversation(question) == AboutConversation.SAID
