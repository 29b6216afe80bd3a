"""Forms for a new account, a change of tier, and an erasure."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from memory.models import ErasureRequest, Tier, User


class NewPersonForm(forms.ModelForm):  # type: ignore[type-arg]
    """An account without a password: its person sets one by a secret link."""

    class Meta:
        model = User
        fields = ("username", "email", "tier")

    def save(self, commit: bool = True) -> User:
        self.instance.set_unusable_password()
        person: User = super().save(commit)
        return person


class TierForm(forms.Form):
    """A tier other than the person's."""

    tier = forms.ChoiceField(
        label=gettext_lazy("Tier"), choices=Tier.choices, widget=UnfoldAdminSelectWidget()
    )

    def __init__(self, *args: Any, person: User, **options: Any) -> None:
        super().__init__(*args, **options)
        others = [choice for choice in Tier.choices if choice[0] != person.tier]
        self.fields["tier"].choices = others  # type: ignore[attr-defined]


class ErasureForm(forms.Form):
    """The scope of an erasure; the user name is typed to confirm the person."""

    scope = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=ErasureRequest.Scope.choices,
        initial=ErasureRequest.Scope.ACCOUNT,
        widget=UnfoldAdminSelectWidget(),
    )
    username = forms.CharField(
        label=gettext_lazy("The user name, to confirm"),
        max_length=150,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )
    at_once = forms.BooleanField(
        label=gettext_lazy("At once, without the time to take it back"),
        required=False,
        widget=UnfoldBooleanWidget(),
    )

    def __init__(self, *args: Any, person: User, **options: Any) -> None:
        self.person = person
        super().__init__(*args, **options)

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self.person.username:
            raise ValidationError(_("This is another name."))
        return self.person.username
