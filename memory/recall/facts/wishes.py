"""Wishes for all later answers, and their withdrawal, in four languages.

A wish applies to later answers: it says "always", "from now on", "your answers", or its whole
message is an order with a manner. "Give me three bullet points on the pump" is an order for one
answer.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from memory.models.facts import FactKind
from memory.recall.facts.clauses import Learned, cut_value, make_thing_key
from memory.recall.wordings import compile_pattern, read_wordings
from memory.text.words import fold, split_words

ALWAYS, NEVER, EITHER = "always", "never", "either"
_DATA = read_wordings(Path(__file__).parent / "wishes.toml")
# Aspects of answers, each with its values and their wording for a language model.
ASPECTS: dict[str, dict[str, tuple[str, str]]] = _DATA["aspects"]
_WORDS: dict[str, str] = _DATA["words"]
# Words without meaning for a wish, beside its order and its manner.
_FILLING = frozenset(split_words(_DATA["beside"]["filling"]))
_NO_LANGUAGE = re.compile(r"\b(?:plain|british|american|uk|us) english\b", re.IGNORECASE)


def find_wishes(clause: str, *, is_whole: bool) -> Iterator[Learned]:
    """Yield the wishes that a clause states or ends; `is_whole` if it is the whole message."""
    said = fold(clause).strip()
    rest = re.sub(_WORDS["polite"], "", said, count=1, flags=re.IGNORECASE)
    if is_whole and _match_pattern(_WORDS["last"], rest):
        yield Learned(FactKind.WISH, "last", clause, ends=True)
    elif _match_pattern(_WORDS["normal"], rest):
        yield Learned(FactKind.WISH, "all", clause, ends=True)
    elif addressed := list(_find_address_wishes(clause, rest)):
        yield from addressed
    elif _search_pattern(_WORDS["never"], rest):
        yield from _find_stated_wishes(clause, rest, is_whole=is_whole)
    elif match := _match_pattern(_WORDS["lets_go"], rest):
        yield from _find_ended_wishes(clause, rest[match.end() :], EITHER)
    elif match := _match_pattern(_WORDS["stops"], rest):
        is_bare = is_whole or bool(_search_pattern(_WORDS["stands"], rest))
        yield from _find_ended_wishes(clause, rest[match.end() :], ALWAYS) if is_bare else ()
    elif _search_pattern(_WORDS["denies"], rest) and (
        _search_pattern(_WORDS["put"], rest) or _search_pattern(_WORDS["order"], rest)
    ):
        yield from _find_ended_wishes(
            clause, compile_pattern(_WORDS["denials"]).sub(" ", rest), ALWAYS
        )
    else:
        yield from _find_stated_wishes(clause, rest, is_whole=is_whole)


def find_aspects(said: str) -> list[tuple[str, str]]:
    """Return the aspects of answers in a text, each with its first value."""
    found = []
    for aspect, values in ASPECTS.items():
        value = next((name for name, row in values.items() if _search_pattern(row[0], said)), "")
        if value and not (aspect == "language" and _NO_LANGUAGE.search(said)):
            found.append((aspect, value))
    return found


def phrase_wish(text: str) -> str:
    """Return a wish in standard words for a language model, or else in its person's own."""
    said = list(find_wishes(text, is_whole=True))
    named = [(each.subject, each.value) for each in said] if said else find_aspects(fold(text))
    made = [ASPECTS.get(aspect, {}).get(value, ("", ""))[1] for aspect, value in named]
    return " ".join(made) if made and all(made) and not any(each.ends for each in said) else text


def is_opposed(said: Learned, subject: str, text: str) -> bool:
    """Return whether a wish contradicts the one on this subject, of this text."""
    name, other = said.subject.partition(":")[0], subject.partition(":")[0]
    if {name, other} == {ALWAYS, NEVER}:
        return is_same_thing(said.subject, subject)
    if other == NEVER:
        return (said.subject, said.value) in find_aspects(fold(text))
    named = set(find_aspects(fold(said.text))) & set(find_aspects(fold(text)))
    return name == NEVER and any(aspect == subject for aspect, _value in named)


def is_same_thing(one: str, other: str) -> bool:
    """Return whether two rules, "always:…" and "never:…", are about the same thing."""
    (name, _, said), (other_name, _, others) = one.partition(":"), other.partition(":")
    fewer, more = sorted((said.split(), others.split()), key=len)
    is_rule = {name, other_name} <= {ALWAYS, NEVER, EITHER}
    return (
        is_rule
        and bool(fewer)
        and all(any(word[:5] == each[:5] for each in more) for word in fewer)
    )


