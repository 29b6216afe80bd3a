"""Composition of rewrites: parts of a question put together as a question."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.names import classify_name, find_names
from memory.text.words import detect_language


def exchange_thing(asked: str, thing: str) -> str:
    """Return the question asked of another thing, which replaces the similar one.

    That is the one that ends in the same word, or else the only name of the same kind.
    """
    preposition = re.match(r"(?:in|of|for|on|at|en|de|para|con)\s+", thing, re.IGNORECASE)
    thing = thing[preposition.end() :] if preposition else thing
    *others, noun = re.sub(r"^(?:the|an?|el|la|los|las)\s+(?=\S)", "", thing, flags=re.I).split()
    alike = rf"(?<!\w)(?:[^\W_][\w'’-]*\s+){{{len(others)}}}{re.escape(noun)}\b"
    places = re.findall(alike, asked, re.IGNORECASE) if others else []
    named = " ".join([*others, noun])
    if not places and find_names(f"of {named}") == [named]:
        places = [name for name in find_names(asked) if classify_name(name) == classify_name(named)]
        places = places if len(places) == 1 else []
    if not places and preposition:
        before = re.escape(preposition.group().strip())
        places = re.findall(rf"\b{before}\s+([^\W_][\w'’-]*)(?=\W*$)", asked, re.IGNORECASE)
    place = places[-1] if places else ""
    return asked.replace(place, named) if place and place != named else ""


def strip_end(question: str) -> str:
    """Return the question without its final punctuation."""
    return question.strip().rstrip("?.! ")


def drop_and(asked: str) -> str:
    """Return the question without a conjunction at its beginning."""
    return re.sub(r"^\W*(?:(?:and|but|so|y|pero)\b\W*)+", "", asked, flags=re.IGNORECASE)


def join_items(items: Sequence[str], query: str, *, choice: bool = False) -> str:
    """Return the items as a list in words, in the query's language."""
    is_spanish = detect_language(query) == "es"
    last = {(True, True): "o", (True, False): "y", (False, True): "or"}.get(
        (is_spanish, choice), "and"
    )
    return f" {last} ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
