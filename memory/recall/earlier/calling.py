"""Does a question point at what was said before, here or in an earlier session?"""

from pathlib import Path

from memory.recall.talk.conversation import AboutConversation, classify_talk
from memory.recall.wordings import compiled, join_patterns, read_wordings
from memory.text.words import fold

WORDINGS = read_wordings(Path(__file__).parent / "wordings.toml")
# What is longer tells a story of its own; its beginning says whether it leans on another.
LONGEST = 600


def calls_for_earlier(question: str) -> bool:
    """Return whether the question points at something said before, not just now."""
    return _has(question, "points")


def asks_what_was_said(question: str) -> bool:
    """Return whether the question asks what was said, rather than about what was talked of."""
    return _has(question, "asks")


def _has(question: str, wording: str) -> bool:
    asked = fold(question[:LONGEST])
    pattern = compiled(join_patterns(WORDINGS["calling"][wording]))
    return classify_talk(asked) == AboutConversation.SAID or bool(pattern.search(asked))
