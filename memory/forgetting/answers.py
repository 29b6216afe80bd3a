"""Deletion of answers with their origins, while their questions stay.

An answer may repeat earlier turns of its session or another, or a fact of the person. When such an
origin is deleted, so is the answer, and then everything derived from it. The answers are deleted
first, each session in a transaction of its own, so that no deletion locks two sessions at once. If
the process is killed in between, the deletion must be requested again.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from memory import audit
from memory.errors import Held
from memory.forgetting.erasure.lineage import delete_derived, delete_jobs, delete_made_of_answer
from memory.holds import find_held, refuse_held
from memory.models import Fact, Session, Turn
from memory.models.turns import SOURCE_GONE, WITHDRAWN
from memory.outages import retry_clash
from memory.personal_data.packages import delete_unfetched
from memory.recall.facts.ending import goes_before_facts

# Functions of other apps: given turns or facts, they return the turns whose answers are derived
# from them.
MadeOf = Callable[["QuerySet[Any]"], "QuerySet[Turn]"]
_made_of: list[tuple[type[Turn] | type[Fact], MadeOf]] = []


def register_derived(model: type[Turn] | type[Fact]) -> Callable[[MadeOf], MadeOf]:
    """Register the function that finds an app's answers derived from rows of the model."""

    def register(function: MadeOf) -> MadeOf:
        _made_of.append((model, function))
        return function

    return register


def delete_answers(session_id: UUID, turn_ids: Collection[UUID]) -> None:
    """Delete answers of a session, and everything made from them, or raise Held.

    The questions stay. Rewrites of later questions may hold words of these answers, so they are
    deleted too. A deleted answer is never context, and can be requested again.
    """
    delete_derived_answers(Turn.objects.filter(pk__in=turn_ids))
    _delete_answers(session_id, turn_ids, WITHDRAWN)


def delete_derived_answers(rows: "QuerySet[Turn] | QuerySet[Fact]") -> None:
    """Delete the other answers derived from the turns or facts, or raise Held.

    Call it outside of other transactions.
    """
    waves = _collect_waves(rows)
    if waves and find_held({of for wave in waves for of in wave.values()}):
        raise Held
    for wave in reversed(waves):  # derived answers are deleted before their origins
        by_session = defaultdict(list)
        for pk, session_id in wave.items():
            by_session[session_id].append(pk)
        for session_id, turn_ids in by_session.items():
            _delete_answers(session_id, turn_ids, SOURCE_GONE)


def count_derived_answers(turns: "QuerySet[Turn]") -> int:
    """Return how many other answers are deleted with these turns."""
    return sum(map(len, _collect_waves(turns)))


def has_derived_answers(turns: "QuerySet[Turn]") -> bool:
    """Return whether other answers derive from the turns, and prevent further ones.

    Call it in the transaction that deletes them.
    """
    list(turns.select_for_update().order_by("pk").values_list("pk", flat=True))
    return bool(_find_derived_turns(turns))


@goes_before_facts
def delete_answers_with_facts(fact_ids: Collection[UUID]) -> None:
    """Delete the answers that used these facts, or raise Held."""
    delete_derived_answers(Fact.objects.filter(pk__in=fact_ids))


def _collect_waves(rows: "QuerySet[Turn] | QuerySet[Fact]") -> list[dict[UUID, UUID]]:
    """Return the turns whose answers derive from the rows, then from those answers, and so on."""
    waves: list[dict[UUID, UUID]] = []
    found: set[UUID] = set(rows.values_list("pk", flat=True)) if rows.model is Turn else set()
    while wave := {pk: of for pk, of in _find_derived_turns(rows).items() if pk not in found}:
        waves.append(wave)
        found.update(wave)
        rows = Turn.objects.filter(pk__in=wave)
    return waves


def _find_derived_turns(rows: "QuerySet[Turn] | QuerySet[Fact]") -> dict[UUID, UUID]:
    """Return the turns outside the rows whose answers derive from them, with their sessions."""
    found: dict[UUID, UUID] = {}
    for model, made_of in _made_of:
        if model is rows.model:
            made = made_of(rows)
            if model is Turn:
                made = made.exclude(pk__in=rows.values("pk"))  # type: ignore[misc]
            found.update(made.order_by("pk").values_list("pk", "session_id"))
    return found


def _delete_answers(session_id: UUID, turn_ids: Collection[UUID], failure: str) -> None:
    retry_clash(partial(_delete_at_once, session_id, turn_ids, failure))


def _delete_at_once(session_id: UUID, turn_ids: Collection[UUID], failure: str) -> None:
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        turns = list(Turn.objects.filter(session_id=session_id, pk__in=turn_ids))
        if session is None or not turns:
            return
        refuse_held(session)
        for turn in turns:
            _delete_answer(turn, failure)
        delete_derived(session, turns)
        delete_unfetched(session.owner_id)
        delete_jobs([turn.pk for turn in turns])
        Session.objects.filter(pk=session.pk).update(
            context_tokens=F("context_tokens") - sum(turn.response_tokens for turn in turns)
        )


def _delete_answer(turn: Turn, failure: str) -> None:
    empty = Turn._meta.get_field("response").seal_value(turn, "")
    unsaid = Turn._meta.get_field("feedback").seal_value(turn, "")
    Turn.objects.filter(pk=turn.pk).update(
        status=Turn.Status.FAILED,
        failure=failure,
        response=empty,
        response_tokens=0,
        recalled_tokens=0,
        outcome="",
        answerability=None,
        intent="",
        structured_output=None,
        rating=None,
        feedback=unsaid,
    )
    delete_made_of_answer(turn)
    audit.record("answer.withdrawn", actor=turn.owner_id, subject=turn)
