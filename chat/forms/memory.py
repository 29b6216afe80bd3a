"""What the pages accept of what is remembered of a person."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from citations.formats.cleaning import clean_line
from memory.models import FactKind
from memory.models.conversations import Reach
from memory.recall.facts.managing import LONGEST_FACT


class FactForm(forms.Form):
    """Something of the person, in their words."""

    text = forms.CharField(label=_("In your words"), max_length=LONGEST_FACT)
    kind = forms.ChoiceField(label=_("Kind"), choices=FactKind.choices, initial=FactKind.FACT)

    def clean_text(self) -> str:
        text = clean_line(self.cleaned_data["text"], LONGEST_FACT)
        if not text:
            raise ValidationError(_("Type something."))
        return text


class ReachForm(forms.Form):
    """How far a conversation may go for what was said before."""

    reach = forms.ChoiceField(choices=Reach.choices, widget=forms.RadioSelect)
