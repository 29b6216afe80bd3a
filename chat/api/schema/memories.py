"""What the API answers of what a session remembers, for its schema, with examples."""

from rest_framework import serializers

from chat.api.schema.answers import (
    Flag,
    Id,
    Number,
    Score,
    SessionAnswer,
    Shape,
    SourceAnswer,
    Text,
    TurnAnswer,
)
from citations.models import DocumentStanding
from memory.models import Entity


class EntityAnswer(Shape):
    entity_id = Id()
    kind = serializers.ChoiceField(choices=Entity.Kind.choices)
    name = Text()
    snippet = Text(help_text="The sentence that says what it is; empty if none did.")
    turn_id = Id(allow_null=True, help_text="The turn it comes from; null if you wrote it down.")
    last_position = Number(help_text="Of the turn that mentioned it last.")
    mentions = Number(help_text="In how many turns.")
    weight = Score(help_text="How present it is, 0 to 1; it fades with every turn.")
    kept = Flag(help_text="Whether you wrote or corrected it.")


class ActiveDocumentAnswer(Shape):
    document_id = Id()
    title = Text()
    standing = serializers.ChoiceField(
        choices=DocumentStanding.Standing.choices, allow_null=True, help_text="As you said."
    )
    last_position = Number(
        allow_null=True, help_text="Of the last turn that cites it; null if no recent one does."
    )
    turns = Number(help_text="How many recent turns cite it.")


class ActiveSectionAnswer(Shape):
    document_id = Id()
    heading = Text()
    last_position = Number(help_text="Of the last turn that cites it.")


class MemoryAnswer(Shape):
    session_id = Id()
    entities = EntityAnswer(many=True, help_text="The most present first.")
    documents = ActiveDocumentAnswer(
        many=True,
        help_text="Those you said something of, then those cited on this topic.",
    )
    sections = ActiveSectionAnswer(many=True, help_text="The latest first.")


class ExportAnswer(Shape):
    session = SessionAnswer()
    turns = TurnAnswer(many=True)
    sources = SourceAnswer(many=True)
    memory = MemoryAnswer()


EXAMPLE_ENTITY = {
    "entity_id": "01970000-0000-7000-8000-0000000000e1",
    "kind": "term",
    "name": "Determination Date",
    "snippet": "“Determination Date” means the second Business Day before …",
    "turn_id": "01970000-0000-7000-8000-000000000001",
    "last_position": 1,
    "mentions": 1,
    "weight": 0.5,
    "kept": False,
}
EXAMPLE_DOCUMENT = {
    "document_id": "01970000-0000-7000-8000-0000000000d1",
    "title": "Model Pooling and Servicing Agreement",
    "standing": "boosted",
    "last_position": 1,
    "turns": 1,
}
EXAMPLE_MEMORY = {
    "session_id": "01970000-0000-7000-8000-0000000000a1",
    "entities": [EXAMPLE_ENTITY],
    "documents": [EXAMPLE_DOCUMENT],
    "sections": [
        {
            "document_id": "01970000-0000-7000-8000-0000000000d1",
            "heading": "Article I › Section 1.01 Definitions",
            "last_position": 1,
        }
    ],
}
