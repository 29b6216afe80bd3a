"""The schema's components, made from the typed definitions in chat.shapes.resources.

A definition, or a class of choices, becomes a component when it is first referred to. `complete`
adds these components to the schema that drf-spectacular generates.
"""

from collections.abc import Mapping
from datetime import datetime
from inspect import cleandoc
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from chat.shapes.resources.vocabulary import Format

Schema = dict[str, Any]
PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number", "format": "double"},
    bool: {"type": "boolean"},
    UUID: {"type": "string", "format": "uuid"},
    datetime: {"type": "string", "format": "date-time"},
    NoneType: {"type": "null"},
    Any: {},
}
_components: dict[str, Schema] = {}
_definitions: dict[str, Any] = {}


def build_schema(hint: Any) -> Schema:
    """Return the JSON schema of a type, with references to named definitions."""
    if is_typeddict(hint):
        return _register_definition(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return build_schema(arguments[0])
    if origin is Annotated:
        return _build_annotated(arguments[0], hint.__metadata__)
    if origin is list:
        return {"type": "array", "items": build_schema(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": build_schema(arguments[1])}
    if origin in (Union, UnionType):
        return _build_union([build_schema(each) for each in arguments])
    return dict(PLAIN[hint])


def refer_to_schema(name: str, schema: Schema) -> Schema:
    """Return a reference to the schema, registered as a component of that name."""
    if _components.setdefault(name, schema) != schema:
        raise ValueError(f"two components are named {name}")
    return {"$ref": f"#/components/schemas/{name}"}


def _register_definition(definition: Any) -> Schema:
    if _definitions.setdefault(definition.__name__, definition) is not definition:
        raise ValueError(f"two definitions are named {definition.__name__}")
    if definition.__name__ not in _components:
        hints = get_type_hints(definition, include_extras=True)
        about = {"description": cleandoc(definition.__doc__)} if definition.__doc__ else {}
        schema = {
            "type": "object",
            **about,
            "properties": {name: build_schema(hint) for name, hint in hints.items()},
            "required": sorted(definition.__required_keys__),
        }
        refer_to_schema(definition.__name__, schema)
    return {"$ref": f"#/components/schemas/{definition.__name__}"}


def _build_annotated(hint: Any, metadata: tuple[Any, ...]) -> Schema:
    schema = build_schema(hint)
    for said in metadata:
        if isinstance(said, Format):
            schema["format"] = str(said)
        elif isinstance(said, str):
            schema["description"] = said
        elif isinstance(said, tuple):
            schema["enum"] = [*said, *[None] * _is_nullable(hint)]
        else:
            values = [each.value for each in said]
            choice = refer_to_schema(
                said.__qualname__.replace(".", ""), {"type": "string", "enum": values}
            )
            schema = _build_union([choice, PLAIN[NoneType]]) if _is_nullable(hint) else choice
    return schema


def _is_nullable(hint: Any) -> bool:
    return NoneType in get_args(hint)


def _build_union(schemas: list[Schema]) -> Schema:
    """Return the union of the schemas; a plain type and null are one type with both names."""
    *others, last = schemas
    if last == PLAIN[NoneType] and len(others) == 1 and isinstance(others[0].get("type"), str):
        return others[0] | {"type": [others[0]["type"], "null"]}
    return {"oneOf": schemas}


def build_event(name: str, events: Mapping[str, Any]) -> Schema:
    """Return a reference to the union of the events, discriminated by their names."""
    variants = {event: _build_event(event, data) for event, data in events.items()}
    mapping = {event: schema["$ref"] for event, schema in variants.items()}
    by_name = {"propertyName": "event", "mapping": mapping}
    return refer_to_schema(name, {"oneOf": list(variants.values()), "discriminator": by_name})


def _build_event(event: str, data: Any) -> Schema:
    content = build_schema(data)
    of = [each["$ref"].rpartition("/")[2] for each in content.get("oneOf", [content])]
    described = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its place, if the answer is stored."},
            "event": {"type": "string", "const": event},
            "data": {
                "type": "string",
                "description": f"JSON: {' or '.join(of)}.",
                "contentMediaType": "application/json",
                "contentSchema": content,
            },
        },
        "required": ["data", "event"],
    }
    return refer_to_schema(f"{'Or'.join(of)}Event", described)


def complete(result: Schema, generator: Any, **_: Any) -> Schema:
    """Add the components, and forbid undeclared fields in request bodies."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas |= _components
    for name, schema in schemas.items():
        if name.endswith("Request") and "properties" in schema:
            schema["additionalProperties"] = False
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    # openapi-python-client 0.29 generates a broken module for a required body of several media
    # types. The required fields of each type make it required all the same.
    add_document = result["paths"]["/api/v1/documents"]["post"]
    add_document["requestBody"].pop("required", None)
    return result
