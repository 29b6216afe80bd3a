"""Forms of conversations; the API's serializers share these limits."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from chat.forms.turn_ranges import LAST
from citations.formats.cleaning import MAX_NAME, MAX_NAMES, MAX_TITLE, MAX_URL, clean_line
from citations.session_focus.active import Standing
from memory.conversations.asking import Question
from memory.conversations.message_search import Wanted, get_day_end, get_day_start
from memory.models import Entity, Purpose
from memory.models.conversations import AnswerLength, CitationStyle
from memory.models.people import CitationFormat
from memory.recall.naming import LONGEST_NAME, LONGEST_SNIPPET
from memory.recall.summaries.editing import LONGEST_TEXT

MAX_TITLE_LENGTH = 120
MAX_FEEDBACK_LENGTH = 2000
MAX_KEY_LENGTH = 200
MAX_WORDS_LENGTH = 200
EARLIEST_YEAR, LATEST_YEAR = 1, 9999
# Other schemes could run scripts in the browser of a reader.
WEB_ADDRESS = URLValidator(schemes=["http", "https"])


class TypedQuestionField(forms.CharField):
    """A question as typed, with normalised line ends."""

    def __init__(self, **options: Any) -> None:
        too_long = _("The question is too long: it may have %(limit_value)d characters.")
        messages = {"required": _("Type a question first."), "max_length": too_long}
        limit = settings.MAX_QUESTION_LENGTH
        super().__init__(max_length=limit, error_messages=messages, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class LineField(forms.CharField):
    """One line of text; invisible characters alone are no text."""

    def to_python(self, value: Any) -> str:
        # Too long a value is rejected, not cut: twice the length is kept for the check.
        return clean_line(super().to_python(value) or "", 2 * (self.max_length or MAX_TITLE))


class DayInput(forms.DateInput):
    """The browser's date input, whose value is always in ISO format."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class QuestionForm(forms.Form):
    query = TypedQuestionField()
    as_typed = forms.BooleanField(required=False)
    # The name of the answer's structure.
    structure = forms.CharField(max_length=24, required=False)
    # New for each question, so that a resubmitted form doesn't ask twice.
    idempotency_key = forms.CharField(max_length=MAX_KEY_LENGTH, required=False)

    def question(self, place: str) -> Question:
        """Return the question; `place` distinguishes requests with the same key."""
        text = self.cleaned_data["query"]
        as_typed = self.cleaned_data["as_typed"]
        return Question(
            text,
            standalone=text if as_typed else None,
            idempotency_key=self.cleaned_data["idempotency_key"],
            structure=self.cleaned_data["structure"],
            request=f"{place} {as_typed} {self.cleaned_data['structure']}\n{text}",
        )


class FirstQuestionForm(QuestionForm):
    """The first question of a conversation, which may be a temporary one."""

    temporary = forms.BooleanField(required=False)

    def place(self, documents: Sequence[UUID]) -> str:
        """Return the scope in which the key is unique."""
        kind = "new temporary" if self.cleaned_data["temporary"] else "new"
        return " ".join([kind, *map(str, documents)])


class TitleForm(forms.Form):
    title = LineField(
        label=_("Title"),
        max_length=MAX_TITLE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
    )


class SearchForm(forms.Form):
    """A search of a person's questions and answers."""

    q = forms.CharField(label=_("Words"), max_length=MAX_WORDS_LENGTH, required=False)
    since = forms.DateField(label=_("From"), required=False, widget=DayInput)
    until = forms.DateField(label=_("To"), required=False, widget=DayInput)
    after = forms.CharField(required=False)

    def wanted(self) -> Wanted:
        """Return the search; call it on a valid form."""
        since, until = self.cleaned_data["since"], self.cleaned_data["until"]
        return Wanted(
            words=self.cleaned_data["q"],
            since=get_day_start(since) if since else None,
            until=get_day_end(until) if until else None,
        )


