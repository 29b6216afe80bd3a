"""Forms of a legal hold: its terms, and the search for its target."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from unfold.widgets import (
    INPUT_CLASSES,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from memory.models import LegalHold, Session, User

Scope = LegalHold.Scope
LONGEST_REASON = 2000
# A finder's argument is the text that names a target, or its id.
Find = Callable[[str], Model | None]
_finders: dict[str, Find] = {}


def finds(scope: str) -> Callable[[Find], Find]:
    """Register the function that finds the targets of the scope."""

    def register(function: Find) -> Find:
        _finders[scope] = function
        return function

    return register


@finds(Scope.PERSON)
def _find_person(named: str) -> Model | None:
    return User.objects.filter(username=named).first() or find_by_id(User.objects.all(), named)


@finds(Scope.SESSION)
def _find_session(named: str) -> Model | None:
    return find_by_id(Session.objects.live(), named)


def find_target(scope: str, named: str) -> Model | None:
    """Find the row with the id or name, for a hold of the scope."""
    return _finders[scope](named)


def find_by_id(rows: "QuerySet[Any]", named: str) -> Model | None:
    """Return the row with the id in the text, or None."""
    try:
        return rows.filter(pk=UUID(named)).first()
    except ValueError:
        return None


class HoldTermsForm(forms.Form):
    """The terms of a hold: its reason, its start, and whether its person is notified."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text=gettext_lazy("Sealed under your key, and shown only to those who manage holds."),
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local", "class": " ".join(INPUT_CLASSES)}
        ),
    )
    tells_person = forms.BooleanField(
        label=gettext_lazy("The person is told"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget(),
        help_text=gettext_lazy(
            "If not, their pages don’t list it. But anyone who tries to delete held data "
            "learns that a legal hold forbids it."
        ),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        zone = {"zone": timezone.get_current_timezone_name()}
        self.fields["starts_at"].help_text = _("In %(zone)s. Empty: from now on.") % zone


class HoldForm(HoldTermsForm):
    """The target of a hold, and its terms."""

    field_order = ("scope", "target")
    scope = forms.ChoiceField(
        label=gettext_lazy("What"), choices=Scope.choices, widget=UnfoldAdminSelectWidget()
    )
    target = forms.CharField(
        label=gettext_lazy("Its id, or a person’s user name"),
        max_length=150,
        widget=UnfoldAdminTextInputWidget(),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        row = find_target(given["scope"], given["target"]) if not self.errors else None
        if row is None and not self.errors:
            self.add_error("target", ValidationError(_("There is nothing of that name or id.")))
        return given | {"row": row}
