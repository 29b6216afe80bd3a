"""Searching for an answer: by the question as it stands alone, and in doubt by a model's rewrite.

A language model's rewrite is one more search. It is asked for while the built-in one searches, is
waited for no longer than LLM_REWRITE_TIMEOUT, and never takes the place of anything: a passage is
found by whichever search it fits better.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from chat import llm
from chat.quoting.profiles import ASKED, BESIDE
from chat.turns.grounding.ground import AnswerRequest
from chat.turns.grounding.model_rewrite import begin_asking
from citations.models import Passage
from citations.retrieval import (
    FOUND,
    Before,
    Found,
    Scope,
    find_passages,
    found_by_either,
    ranked_anew,
    worth_offering,
)
from citations.session_focus.bias import Leaning, biased_passages
from memory.recall import Recalled
from memory.recall.rewriting import (
    ASKED_FURTHER,
    MORE_OF_THE_SAME,
    TOPIC_CARRIED,
    Rewrite,
    is_doubtful,
)
from memory.recall.rewriting.about import apart
from memory.text.embedding import Embedded
from memory.text.words import terms

# Below this the best passage fits so badly that the question may have been misunderstood.
FITS_BADLY = 0.45
# What FOUND passages fill of a window, in tokens, and how many are found at most.
FILLED_BY_FOUND, MOST_FOUND = 8_192, 60


def search(
    request: AnswerRequest, recalled: Recalled, before: Before | None, scope: Scope, lean: Leaning
) -> tuple[Recalled, list[Found]]:
    """Return what was found, and what was recalled with the rewrite that it was found by."""
    ask = partial(begin_asking, recalled, request.past, request.model)

    @cache
    def built_in(scope: Scope, limit: int) -> list[Found]:
        return find_passages(recalled.asked, scope=scope, limit=limit, before=before)

    has_more = recalled.rewrite.reason == MORE_OF_THE_SAME
    most = _most_worth_finding(request.limits.window)
    asking = ask() if is_doubtful(recalled.rewrite) else None
    found = biased_passages(built_in, scope, lean, more=has_more, limit=most)
    if recalled.rewrite.reason == ASKED_FURTHER:
        found = _cited_first(found, lean)
    if asking is None and max((each.fit for each in found), default=0.0) < FITS_BADLY:
        asking = ask()
    rewrite = asking.result() if asking else None
    known = (recalled.question.text.strip(), recalled.rewrite.query.strip())
    if rewrite is None or rewrite.query.strip() in known:
        return recalled, found

    by_model = Embedded(rewrite.query)

    def both(scope: Scope, limit: int) -> list[Found]:
        more = find_passages(by_model, scope=scope, limit=limit, before=before)
        return found_by_either(built_in(scope, limit), more)

    wider = biased_passages(both, scope, lean, more=has_more, limit=most)
    if _passages(worth_offering(wider)) <= _passages(worth_offering(found)):
        return recalled, wider
    return replace(recalled, rewrite=rewrite, asked=by_model), wider


def _most_worth_finding(window: int) -> int:
    """Return how many: a model's larger window is worth filling from further down."""
    if not llm.is_configured():
        return FOUND
    return min(MOST_FOUND, FOUND * max(1, window // FILLED_BY_FOUND))


def _cited_first(found: Sequence[Found], lean: Leaning) -> list[Found]:
    """Return first what the last answer cites: the reason of what it says stands there, or near."""
    newest = max((use.position for use in lean.uses), default=0)
    cited = {use.passage for use in lean.uses if use.position == newest}
    return ranked_anew(sorted(found, key=lambda each: each.passage.pk not in cited))


def _passages(found: Sequence[Found]) -> set[Passage]:
    return {each.passage for each in found}


def is_of_whole(question: str, scope: Scope) -> bool:
    """Return whether "this" is the one document that the question is limited to: "what is this
    about?".
    """
    is_one = scope.documents is not None and len(scope.documents) == 1
    asks = any(pattern.search(question) for pattern in ASKED.values())
    return is_one and asks and BESIDE.issuperset(terms(question))


def unless_alone(recalled: Recalled, scope: Scope) -> Recalled:
    """Let a question stand alone that the library holds as typed at least as well as with words
    of the conversation put behind it, or, if it points at nothing, in the same place, or nowhere:
    what only may be needed has to help, and to be about the same thing.
    """
    query, rewrite = recalled.question.text, recalled.rewrite
    if rewrite.query != query and is_of_whole(query, scope):
        return replace(recalled, rewrite=Rewrite(query, "stands_alone"), asked=recalled.typed)
    if rewrite.reason != TOPIC_CARRIED or not rewrite.query.startswith(query.rstrip(" ?!.")):
        return recalled
    typed, carried = (
        find_passages(each, scope=scope, limit=1) for each in (recalled.typed, recalled.asked)
    )
    if not typed:
        return recalled
    is_there = typed[0].passage == carried[0].passage and not recalled.question.leans_back
    is_elsewhere = typed[0].fit < FITS_BADLY and not recalled.question.points_back
    if typed[0].fit < carried[0].fit and not (is_there or is_elsewhere):
        return recalled
    return replace(recalled, rewrite=Rewrite(query, "stands_alone"), asked=recalled.typed)


# Words that say nothing without what they point at: "compare the first two".
POINTING = frozenset(
    terms(
        "compare compares compared difference better best worse one ones two three four first"
        " second third last former latter other others both each compara comparar diferencia"
        " mejor primero primera segundo segunda último dos tres otro otra ambos vergleiche"
        " unterschied beide erste zweite letzte zwei drei comparez différence premier deuxième"
        " dernier deux trois"
    )
)


def as_read(searched: Embedded, typed: Embedded) -> Embedded:
    """Return the question that sentences are compared with: words that were put behind it as a
    guess say where to look, not what is asked, unless it says nothing without them.
    """
    alone, about = apart(searched.text)
    if not about or searched.text == typed.text or POINTING.issuperset(terms(alone)):
        return searched
    return typed if alone == typed.text else Embedded(alone)
