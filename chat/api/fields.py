"""Fields that take a JSON value of their own type and turn no other into it."""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.errors import NotFound

METADATA_BYTES = 16_384
METADATA_DEPTH = 8


class TextField(serializers.CharField):
    """Text: a JSON string, where REST framework would take numbers as well."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # Before anything else: the parent turns whatever it gets into a string to look at it.
        if data not in (serializers.empty, None) and not isinstance(data, str):
            self.fail("invalid")
        return super().run_validation(data)


class QuestionField(TextField):
    """A question: something to be read, with one kind of line end."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).replace("\r\n", "\n")
        if not any(character.isprintable() and not character.isspace() for character in text):
            self.fail("blank")  # zero-width characters alone ask nothing
        return text


class NumberField(serializers.IntegerField):
    """A whole number: a JSON number without a fraction, not its text and not true or false."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class FlagField(serializers.BooleanField):
    """True or false, and none of the words for them."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input="")
        return data


class ChoiceField(serializers.ChoiceField):
    """One of some values of the same type."""

    def to_internal_value(self, data: Any) -> Any:
        types = {type(choice) for choice in self.choices}
        if type(data) not in types or data not in self.choices:
            self.fail("invalid_choice", input=str(data) if isinstance(data, str | int) else "…")
        return data


@extend_schema_field({"type": "object", "additionalProperties": {}})
class MetadataField(serializers.JSONField):
    """A JSON object of the client's own: a limited size, and no NUL in its text."""

    default_error_messages = {  # noqa: RUF012 - REST framework merges them over the classes
        "invalid": _("Not a JSON object."),
        "nested": _("Nested more than {depth} deep."),
        "too_large": _("Larger than {limit} bytes."),
        "null_characters": _("Null characters are not allowed."),
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        if not _is_flat_enough(data, METADATA_DEPTH):
            self.fail("nested", depth=METADATA_DEPTH)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        if len(text.encode()) > METADATA_BYTES:
            self.fail("too_large", limit=METADATA_BYTES)
        if any("\0" in piece for piece in _texts(data)):
            self.fail("null_characters")
        return data


def _is_flat_enough(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    children: Iterable[Any] = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(_is_flat_enough(child, depth - 1) for child in children)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from _texts(child)


@extend_schema_field({"type": "string", "format": "uuid"})
class IdField(TextField):
    """The id of something; one that can't be an id is as unknown as any other."""

    def to_internal_value(self, data: Any) -> Any:
        return parsed_id(super().to_internal_value(data))


def parsed_id(text: str) -> UUID:
    """Return the id in its usual form (Python reads others too), or raise NotFound."""
    try:
        identity = UUID(text)
    except ValueError as error:
        raise NotFound from error
    if str(identity) != text.lower():
        raise NotFound
    return identity
