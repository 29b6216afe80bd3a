"""What the pages accept; the API's serializers share these limits."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from memory.asking import Question

MAX_TITLE_LENGTH = 120
MAX_FEEDBACK_LENGTH = 2000
MAX_KEY_LENGTH = 200


class QuestionField(forms.CharField):
    """A question as it was typed, but for the line ends, which browsers send as two characters."""

    def __init__(self, **options: Any) -> None:
        too_long = _("The question is too long: it may have %(limit_value)d characters.")
        messages = {"required": _("Type a question first."), "max_length": too_long}
        limit = settings.MAX_QUESTION_LENGTH
        super().__init__(max_length=limit, error_messages=messages, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class QuestionForm(forms.Form):
    query = QuestionField()
    # Made anew for each question, so that a resubmitted form doesn't ask twice.
    idempotency_key = forms.CharField(max_length=MAX_KEY_LENGTH, required=False)

    def question(self, place: str) -> Question:
        """Return the question; `place` tells requests with the same key apart."""
        text = self.cleaned_data["query"]
        key = self.cleaned_data["idempotency_key"]
        return Question(text, idempotency_key=key, request=f"{place}\n{text}")


class TitleForm(forms.Form):
    title = forms.CharField(
        label=_("Title"),
        max_length=MAX_TITLE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
    )


class FeedbackForm(forms.Form):
    rating = forms.TypedChoiceField(
        choices=[(1, _("Helpful")), (-1, _("Not helpful"))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    feedback = forms.CharField(max_length=MAX_FEEDBACK_LENGTH, required=False)
