"""Acts on an account: each has a page of its own and is never done by saving a form."""

from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action
from unfold.enums import ActionVariant

from memory.admin.accounts.forms import ErasureForm, TierForm
from memory.admin.confirming import ConfirmedAct
from memory.admin.emergencies import OpenableAdmin
from memory.admin.holds.placing import HoldableAdmin
from memory.admin.pages import get_person, get_row_or_404, has_more_rights, render_page
from memory.errors import NotFound
from memory.forgetting.erasure import requests
from memory.forgetting.retention.previews import preview
from memory.models import ErasureRequest, LegalHold, RetentionPolicy, Session, User
from memory.people.access import readmit, suspend
from memory.people.sign_in import links
from memory.people.staff import approvals

ERASE_RIGHT = "memory.delete_user"
TIER = ConfirmedAct(
    gettext_lazy("Change tier"),
    gettext_lazy("Nothing changes yet. First you see what would be deleted."),
    button=gettext_lazy("Show what would be deleted"),
)
LINK = ConfirmedAct(
    gettext_lazy("Send a password link"),
    gettext_lazy(
        "A link to set a password goes to the person’s own address, and works once, within an "
        "hour. Until then nothing changes."
    ),
    button=gettext_lazy("Send the link"),
)
PRINTED = gettext_lazy(
    "No mail was sent, since EMAIL_URL is not set: the message with the link is in the output "
    "of the server."
)
SUSPEND = ConfirmedAct(
    gettext_lazy("Suspend"),
    gettext_lazy(
        "Sign-in by password, link or token is blocked, and running answers stop. Devices, "
        "tokens and links are revoked permanently; conversations stay until they expire."
    ),
    done=gettext_lazy("The account is suspended."),
    danger=True,
)
READMIT = ConfirmedAct(
    gettext_lazy("Let in again"),
    gettext_lazy("The person can sign in again, and their tokens work again."),
    done=gettext_lazy("The person can sign in again."),
)
ERASE = ConfirmedAct(
    gettext_lazy("Erase"),
    gettext_lazy(
        "Everything is erased permanently: the key, the rows, and their traces in storage. A "
        "legal hold delays it. At the end there is a certificate."
    ),
    danger=True,
)


@approvals.approvable("erase_account", kind="erasure", title=ERASE.title)
def erase_account(asked: approvals.Asked) -> tuple[ErasureRequest, str]:
    """Ask for the erasure in the person's name and confirm it; return it with its token."""
    person = User.objects.filter(pk=asked.target_id).first()
    if person is None:
        raise NotFound
    if has_more_rights(person, than=asked.by):
        raise approvals.RightLost
    row = requests.ask(person, asked.parameters["scope"], actor=asked.by.pk)
    at_once = asked.parameters["at_once"]
    return row, requests.confirm(row, actor=asked.by.pk, at_once=at_once)


class PersonActs(HoldableAdmin, OpenableAdmin):
    """The acts; nobody may act on themselves, nor on a person with more rights."""

    hold_scope = LegalHold.Scope.PERSON

    def has_erase_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm(ERASE_RIGHT)

    @action(description=TIER.title, url_path="tier", permissions=["change"])
    def change_tier(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Accept another tier, and show the deletions that it would cause."""
        person = self._concerned(request, object_id)
        form = TierForm(request.POST or None, person=person)

        def do() -> HttpResponse:
            policy = RetentionPolicy.objects.ruling(form.cleaned_data["tier"])
            shown = preview(policy, person=person, author=get_person(request))
            return redirect("admin:memory_retentionrun_change", shown.run.pk)

        facts = [(_("Person"), person.username), (_("Tier"), person.get_tier_display())]
        return TIER.answer(self, request, do, back=_get_page(person), form=form, facts=facts)

    @action(description=LINK.title, url_path="link", permissions=["change"])
    def send_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Mail the person a secret link for setting a password."""
        person = self._concerned(request, object_id)
        facts = [
            (_("Person"), person.username),
            (_("Address"), links.find_address(person) or _("none that is confirmed")),
        ]

        def do() -> None:
            links.send(request, person, actor=get_person(request))
            if links.is_mail_printed():
                messages.warning(request, PRINTED)
            else:
                messages.success(request, _("The link is on its way."))

        return LINK.answer(self, request, do, back=_get_page(person), facts=facts)

    @action(description=SUSPEND.title, url_path="suspend", permissions=["change"])
    def suspend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._change_standing(request, object_id, SUSPEND, suspend)

    @action(description=READMIT.title, url_path="readmit", permissions=["change"])
    def readmit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._change_standing(request, object_id, READMIT, readmit)

    def _change_standing(
        self, request: HttpRequest, object_id: str, act: ConfirmedAct, change: Callable[..., None]
    ) -> HttpResponse:
        person = self._concerned(request, object_id)
        do = partial(change, person, actor=get_person(request))
        facts = [(_("Person"), person.username)]
        return act.answer(self, request, do, back=_get_page(person), facts=facts)

    @action(
        description=ERASE.title,
        url_path="erase",
        permissions=["erase"],
        variant=ActionVariant.DANGER,
    )
    def erase(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the erasure in the person's name, and confirm it."""
        # Missing rights are reported before a password is asked for.
        person = self._concerned(request, object_id)
        form = ErasureForm(request.POST or None, person=person)
        return self._prove_and_erase(request, person, form)

    @method_decorator(reauthentication_required)
    def _prove_and_erase(
        self, request: HttpRequest, person: User, form: ErasureForm
    ) -> HttpResponse:
        def do() -> HttpResponse:
            terms = {name: form.cleaned_data[name] for name in ("scope", "at_once")}
            row, token = approvals.submit(
                "erase_account", person.pk, by=get_person(request), right=ERASE_RIGHT, **terms
            )
            begun = row.due_at is not None and row.due_at <= timezone.now()
            context: dict[str, Any] = {"row": row, "token": token, "at_once": begun}
            return render_page(self, request, "erasing.html", title=_("Erase"), **context)

        conversations = Session.objects.visible(person).count()
        facts = [(_("Person"), person.username), (_("Conversations"), conversations)]
        return ERASE.answer(self, request, do, back=_get_page(person), form=form, facts=facts)

    def _concerned(self, request: HttpRequest, object_id: str) -> User:
        """Return the person of an act; refuse oneself, and people with more rights."""
        person: User = get_row_or_404(self, request, object_id)
        if person.pk == request.user.pk or has_more_rights(person, than=get_person(request)):
            raise PermissionDenied
        return person


def _get_page(person: User) -> str:
    return reverse("admin:memory_user_change", args=[person.pk])
