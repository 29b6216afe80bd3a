"""Forms for the facts about a person."""

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.forms.conversations import LineField
from memory.models import FactKind
from memory.models.conversations import Reach
from memory.recall.facts.managing import LONGEST_FACT


class FactForm(forms.Form):
    """Something of the person, in their words."""

    text = LineField(
        label=_("In your words"),
        max_length=LONGEST_FACT,
        error_messages={"required": _("Type something.")},
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=FactKind.choices, initial=FactKind.FACT)


class ReachForm(forms.Form):
    """How far a conversation may go for what was said before."""

    reach = forms.ChoiceField(choices=Reach.choices, widget=forms.RadioSelect)
