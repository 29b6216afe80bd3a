"""Which answers tell what was said in other sessions, or what a person said of themselves.

A language model was given it to write from. The built-in answerer tells it in answers about the
conversation only: beside those that quote documents it is merely shown.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet

from chat import quoting
from chat.models import ContextEarlier, ContextFact
from memory.forgetting.answers import tells_of
from memory.forgetting.erasure.lineage import goes_with_answers
from memory.models import Fact, Purpose, Turn
from memory.models.facts import FactKind
from memory.personal_data import consent
from memory.recall.earlier.recalling import EarlierTurn
from memory.recall.rewriting import EARLIER_SESSION

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

# What is said at once, from what was said before.
AT_ONCE = (Turn.Outcome.ABOUT_CONVERSATION, Turn.Outcome.NOTED)


@tells_of(Turn)
def made_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the turns whose answers tell of these turns, or of facts that go with them."""
    of_turns = ContextEarlier.objects.filter(turn__in=turns.values("pk")).values("answer")
    of_facts = _that_told(ContextFact.objects.filter(fact__turn__in=turns.values("pk")))
    return _telling(of_turns.union(of_facts))


@tells_of(Fact)
def made_of_facts(facts: "QuerySet[Fact]") -> "QuerySet[Turn]":
    """Return the turns whose answers tell of these facts."""
    rows = ContextFact.objects.filter(fact__in=facts.values("pk"))
    return _telling(_that_told(rows))


@goes_with_answers
def delete_what_was_drawn_on(turn: Turn) -> None:
    """Delete what a withdrawn answer could draw on."""
    ContextEarlier.objects.filter(answer=turn).delete()
    ContextFact.objects.filter(answer=turn).delete()
    searched = Turn.objects.filter(pk=turn.pk, rewrite_reason=EARLIER_SESSION)
    searched.update(standalone_query=None, rewrite_reason="")


def is_personal(ground: "Ground") -> bool:
    """Tell whether an answer may tell of what its person said of themselves, or elsewhere."""
    drawn = ground.personal.bearing or ground.personal.earlier.turns
    resolved = ground.recalled.rewrite.reason == EARLIER_SESSION
    return bool(ground.told or resolved or (ground.asks_model and drawn))


def is_all_there(owner_id: UUID, facts: Sequence[Fact], turns: Sequence[EarlierTurn]) -> bool:
    """Tell whether what an answer tells of is all there, and keep it until the transaction ends.

    What reaches from one session into another is there only while its person allows that.
    """
    facts = [fact for fact in facts if fact.kind != FactKind.WISH]
    reaches = bool(turns) or any(fact.is_shared for fact in facts)
    if reaches and not consent.allows(owner_id, Purpose.RECALL):
        return False
    told = [fact.pk for fact in facts]
    there = (
        Fact.objects.filter(pk__in=told, deleted_at=None)
        .order_by("pk")
        .select_for_update(no_key=True)
    )
    if told and len(there.values_list("pk")) < len(told):
        return False
    ids = [each.turn.pk for each in turns]
    # Not locked: another answer may be about to end that tells of this one. What goes now fails to,
    # or lets this one fail, by the foreign keys of what is recorded here.
    return not ids or Turn.objects.remembered().filter(pk__in=ids).count() == len(ids)


def _that_told(rows: "QuerySet[ContextFact]") -> "QuerySet[ContextFact, Any]":
    """Return their answers, but for a wish only those that say it: it shapes all the others."""
    said = Q(answer__outcome__in=AT_ONCE)
    return rows.filter(said | ~Q(fact__kind=FactKind.WISH)).values("answer")


def _telling(answers: "QuerySet[Any, Any]") -> "QuerySet[Turn]":
    """Return those of the answers that tell of what they could draw on."""
    # Asked for first, since PostgreSQL reads all turns for an IN of a union.
    ids = {row["answer"] for row in answers}
    return Turn.objects.filter(
        Q(outcome__in=AT_ONCE) | Q(rewrite_reason=EARLIER_SESSION) | ~Q(model=quoting.MODEL),
        pk__in=ids,
        response_tokens__gt=0,
    )
