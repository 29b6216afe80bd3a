"""What the API accepts: only declared fields, each a JSON value of its own type."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from chat.api.fields import (
    ChoiceField,
    FlagField,
    IdField,
    MetadataField,
    NumberField,
    QuestionField,
    TextField,
)
from chat.forms import MAX_FEEDBACK_LENGTH, MAX_KEY_LENGTH, MAX_TITLE_LENGTH
from memory.models.conversations import CitationStyle, Strategy

SMALLEST_WINDOW, LARGEST_WINDOW = 512, 262_144
MAX_DOCUMENTS = 100
LARGEST_POSITION = 2**31 - 1


class Strict(serializers.Serializer[Any]):
    """Refuses fields that it doesn't know, by name."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = {name: [_("Unknown field.")] for name in data if name not in self.fields}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(error.detail, dict):
                raise
            raise serializers.ValidationError({**error.detail, **unknown}) from error
        if unknown:
            raise serializers.ValidationError(unknown)
        return values


class Nothing(Strict):
    """A body without fields, or no body."""


class SessionSettings(Strict):
    """What a session may be given, at its beginning and later."""

    title = TextField(max_length=MAX_TITLE_LENGTH, allow_blank=True, required=False)
    metadata = MetadataField(required=False)
    strategy = ChoiceField(choices=Strategy.choices, required=False)
    context_window = NumberField(
        min_value=SMALLEST_WINDOW, max_value=LARGEST_WINDOW, required=False
    )


class NewSession(SessionSettings):
    temporary = FlagField(required=False)
    user_id = IdField(required=False, help_text="Your own id, if given.")


class SessionChanges(SessionSettings):
    pinned = FlagField(required=False)
    archived = FlagField(required=False)


class NewTurn(Strict):
    query = QuestionField(max_length=settings.MAX_QUESTION_LENGTH)
    style = ChoiceField(  # type: ignore[assignment]
        choices=CitationStyle.choices, required=False, help_text="CITATION_STYLE if not given."
    )
    documents = serializers.ListField(
        child=IdField(),
        max_length=MAX_DOCUMENTS,
        required=False,
        help_text="Ids of the documents to search; all that you may read if none is given.",
    )


class Headers(serializers.Serializer[Any]):
    """The header that a question may have; its name is no Python name."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"Idempotency-Key": TextField(max_length=MAX_KEY_LENGTH, allow_blank=True)}


class Rating(Strict):
    rating = ChoiceField(choices=[1, -1], allow_null=True, required=False)
    feedback = TextField(max_length=MAX_FEEDBACK_LENGTH, allow_blank=True, required=False)


# --- After the question mark ----------------------------------------------------------------------


class SessionsPage(serializers.Serializer[Any]):
    cursor = serializers.CharField(
        default="", allow_blank=True, help_text="`next` of the page before."
    )
    limit = serializers.IntegerField(min_value=1, max_value=100, default=30)


class HistoryPage(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        min_value=0, max_value=LARGEST_POSITION, default=0, help_text="`next` of the page before."
    )
    limit = serializers.IntegerField(min_value=1, max_value=100, default=50)


class ExportFormat(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=["json", "markdown"], default="json")


class StreamPlace(serializers.Serializer[Any]):
    after = serializers.CharField(
        required=False, help_text="The id of the last event you have, as in `Last-Event-ID`."
    )
