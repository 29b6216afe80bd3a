"""Detection of answers that decline for lack of a source, and of refusals by the model.

Only short texts are matched, so a long answer may begin with either.
"""

import re
from pathlib import Path

from memory.recall.talk.refusals import LONGEST, is_refusal
from memory.recall.wordings import compile_pattern, read_wordings
from memory.text.citation_markers import MARKER, strip_markers
from memory.text.words import find_sentences

MOST_SENTENCES = 3
WORDINGS = read_wordings(Path(__file__).parent / "wordings.toml")
SAYS_NOTHING = compile_pattern("|".join(WORDINGS["declining"]["nothing"]))
REFUSES = compile_pattern("|".join(WORDINGS["declining"]["refused"]))
# Words of texts that add more to the statement that the documents have no answer.
AND_YET = re.compile(
    r";|\b(?:but|however|although|though|aber|jedoch|pero|sin embargo|mais|cependant|mas|ma|però|"
    r"maar|only|except)\b",
    re.IGNORECASE,
)


def is_declining(said: str) -> bool:
    """Return whether the text only states that the documents don't answer the question."""
    if len(said) > LONGEST:
        return False
    if is_refusal(said):
        return True
    text = strip_markers(said).strip()
    spans = find_sentences(text)
    if not spans or len(spans) > MOST_SENTENCES or not SAYS_NOTHING.search(text[: spans[0][1]]):
        return False
    cites = MARKER.search(said) is not None
    return not cites or (len(spans) == 1 and not AND_YET.search(text))


def is_refusing(said: str) -> bool:
    """Return whether the text is a model's refusal of the request."""
    return len(said) <= LONGEST and not MARKER.search(said) and bool(REFUSES.search(said))
