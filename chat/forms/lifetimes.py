"""Forms for the lifetimes of conversations."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from memory.forgetting.retention.lifetimes import get_longest_lifetime
from memory.forgetting.retention.terms import DAY, HOUR, format_duration
from memory.models import Session, User

OFFERED = (HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY)


class LifetimeField(forms.TypedChoiceField):
    """A lifetime in seconds; empty means the default."""

    def __init__(self, **options: Any) -> None:
        super().__init__(coerce=int, empty_value=None, required=False, **options)

    def offer(self, lifetimes: Sequence[int], *, usual: str) -> None:
        """Offer these lifetimes beside the default."""
        self.choices = [
            ("", usual),
            *((seconds, format_duration(seconds)) for seconds in lifetimes),
        ]


class LifetimeForm(forms.Form):
    """The lifetime of a conversation, without values that end it at once, and its most turns."""

    lifetime = LifetimeField(widget=forms.RadioSelect)

    def __init__(self, data: Any = None, *, session: Session) -> None:
        initial = {"lifetime": session.own_lifetime or "", "max_turns": session.max_turns}
        super().__init__(data, initial=initial)
        most = session.policy.max_turns
        widget = forms.NumberInput(attrs={"placeholder": most})
        self.fields["max_turns"] = forms.IntegerField(
            label=_("Questions at most"), min_value=1, max_value=most, required=False, widget=widget
        )
        # The lifetime without this conversation's own setting.
        wished, session.own_lifetime = session.own_lifetime, None
        longest = session.compute_lifetime(session.policy)
        session.own_lifetime = wished
        idle = timezone.now() - session.clock_began
        shorter = sorted(
            seconds
            for seconds in {*OFFERED, wished or HOUR}
            if timedelta(seconds=seconds) < longest
        )
        fitting = [seconds for seconds in shorter if idle < timedelta(seconds=seconds)]
        self.offers_shorter, self.shorter_would_end = bool(fitting), bool(shorter)
        usual = _("As usual: %s") % format_duration(int(longest.total_seconds()))
        field: Any = self.fields["lifetime"]
        field.offer(fitting, usual=usual)


class KeepingForm(forms.Form):
    """The lifetime of all conversations of a person."""

    lifetime = LifetimeField(
        label=gettext_lazy("Keep conversations for"),
        help_text=gettext_lazy("After the last question or answer."),
    )
    confirmed = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, person: User) -> None:
        super().__init__(data, initial={"lifetime": person.own_lifetime or ""})
        longest = get_longest_lifetime(person)
        wished = {*OFFERED, person.own_lifetime or HOUR}
        fitting = [seconds for seconds in sorted(wished) if seconds < longest]
        self.offers_shorter, self.longest = bool(fitting), format_duration(longest)
        usual = _("As long as your tier keeps them: %s") % format_duration(longest)
        field: Any = self.fields["lifetime"]
        field.offer(fitting, usual=usual)
