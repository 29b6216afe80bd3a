"""Strict fields: each takes a JSON value of its own type and converts no other."""

import json
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from chat import llm
from chat.forms.conversations import WEB_ADDRESS
from chat.forms.turn_ranges import parse_turns
from chat.protocol.errors import MOST_FIELDS
from chat.protocol.parsing import parse_id
from citations.formats.cleaning import MAX_URL, clean_line
from citations.sources.items import clean_item
from memory.conversations.message_search import FIRST_DAY, LAST_DAY, get_day_end, get_day_start

PAGE_SIZE = re.compile(r"-?[0-9]{1,18}")
METADATA_BYTES = 16_384
METADATA_DEPTH = 8
DAY_LENGTH = len("2026-01-05")
LONGEST_SHOWN = 100  # characters of a rejected value

# Most ids in one value, and most documents in one request.
MOST_IDS = 100


class TextField(serializers.CharField):
    """A JSON string; numbers, which REST framework would convert, are rejected."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # First of all, since the parent converts any value to a string.
        if data not in (serializers.empty, None) and not isinstance(data, str):
            self.fail("invalid")
        return super().run_validation(data)


class LineField(TextField):
    """One line of text, without invisible characters."""

    def to_internal_value(self, data: Any) -> str:
        line = clean_line(super().to_internal_value(data), 2 * (self.max_length or 1))
        if not line:
            self.fail("blank")
        return line


class WebAddressField(TextField):
    """An http address; null and an empty text mean none."""

    def __init__(self, **options: Any) -> None:
        given = {"max_length": MAX_URL, "allow_null": True, "allow_blank": True}
        super().__init__(validators=[WEB_ADDRESS], **given | options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        address = super().run_validation(data)
        return "" if address is None else address


class QuestionField(TextField):
    """A question: visible text, with normalised line ends."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).replace("\r\n", "\n")
        if not any(character.isprintable() and not character.isspace() for character in text):
            self.fail("blank")  # only zero-width characters
        return text


class NumberField(serializers.IntegerField):
    """A whole number: a JSON number without a fraction, neither text nor a boolean."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class PageSizeField(serializers.IntegerField):
    """The number of items on a page, in the query string, in plain digits."""

    def to_internal_value(self, data: Any) -> int:
        if not PAGE_SIZE.fullmatch(data):
            self.fail("invalid")
        return int(data)


class FlagField(serializers.BooleanField):
    """A JSON boolean, and no other word for it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input="")
        return data


class ChoiceField(serializers.ChoiceField):
    """One of several values of the same type."""

    default_error_messages = {  # noqa: RUF012 - REST framework merges them over the classes
        "invalid_choice": _("{input} is not one of {choices}.")
    }

    def to_internal_value(self, data: Any) -> Any:
        types = {type(choice) for choice in self.choices}
        if type(data) not in types or data not in self.choices:
            given = _write_short_json(data) if isinstance(data, str | int | float) else "…"
            right = [*self.choices, None] if self.allow_null else [*self.choices]
            self.fail(
                "invalid_choice", input=given, choices=", ".join(map(_write_short_json, right))
            )
        return data


def _write_short_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


class StyleField(ChoiceField):
    """An option such as a style; null, stored as empty, means the installation's default."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        style = super().run_validation(data)
        return "" if style is None else style


class ModelField(TextField):
    """The name of a language model that the person may choose; null means the default."""

    default_error_messages = {  # noqa: RUF012 - REST framework merges them over the classes
        "unknown": _("Not a language model that you may choose: GET /api/v1/models names them.")
    }

    def run_validation(self, data: Any = serializers.empty) -> Any:
        name = super().run_validation(data)
        tier = self.context["request"].user.tier
        if name and name not in [model.name for model in llm.list_models(tier)]:
            raise serializers.ValidationError(self.error_messages["unknown"], code="unknown")
        return name or ""


@extend_schema_field({"type": "string", "example": "2026-01-05"})
class MomentField(serializers.CharField):
    """A date or a time in the query string; a date is the whole day in the person's time zone."""

    default_error_messages = {  # noqa: RUF012 - REST framework merges them over the classes
        "moment": _("Not a day like 2026-01-05, nor a moment like 2026-01-05T09:30:00Z.")
    }

    def __init__(self, *, is_end: bool = False, **options: Any) -> None:
        self.is_end = is_end
        super().__init__(default=None, **options)

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            day = parse_date(text) if len(text) == DAY_LENGTH else None
            if day:
                return get_day_end(day) if self.is_end else get_day_start(day)
            moment = parse_datetime(text)
        except ValueError:
            moment = None
        if moment is None:
            self.fail("moment")
        zone = moment.tzinfo or timezone.get_current_timezone()
        first, last = get_day_start(FIRST_DAY), get_day_end(LAST_DAY)
        return min(max(moment.replace(tzinfo=zone), first), last)


@extend_schema_field({"type": "object", "additionalProperties": {}})
class MetadataField(serializers.JSONField):
    """A JSON object of the client's own, of a limited size and without NUL."""

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
        if any("\0" in piece for piece in _collect_texts(data)):
            self.fail("null_characters")
        return data


@extend_schema_field({"type": "object", "additionalProperties": {}})
class SourceField(serializers.JSONField):
    """A CSL-JSON item without its id; null means an empty item."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        value = super().run_validation(data)
        return {} if value is None else value

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        item, problems = clean_item(dict(islice(data.items(), MOST_FIELDS)))
        if problems:
            raise serializers.ValidationError({name: [str(said)] for name, said in problems})
        return item


def _is_flat_enough(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    children: Iterable[Any] = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(_is_flat_enough(child, depth - 1) for child in children)


def _collect_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from _collect_texts(child)


class ListField(serializers.ListField):
    """A list, counted before its items are validated, so that a wrong one is no more expensive."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > (self.max_length or len(data)):
            self.fail("max_length", max_length=self.max_length)
        items: list[Any] = super().to_internal_value(data)
        return items


class IdsField(TextField):
    """Ids in the query string, separated by commas."""

    def to_internal_value(self, data: Any) -> Any:
        names = super().to_internal_value(data).split(",")
        if len(names) > MOST_IDS:
            self.fail("max_length", max_length=MOST_IDS)
        return [parse_id(name) for name in names if name]


class TurnsField(TextField):
    """Ranges of turn positions, separated by commas."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return parse_turns(super().to_internal_value(data))
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error


@extend_schema_field({"type": "string", "format": "uuid"})
class IdField(TextField):
    """An id; a malformed one is answered like an unknown one."""

    def to_internal_value(self, data: Any) -> Any:
        return parse_id(super().to_internal_value(data))


class DocumentsField(ListField):
    """Ids of documents."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=IdField(), max_length=MOST_IDS, **options)
