"""What is done with an account: each act on a page of its own, never by saving a form."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant

from memory.admin.accounts.forms import ErasureForm, TierForm
from memory.admin.holds.placing import holding
from memory.admin.pages import confirmation, page, person_at, refusals_told, row_or_404
from memory.admin.rows import RecordedAdmin
from memory.errors import Refusal
from memory.forgetting.erasure import requests
from memory.forgetting.retention.previews import preview
from memory.models import LegalHold, RetentionPolicy, Session, User
from memory.people import sign_in_links
from memory.people.suspension import readmit, suspend


class PersonActs(RecordedAdmin):
    """The acts; whom they are about is neither whoever acts, nor anyone above them."""

    def has_erase_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return person_at(request).has_perm("memory.delete_user")

    @action(description=gettext_lazy("Change tier"), url_path="tier", permissions=["change"])
    def change_tier(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take another tier, and show what would go by it."""
        person = self._concerned(request, object_id)
        form = TierForm(request.POST or None, person=person)
        if form.is_valid():
            policy = RetentionPolicy.objects.ruling(form.cleaned_data["tier"])
            shown = preview(policy, person=person, author=person_at(request))
            return redirect("admin:memory_retentionrun_change", shown.run.pk)
        return confirmation(
            self,
            request,
            form,
            title=_("Change tier"),
            says=_("Nothing changes yet. First you see what would go."),
            facts=[(_("Person"), person.username), (_("Tier"), person.get_tier_display())],
            button=_("Show what would go"),
            back=_place_of(person),
        )

    @action(
        description=gettext_lazy("Send a link to set a new password"),
        url_path="link",
        permissions=["change"],
    )
    def send_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Mail the person a way to set a password that nobody else gets to know."""
        person = self._concerned(request, object_id)
        if request.method == "POST":
            with refusals_told(request):
                sign_in_links.send(request, person, actor=person_at(request))
                messages.success(request, _("The link is on its way."))
            return redirect(_place_of(person))
        return confirmation(
            self,
            request,
            forms.Form(),
            title=_("Send a link to set a new password"),
            says=_("It goes to the person’s own address, and works once. Nothing changes before."),
            facts=[
                (_("Person"), person.username),
                (_("Address"), sign_in_links.address_of(person) or _("none that is confirmed")),
            ],
            button=_("Send the link"),
            back=_place_of(person),
        )

    @action(description=gettext_lazy("Suspend"), url_path="suspend", permissions=["change"])
    def suspend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Shut the person out, once whoever does it knows what that means."""
        person = self._concerned(request, object_id)
        if request.method == "POST":
            suspend(person, actor=person_at(request))
            messages.success(request, _("The account is suspended."))
            return redirect(_place_of(person))
        return confirmation(
            self,
            request,
            forms.Form(),
            title=_("Suspend"),
            says=_(
                "Nobody gets in any more, with a password, a link or a token, and what is being "
                "answered stops. Their devices, tokens and links end for good; conversations stay, "
                "but for what expires."
            ),
            facts=[(_("Person"), person.username)],
            button=_("Suspend"),
            back=_place_of(person),
            danger=True,
        )

    @action(description=gettext_lazy("Let in again"), url_path="readmit", permissions=["change"])
    def readmit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let the person in again."""
        person = self._concerned(request, object_id)
        if request.method == "POST":
            with refusals_told(request):
                readmit(person, actor=person_at(request))
                messages.success(request, _("The person can sign in again."))
            return redirect(_place_of(person))
        return confirmation(
            self,
            request,
            forms.Form(),
            title=_("Let in again"),
            says=_("The person can sign in again, and their tokens work again."),
            facts=[(_("Person"), person.username)],
            button=_("Let in again"),
            back=_place_of(person),
        )

    @action(description=gettext_lazy("Legal hold"), url_path="hold", permissions=["hold"])
    def hold(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return holding(LegalHold.Scope.PERSON, object_id)

    @action(
        description=gettext_lazy("Erase"),
        url_path="erase",
        permissions=["erase"],
        variant=ActionVariant.DANGER,
    )
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the erasure in the person's name, and confirm it."""
        # Who may not do it is told before being asked for a password.
        return self._prove_and_erase(request, self._concerned(request, object_id))

    @method_decorator(reauthentication_required)
    def _prove_and_erase(self, request: HttpRequest, person: User) -> HttpResponse:
        form = ErasureForm(request.POST or None, person=person)
        if form.is_valid():
            try:
                return self._erase(request, person, form)
            except Refusal as refusal:
                form.add_error(None, refusal.message)
        return confirmation(
            self,
            request,
            form,
            title=_("Erase"),
            says=_(
                "Everything goes for good: the key, the rows, and what storage keeps of them. A "
                "legal hold makes it wait. At the end there is a certificate."
            ),
            facts=[
                (_("Person"), person.username),
                (_("Conversations"), Session.objects.visible_to(person).count()),
            ],
            button=_("Erase"),
            back=_place_of(person),
            danger=True,
        )

    def _erase(self, request: HttpRequest, person: User, form: ErasureForm) -> HttpResponse:
        actor, asked = person_at(request).pk, form.cleaned_data
        row = requests.ask(person, asked["scope"], actor=actor)
        token = requests.confirm(row, actor=actor, at_once=asked["at_once"])
        begun = row.due_at is not None and row.due_at <= timezone.now()
        return page(
            self, request, "erasing.html", title=_("Erase"), row=row, token=token, at_once=begun
        )

    def _concerned(self, request: HttpRequest, object_id: str) -> User:
        """Return the person whom an act is about: neither whoever acts, nor anyone above them."""
        person: User = row_or_404(self, request, object_id)
        if person.pk == request.user.pk or is_above(request, person):
            raise PermissionDenied
        return person


def is_above(request: HttpRequest, person: User) -> bool:
    """Tell whether the person may, or might, do more here than whoever asks."""
    someone_else_at_the_admin = person.is_staff and person.pk != request.user.pk
    may_be_more = person.is_superuser or someone_else_at_the_admin
    return may_be_more and not person_at(request).is_superuser


def _place_of(person: User) -> str:
    return reverse("admin:memory_user_change", args=[person.pk])
