"""Accounts: their tier, suspended and let in again, erased; never by simply saving a form."""

from typing import Any, ClassVar

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from memory.admin.holds import holding
from memory.admin.pages import confirmation, page, person_at, refusals_told, row_or_404
from memory.admin.person_forms import ErasureForm, TierForm
from memory.admin.rows import RecordedAdmin
from memory.errors import Refusal
from memory.forgetting import requests
from memory.forgetting.previews import preview
from memory.models import LegalHold, RetentionPolicy, Session, User
from memory.suspension import readmit, suspend


@admin.register(User)
class UserAdmin(DjangoUserAdmin, RecordedAdmin):  # type: ignore[type-arg]
    """Accounts; tier and standing change on pages that say what that does."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "tier", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("tier", "is_active", "is_staff")
    search_fields = ("username", "email")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("id", "username", "email", "password")}),
        (gettext_lazy("Rights"), {"fields": ("may_sign_in", "is_staff", "is_superuser")}),
        (
            gettext_lazy("What is kept"),
            {"fields": ("tier", "own_lifetime", "conversations", "legal_holds", "erasure")},
        ),
        (gettext_lazy("Times"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "email", "tier", "password1", "password2")}),)
    actions_detail: ClassVar = ["change_tier", "suspend", "readmit", "hold", "erase"]

    # --- What may be seen and done ----------------------------------------------------------------

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if obj is None:
            return ()
        shown = ("id", "tier", "own_lifetime", "date_joined", "last_login")
        counted = ("may_sign_in", "conversations", "legal_holds", "erasure")
        rights = () if person_at(request).is_superuser else ("is_staff", "is_superuser")
        return (*shown, *counted, *rights)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody gets hold of an account that may do more than their own."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and not (isinstance(obj, User) and _is_above(request, obj))

    def has_erase_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return person_at(request).has_perm("memory.delete_user")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        person = self.get_object(request, object_id)
        pointless = "suspend" if person and not person.is_active else "readmit"
        shown = super().get_actions_detail(request, object_id)
        return [one for one in shown if not one.action_name.endswith(f"_{pointless}")]

    @admin.display(description=gettext_lazy("may sign in"), boolean=True)
    def may_sign_in(self, person: User) -> bool:
        return person.is_active

    @admin.display(description=gettext_lazy("conversations"))
    def conversations(self, person: User) -> int:
        return Session.objects.visible_to(person).count()

    @admin.display(description=gettext_lazy("legal holds"))
    def legal_holds(self, person: User) -> int:
        return LegalHold.objects.active().filter(person_id=person.pk).count()

    @admin.display(description=gettext_lazy("erasure"))
    def erasure(self, person: User) -> str:
        row = requests.open_request_of(person)
        return row.get_status_display() if row else "–"

    # --- Acts ---------------------------------------------------------------------------------

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
                "answered stops. Nothing is deleted but what expires."
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
    @method_decorator(reauthentication_required)
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the erasure in the person's name, and confirm it."""
        person = self._concerned(request, object_id)
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
                (_("Conversations"), self.conversations(person)),
            ],
            button=_("Erase"),
            back=_place_of(person),
            danger=True,
        )

    def _erase(self, request: HttpRequest, person: User, form: ErasureForm) -> HttpResponse:
        actor, asked = person_at(request).pk, form.cleaned_data
        row = requests.ask(person, asked["scope"], actor=actor)
        token = requests.confirm(row, actor=actor, at_once=asked["at_once"])
        return page(self, request, "erasing.html", title=_("Erase"), row=row, token=token)

    def _concerned(self, request: HttpRequest, object_id: str) -> User:
        """Return the person whom an act is about: neither whoever acts, nor anyone above them."""
        person: User = row_or_404(self, request, object_id)
        if person.pk == request.user.pk or _is_above(request, person):
            raise PermissionDenied
        return person


def _is_above(request: HttpRequest, person: User) -> bool:
    """Tell whether the person may, or might, do more here than whoever asks."""
    someone_else_at_the_admin = person.is_staff and person.pk != request.user.pk
    may_be_more = person.is_superuser or someone_else_at_the_admin
    return may_be_more and not person_at(request).is_superuser


def _place_of(person: User) -> str:
    return reverse("admin:memory_user_change", args=[person.pk])
