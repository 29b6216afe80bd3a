"""Small talk: a message that is only a greeting, thanks, yes, no or "what can you do?"."""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from unicodedata import category

from memory.recall.wordings import join_patterns, read_wordings
from memory.text.reading import ReadText
from memory.text.words import fold, split_words

# A longer message has content, and a longer greeting is none.
LONGEST, FEWEST_LEFT = 120, 2


class SmallTalk(StrEnum):
    """The kind of small talk; of several in a message, the first here counts."""

    ABLE = "able"
    GOODBYE = "goodbye"
    THANKS = "thanks"
    GREETING = "greeting"
    YES = "yes"
    NOD = "nod"


PHRASES = read_wordings(Path(__file__).parent / "phrases.toml")
# A message of only "?" is answered with a hint.
_MARKS = re.compile(r"[\s?¿？!¡.…]*[?？][\s?¿？!¡.…]*")
_FACE = re.compile(r"[:;=8]-?[()\]\[|/]+|<3|\^_*\^")
_ROWS = [
    (SmallTalk(kind), language, join_patterns(phrases))
    for kind, languages in PHRASES["small_talk"].items()
    for language, phrases in languages.items()
]
_PHRASE = re.compile(
    "|".join(
        rf"(?P<g{at}>(?:{phrases.replace(' ', '[ -]+')}))(?![\w'])"
        for at, (_kind, _language, phrases) in enumerate(_ROWS)
    )
    + rf"|(?P<filling>{join_patterns(PHRASES['beside']['filling'])}\b)",
    re.IGNORECASE,
)
_MARK = re.compile(r"[\s,.!?:;…¡¿👍🏻-🏿-]*")
# Small talk before a question; and the boundary between them: "hi, …", "hey how much …".
_OPENING = frozenset((SmallTalk.GREETING, SmallTalk.THANKS, SmallTalk.NOD))
_GOES_ON = re.compile(
    r"\s*[,.!?:;…]+\s*|\s+[-–—]+\s+|\s+(?=(?:how|what'?s?|when|where|why|who|which|can|could|do|does"
    r"|is|are|may|must|should|tell|show|i|i'?m|my|this|we|and|but|wie|was|wann|wo|warum|wer|kann"
    r"|darf|gibt|ich|mein|und|como|que|cuando|donde|cual|cuant[oa]s?|puedo|hay|soy|me|y|comment"
    r"|quand|ou|combien|quel|je|et)\b)",
    re.IGNORECASE,
)


def classify_small_talk(message: ReadText) -> SmallTalk | None:
    """Return the kind of small talk that a message is, or None if it has other content, too."""
    return _read(message.text)[0]


def detect_talk_language(message: str) -> str:
    """Return the language of small talk; empty if its words are of several."""
    return _read(message)[1]


def strip_greeting(message: str) -> str:
    """Return the message behind its greeting, thanks or nod."""
    end = 0
    for _at, stop, row in _split_phrases(message[:LONGEST]):
        if row is not None and (row[0] not in _OPENING or row[2]):
            break
        goes_on = _GOES_ON.match(fold(message), stop)
        end = goes_on.end() if goes_on else end
    return message[end:]


def drop_greeting(message: str) -> str:
    """Return the message behind its greeting, or all of it, if the rest is too short."""
    rest = strip_greeting(message)
    return rest if len(split_words(rest)) >= FEWEST_LEFT else message


def _read(message: str) -> tuple[SmallTalk | None, str]:
    """Return the kind of small talk and its language."""
    if len(message) > LONGEST or not message.strip():
        return None, ""
    if _MARKS.fullmatch(message):
        return SmallTalk.ABLE, ""
    signs = "".join(message.split())
    if _FACE.fullmatch(signs) or all(category(sign) in ("So", "Sk") for sign in signs):
        return SmallTalk.NOD, ""
    rows, end = [], _MARK.match(message).end()  # type: ignore[union-attr]
    for _at, stop, row in _split_phrases(message):
        rows += [row] if row else []
        end = stop
    if not rows or _MARK.fullmatch(message[end:]) is None:
        return None, ""
    kinds = {kind for kind, _language, _initial in rows}
    languages = dict.fromkeys(language for _kind, language, _initial in rows)
    others = [each for each in languages if each != "en"]
    kind = next(kind for kind in SmallTalk if kind in kinds)
    if kind == SmallTalk.YES and "?" in message:  # "sure?" is a doubt
        return None, ""
    return kind, (others or [*languages])[0]


_Row = tuple[SmallTalk, str, bool]


def _split_phrases(message: str) -> Iterator[tuple[int, int, _Row | None]]:
    """Yield the phrases at the beginning of a message, with their ends; fillers have no kind."""
    said = fold(message)
    at = _MARK.match(said).end()  # type: ignore[union-attr]
    while found := _PHRASE.match(said, at):
        if found.lastgroup == "filling" and at == 0 and found.group().lower() != "super":
            return
        row = None
        if found.lastgroup != "filling":
            kind, language, _phrases_of = _ROWS[int(str(found.lastgroup)[1:])]
            # A single letter may belong to a name: "K. Smith".
            row = (kind, language, len(found.group()) == 1)
        yield at, found.end(), row
        at = _MARK.match(said, found.end()).end()  # type: ignore[union-attr]
