"""The built-in rewriter: rules where they apply, otherwise what the trained model chooses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

from memory.recall.rewriting.exchanges import (
    LIKELY,
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Exchange,
    Known,
    Rewrite,
    within_reach,
)
from memory.recall.rewriting.language.contractions import with_apostrophes
from memory.recall.rewriting.language.languages import language_of
from memory.recall.rewriting.language.names import may_be_person, names_in, people_read
from memory.recall.rewriting.language.questions import HE, IT, ITS, SHE, ReadQuestion
from memory.recall.rewriting.rules import RULES
from memory.recall.rewriting.rules.ellipsis import with_its_noun
from memory.recall.rewriting.rules.languages.french import carried_in_french
from memory.recall.rewriting.rules.languages.german import carried_in_german
from memory.recall.rewriting.rules.languages.spanish import carried_in_spanish
from memory.recall.rewriting.selection.choosing import Chosen, Forests, choose
from memory.recall.rewriting.selection.placing import place, put
from memory.text.reading import RAREST, rarity
from memory.text.words import terms

MOST_KNOWN = 3
_ASKS_WHO = re.compile(r"\W*(?:(?:and|but|so)\W+)*who\b(?! is\b)", re.IGNORECASE)
FEMININE_ENDINGS = ("a", "á")
# What counts for a name that agrees, and for one that was named last, beside how likely a word of
# it is needed; from which likelihood on a full name goes before single ones.
AGREES, LATEST, NEEDED = 0.2, 0.3, 0.2


def resolve(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    known: Sequence[Known] = (),
    forests: Forests | None = None,
    *,
    doubt: float = 0.0,
) -> Rewrite:
    """Return the question as it stands alone; `forests` are those of the artefact unless given.

    `doubt` is how likely it has nothing to do with the exchanges.
    """
    kept = within_reach(exchanges)
    if not question.words:
        return Rewrite(question.text, "stands_alone", (), LIKELY)
    if (spelled := with_apostrophes(question.text)) != question.text:
        question = ReadQuestion(spelled)
    if kept:
        named = ReadQuestion(with_its_noun(question, kept))
        question = named if named.text else question
        if told := _by_rules(question, kept, is_named=question is named):
            return told
    return _by_the_model(question, kept, known, forests, doubt)


def _by_rules(
    question: ReadQuestion, kept: Sequence[Exchange], *, is_named: bool
) -> Rewrite | None:
    """Return what the rules make of it, or of a language that the model doesn't know what leans."""
    for rule in RULES:
        found = rule(question, kept)
        if found is not None:
            return found
    if is_named and not question.has_pronoun:
        return Rewrite(question.text, REFERENCE_RESOLVED, kept[-1].positions, LIKELY)
    if says_nothing_known(question, kept):
        return Rewrite(question.text, "stands_alone")
    language = language_of(question.text)
    if question.is_spanish or language == "es":
        return carried_in_spanish(question, kept[-1])
    if language == "de":
        return carried_in_german(question, kept)
    return carried_in_french(question, kept[-1]) if language == "fr" else None


def _by_the_model(
    question: ReadQuestion,
    kept: Sequence[Exchange],
    known: Sequence[Known],
    forests: Forests | None,
    doubt: float,
) -> Rewrite:
    """Return the question with the words that the model chooses, and whom "he" or "she" is."""
    said = [*_named_before(known, kept), *kept]
    name = ""
    if not (HE | SHE).isdisjoint(question.words):
        needed = choose(question, said, forests=forests, doubt=doubt).needed
        name = person(said, known, needed, feminine=not SHE.isdisjoint(question.words))
    chosen = choose(
        question,
        said,
        certain=frozenset(terms(name)),
        never=_people_spoken_of(question, kept),
        forests=forests,
        doubt=doubt,
    )
    if not chosen.candidates:
        alone = chosen.need < 0.5 or not question.leans_back
        reason = "stands_alone" if alone else "nothing_to_carry"
        return Rewrite(question.text, reason, confidence=1 - chosen.need)
    return _placed(question, chosen, name)


