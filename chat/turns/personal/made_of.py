"""Which answers tell what was said before, here or in other sessions, or of a person themselves.

A language model was given it to write from. The built-in answerer tells it in answers about the
conversation only: beside those that quote documents it is merely shown.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet

from chat import quoting
from chat.models import ContextEarlier, ContextFact, ContextRecord
from memory.forgetting.answers import tells_of
from memory.forgetting.erasure.lineage import goes_with_answers
from memory.models import Fact, Purpose, Turn
from memory.models.facts import FactKind
from memory.personal_data import consent
from memory.recall.earlier.recalling import EarlierTurn
from memory.recall.rewriting import ABOUT_CONVERSATION, EARLIER_SESSION, OF_THE_ANSWER

if TYPE_CHECKING:
    from chat.turns.grounding import Ground

# What is said at once, from what was said before.
AT_ONCE = (Turn.Outcome.ABOUT_CONVERSATION, Turn.Outcome.NOTED)
# Why a question is about what was said before it.
OF_WHAT_WAS_SAID = (ABOUT_CONVERSATION, OF_THE_ANSWER)


@tells_of(Turn)
def made_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the turns whose answers tell of these turns, or of facts that go with them."""
    of_turns = ContextEarlier.objects.filter(turn__in=turns.values("pk")).values("answer")
    of_facts = _that_told(ContextFact.objects.filter(fact__turn__in=turns.values("pk")))
    return _telling(of_turns.union(of_facts))


@tells_of(Turn)
def recounts_of_turns(turns: "QuerySet[Turn]") -> "QuerySet[Turn]":
    """Return the later turns of the same sessions whose answers tell of these turns."""
    of_sessions = ContextRecord.objects.filter(turn__session__in=turns.values("session"))
    others = of_sessions.exclude(turn__in=turns.values("pk")).filter(turn__response_tokens__gt=0)
    found = others.exclude(told=[]).filter(
        Q(told__isnull=False)  # of older ones it is not known of what they tell: of all, perhaps
        | Q(turn__outcome=ABOUT_CONVERSATION, turn__facts_used=None, turn__earlier_used=None)
    )
    answers = list(found.values_list("turn", "turn__session", "turn__position", "told"))
    answers += _unrecorded(turns)
    positions = defaultdict(list)
    of_these = turns.filter(session__in={session for _pk, session, _at, _told in answers})
    for session, position in of_these.values_list("session", "position"):
        positions[session].append(position)
    telling = {
        pk
        for pk, session, last, told in answers
        for run in ([{"first": 1, "last": last - 1}] if told is None else told)
        if any(run["first"] <= position <= run["last"] for position in positions[session])
    }
    return Turn.objects.filter(pk__in=telling)


def _unrecorded(turns: "QuerySet[Turn]") -> "list[tuple[UUID, UUID, int, None]]":
    """Return the answers of the same sessions that a dead process left: of what is not known."""
    same = Turn.objects.filter(session__in=turns.values("session")).exclude(
        pk__in=turns.values("pk")
    )
    left = same.filter(status=Turn.Status.INTERRUPTED, response_tokens__gt=0, context_records=None)
    return [
        (pk, session, at, None) for pk, session, at in left.values_list("pk", "session", "position")
    ]


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
    turn.context_records.update(told=[])
    searched = Turn.objects.filter(pk=turn.pk, rewrite_reason=EARLIER_SESSION)
    searched.update(standalone_query=None, rewrite_reason="")


def is_personal(ground: "Ground") -> bool:
    """Tell whether an answer may tell of what its person said of themselves, or elsewhere."""
    drawn = ground.personal.bearing or ground.personal.earlier.turns
    resolved = ground.recalled.rewrite.reason == EARLIER_SESSION
    recounts = ground.recounted or ground.recalled.rewrite.reason in OF_WHAT_WAS_SAID
    return bool(ground.told or resolved or recounts or (ground.asks_model and drawn))


def told_of(ground: "Ground", *, is_cited: bool) -> list[dict[str, int]]:
    """Return the turns before that the answer tells of, in runs: first and last position.

    A language model's answer that cites no document was written from what was said before.
    """
    recalled, prompt = ground.recalled, ground.prompt
    runs: list[tuple[int, int]] = []
    if recalled.is_given or ground.told:  # no rows, or rows that are noted one by one
        return []
    is_of_it = recalled.rewrite.reason in OF_WHAT_WAS_SAID
    if ground.reply:
        runs.extend(ground.recounted)
    elif ground.is_models and (is_of_it or (not is_cited and ground.has_content)):
        runs.extend((brief.first, brief.last) for brief in (*prompt.briefs, *prompt.ladder))
        runs.extend((turn.position, turn.position) for turn in prompt.turns)
    elif is_of_it:
        runs.extend((said.position, said.position) for said in recalled.exchanges[-1:])
    return [{"first": first, "last": last} for first, last in sorted(set(runs))]


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
