"""Words: how text is cut into terms wherever words are matched, so all of them match alike."""

import re
import unicodedata
from functools import lru_cache

import Stemmer

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are as at be because been before
    being below between both but by can could did do does doing down during each few for from
    further had has have having he her here hers herself him himself his how i if in into is it its
    itself just me more most must my myself no nor not now of off on once only or other our ours
    ourselves out over own please same shall she should so some such tell than that the their
    theirs them themselves then there these they this those through to too under until up very was
    we were what when where which while who whom whose why will with would you your yours yourself
    yourselves d ll m re s t ve don doesn didn isn aren wasn weren won can't""".split()
)
_WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
_stemmer = Stemmer.Stemmer("english")


def words(text: str) -> list[str]:
    """Return the words in order, in lower case, without accents and possessive endings."""
    plain = text.lower().replace("’", "'").replace("'s", "")
    if not plain.isascii():
        letters = unicodedata.normalize("NFKD", plain)
        plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _WORD.findall(plain)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the word's stem (Snowball, English)."""
    return str(_stemmer.stemWord(word))


def terms(text: str) -> list[str]:
    """Return the stems of the content words, in order, with repeats."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def content_words(text: str) -> list[str]:
    """Return the content words as written, each once, in order."""
    seen: dict[str, str] = {}
    for match in re.finditer(r"[^\W_]+(?:[-.][^\W_]+)*", text.replace("’", "'").replace("'s", "")):
        word = match.group()
        if word.lower() not in STOP_WORDS:
            seen.setdefault(word.lower(), word)
    return list(seen.values())


_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9À-Þ])|\n+")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|et al|etc|vs|cf|approx|Dr|Mrs?|Ms|Prof|Nos?|Figs?|Sec|Art|Inc|Ltd|Co|St"
    r"|[A-Z])\.$"
)
LONGEST_ABBREVIATION = 12


def sentences(text: str) -> list[tuple[int, int]]:
    """Return start and end of each sentence in the text, without surrounding white space."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        end = match.start() + len(match.group().rstrip())  # closing quotes belong to it
        near = max(start, end - LONGEST_ABBREVIATION)  # or text of nothing else takes for ever
        if "\n" not in match.group() and _ABBREVIATION.search(text, near, end):
            continue
        spans.append((start, end))
        start = match.end()
    spans.append((start, len(text)))
    trimmed = []
    for first, last in spans:
        piece = text[first:last]
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            trimmed.append((first + lead, first + lead + len(piece.strip())))
    return trimmed
