"""The form in which a policy's terms are set: times as a number and its unit."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from memory.forgetting.retention.lifetimes import SHORTEST
from memory.forgetting.retention.terms import DAY, HOUR, MINUTE, format_duration, get_terms
from memory.models import RetentionPolicy
from memory.models.governance.policies import LONGEST_EXPORT, LONGEST_STRICT, SHORTEST_AUDIT

UNITS = [
    (DAY, gettext_lazy("days")),
    (HOUR, gettext_lazy("hours")),
    (MINUTE, gettext_lazy("minutes")),
    (1, gettext_lazy("seconds")),
]
LONGEST = 3650 * DAY
MOST_TURNS = 1_000_000
HELP = {
    "lifetime": gettext_lazy("Since the last question or answer."),
    "max_turns": gettext_lazy(
        "A full conversation takes no more questions. Where there are already more, the oldest "
        "are deleted."
    ),
    "temporary_lifetime": gettext_lazy("If the page isn’t closed before."),
    "archived_lifetime": gettext_lazy("Empty: as other conversations."),
    "pinned_lifetime": gettext_lazy("Empty: as other conversations."),
    "export_lifetime": gettext_lazy("Data packages that people requested."),
    "fact_lifetime": gettext_lazy(
        "Since a person confirmed them or wrote them down. Empty: kept until they delete them."
    ),
    "audit_lifetime": gettext_lazy(
        "Empty: kept. Events about policies, holds, erasures and runs are always kept."
    ),
    "address_lifetime": gettext_lazy("After their last use. Empty: 90 days. Digests stay."),
}
# Ranges of the terms, other than a minute to ten years.
BOUNDS = {
    "export_lifetime": (SHORTEST, LONGEST_EXPORT),
    "audit_lifetime": (SHORTEST_AUDIT, LONGEST),
}


LIFETIMES = ("lifetime", "archived_lifetime", "pinned_lifetime")


class DurationWidget(forms.MultiWidget):
    """A number with its unit."""

    def __init__(self, label: str) -> None:
        unit = {"aria-label": _("Unit of: %(label)s") % {"label": label}}
        widgets = [
            UnfoldAdminIntegerFieldWidget(attrs={"min": 1, "aria-label": label}),
            UnfoldAdminSelectWidget(attrs=unit, choices=UNITS),
        ]
        super().__init__(widgets)

    def render(self, *args: Any, **options: Any) -> SafeString:
        return format_html('<div class="tl-duration">{}</div>', super().render(*args, **options))

    def decompress(self, value: int | None) -> list[int | None]:
        if not value:
            return [None, DAY]
        unit = next(unit for unit, name in UNITS if value % unit == 0)
        return [value // unit, unit]

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"


class DurationField(forms.MultiValueField):
    """A duration in seconds; None if it is empty."""

    def __init__(
        self, *, label: str, bounds: tuple[int, int] = (SHORTEST, LONGEST), **options: Any
    ) -> None:
        self.shortest, self.longest = bounds
        fields = (
            forms.IntegerField(min_value=1, required=False),
            forms.TypedChoiceField(choices=UNITS, coerce=int),
        )
        widget = DurationWidget(label)
        super().__init__(fields, label=label, widget=widget, require_all_fields=False, **options)

    def compress(self, data_list: Sequence[Any]) -> int | None:
        amount, unit = data_list or (None, DAY)
        if amount is None:
            if self.required:
                raise ValidationError(self.error_messages["required"], code="required")
            return None
        seconds: int = amount * unit
        if not self.shortest <= seconds <= self.longest:
            bounds = {
                "shortest": format_duration(self.shortest),
                "longest": format_duration(self.longest),
            }
            raise ValidationError(_("Choose a time between %(shortest)s and %(longest)s.") % bounds)
        return seconds


class TermsForm(forms.Form):
    """The terms of a tier's next policy; at least one must differ from the current policy."""

    def __init__(self, data: Any = None, *, ruling: RetentionPolicy) -> None:
        self.ruling = get_terms(ruling)
        super().__init__(data, initial=self.ruling)
        for name in self.ruling:
            self.fields[name] = _make_field(name)

    def clean(self) -> dict[str, Any]:
        terms = super().clean() or self.cleaned_data
        if not self.errors and terms == self.ruling:
            raise ValidationError(_("Nothing is changed."))
        return terms


def _make_field(name: str) -> forms.Field:
    model_field = RetentionPolicy._meta.get_field(name)
    label = str(model_field.verbose_name).capitalize()  # type: ignore[union-attr]
    if name == "max_turns":
        return forms.IntegerField(
            label=label,
            help_text=HELP[name],
            min_value=1,
            max_value=MOST_TURNS,
            widget=UnfoldAdminIntegerFieldWidget(),
        )
    is_needed = not model_field.null
    longest = LONGEST_STRICT if settings.COMPLIANCE and name in LIFETIMES else LONGEST
    bounds = BOUNDS.get(name, (SHORTEST, longest))
    return DurationField(label=label, bounds=bounds, required=is_needed, help_text=HELP[name])
