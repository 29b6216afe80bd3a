"""Searching: by the standalone question, and in doubt by a model's rewrite as well.

The model's rewrite is asked for only where the built-in one is doubtful or finds little, is waited
for no longer than LLM_REWRITE_TIMEOUT, and takes the place of nothing: a passage is found by
whichever search it fits better.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from chat import llm
from chat.turns.grounding.ground import AnswerRequest
from chat.turns.grounding.model_rewrite import begin_asking
from citations.models import Citation, Document, Passage
from citations.retrieval import (
    FOUND,
    Before,
    Found,
    Scope,
    find_passages,
    found_by_either,
    worth_offering,
)
from citations.session_focus.bias import Leaning, biased_passages
from memory.recall import Past, Recalled, Stored
from memory.recall.rewriting import MORE_OF_THE_SAME, is_doubtful
from memory.text.embedding import Embedded

# Below this the best passage fits so badly that the question may have been misunderstood.
FITS_BADLY = 0.45
# What FOUND passages fill of a window, in tokens, and how many are found at most.
FILLED_BY_FOUND, MOST_FOUND = 8_192, 60


def search(
    request: AnswerRequest, recalled: Recalled, before: Before | None
) -> tuple[Recalled, list[Found]]:
    """Return the passages found, and what was recalled with the rewrite that found them."""
    lean = Leaning()
    if request.leaning:
        lean = request.leaning(since=recalled.begun, new_topic=recalled.begins_anew)
    has_more = recalled.rewrite.reason == MORE_OF_THE_SAME
    limit = most_worth_finding(request.limits.window)

    @cache
    def by_question(scope: Scope, limit: int) -> list[Found]:
        return find_passages(recalled.asked, scope=scope, limit=limit, before=before)

    asking = None
    if is_doubtful(recalled.rewrite):
        asking = begin_asking(recalled, request.past, request.model)
    found = biased_passages(by_question, request.scope, lean, more=has_more, limit=limit)
    if asking is None and max((each.fit for each in found), default=0.0) < FITS_BADLY:
        asking = begin_asking(recalled, request.past, request.model)
    rewrite = asking.result() if asking else None
    known = (recalled.question.text.strip(), recalled.rewrite.query.strip())
    if rewrite is None or rewrite.query.strip() in known:
        return recalled, found

    by_model = Embedded(rewrite.query)

    def by_either(scope: Scope, limit: int) -> list[Found]:
        more = find_passages(by_model, scope=scope, limit=limit, before=before)
        return found_by_either(by_question(scope, limit), more)

    wider = biased_passages(by_either, request.scope, lean, more=has_more, limit=limit)
    offered = {each.passage for each in worth_offering(found)}
    if all(each.passage in offered for each in worth_offering(wider)):
        return recalled, wider
    return replace(recalled, rewrite=rewrite, asked=by_model), wider


def most_worth_finding(window: int) -> int:
    """Return how many passages to find: a model's larger window holds more."""
    if not llm.is_configured():
        return FOUND
    return min(MOST_FOUND, FOUND * max(1, window // FILLED_BY_FOUND))


def cited_by_last_answer(past: Past, scope: Scope) -> tuple[list[Passage], float]:
    """Return the readable passages that the last answer cites, and its answerability."""
    turn = past.last_answered if isinstance(past, Stored) else None
    if turn is None:
        return [], 0.0
    rows = Citation.objects.filter(turn=turn, passage__isnull=False).order_by("start")
    cited = list(dict.fromkeys(rows.values_list("passage", flat=True)))
    there = Passage.objects.filter(scope.readable, pk__in=cited).select_related("document")
    passages = sorted(there, key=lambda passage: cited.index(passage.pk))
    return passages, turn.answerability or 0.0


def only_document(past: Past, scope: Scope, found: Sequence[Found]) -> Document | None:
    """Return the document that "this document" means: the only one in scope, or the last cited."""
    if scope.documents is not None and len(scope.documents) == 1:
        return found[0].passage.document if found else None
    cited, _ = cited_by_last_answer(past, scope)
    return cited[0].document if cited else None


def with_first(passages: Sequence[Passage], found: Sequence[Found]) -> list[Found]:
    """Return the passages found with these in the first places."""
    known = {each.passage.pk: each for each in found}
    firsts = [
        replace(known.get(passage.pk, found[0]), passage=passage, is_required=True)
        for passage in passages
    ]
    first_keys = {passage.pk for passage in passages}
    return [*firsts, *(each for each in found if each.passage.pk not in first_keys)]