class StyleForm(forms.Form):
    """The citation style of answers and, with language models, the model and the length."""

    style = forms.ChoiceField(
        choices=[("", _("Default")), *CitationStyle.choices],
        required=False,
        widget=forms.RadioSelect,
    )
    citation_format = forms.ChoiceField(
        label=_("Format of the bibliography"),
        choices=[("", _("Default")), *CitationFormat.choices],
        required=False,
    )
    length = forms.ChoiceField(
        label=_("Length of answers"),
        choices=[("", _("Default")), *AnswerLength.choices],
        required=False,
    )
    model = forms.ChoiceField(label=_("Language model"), required=False)

    def __init__(self, *args: Any, models: Sequence[str], **options: Any) -> None:
        """Offer the models by name; without any, drop the choice of model and length."""
        super().__init__(*args, **options)
        if not models:
            del self.fields["length"]
        if len(models) < 2:
            del self.fields["model"]
        else:
            named = [("", _("Default")), *((name, name) for name in models)]
            self.fields["model"].choices = named  # type: ignore[attr-defined]


class ExportForm(forms.Form):
    """The turns to export, as ranges or first and last, and the citation style."""

    first = forms.IntegerField(label=_("From question"), min_value=1, required=False)
    last = forms.IntegerField(label=_("To question"), min_value=1, required=False)
    citation_format = forms.ChoiceField(
        label=_("Format of the bibliography"),
        choices=[("", _("Default")), *CitationFormat.choices],
        required=False,
    )

    def __init__(self, *args: Any, last_position: int, **options: Any) -> None:
        super().__init__(*args, **options)
        first = self.fields["first"]
        first.validators.append(MaxValueValidator(last_position))
        first.widget.attrs["max"] = last_position

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        first, last = values.get("first"), values.get("last")
        if first and last and first > last:
            raise ValidationError(_("The first question comes after the last one."))
        values["turns"] = [(first or 1, last or LAST)] if first or last else []
        return values


class EntityForm(forms.Form):
    """An entity for a conversation to remember, new or corrected."""

    name = LineField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        error_messages={"required": _("Type a name.")},
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=Entity.Kind.choices, initial="name")
    snippet = forms.CharField(
        label=_("What it is"),
        max_length=LONGEST_SNIPPET,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    # The turn of a removed entity that is restored.
    turn = forms.UUIDField(required=False)


class SummaryForm(forms.Form):
    """A person's own words in place of a summary."""

    text = forms.CharField(
        label=_("Summary"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
    )


class StandingForm(forms.Form):
    standing = forms.ChoiceField(choices=[("", _("Normal")), *Standing.choices], required=False)


class ThumbField(forms.TypedChoiceField):
    def __init__(self) -> None:
        thumbs = [(1, _("Helpful")), (-1, _("Not helpful"))]
        super().__init__(choices=thumbs, coerce=int, empty_value=None, required=False)


class FeedbackForm(forms.Form):
    rating = ThumbField()
    feedback = forms.CharField(max_length=MAX_FEEDBACK_LENGTH, required=False)
    # The rating again, from a button that also gives consent to its use.
    allow = ThumbField()


class ConsentForm(forms.Form):
    """A decision on one purpose."""

    purpose = forms.ChoiceField(choices=Purpose.choices)
    given = forms.ChoiceField(choices=[("yes", _("Allow")), ("no", _("Withdraw"))])

    def given_purposes(self) -> dict[Purpose, bool]:
        """Return the decisions; call it on a valid form."""
        return {Purpose(self.cleaned_data["purpose"]): self.cleaned_data["given"] == "yes"}


class LinesField(forms.Field):
    """A list of names, one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, *, most: int = MAX_NAMES, **options: Any) -> None:
        self.most = most
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:
        # Too long a name is rejected below, not cut.
        lines = (clean_line(line, 2 * MAX_NAME) for line in (value or "").splitlines())
        return [line for line in lines if line]

    def validate(self, value: list[str]) -> None:
        super().validate(value)
        if len(value) > self.most:
            raise ValidationError(_("At most %d names.") % self.most)
        if any(len(name) > MAX_NAME for name in value):
            raise ValidationError(_("A name has at most %d characters.") % MAX_NAME)


class DocumentForm(forms.Form):
    """The metadata of a document."""

    title = LineField(
        label=_("Title"),
        max_length=MAX_TITLE,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    authors = LinesField(label=_("Authors"), required=False)
    year = forms.IntegerField(
        label=_("Year"), min_value=EARLIEST_YEAR, max_value=LATEST_YEAR, required=False
    )
    url = forms.CharField(
        label=_("Link"),
        max_length=MAX_URL,
        validators=[WEB_ADDRESS],
        required=False,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
