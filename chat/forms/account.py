"""Forms of a person's account."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from memory.models import Scope, User
from memory.models.people import CitationFormat
from memory.people.api_tokens import MAX_NAME_LENGTH
from memory.people.display import THEMES, list_zone_names

DAYS = {
    "7": _("7 days"),
    "30": _("30 days"),
    "90": _("90 days"),
    "365": _("a year"),
    "": _("never"),
}
SCOPES = {
    Scope.READ: _("Read: look at conversations and documents"),
    Scope.WRITE: _("Read and write: ask, change and delete, as you can"),
    Scope.ADMIN: _("Administer: also change the library that all share"),
}


class DisplayForm(forms.Form):
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    citation_format = forms.ChoiceField(
        label=_("Format of bibliographies"),
        required=False,
        choices=[("", _("Default")), *CitationFormat.choices],
    )
    theme = forms.ChoiceField(
        label=_("Colours"),
        required=False,
        choices=[("", _("As the system has them")), ("light", _("Light")), ("dark", _("Dark"))],
        help_text=_("For this browser."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = [(name, name.replace("_", " ")) for name in list_zone_names()]
        usual = ("", _("As the browser says"))
        fields: dict[str, Any] = self.fields
        fields["time_zone"].choices = [usual, *zones]
        if len(settings.LANGUAGES) > 1:
            fields["language"].choices = [usual, *settings.LANGUAGES]
        else:
            del fields["language"]

    def clean_theme(self) -> str:
        theme: str = self.cleaned_data["theme"]
        return theme if theme in THEMES else ""


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME_LENGTH,
        help_text=_("Its purpose, as a reminder for you."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(label=_("It may"), initial=Scope.READ)
    days = forms.ChoiceField(
        label=_("It ends after"), choices=list(DAYS.items()), initial="90", required=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["scope"]
        offered = [scope for scope in Scope if user.keeps_library or scope != Scope.ADMIN]
        field.choices = [(scope.value, SCOPES[scope]) for scope in offered]

    @property
    def lifetime(self) -> timedelta | None:
        """The token's lifetime; None for no end."""
        days = self.cleaned_data["days"]
        return timedelta(days=int(days)) if days else None
