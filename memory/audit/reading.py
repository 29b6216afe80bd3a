"""Reading of the audit log by person, and the wording of its acts."""

from uuid import UUID

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from memory.models import AuditEvent, EmergencyAccess, User

# Nouns of pages for codes of acts that differ.
NOUNS = {
    "turn": _("question"),
    "session": _("conversation"),
    "query": _("question of a program"),
    "entity": _("thing remembered"),
    "factor": _("second factor"),
    "emergency": _("emergency access"),
}
EVENTS_AT_ONCE = 50
REFUSED = (AuditEvent.Outcome.DENIED, AuditEvent.Outcome.FAILED)


def list_events(
    person: User, *, before: UUID | None = None, others: bool = False, refused: bool = False
) -> list[AuditEvent]:
    """Return the newest events by the person or about their account, from before the event.

    `others` excludes the person's own events; `refused` selects those denied or failed.
    """
    wanted = Q(id__lt=before) if before else Q()
    wanted &= Q(outcome__in=REFUSED) if refused else Q()
    wanted &= ~Q(actor_id=person.pk) | Q(actor_id=None) if others else Q()
    found: dict[UUID, AuditEvent] = {}
    # Each by its own index: one joint condition would sort the person's whole log.
    told = EmergencyAccess.objects.told(person)
    openings = [*told.values_list("pk", flat=True)[:EVENTS_AT_ONCE]]
    for about in (Q(actor_id=person.pk), Q(subject_id=person.pk), Q(subject_id__in=openings)):
        rows = AuditEvent.objects.filter(wanted, about).order_by("-id")
        found |= {row.pk: row for row in rows[:EVENTS_AT_ONCE]}
    return [found[key] for key in sorted(found, reverse=True)][:EVENTS_AT_ONCE]


def act_in_words(code: str) -> str:
    """Return an act's code as it is read: "turn.asked" as "Question asked"."""
    noun, _dot, rest = code.partition(".")
    return capfirst(f"{NOUNS.get(noun, noun)} {rest}".replace("_", " ").strip())
