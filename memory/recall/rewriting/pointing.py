"""What points at something said before: "the cardiac effects mentioned earlier".

Where such words stand, the turn that is meant is looked for among all of them, and the question is
read after that turn alone, without these words: they say when something was said, not what is
asked. English, Spanish and German.
"""

import re

# What is longer tells a story of its own.
LONGEST = 400
_SAID = (
    r"(?:mentioned|discussed|described|listed|cited|quoted|named|said|told|talked about|talked of"
    r"|spoke (?:about|of)|explained|covered|suggested|recommended|gave|given|showed|shown|found"
    r"|looked at|went over|brought up|referred to|asked about)"
)
_WHEN = (
    r"(?:earlier(?: on| today)?|previously|above|just now|a while ago|last (?:time|week|month"
    r"|year|night"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|the other day"
    r"|(?:a|two|three|some|several|\d+) (?:days?|weeks?|months?) ago|at the (?:start|beginning)"
    r"|in (?:a|an|our|my|the) (?:previous|earlier|last|other|past) (?:conversation|chat|session)"
    # "Mentioned before the Closing Date" is a time in a document.
    r"|before(?!\s+(?:the|an?|it|this|that|any|each|every|\w+ing|[A-Z])\b))"
)
_DICHO = (
    r"(?:mencionad[oa]s?|comentad[oa]s?|citad[oa]s?|nombrad[oa]s?|descrit[oa]s?|dich[oa]s?"
    r"|hablad[oa]s?)"
)
_DIJO = (
    r"(?:(?:me |te |nos )?(?:mencionaste|dijiste|diste|comentaste|explicaste|recomendaste"
    r"|sugeriste|mencioné|dije|comenté|hablamos|dijimos|comentamos|vimos))"
)
_ANTES = r"(?:antes|anteriormente|ayer|la semana pasada|la última vez|hace (?:un rato|\w+ días))"
_GESAGT = (
    r"(?:erwähnt|genannt|besprochen|beschrieben|gesagt|gezeigt|gegeben|vorgeschlagen|empfohlen"
    r"|erklärt|gesprochen)"
)
_VORHIN = (
    r"(?:vorhin|zuvor|oben|vorher|eben|gestern|neulich|letzte woche|letzten monat|letztes mal"
    r"|beim letzten mal)"
)
_PHRASES = (
    # "As we discussed last week, …", "Earlier you said that …"
    rf",?\s*\b(?:as|like)\s+(?:you|we|i)(?:'ve|\s+have)?\s+{_SAID}(?:\s+(?:me"
    rf"|you))?(?:\s+{_WHEN})?\b,?",
    rf"\b{_WHEN},?\s+(?:you|we|i)\s+{_SAID}(?:\s+(?:me|us))?(?:\s+that\b)?,?",
    rf"\bcomo\s+(?:ya\s+)?{_DIJO}(?:\s+{_ANTES})?,?",
    rf"\bwie\s+(?:wir\s+)?(?:{_VORHIN}\s+)?{_GESAGT}(?:\s+haben)?,?",
    # "… that you mentioned to me earlier", "… you gave me"
    rf",?\s+(?:(?:that|which|what)\s+)?(?:you|we|i)(?:'ve|\s+have|\s+had)?\s+(?:just\s+"
    rf"|already\s+)?"
    rf"{_SAID}(?:\s+(?:to\s+)?(?:me|us|you))?(?:\s+(?:about|of)\b)?(?:\s+{_WHEN})?",
    # "… which were mentioned earlier", "the earlier mentioned …"
    rf",?\s+(?:(?:that|which)\s+(?:is|are|was|were)\s+)?{_SAID}\s+{_WHEN}",
    r"(?<=\bthe)\s+(?:aforementioned|(?:above|earlier|previously)[ -](?:mentioned|discussed))"
    r"(?=\s\w)",
    rf",?\s+(?:que\s+)?(?:(?:ya|tú|yo)\s+)?(?:que\s+)?{_DIJO}(?:\s+{_ANTES})?",
    rf",?\s+(?:que\s+(?:han|hemos|has)\s+)?{_DICHO}\s+{_ANTES}",
    rf",?\s+(?:die|das|den|der|dem)\s+(?:du|wir|ich)\s+(?:mir\s+|dir\s+)?(?:{_VORHIN}\s+)?{_GESAGT}"
    r"\s+(?:hast|haben|habe)\b,?",
    rf"(?<=\b(?:die|das|den|der|dem))\s+{_VORHIN}\s+{_GESAGT}e[nrs]?(?=\s\w)",
)
_POINTS = [re.compile(phrase, re.IGNORECASE) for phrase in _PHRASES]
_ASKS_WHAT_WAS_SAID = re.compile(r"\b(?:what|qué|was)\b(?:\s+\w+){0,3}$", re.IGNORECASE)
_WORD = re.compile(r"\w")
_EDGE = re.compile(r"^[\s,;:]+|\s+(?=[?.!,;:])")


def unpointed(question: str) -> str:
    """Return the question without what points at an earlier turn; empty if nothing does so.

    "What did we say earlier?" asks for what was said and for nothing of it.
    """
    if len(question) > LONGEST:
        return ""
    said = " ".join(question.replace("’", "'").split())
    for phrase in _POINTS:
        if match := phrase.search(said):
            before, behind = said[: match.start()], said[match.end() :]
            if _ASKS_WHAT_WAS_SAID.search(before) and not _WORD.search(behind):
                return ""
            rest = _EDGE.sub("", f"{before} {behind.lstrip()}" if before.strip() else behind)
            rest = " ".join(rest.split())
            return rest if len(rest.split()) > 1 else ""
    return ""
