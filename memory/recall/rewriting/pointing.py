"""References to earlier statements, as in "the effects mentioned earlier": English, Spanish."""

import re

LONGEST = 400  # characters: a longer message is independent
_SAID = (
    r"(?:mentioned|discussed|described|listed|named|said|told|talked about|spoke about|explained"
    r"|covered|suggested|recommended|gave|given|showed|shown|brought up|asked about)"
)
_WHEN = (
    r"(?:earlier(?: on| today)?|previously|above|just now|yesterday|last (?:time|week|month)"
    r"|in (?:a|our|my|the) (?:previous|earlier|last|other) (?:conversation|chat|session)"
    # "Mentioned before the Closing Date" is a time in a document.
    r"|before(?=\W*$|[?,.!]|\s+(?:last|is|are|was|do|does)\b))"
)
_DIJO = r"(?:me |te |nos )?(?:mencionaste|dijiste|diste|recomendaste|mencioné|hablamos|dijimos)"
_ANTES = r"(?:antes|anteriormente|ayer|la semana pasada|la última vez)"
_POINTERS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf",?\s*\b(?:as|like)\s+(?:you|we|i)(?:'ve|\s+have)?\s+{_SAID}(?:\s+{_WHEN})?\b,?",
        rf"\b{_WHEN},?\s+(?:you|we|i)\s+{_SAID}(?:\s+(?:me|us))?(?:\s+that\b)?,?",
        rf",?\s+(?:that\s+)?(?:you|we|i)(?:'ve|\s+have)?\s+{_SAID}(?:\s+(?:to\s+)?(?:me|us|you))?"
        rf"(?:\s+about\b)?(?:\s+{_WHEN})?",
        rf",?\s+(?:(?:that|which)\s+(?:is|are|was|were)\s+)?{_SAID}\s+{_WHEN}",
        r"(?<=\bthe)\s+(?:aforementioned|(?:earlier|previously)[ -]mentioned)(?=\s\w)",
        rf"\bcomo\s+(?:ya\s+)?{_DIJO}(?:\s+{_ANTES})?,?",
        rf",?\s+que\s+(?:ya\s+)?{_DIJO}(?:\s+{_ANTES})?",
        rf",?\s+(?:mencionad|comentad|citad|descrit|dich)[oa]s?\s+{_ANTES}",
    )
]
_ASKS_WHAT_WAS_SAID = re.compile(r"\b(?:what|qué)\b(?:\s+\w+){0,3}$", re.IGNORECASE)
_EDGE = re.compile(r"^[\s,;:]+|\s+(?=[?.!,;:])")


def strip_reference(question: str) -> str:
    """Return the question without its reference to an earlier turn; empty if it has none."""
    if len(question) > LONGEST:
        return ""
    said = " ".join(question.replace("’", "'").split())
    match = next(filter(None, (pattern.search(said) for pattern in _POINTERS)), None)
    if match is None:
        return ""
    before, behind = said[: match.start()], said[match.end() :]
    # "What did we say earlier?" has no subject beside the reference.
    if _ASKS_WHAT_WAS_SAID.search(before) and not re.search(r"\w", behind):
        return ""
    rest = _EDGE.sub("", f"{before} {behind.lstrip()}" if before.strip() else behind).split()
    return " ".join(rest) if len(rest) > 1 else ""
