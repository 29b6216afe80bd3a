"""Forms for the facts about a person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.forms.conversations import LineField
from memory.models import FactKind
from memory.models.conversations import Reach
from memory.recall.facts.managing import LONGEST_FACT


class FactForm(forms.Form):
    """A fact about the person, in their words."""

    text = LineField(
        label=_("In your words"),
        max_length=LONGEST_FACT,
        error_messages={"required": _("Type something.")},
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=FactKind.choices, initial=FactKind.FACT)


class ReachForm(forms.Form):
    """The reach of a conversation: how far it may look back."""

    reach = forms.ChoiceField(choices=Reach.choices, widget=forms.RadioSelect)
