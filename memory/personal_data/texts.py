"""Texts in rows: the text fields of a model, and the strings in a value."""

from collections.abc import Collection, Iterator
from typing import Any

from django.db import models

from memory.classification import Kind
from memory.fields import SealedBytesField, SealedTextField
from memory.personal_data.data_map import get_kinds
from memory.sealing import UnsealError

TEXTS = (SealedTextField, models.CharField, models.TextField)


def select_fields(
    model: type[models.Model], kinds: Collection[Kind]
) -> "list[models.Field[Any, Any]]":
    """Return the model's fields of these kinds."""
    known = get_kinds(model)
    return [field for field in model._meta.fields if set(known.get(field.name, ())) & set(kinds)]


def select_text_fields(
    model: type[models.Model], kinds: Collection[Kind]
) -> "list[models.Field[Any, Any]]":
    """Return those of the fields that hold text, not files or vectors."""
    fields = select_fields(model, kinds)
    return [f for f in fields if isinstance(f, TEXTS) and not isinstance(f, SealedBytesField)]


def defer_files(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
    """Defer large files, which stay in the database."""
    fields = rows.model._meta.fields
    return rows.defer(*(field.name for field in fields if isinstance(field, SealedBytesField)))


def read_texts(row: models.Model, fields: "list[models.Field[Any, Any]]") -> Iterator[str]:
    """Yield the strings in the fields of the row, as far as they can be decrypted."""
    for field in fields:
        try:
            value = getattr(row, field.attname)
        except UnsealError:  # its key is destroyed: it can't be read
            continue
        yield from find_strings(value)


def find_strings(value: Any) -> Iterator[str]:
    """Yield the strings of a JSON value, without the names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from find_strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from find_strings(part)
