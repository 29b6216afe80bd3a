"""The instructions for a model to write an output as JSON."""

import json
from typing import Any

from chat.prompting.wording import escape_frame, find_english_name
from chat.structures.definition import Question, Structure
from chat.structures.outputs import Output, Row, find_row_type

FORM = """Answer with one JSON object and nothing else, in this form:
{skeleton}
{instruction} Write the texts in {language}. Where the form says [n], put the number of the \
passage in square brackets behind what it says, as the passages do. Use only what they say."""
KEEP = "Keep these {what}, in this order: {names}."
REPAIR = "That could not be read as JSON of this form. Write it again, only the JSON object."
PLAIN = "Write no JSON. Answer in a few plain sentences, each with the number of its passage."


def render_form(structure: Structure, question: Question, language: str) -> str:
    """Render the instructions for the structure, with the items and criteria to keep."""
    form = FORM.format(
        skeleton=json.dumps(make_skeleton(structure.output), ensure_ascii=False),
        instruction=structure.instruction,
        language=find_english_name(language) or "the language of the question",
    )
    kept = [
        KEEP.format(what=what, names="; ".join(map(escape_frame, names)))
        for what, names in (("items", question.items), ("criteria", question.criteria))
        if names
    ]
    return " ".join([form, *kept])


def make_skeleton(output: type[Output]) -> dict[str, Any]:
    """Make an example of an output: each member describes its content."""
    members: dict[str, Any] = {}
    for name, field in output.model_fields.items():
        if name == "rows":
            row: type[Row] = find_row_type(output)
            members[name] = [
                {each: _sample(part) for each, part in row.model_fields.items()},
            ]
        elif field.description:
            members[name] = _sample(field)
    return members


def _sample(field: Any) -> Any:
    is_text = field.annotation is str
    return field.description if is_text else [field.description]


def make_strict(schema: Any) -> Any:
    """Make a JSON schema strict: every member is required, and no other is allowed."""
    if isinstance(schema, list):
        return [make_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: make_strict(each) for name, each in schema.items() if name != "default"}
    if isinstance(strict.get("properties"), dict):
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def make_response_format(structure: Structure) -> dict[str, Any]:
    """Make the `response_format` of a request, in OpenAI's format."""
    schema = {"name": structure.name, "strict": True, "schema": make_strict(structure.schema)}
    return {"type": "json_schema", "json_schema": schema}
