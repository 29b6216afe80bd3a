"""Retrieval by the standalone question and, in doubt, by a model's rewrite as well.

The model's rewrite is requested only if the built-in one is doubtful or finds little. It is waited
for no longer than LLM_REWRITE_TIMEOUT. It replaces nothing: a passage keeps its better fit of the
two searches.
"""

import time
from collections.abc import Sequence
from concurrent.futures import Future, TimeoutError as Late
from dataclasses import dataclass, field, replace
from functools import cache, partial
from threading import BoundedSemaphore, Thread

from django.conf import settings
from django.db import connections

from chat import llm
from chat.turns.grounding.ground import AnswerRequest
from citations.index.scope import Scope
from citations.models import Citation, Document, Passage
from citations.retrieval import FOUND, Found, find_passages, merge_found, select_passages_to_offer
from citations.retrieval.before import Before
from citations.session_focus.bias import Leaning, find_biased_passages
from memory.errors import ModelError
from memory.recall import Past, Recalled, Stored
from memory.recall.rewriting.asked import asked, is_doubtful, may_be_asked
from memory.recall.rewriting.exchanges import MORE_OF_THE_SAME, Rewrite
from memory.recall.understanding import list_known
from memory.text.embedding import Embedded

# Most simultaneous model rewrites of this process; other questions do without.
_may_ask = BoundedSemaphore(8)


@dataclass(frozen=True)
class ModelRewrite:
    """A requested rewrite, and its deadline."""

    until: float
    answer: Future[Rewrite | None] = field(default_factory=Future)

    def result(self) -> Rewrite | None:
        """Return the rewrite, or None if it is late."""
        try:
            return self.answer.result(timeout=max(0.0, self.until - time.monotonic()))
        except Late:
            return None


def begin_asking(recalled: Recalled, past: Past, model: str) -> ModelRewrite | None:
    """Request a rewrite in the background, if it may be needed and few are under way."""
    if not (llm.is_configured() and may_be_asked(recalled.rewrite, recalled.exchanges)):
        return None
    known = list_known(past)
    if not _may_ask.acquire(blocking=False):
        return None
    rewrite = ModelRewrite(time.monotonic() + settings.LLM_REWRITE_TIMEOUT)
    # A late request is closed, since the server may process one at a time.
    in_time = partial(llm.ask, model=model, seconds=settings.LLM_REWRITE_TIMEOUT)

    def ask() -> None:
        try:
            told = asked(recalled.question, recalled.exchanges, known, in_time)
            rewrite.answer.set_result(told)
        except ModelError:
            rewrite.answer.set_result(None)
        except Exception as error:  # noqa: BLE001 - it is raised in the waiting thread
            rewrite.answer.set_exception(error)
        finally:
            connections.close_all()  # this thread's, opened to read the model's profile
            _may_ask.release()

    # A daemon thread, so that not even the process waits for its end.
    Thread(target=ask, name="rewriting", daemon=True).start()
    return rewrite


# Below this fit of the best passage the question may have been misunderstood.
FITS_BADLY = 0.45
# Tokens of the window for FOUND passages, and the most passages retrieved.
FILLED_BY_FOUND, MOST_FOUND = 8_192, 60


def search(
    request: AnswerRequest, recalled: Recalled, before: Before | None
) -> tuple[Recalled, list[Found]]:
    """Retrieve passages; return them, and the recall with the rewrite that found them."""
    lean = Leaning()
    if request.leaning:
        lean = request.leaning(since=recalled.begun, new_topic=recalled.begins_anew)
    has_more = recalled.rewrite.reason == MORE_OF_THE_SAME
    limit = limit_passages(request.limits.window)

    @cache
    def search_question(scope: Scope, limit: int) -> list[Found]:
        return find_passages(recalled.asked, scope=scope, limit=limit, before=before)

    asking = None
    if is_doubtful(recalled.rewrite):
        asking = begin_asking(recalled, request.past, request.model)
    found = find_biased_passages(search_question, request.scope, lean, more=has_more, limit=limit)
    if asking is None and max((each.fit for each in found), default=0.0) < FITS_BADLY:
        asking = begin_asking(recalled, request.past, request.model)
    rewrite = asking.result() if asking else None
    known = (recalled.question.text.strip(), recalled.rewrite.query.strip())
    if rewrite is None or rewrite.query.strip() in known:
        return recalled, found

    by_model = Embedded(rewrite.query)

    def search_either(scope: Scope, limit: int) -> list[Found]:
        more = find_passages(by_model, scope=scope, limit=limit, before=before)
        return merge_found(search_question(scope, limit), more)

    wider = find_biased_passages(search_either, request.scope, lean, more=has_more, limit=limit)
    offered = {each.passage for each in select_passages_to_offer(found)}
    if all(each.passage in offered for each in select_passages_to_offer(wider)):
        return recalled, wider
    return replace(recalled, rewrite=rewrite, asked=by_model), wider


def limit_passages(window: int) -> int:
    """Return the number of passages to retrieve, larger for a larger window of a model."""
    if not llm.is_configured():
        return FOUND
    return min(MOST_FOUND, FOUND * max(1, window // FILLED_BY_FOUND))


def read_last_cited(past: Past, scope: Scope) -> tuple[list[Passage], float]:
    """Return the readable passages that the last answer cites, and its answerability."""
    turn = past.last_answered if isinstance(past, Stored) else None
    if turn is None:
        return [], 0.0
    rows = Citation.objects.filter(turn=turn, passage__isnull=False).order_by("start")
    cited = list(dict.fromkeys(rows.values_list("passage", flat=True)))
    there = Passage.objects.filter(scope.readable, pk__in=cited).select_related("document")
    there = there.exclude(document__status=Document.Status.REPLACED)
    passages = sorted(there, key=lambda passage: cited.index(passage.pk))
    return passages, turn.answerability or 0.0


def find_only_document(past: Past, scope: Scope, found: Sequence[Found]) -> Document | None:
    """Return the document that "this document" means: the only one in scope, or the last cited."""
    if scope.documents is not None and len(scope.documents) == 1:
        return found[0].passage.document if found else None
    cited, _ = read_last_cited(past, scope)
    return cited[0].document if cited else None


def put_first(passages: Sequence[Passage], found: Sequence[Found]) -> list[Found]:
    """Return the retrieved passages with these before them."""
    known = {each.passage.pk: each for each in found}
    firsts = [
        replace(known.get(passage.pk, found[0]), passage=passage, is_required=True)
        for passage in passages
    ]
    first_keys = {passage.pk for passage in passages}
    return [*firsts, *(each for each in found if each.passage.pk not in first_keys)]
