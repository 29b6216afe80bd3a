"""The built-in rewriter: rules where they apply, otherwise what the trained model chooses."""

from collections.abc import Sequence
from dataclasses import replace

from memory.recall.rewriting.exchanges import TOPIC_CARRIED, Exchange, Known, Rewrite, within_reach
from memory.recall.rewriting.language.names import person
from memory.recall.rewriting.language.questions import HE, SHE, leans_back
from memory.recall.rewriting.rules import RULES
from memory.recall.rewriting.rules.spanish import carried, is_spanish
from memory.recall.rewriting.selection.choosing import Chosen, Forests, choose
from memory.recall.rewriting.selection.placing import place, put
from memory.text.words import terms, words

MOST_KNOWN = 3


def resolve(
    query: str,
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
    if kept:
        for rule in RULES:
            found = rule(query, kept)
            if found is not None:
                return found
        if is_spanish(query):
            return carried(query, kept[-1])
    return _selected(query, [*_as_exchange(known, kept), *kept], known, forests, doubt)


def _as_exchange(known: Sequence[Known], exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return what was named before all of the exchanges, as if it had been asked first."""
    seen = {exchange.position for exchange in exchanges}
    asked = {term for exchange in exchanges for term in terms(exchange.query)}
    before = [entity for entity in known if entity.position not in seen]
    missing = [entity for entity in before if not asked.issuperset(terms(entity.name))]
    if not missing:
        return []
    names = ", ".join(entity.name for entity in missing[:MOST_KNOWN])
    return [Exchange(names, "", missing[0].position)]


def _selected(
    query: str,
    exchanges: Sequence[Exchange],
    known: Sequence[Known],
    forests: Forests | None,
    doubt: float,
) -> Rewrite:
    said = set(words(query))
    name = ""
    if said & (HE | SHE):
        name = person(exchanges, known, feminine=bool(said & SHE))
    chosen = choose(query, exchanges, certain=frozenset(terms(name)), forests=forests, doubt=doubt)
    if not chosen.candidates:
        alone = chosen.need < 0.5 or not leans_back(query)
        reason = "stands_alone" if alone else "nothing_to_carry"
        return Rewrite(query, reason, confidence=1 - chosen.need)
    return _placed(query, chosen, name)


def _placed(query: str, chosen: Chosen, name: str) -> Rewrite:
    if name:
        # The full name takes the pronoun's place, whatever words of it were chosen where.
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
        query = put(query, name)
    placed = place(query, chosen)
    in_place = placed.in_place or bool(name)
    sure = chosen.probabilities[0] if chosen.probabilities else 1.0
    reason = "reference_resolved" if in_place else TOPIC_CARRIED
    return Rewrite(placed.query, reason, placed.positions, round(chosen.need * sure, 3))