def _find_address_wishes(clause: str, rest: str) -> Iterator[Learned]:
    bare = re.sub(rf"\b{_WORDS['stands']}\b", "", rest, flags=re.IGNORECASE).strip(" ,")
    called = _match_pattern(rf"{_WORDS['called']}\W*$", " ".join(bare.split()))
    if called and (bare != rest.strip(" ,") or rest.lower().startswith(("address", "greet"))):
        yield Learned(FactKind.WISH, "address", clause, called["v"])
    elif ended := _match_pattern(
        r"(?:stop calling|don'?t call|nenn mich nicht mehr) ?(?:me )?(?P<v>.+)", rest
    ):
        yield Learned(FactKind.WISH, "address", clause, cut_value(ended["v"]), ends=True)
    elif _match_pattern(_WORDS["familiar"], rest) or _match_pattern(_WORDS["formal_you"], rest):
        manner = "familiar" if _match_pattern(_WORDS["familiar"], rest) else "polite"
        yield Learned(FactKind.WISH, "you", clause, manner)


def _find_ended_wishes(clause: str, rest: str, rule: str) -> Iterator[Learned]:
    """Yield the ended wishes: a manner of answers, or a thing in them; otherwise a "never" wish."""
    rest = compile_pattern(r"\bit\b").sub(" ", rest)
    found = find_aspects(rest)
    if found and "again" not in split_words(rest) and _says_no_more(rest):
        never = f"{NEVER}:{make_thing_key(rest)}" if rule == ALWAYS else ""
        for aspect, value in found:
            if "jargon" in rest.lower():
                yield Learned(FactKind.WISH, "tone", clause, "simple")
            else:
                yield Learned(FactKind.WISH, aspect, clause, value, ends=True, otherwise=never)
        return
    match = _match_pattern(
        rf"\W*(?:(?:to|zu|que|de|d'|immer)\b\W*)*{_WORDS['put']}?\b\W*(?P<v>.+)", rest
    )
    lasts = _search_pattern(r"any ?more|any longer|mas|mehr|plus", clause) or not _match_pattern(
        r"don'?t|do not", clause
    )
    has_verb = bool(
        lasts
        and _search_pattern(_WORDS["put"], rest)
        and not _search_pattern("if|above|when|wenn|si", rest)
    )
    thing = (
        _extract_thing(match["v"])
        if match and (has_verb or _search_pattern(_WORDS["features"], rest))
        else ""
    )
    if thing:
        never = f"{NEVER}:{make_thing_key(thing)}" if rule == ALWAYS else ""
        yield Learned(FactKind.WISH, f"{rule}:{make_thing_key(thing)}", clause, thing, True, never)


def _find_stated_wishes(clause: str, rest: str, *, is_whole: bool) -> Iterator[Learned]:
    stands = bool(
        _search_pattern(_WORDS["stands"], rest) or _search_pattern(rf"{_WORDS['answers']}", rest)
    )
    found = find_aspects(rest)
    never = _search_pattern(_WORDS["never"], rest)
    is_order = (
        _match_pattern(rf"(?:{_WORDS['stands']}[\s,]*)?(?:only )?{_WORDS['order']}\b", rest)
        is not None
    )
    is_alone = is_whole and _says_no_more(rest)
    if found and not never and ((is_alone and (is_order or stands)) or (is_order and stands)):
        yield from (Learned(FactKind.WISH, aspect, clause, value) for aspect, value in found)
    elif (_search_pattern(_WORDS["stands"], rest) or never) and (thing := _put(rest)):
        rule = NEVER if never else ALWAYS
        # "Always give dates when I ask about deadlines" is another wish than one about prices.
        when = _search_pattern("(?:when|if|wenn|cuando|quand) (?P<then>.+)", rest)
        about = (
            f"{make_thing_key(thing)} {make_thing_key(when['then'])}"
            if when
            else make_thing_key(thing)
        )
        yield Learned(FactKind.WISH, f"{rule}:{about}", clause, thing)


def _put(rest: str) -> str:
    """Return the thing that answers should always, or never, contain."""
    bare = re.sub(
        rf"\b(?:{_WORDS['stands']}|{_WORDS['never']})\b", "", rest, flags=re.IGNORECASE
    ).strip(" ,")
    match = _match_pattern(rf"(?:n'|ne |no )?{_WORDS['put']}\b (?P<v>.+)", bare) or _match_pattern(
        rf"(?P<v>.+?) {_WORDS['put']}\W*$", bare
    )
    return _extract_thing(match["v"]) if match else ""


def _extract_thing(said: str) -> str:
    bare = [
        word
        for word in cut_value(said).split()
        if split_words(word) and split_words(word)[0] not in _FILLING
    ]
    return " ".join(bare)


def _says_no_more(rest: str) -> bool:
    """Return whether a clause has nothing beside an order and a manner of answers."""
    patterns = [row[0] for values in ASPECTS.values() for row in values.values()]
    for pattern in (_WORDS["stands"], *patterns, _WORDS["order"], _WORDS["put"]):
        rest = compile_pattern(rf"\b(?:{pattern})(?!\w)").sub(" ", rest)
    return not set(split_words(rest)) - _FILLING


def _match_pattern(pattern: str, said: str) -> re.Match[str] | None:
    return compile_pattern(pattern).match(said)


def _search_pattern(pattern: str, said: str) -> re.Match[str] | None:
    return compile_pattern(rf"\b(?:{pattern})(?!\w)").search(said)
