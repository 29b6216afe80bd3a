"""Admin of deferred deletions, and of the effects of a hold's release."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy

from memory import holds
from memory.admin.names import make_person_column, render_people, render_target
from memory.admin.pages import Facts
from memory.admin.rows import ReadOnlyAdmin
from memory.models import ErasureRequest, LegalHold, WaitingDeletion

DATE_TIME, ERASURE = "DATETIME_FORMAT", "erasure"
# By the names under which deletions are registered (memory.postponed).
KINDS = {
    "session": gettext_lazy("Conversation"),
    "turn": gettext_lazy("Question"),
    "document": gettext_lazy("Document"),
    ERASURE: gettext_lazy("Request for erasure"),
    "trim": gettext_lazy("Questions over the cap"),
    "forget_ratings": gettext_lazy("Ratings"),
    "delete_facts": gettext_lazy("Facts noticed under a withdrawn consent"),
    "finish_fact": gettext_lazy("Fact that was deleted"),
    "trim_facts": gettext_lazy("Facts over the cap"),
}


PERSON = make_person_column("person_id", gettext_lazy("person"))
ACTOR = make_person_column("actor_id", gettext_lazy("asked by"))


@admin.register(WaitingDeletion)
class WaitingDeletionAdmin(ReadOnlyAdmin):
    people = ("person_id", "actor_id", "target_id")
    list_display = ("asked_at", "what", "target", PERSON, ACTOR, "ended")
    list_filter: ClassVar = ["kind", ("carried_out_at", admin.EmptyFieldListFilter)]
    search_fields = ("id", "target_id", "person_id", "actor_id")
    ordering = ("-asked_at",)
    fields: ClassVar = ["id", "what", "target", PERSON, ACTOR, "asked_at", "ended"]

    @admin.display(description=gettext_lazy("waits no longer since"), ordering="carried_out_at")
    def ended(self, wish: WaitingDeletion) -> datetime | None:
        return wish.carried_out_at

    @admin.display(description=gettext_lazy("what"), ordering="kind")
    def what(self, wish: WaitingDeletion) -> str:
        return describe_kind(wish)

    @admin.display(description=gettext_lazy("of what"))
    def target(self, wish: Any) -> SafeString:
        return render_target(wish.kind, wish.target_id, wish.target_id_name)


def describe_kind(wish: WaitingDeletion) -> str:
    """Return the kind of the deferred deletion, such as "Conversation"."""
    return str(KINDS.get(wish.kind, wish.kind))


def describe_release(hold: LegalHold) -> Facts:
    """Return the target of the hold and the deletions that its release causes."""
    people = render_people(hold.person_id, hold.target_id)
    on_person = hold.scope == LegalHold.Scope.PERSON
    target = people[hold.target_id] if on_person else render_target(hold.scope, hold.target_id)
    facts: list[tuple[str, object]] = [(hold.get_scope_display(), target)]
    if hold.person_id and not on_person:
        facts.append((_("Person"), people[hold.person_id]))
    waiting = holds.list_waiting(hold)
    facts.append((_("Deferred deletions"), waiting.exclude(kind=ERASURE).count()))
    erasures = waiting.filter(kind=ERASURE).values("target_id")
    held = ErasureRequest.objects.filter(pk__in=erasures, status=ErasureRequest.Status.HELD)
    for erasure in held:
        begins = max(erasure.due_at or timezone.now(), timezone.now())
        facts.append((_("Erasure begins"), date_format(timezone.localtime(begins), DATE_TIME)))
    same = Q(scope=hold.scope, target_id=hold.target_id)
    wider = Q(scope=LegalHold.Scope.PERSON, target_id=hold.person_id)
    others = LegalHold.objects.active().filter(same | wider).exclude(pk=hold.pk)
    if number := others.count():
        facts.append((_("Other holds on it, which stay"), number))
    return facts