def _people_spoken_of(question: ReadQuestion, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the stems of names that "he" and "she" stood for, or that answer who did something,
    none of which "it" can be.
    """
    if (IT | ITS).isdisjoint(question.words) or not (HE | SHE).isdisjoint(question.words):
        return frozenset()
    said = (each for each in exchanges if not (HE | SHE).isdisjoint(each.question.words))
    names = (
        name
        for each in said
        for name in names_in(each.asked)
        if may_be_person(name) and name.lower() not in each.query.lower()
    )
    who = (each for each in exchanges if _ASKS_WHO.match(each.searched))
    told = (name for each in who for name in people_read(each.answer) if may_be_person(name))
    return frozenset(term for name in (*names, *told) for term in terms(name))


def named_after(question: ReadQuestion, exchange: Exchange) -> Rewrite:
    """Return the question with what the turn that it points at was about, since it was said to be.

    That is the names of its question, or its rarest word.
    """
    own = set(question.terms)
    named = {term for name in names_in(exchange.searched) for term in terms(name)} - own
    others = [token for token in exchange.sought.tokens if token.stem and token.stem not in own]
    rarest = max(others, key=lambda token: rarity(token.word), default=None)
    certain = named or ({rarest.stem} if rarest else set())
    chosen = choose(question, [exchange], certain=frozenset(certain))
    if not chosen.candidates:
        return Rewrite(question.text, "nothing_to_carry")
    return _placed(question, chosen, "")


def says_nothing_known(question: ReadQuestion, exchanges: Sequence[Exchange]) -> bool:
    """Return whether no word of the question is a word as far as anyone knows: "asdf qwer".

    If it is a name, it is found by itself.
    """
    said = frozenset[str]().union(*(each.question.stems | each.answer.stems for each in exchanges))
    content = [token for token in question.tokens if token.kind != "punctuation"]
    return bool(content) and all(
        token.kind == "content" and rarity(token.word) >= log(RAREST) and token.stem not in said
        for token in content
    )


def _named_before(known: Sequence[Known], exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return what was named before all of the exchanges, as if it had been asked first."""
    seen = {exchange.position for exchange in exchanges}
    asked = {term for exchange in exchanges for term in exchange.question.terms}
    before = [entity for entity in known if entity.position not in seen]
    missing = [entity for entity in before if not asked.issuperset(terms(entity.name))]
    if not missing:
        return []
    names = ", ".join(entity.name for entity in missing[:MOST_KNOWN])
    return [Exchange(names, "", missing[0].position)]


def person(
    exchanges: Sequence[Exchange],
    known: Sequence[Known],
    needed: Mapping[str, float],
    *,
    feminine: bool,
) -> str:
    """Return the name that "he" or "she" stands for, or nothing: no thing and no place.

    How likely the question needs a word of it decides, by its stem in `needed`, full names first,
    with whether it was named last and agrees with the pronoun; then the newest question, the people
    of the session, the newest answer.
    """
    asked = [people_read(each.sought) for each in reversed(exchanges)]
    people = [entity.name for entity in known if entity.kind == "person"]
    answers = [people_read(each.answer) for each in reversed(exchanges[-2:])]
    names = [name for group in (*asked, people, *answers) for name in group]
    latest = {name for group in (*asked[:1], *answers[:1]) for name in group}

    def likely(name: str) -> tuple[bool, float]:
        first, *others = name.split()
        agrees = first.lower().endswith(FEMININE_ENDINGS) == feminine
        wanted = max((needed.get(term, 0.0) for term in terms(name)), default=0.0)
        is_needed = wanted >= NEEDED or {name} == latest
        return bool(others) and is_needed, wanted + AGREES * agrees + LATEST * (name in latest)

    return max((name for name in names if may_be_person(name, 1)), key=likely, default="")


def _placed(question: ReadQuestion, chosen: Chosen, name: str) -> Rewrite:
    """Return the question with what was chosen; a full name takes the pronoun's place, whatever
    words of it were chosen where.
    """
    if name:
        own = set(terms(name))
        others = [
            (candidate, weight)
            for candidate, weight in zip(chosen.candidates, chosen.probabilities, strict=True)
            if candidate.stem not in own
        ]
        chosen = replace(
            chosen,
            candidates=[candidate for candidate, _ in others],
            probabilities=[weight for _, weight in others],
        )
        question = ReadQuestion(put(question, name))
    placed = place(question, chosen)
    in_place = placed.in_place or bool(name)
    sure = chosen.probabilities[0] if chosen.probabilities else 1.0
    reason = REFERENCE_RESOLVED if in_place else TOPIC_CARRIED
    return Rewrite(placed.query, reason, placed.positions, round(chosen.need * sure, 3))
