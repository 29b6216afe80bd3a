"""Changes of facts by the person: write, confirm, correct and delete."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy

from memory import audit
from memory.errors import Refusal
from memory.holds import refuse_overwriting
from memory.models import Fact, FactKind, Purpose, RetentionPolicy, User
from memory.outages import one_transaction
from memory.personal_data import consent
from memory.recall.facts.clauses import Learned, make_thing_key
from memory.recall.facts.ending import MOST_CONFIRMED, make_room
from memory.recall.facts.extraction import extract_facts
from memory.recall.facts.learning import is_replaced
from memory.recall.facts.undoing import keep_previous, lock_fact
from memory.text.words import split_words

LONGEST_FACT = 240


class FactsFull(Refusal):
    code = "facts_full"
    says = gettext_lazy("The memory is full. Delete something first.")


@one_transaction
def write(owner: User, *, text: str, kind: str) -> Fact:
    """Store a fact that the person wrote; the replaced one becomes past.

    Raises ConsentNeeded without the consent to use it in other conversations, or FactsFull.
    """
    consent.lock_person(owner.pk)
    consent.require(owner.pk, Purpose.RECALL)
    now = timezone.now()
    subject = make_subject(text, kind)
    fact = Fact(owner=owner, kind=kind, subject=subject, text=text, origin=Fact.Origin.WRITTEN)
    fact.valid_from = now
    _confirm(fact, owner, now)
    fact.save(force_insert=True)
    shared = Fact.objects.visible(owner).current().filter(is_shared=True, kind=kind)
    value = next((each.value for each in extract_facts(text) if each.subject == subject), "")
    said = Learned(FactKind(kind), subject, text, value)
    for before in shared.exclude(pk=fact.pk):
        if is_replaced(before, said):
            before.valid_until, before.replaced_by = now, fact
            before.save(update_fields=["valid_until", "replaced_by"])
    return _record_change(fact, "fact.added")


@one_transaction
def change(fact: Fact, *, text: str | None = None, kind: str | None = None) -> Fact:
    """Correct a fact, with undo for a short while; with the consent to recall it is confirmed.

    Raises Held, or FactsFull.
    """
    fact = _lock_fact(fact)
    refuse_overwriting(fact.session or fact)
    keep_previous(fact)
    if text is not None and split_words(text) != split_words(fact.text):
        # No turn states it in these words any more: it counts as written by the person.
        fact.origin, fact.said_in = Fact.Origin.WRITTEN, None
    fact.text = text if text is not None else fact.text
    fact.kind = kind or fact.kind
    if text is not None or kind:
        found = make_subject(fact.text, fact.kind)
        # Words without a recognised fact keep the previous subject.
        fact.subject = fact.subject if found.startswith("said:") else found
    if consent.allows(fact.owner_id, Purpose.RECALL):
        _confirm(fact, fact.owner, timezone.now())
    fact.save()
    return _record_change(fact, "fact.changed")


@one_transaction
def confirm(fact: Fact) -> Fact:
    """Keep a fact beyond its conversation; raises ConsentNeeded, or FactsFull."""
    fact = _lock_fact(fact)
    consent.require(fact.owner_id, Purpose.RECALL)
    _confirm(fact, fact.owner, timezone.now())
    fact.save()
    return _record_change(fact, "fact.confirmed")


def make_subject(text: str, kind: str) -> str:
    """Return the subject of a text: as it would be learned, or else from its own words."""
    said = next(
        filter(None, (_get_subject(each) for each in extract_facts(text) if each.kind == kind)),
        None,
    )
    return said or f"said:{make_thing_key(text)}"


def _get_subject(said: Learned) -> str:
    """Return the subject under which it is stored; empty if it only ends something."""
    return said.otherwise if said.ends else said.subject


def _confirm(fact: Fact, owner: User, now: datetime) -> None:
    """Detach the fact from session and turn, with the expiry of its owner's tier.

    Raises FactsFull.
    """
    if fact.state != Fact.State.CONFIRMED:
        confirmed = Fact.objects.filter(owner=owner, state=Fact.State.CONFIRMED)
        if confirmed.current().count() >= MOST_CONFIRMED:  # deleting past ones is not enough
            raise FactsFull
    fact.state, fact.confirmed_at, fact.is_shared = Fact.State.CONFIRMED, now, True
    fact.session, fact.turn = None, None
    lifetime = RetentionPolicy.objects.ruling(owner.tier).fact_lifetime
    fact.expires_at = None if lifetime is None else now + timedelta(seconds=lifetime)


def _record_change(fact: Fact, action: str) -> Fact:
    make_room(fact.owner_id)
    audit.record(action, actor=fact.owner_id, subject=fact)
    return fact


def _lock_fact(fact: Fact) -> Fact:
    return lock_fact(Fact.objects.visible(fact.owner), fact)


# Most past values and corrections read, the newest first.
MOST_PAST = 20


def find_replaced(facts: Sequence[Fact]) -> dict[UUID, Fact]:
    """Return the fact that each of one person's facts replaced last, by the fact's id."""
    if not facts:
        return {}
    rows = Fact.objects.visible(facts[0].owner).filter(replaced_by__in=facts)
    return {row.replaced_by_id: row for row in rows.order_by("valid_from") if row.replaced_by_id}


def read_past(fact: Fact) -> list[Fact]:
    """Return the facts that the fact has replaced, step by step, the newest first.

    Reads once for each step back.
    """
    found: dict[UUID, Fact] = {}
    newest = [fact]
    while newest and len(found) < MOST_PAST:
        rows = Fact.objects.visible(fact.owner).filter(replaced_by__in=newest)
        newest = [row for row in rows.order_by("-valid_from") if row.pk not in found]
        found |= {row.pk: row for row in newest}
    return sorted(found.values(), key=lambda row: row.valid_from, reverse=True)[:MOST_PAST]
