"""The guard of proposed facts: each must be the person's own statement, word for word. Pure.

The model's answer and the message are both untrusted. A fact is kept only if a clause states it, in
which the person speaks of themselves, and if its kind is right.
"""

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

from memory.models.facts import FactKind
from memory.recall.facts.clauses import Learned, make_thing_key, split_clauses
from memory.recall.facts.extraction import extract_facts
from memory.recall.facts.managing import LONGEST_FACT
from memory.text.words import STOP_WORDS, split_words, stem

LONGEST_ANSWER, MOST_PROPOSED, FEWEST_WORDS, MOST_ABOUT = 4_000, 4, 3, 3
MEMBERS = frozenset(["kind", "about", "value", "words"])
# Words of the first person, which a statement about oneself has.
_OF_ONESELF = re.compile(
    r"\b(?:i|i'?m|i'?ve|im|ive|my|mine|we|we'?re|our|ich|mein\w*|wir|unser\w*|yo|mi|mis|soy|tengo"
    r"|estoy|vivo|trabajo|nuestr[oa]s?)\b",
    re.IGNORECASE,
)
# Words of statements that are momentary, only wished, or about the conversation itself.
_PASSING = re.compile(
    r"\b(?:want|wanna|need|would|wonder\w*|look(?:ing)? for|ask\w*|questions?|think|guess|hope"
    r"|wish|mean|see|saw|understand|read|found|find|tr(?:y|ying|ied)|going to|might|(?-i:may)|could"
    r"|should|must|if|said|told|heard|know|sorry|thanks?|you|your|today|tomorrow|now|möchte|will"
    r"|würde|frage|glaube|heute|quiero|quisiera|necesito|creo|hoy|pregunta)\b|\?|'d\b|'ll\b",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\b(?:like|love|prefer\w*|enjoy\w*|hate|dislike|favou?rite|rather|fan of|fond of|can'?t stand"
    r"|mag|liebe|hasse|lieblings\w*|gerne?|gusta|encanta|prefiero|odio|favorit[oa])\b",
    re.IGNORECASE,
)
# Subjects that known wordings replace as well.
_KNOWN = frozenset(["budget", "deadline", "diet", "age", "employer", "home", "job"])
_LINK = re.compile(r"https?:|www\.|[<>{}\[\]|`\\]|data:|@\w", re.IGNORECASE)


def may_tell(message: str) -> bool:
    """Return whether a model is worth asking: a statement has no known wording."""
    return bool(_list_own_statements(message))


def read_facts(answer: str, message: str) -> list[Learned]:
    """Return the facts of a model's answer that are the person's own statements."""
    own = _list_own_statements(message)
    found: dict[str, Learned] = {}
    for proposed in _read_proposals(answer):
        fact = _check_fact(proposed, own)
        if fact:
            found.setdefault(fact.text.lower(), fact)
    return list(found.values())


def _list_own_statements(message: str) -> list[str]:
    """Return the clauses that state something about the person, without known wordings."""
    clauses = [clause.text for clause in split_clauses(message) if clause.is_own]
    said = (text for text in clauses if _OF_ONESELF.search(text) and not _PASSING.search(text))
    return [_clean_text(text) for text in said if not extract_facts(text)]


def _read_proposals(answer: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of the answer, if it is a list."""
    text = answer[:LONGEST_ANSWER]
    start, end = text.find("["), text.rfind("]")
    proposed: object = None
    with suppress(ValueError, RecursionError):
        proposed = json.loads(text[start : end + 1]) if 0 <= start < end else None
    for each in proposed[:MOST_PROPOSED] if isinstance(proposed, list) else []:
        is_fact = isinstance(each, dict) and set(each) == MEMBERS
        if is_fact and all(isinstance(value, str) for value in each.values()):
            yield each


def _check_fact(proposed: dict[str, str], own: Collection[str]) -> Learned | None:
    text, value = _clean_text(proposed["words"]), _clean_text(proposed["value"])
    spoken = split_words(text)
    if not len(spoken) >= FEWEST_WORDS or len(text) > LONGEST_FACT or _LINK.search(text):
        return None
    if not any(_contains_whole(text, clause) for clause in own) or not _contains_whole(value, text):
        return None
    if not set(split_words(value)) - STOP_WORDS or not _OF_ONESELF.search(text):
        return None
    prefers = _PREFERS.search(text) is not None
    kind = FactKind.PREFERENCE if prefers else FactKind.FACT
    if proposed["kind"] != kind:
        return None
    return Learned(kind, _choose_subject(proposed["about"], spoken, text), text, value)


def _choose_subject(about: str, spoken: Collection[str], text: str) -> str:
    """Return the subject in the person's words, or else the whole statement."""
    named = [word for word in split_words(about) if word not in STOP_WORDS]
    is_said = {stem(word) for word in named} <= {stem(word) for word in spoken}
    if 0 < len(named) <= MOST_ABOUT and is_said:
        return named[0] if named[0] in _KNOWN else f"of:{make_thing_key(' '.join(named))}"
    return f"said:{make_thing_key(text)}"


def _contains_whole(part: str, whole: str) -> bool:
    return bool(part) and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", whole, re.I) is not None


def _clean_text(text: str) -> str:
    return " ".join(text.replace("’", "'").split()).strip(' .,;:!"')
