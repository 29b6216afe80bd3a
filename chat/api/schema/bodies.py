"""Base serializers of request bodies: strict, partial and empty ones."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from chat.protocol.errors import MOST_FIELDS


class Strict(serializers.Serializer[Any]):
    """A serializer that rejects undeclared fields, by name."""

    def to_internal_value(self, data: Any) -> Any:
        names = data if isinstance(data, Mapping) else ()
        # A body can have a hundred thousand fields; only the first few are named.
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
    """A serializer whose fields are all optional."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class Nothing(Strict):
    """An empty body, or none."""
