"""The topic behind a question: "how high is it (about berths, inner basin)?".

It is a guess at where to look, and none of what is asked: search reads both, and whatever reads a
question for its form or its words, what is asked alone. Written as text it stands behind the
question, where people read it; `Exchange` and `Rewrite` keep the two apart.
"""

import re

from memory.text.languages import detect_language

_ABOUT = {"en": "about", "es": "sobre", "de": "zu", "fr": "sur"}
_BEHIND = re.compile(
    rf" \((?:{'|'.join(_ABOUT.values())}) (?P<about>[^()]*(?:\([^()]*\)[^()]*)*)\)(?=\W*$)"
)


def append_topic(query: str, words: str) -> str:
    """Return the question with what it is about behind it, before its question mark."""
    if not words:
        return query
    asked = query.rstrip("?!. ")
    mark = "?" if query.rstrip().endswith("?") else ""
    return (
        f"{asked} ({_ABOUT[detect_language(query)]} {words}){mark}" if asked else f"{words}{mark}"
    )


def apart(query: str) -> tuple[str, str]:
    """Split the question from the topic behind it, which may be empty."""
    match = _BEHIND.search(query)
    if match is None:
        return query, ""
    return query[: match.start()] + query[match.end() :], match["about"]
