"""Rewriting of follow-ups as questions that can be searched without their conversation.

A reference of a small table (English and Spanish) is resolved first. Otherwise a trained selector
decides which words of earlier turns the question needs, if any. A language model's rewrite is one
more search.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.recall.rewriting.exchanges import (
    FIRST_QUESTION,
    MORE_OF_THE_SAME,
    NOTHING_TO_CARRY,
    REFERENCE_RESOLVED,
    STANDS_ALONE,
    Exchange,
    Known,
    Rewrite,
    select_reachable,
)
from memory.recall.rewriting.names import find_names, find_people
from memory.recall.rewriting.questions import HE, SHE, ReadQuestion
from memory.recall.rewriting.references import resolve_reference
from memory.recall.rewriting.selection.choosing import Chosen, choose
from memory.recall.rewriting.selection.placing import place, put
from memory.recall.talk.conversation import (
    ABOUT_CONVERSATION,
    GO_ON,
    OF_THE_ANSWER,
    SMALL_TALK,
    talk_in,
)
from memory.text.words import SMALL_WORDS, detect_language, extract_terms


def rewrite(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    *,
    known: Sequence[Known] = (),
    doubt: float = 0.0,
) -> Rewrite:
    """Return the question rewritten to stand alone after the exchanges, oldest first.

    `doubt` is the probability that it is unrelated to them.
    """
    last = exchanges[-1] if exchanges else Exchange("", "")
    if talk := talk_in(question, last.response, is_refused=last.is_refused):
        if talk == OF_THE_ANSWER and exchanges:
            return Rewrite(last.searched, talk, last.positions)
        if talk == GO_ON:
            return Rewrite(last.searched, MORE_OF_THE_SAME, last.positions)
        return Rewrite(question.text, talk)
    if not exchanges and not known:
        return Rewrite(question.text, FIRST_QUESTION)
    return resolve(question, exchanges, known, doubt=doubt)


def rewrite_with_turn(question: ReadQuestion, exchange: Exchange) -> Rewrite:
    """Return the question rewritten to stand alone after the one turn that it refers to."""
    found = rewrite(question, [exchange])
    is_left = found.query == question.text and found.reason not in (SMALL_TALK, ABOUT_CONVERSATION)
    return resolve_pointed(question, exchange) if is_left else found


MOST_KNOWN = 3  # entities before the exchanges
MOST_WITHOUT_SUBJECT = 2  # content words of "¿Cuántos años tiene?"
FEMININE_ENDINGS = ("a", "á")


def resolve(
    question: ReadQuestion,
    exchanges: Sequence[Exchange],
    known: Sequence[Known] = (),
    *,
    doubt: float = 0.0,
) -> Rewrite:
    """Return the question, which is no small talk, rewritten to stand alone."""
    kept = select_reachable(exchanges)
    if not question.words:
        return Rewrite(question.text, STANDS_ALONE)
    if kept and (found := resolve_reference(question, kept)):
        return found
    if question.has_own_subject:
        return Rewrite(question.text, STANDS_ALONE)
    return _select(question, kept, known, doubt)


def resolve_pointed(question: ReadQuestion, exchange: Exchange) -> Rewrite:
    """Return the question with the names of the one exchange that it refers to."""
    named = frozenset(
        term for name in find_names(exchange.searched) for term in extract_terms(name)
    )
    certain = (named or exchange.sought.stems) - set(question.terms)
    chosen = choose(question, [exchange], certain=certain)
    if not chosen.candidates:
        return Rewrite(question.text, NOTHING_TO_CARRY)
    return place(question, chosen)


def _select(
    question: ReadQuestion, kept: Sequence[Exchange], known: Sequence[Known], doubt: float
) -> Rewrite:
    """Return the question with the words that the selector chooses, and the person for "she"."""
    said = [*_make_entity_exchange(known, kept), *kept]
    person, certain = "", frozenset[str]()
    if not (HE | SHE).isdisjoint(question.words):
        person = _find_person(said, known, is_feminine=not SHE.isdisjoint(question.words))
        certain = frozenset(extract_terms(person))
    lacks_subject = not person and _lacks_subject(question)
    if lacks_subject:
        certain = frozenset(extract_terms(_find_person(said[-1:], ())))
    chosen = choose(question, said, certain=certain, refers=lacks_subject, doubt=doubt)
    if chosen.candidates:
        return _place_words(question, chosen, person)
    is_alone = chosen.need < 0.5 or not question.leans_back
    reason = STANDS_ALONE if is_alone else NOTHING_TO_CARRY
    return Rewrite(question.text, reason, confidence=1 - chosen.need)


def _make_entity_exchange(known: Sequence[Known], exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return the entities of turns that are not among the exchanges, as a preceding question."""
    seen = {exchange.position for exchange in exchanges}
    asked = {term for exchange in exchanges for term in exchange.question.terms}
    before = (entity for entity in known if entity.position not in seen)
    missing = [entity for entity in before if not asked.issuperset(extract_terms(entity.name))]
    names = ", ".join(entity.name for entity in missing[:MOST_KNOWN])
    return [Exchange(names, "", missing[0].position)] if missing else []


def _lacks_subject(question: ReadQuestion) -> bool:
    """Return whether a question has few words in a language that the selector wasn't trained on."""
    small = SMALL_WORDS[detect_language(question.text)]
    own = [token for token in question.tokens if token.stem and token.word not in small]
    says_little = question.continues or len(own) <= MOST_WITHOUT_SUBJECT
    return detect_language(question.text) != "en" and says_little


def _find_person(
    exchanges: Sequence[Exchange], known: Sequence[Known], *, is_feminine: bool | None = None
) -> str:
    """Return the full name for "he" or "she": the newest whose first name agrees."""
    groups = [each for turn in reversed(exchanges) for each in (turn.sought, turn.answer)]
    people = [name for said in groups for name in find_people(said) if " " in name]
    people += [entity.name for entity in known if entity.kind == "person"]
    agree = (
        name for name in people if name.split()[0].lower().endswith(FEMININE_ENDINGS) == is_feminine
    )
    return next(agree, next(iter(people), ""))


def _place_words(question: ReadQuestion, chosen: Chosen, person: str) -> Rewrite:
    """Return the question with the chosen words; a person's name replaces the pronoun."""
    if not person:
        return place(question, chosen)
    placed = place(ReadQuestion(put(question, person)), chosen.drop_stems(extract_terms(person)))
    return replace(placed, reason=REFERENCE_RESOLVED)
