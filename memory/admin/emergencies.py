"""The opening of a person's conversations in an emergency, from their page or a conversation's."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextareaWidget

from memory.admin.confirming import ConfirmedAct
from memory.admin.pages import get_person, get_row_or_404, has_more_rights
from memory.admin.rows import RecordedAdmin
from memory.errors import NotFound
from memory.models import EmergencyAccess, Session, User
from memory.people.staff import approvals, emergencies

OPEN = ConfirmedAct(
    gettext_lazy("Open in an emergency"),
    gettext_lazy(
        "You can read the conversations for 30 minutes. Each page that you read is recorded. "
        "The person is told who read them, when and why; if a confidential hold is on them, "
        "after the hold ends."
    ),
    button=gettext_lazy("Open for 30 minutes"),
    danger=True,
)


class ReasonForm(forms.Form):
    """The reason for opening another person's conversations."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=emergencies.LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=gettext_lazy("The person is shown it."),
    )


@approvals.approvable("open_conversations", kind="break_glass", title=OPEN.title)
def open_conversations(asked: approvals.Asked) -> EmergencyAccess:
    """Open a person's conversations, or the one session."""
    person = User.objects.filter(pk=asked.target_id).first()
    wanted, session = asked.parameters["session"], None
    if person and wanted:
        session = Session.objects.visible(person).filter(pk=wanted).first()
    if person is None or (wanted and session is None):
        raise NotFound
    if has_more_rights(person, than=asked.by):
        raise approvals.RightLost
    return emergencies.open_conversations(
        person,
        session=session,
        operator=asked.by,
        reason=asked.parameters["reason"],
        approved_by=asked.approved_by,
    )


@approvals.approvable(
    "open_by_command", kind="break_glass", title=gettext_lazy("Read by a command of the server")
)
def allow_reading(asked: approvals.Asked) -> None:
    """Do nothing now: the requester starts the command again, within half an hour."""


class OpenableAdmin(RecordedAdmin):
    """Rows whose person's conversations can be opened in an emergency."""

    def has_emergency_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm(emergencies.RIGHT)

    @action(
        description=OPEN.title,
        url_path="emergency",
        permissions=["emergency"],
        variant=ActionVariant.DANGER,
    )
    def open_in_emergency(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for a reason, and open the conversations of a person without more rights."""
        row = get_row_or_404(self, request, object_id)
        session = row if isinstance(row, Session) else None
        person = row.owner if session else row
        if person.pk == request.user.pk or has_more_rights(person, than=get_person(request)):
            raise PermissionDenied
        return self._prove_and_open(request, person, session)

    @method_decorator(reauthentication_required)
    def _prove_and_open(
        self, request: HttpRequest, person: User, session: Session | None
    ) -> HttpResponse:
        form = ReasonForm(request.POST or None)

        def do() -> HttpResponse:
            opening = approvals.submit(
                "open_conversations",
                person.pk,
                by=get_person(request),
                right=emergencies.RIGHT,
                session=str(session.pk) if session else None,
                **form.cleaned_data,
            )
            return redirect("admin:memory_emergencyaccess_read", opening.pk)

        row = session or person
        facts: list[tuple[str, object]] = [(_("Person"), person.username)]
        facts += [(_("Conversation"), session.pk)] if session else []
        back = reverse(f"admin:memory_{row._meta.model_name}_change", args=[row.pk])
        return OPEN.answer(self, request, do, back=back, form=form, facts=facts)
