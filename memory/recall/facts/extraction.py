"""Extraction of facts and question from a message: pure, bounded, precise before complete."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from memory.models.facts import FactKind
from memory.recall.facts.clauses import (
    LONGEST,
    WORDINGS,
    Learned,
    MessageClause,
    cut_value,
    extract_tool_name,
    make_thing_key,
    split_clauses,
)
from memory.recall.facts.wishes import find_wishes
from memory.recall.talk.small_talk import drop_greeting, strip_greeting
from memory.recall.wordings import compile_pattern, read_wordings
from memory.text.words import STOP_WORDS, fold, split_words

_DATA = read_wordings(Path(__file__).parent / "statements.toml")
# More in one message is a list of something else.
MOST_LEARNED = 8
_LEANS = frozenset(WORDINGS["leans"].split())


@dataclass(frozen=True)
class MessageReading:
    """The facts of a message, clause by clause, and the clauses without facts."""

    told: Sequence[tuple[MessageClause, Sequence[Learned]]]
    rest: Sequence[MessageClause]


@lru_cache(maxsize=8)
def read_message(message: str) -> MessageReading:
    """Extract the facts of each clause of a message."""
    told, rest, subject = [], [], ""
    clauses = split_clauses(message)
    is_whole = len(clauses) == 1
    for clause in clauses:
        found = _read_clause(clause, subject, is_whole=is_whole) if clause.is_own else []
        is_order = any(each.kind == FactKind.WISH for each in found)
        subject = "" if not found or is_order else (subject if clause.goes_on else "I")
        if found:
            told.append((clause, found))
        else:
            rest.append(clause)
    if told and len(rest) == 1 and rest[0].is_own:  # a wish beside facts counts as a whole message
        wished = list(find_wishes(rest[0].text, is_whole=True))
        if wished:
            told, rest = [*told, (rest[0], wished)], []
    return MessageReading(told, rest)


def extract_facts(message: str) -> list[Learned]:
    """Return the facts and wishes that a message states or ends, in its order."""
    return [each for _clause, found in read_message(message).told for each in found][:MOST_LEARNED]


def only_tells(message: str) -> bool:
    """Return whether the message states facts about its person, and asks nothing."""
    return (
        len(message) <= LONGEST
        and bool(read_message(message).told)
        and not extract_question(message)
    )


def extract_question(message: str) -> str:
    """Return the question of a message without facts about its person; "" if there is none."""
    reading = read_message(message)
    if not reading.told:
        return message if set(split_words(message)) - STOP_WORDS else ""
    asks = [each for each in reading.rest if not _is_remark(each)]
    rest = " ".join(clause.text for clause in reading.rest) if asks else ""
    return strip_greeting(rest) if set(split_words(rest)) - STOP_WORDS else ""


def drop_wishes(message: str) -> str:
    """Return a message without greeting and wishes; the whole if nothing else is left."""
    reading = read_message(message)
    kept = {clause for clause, found in reading.told if not _is_secondary(found)}
    rest = [each.text for each in split_clauses(message) if each in kept or each in reading.rest]
    said = ". ".join(rest)
    return said if len(rest) < len(split_clauses(message)) and split_words(said) else message


def extract_search_text(message: str) -> str:
    """Return the part of a message to search for: its question, with the facts it refers to."""
    asked = extract_question(message)
    if asked and not _LEANS.intersection(split_words(asked)):
        return drop_greeting(asked)
    return drop_greeting(drop_wishes(message))


def _is_secondary(found: Sequence[Learned]) -> bool:
    return all(each.kind == FactKind.WISH or each.subject == "name" for each in found)


def _is_remark(clause: MessageClause) -> bool:
    return not clause.is_question and bool(
        compile_pattern(WORDINGS["remark"]).match(fold(clause.text))
    )


def _read_clause(clause: MessageClause, subject: str, *, is_whole: bool) -> list[Learned]:
    if forgotten := _find_forgotten_facts(clause.text):
        return forgotten
    if wished := list(find_wishes(clause.text, is_whole=is_whole)):
        return wished
    starts = [clause.text, f"I {clause.text}", f"I'm {clause.text}"]
    for text in starts if subject and clause.goes_on else starts[:1]:
        if found := _find_ended_facts(text) or _find_stated_facts(text):
            return found
    return _find_remembered_facts(clause.text)


def _find_stated_facts(text: str) -> list[Learned]:
    """Return the fact that a clause states, by the first pattern that fits."""
    folded = fold(text)
    for rows in _DATA["statements"].values():
        for subject, row in rows:
            pattern = compile_pattern(rf"{WORDINGS['lead']}(?P<said>{row})")
            if match := pattern.match(folded):
                return [_make_learned(match, subject, text)]
    return []


def _find_ended_facts(text: str) -> list[Learned]:
    """Return the facts that a clause ends, and those that it states instead."""
    folded = re.sub(rf"^{WORDINGS['lead']}", "", fold(text), flags=re.IGNORECASE)
    ended: list[Learned] = []
    for row, statement in _DATA["ended"]["rows"]:
        pattern = compile_pattern(row)
        if pattern.match(folded):
            found = _find_stated_facts(pattern.sub(statement, folded))
            ends = [replace(each, text=text, ends=True) for each in found]
            ended += [each for each in ends if each not in ended]
    if not ended:
        return []
    begun = [each for each in _find_stated_facts(text) if not _is_same(each, ended)]
    return [*ended, *begun]


def _is_same(said: Learned, ended: Sequence[Learned]) -> bool:
    return any(said.value == each.value or said.kind != each.kind for each in ended)


def _make_learned(match: re.Match[str], subject: str, text: str) -> Learned:
    groups = match.groupdict()
    name = next(name for name in ("v", "w", "x", "y") if groups.get(name))
    value = cut_value(text[match.start(name) : match.end(name)])
    parts = {
        "v": make_thing_key(value),
        "tool": extract_tool_name(value),
        "verb": make_thing_key(value.partition(" ")[0]),
    }
    about = subject.format(s=make_thing_key(groups.get("s") or ""), **parts)
    is_liking = about.startswith(("likes:", "favourite:"))
    kind = FactKind.PREFERENCE if is_liking else FactKind.FACT
    return Learned(kind, about, text[match.start("said") :].strip(" ,"), value)


def _find_forgotten_facts(text: str) -> list[Learned]:
    """Return the facts to be forgotten: "forget that I live in Porto", "forget my budget"."""
    forgotten = _DATA["forgotten"]
    order = compile_pattern(rf"{WORDINGS['lead']}{forgotten['order']}").fullmatch(fold(text))
    if order is None:
        return []
    what = order["what"]
    for subject, pattern in forgotten["rows"]:
        if compile_pattern(pattern).fullmatch(what):
            return [Learned(FactKind.FACT, subject, text, ends=True)]
    if stated := _find_stated_facts(what) or list(find_wishes(what, is_whole=True)):
        return [replace(each, text=text, ends=True) for each in stated]
    thing = compile_pattern(forgotten["own_thing"]).fullmatch(what)
    if thing is None or compile_pattern(rf"\b(?:{forgotten['no_own_thing']})\b").search(what):
        return []
    return [Learned(FactKind.FACT, f"my:{make_thing_key(thing['s'])}", text, ends=True)]


def _find_remembered_facts(text: str) -> list[Learned]:
    """Return the fact that a person asks to be remembered, in any words."""
    order = compile_pattern(_DATA["remembered"]["order"]).fullmatch(fold(text))
    if order is None:
        return []
    said = text[order.start("v") : order.end("v")]
    own_thing = _DATA["forgotten"]["own_thing"]
    thing = compile_pattern(rf"{own_thing}? (?:is|are|was|es|son|ist|sind)\b").match(fold(said))
    subject = (
        f"my:{make_thing_key(thing['s'])}"
        if thing and thing["s"]
        else f"said:{make_thing_key(said)}"
    )
    return [Learned(FactKind.FACT, subject, said, said)]
