"""Base serializers of request bodies: strict, partial and empty ones."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from chat.protocol.errors import MOST_FIELDS


class Strict(serializers.Serializer[Any]):
    """Refuses fields that it doesn't know, by name."""

    def to_internal_value(self, data: Any) -> Any:
        names = data if isinstance(data, Mapping) else ()
        # A body can have a hundred thousand, and each takes its time.
        some = islice((name for name in names if name not in self.fields), MOST_FIELDS)
        unknown = {name: [_("Unknown field.")] for name in some}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(error.detail, dict):
                raise
            raise serializers.ValidationError({**error.detail, **unknown}) from error
        if unknown:
            raise serializers.ValidationError(unknown)
        return values


class Optional(Strict):
    """Takes what is given of its fields; none has to be."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class Nothing(Strict):
    """A body without fields, or no body."""
