"""The JSON Schema of a package's `data.json`, built by the same walk as the data."""

from typing import Any

from django.db.models import BinaryField, ForeignKey, JSONField

from memory.fields import SealedBytesField, SealedJSONField, SealedTextField
from memory.personal_data.rows import FORMAT, VERSION, AnyField, Table, list_tables

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


def build_package_schema() -> Schema:
    """Return the schema of `data.json`, without other members."""
    portable = {
        table.name: _build_table_schema(table) for table in list_tables() if table.is_portable
    }
    others = {
        table.name: _build_table_schema(table) for table in list_tables() if not table.is_portable
    }
    audit = {"at": MOMENT, "action": TEXT, "by": TEXT, "subject": TEXT}
    members: Schema = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "made_at": MOMENT,
        "tables": _build_object_schema(portable),
        "about_you": _build_object_schema(others),
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
        "audit": {
            "type": "array",
            "items": _build_object_schema(audit | {"subject_id": _allow_null(TEXT)}),
        },
        "digest": DIGEST,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A person's package of Throughline",
        "description": "The digest is explained in README.txt.",
        **_build_object_schema(members),
    }


def _build_table_schema(table: Table) -> Schema:
    fields = {field.name: _build_field_schema(table, field) for field in table.fields}
    return {"type": "array", "items": _build_object_schema(fields)}


def _build_field_schema(table: Table, field: AnyField) -> Schema:
    if field.primary_key and table.is_counted:
        return {"type": "integer", "minimum": 1}
    if isinstance(field, ForeignKey):
        target = {"description": f"An id in {field.related_model._meta.label_lower}."}
        return {"type": ["string", "integer", "null"], **target}
    found = _build_value_schema(field)
    return _allow_null(found) if field.null else found


def _build_value_schema(field: AnyField) -> Schema:
    if isinstance(field, SealedJSONField | JSONField):
        return {}
    if isinstance(field, SealedBytesField) or (
        isinstance(field, BinaryField) and not isinstance(field, SealedTextField)
    ):
        return {"type": "string", "contentEncoding": "base64"}
    if "Integer" in field.get_internal_type() or "AutoField" in field.get_internal_type():
        return {"type": "integer"}
    return TYPES.get(field.get_internal_type(), TEXT)


def _build_object_schema(members: Schema) -> Schema:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _allow_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]} if schema else {}
