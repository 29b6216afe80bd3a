"""What a package's `data.json` looks like, as JSON Schema, made from the same walk as the data."""

from typing import Any

from django.db.models import BinaryField, ForeignKey, JSONField

from memory.fields import SealedBytesField, SealedJSONField, SealedTextField
from memory.personal_data.rows import FORMAT, VERSION, AnyField, Table, tables

Schema = dict[str, Any]
DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
TEXT: Schema = {"type": "string"}
TYPES: dict[str, Schema] = {
    "BooleanField": {"type": "boolean"},
    "DateTimeField": MOMENT,
    "FloatField": {"type": "number"},
    "UUIDField": {"type": "string", "format": "uuid"},
}


def package_schema() -> Schema:
    """Return the schema of `data.json`, which has no members but these."""
    portable = {table.name: _table(table) for table in tables() if table.is_portable}
    others = {table.name: _table(table) for table in tables() if not table.is_portable}
    audit = {"at": MOMENT, "action": TEXT, "by": TEXT, "subject": TEXT}
    members: Schema = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "made_at": MOMENT,
        "tables": _object(portable),
        "about_you": _object(others),
        "shared_documents": {
            "description": "Of the library that all share, what the conversations cite.",
            "type": "array",
            "items": {"type": "object"},
        },
        "consent_texts": {
            "description": "The wordings that were shown, by purpose, version 1 first.",
            "type": "object",
            "additionalProperties": {"type": "array", "items": TEXT},
        },
        "audit": {"type": "array", "items": _object(audit | {"subject_id": _or_null(TEXT)})},
        "digest": DIGEST,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A person's package of Throughline",
        "description": "The digest is explained in README.txt.",
        **_object(members),
    }


def _table(table: Table) -> Schema:
    fields = {field.name: _field(table, field) for field in table.fields}
    return {"type": "array", "items": _object(fields)}


def _field(table: Table, field: AnyField) -> Schema:
    if field.primary_key and table.is_counted:
        return {"type": "integer", "minimum": 1}
    if isinstance(field, ForeignKey):
        target = {"description": f"An id in {field.related_model._meta.label_lower}."}
        return {"type": ["string", "integer", "null"], **target}
    found = _value(field)
    return _or_null(found) if field.null else found


def _value(field: AnyField) -> Schema:
    if isinstance(field, SealedJSONField | JSONField):
        return {}
    if isinstance(field, SealedBytesField) or (
        isinstance(field, BinaryField) and not isinstance(field, SealedTextField)
    ):
        return {"type": "string", "contentEncoding": "base64"}
    if "Integer" in field.get_internal_type() or "AutoField" in field.get_internal_type():
        return {"type": "integer"}
    return TYPES.get(field.get_internal_type(), TEXT)


def _object(members: Schema) -> Schema:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]} if schema else {}
