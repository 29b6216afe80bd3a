"""What a question is about beside what it asks: "how high is it (about berths, inner basin)?".

It is a guess at where to look, and none of what is asked: search reads both, and whatever reads a
question for its form or its words, what is asked alone. Written as text it stands behind the
question, where people read it; `Exchange` and `Rewrite` keep the two apart.
"""

import re

from memory.text.languages import language_of

_ABOUT = {"en": "about", "es": "sobre", "de": "zu", "fr": "sur"}
_BEHIND = re.compile(
    rf" \((?:{'|'.join(_ABOUT.values())}) (?P<about>[^()]*(?:\([^()]*\)[^()]*)*)\)(?=\W*$)"
)


def behind(query: str, words: str) -> str:
    """Return the question with what it is about behind it, before its question mark."""
    if not words:
        return query
    asked = query.rstrip("?!. ")
    mark = "?" if query.rstrip().endswith("?") else ""
    return f"{asked} ({_ABOUT[language_of(query)]} {words}){mark}" if asked else f"{words}{mark}"


def apart(query: str) -> tuple[str, str]:
    """Return what is asked, and what it is about, which may be nothing."""
    match = _BEHIND.search(query)
    if match is None:
        return query, ""
    return query[: match.start()] + query[match.end() :], match["about"]
