"""Serializers of request bodies: only declared fields, each a JSON value of its own type."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from chat.api.schema.bodies import Optional, Strict
from chat.api.schema.fields import (
    ChoiceField,
    DocumentsField,
    FlagField,
    IdField,
    LineField,
    ListField,
    MetadataField,
    ModelField,
    NumberField,
    QuestionField,
    SourceField,
    StyleField,
    TextField,
    WebAddressField,
)
from chat.forms.conversations import (
    EARLIEST_YEAR,
    LATEST_YEAR,
    MAX_FEEDBACK_LENGTH,
    MAX_KEY_LENGTH,
    MAX_TITLE_LENGTH,
)
from chat.structures import PROSE, load_structures
from citations.formats.cleaning import MAX_NAME, MAX_NAMES, MAX_TITLE, clean_line
from citations.sources.items import build_item_columns
from memory.forgetting.retention.lifetimes import SHORTEST
from memory.forgetting.retention.sweeping import get_policy
from memory.models import ErasureRequest, Purpose
from memory.models.conversations import AnswerLength, CitationStyle, Reach, Strategy
from memory.models.people import CitationFormat

SMALLEST_WINDOW, LARGEST_WINDOW = 512, 262_144
LARGEST_POSITION = 2**31 - 1
MAX_MESSAGES, MAX_CONTENT_LENGTH, MAX_PATH_LENGTH = 200, 32_000, 4096


SUPERSEDES = "The id of the older version that it replaces, once it is ready."


class SessionSettings(Optional):
    """Settings of a session, given when it is created or later."""

    title = TextField(max_length=MAX_TITLE_LENGTH, allow_blank=True)
    metadata = MetadataField()
    strategy = ChoiceField(choices=Strategy.choices)
    reach = ChoiceField(
        choices=Reach.choices,
        help_text="Which earlier conversations it may use, with your consent to `recall`; one set "
        "to `session` isn't used by others either.",
    )
    style = StyleField(  # type: ignore[assignment]
        choices=CitationStyle.choices,
        allow_null=True,
        help_text="How answers cite; CITATION_STYLE if null.",
    )
    citation_format = StyleField(
        choices=CitationFormat.choices,
        allow_null=True,
        help_text="How its bibliography is written; as you or the instance say if null.",
    )
    length = StyleField(
        choices=AnswerLength.choices,
        allow_null=True,
        help_text="How long a language model's answers are; normal if null.",
    )
    model = ModelField(
        max_length=100,
        allow_null=True,
        help_text="The language model that answers, by name; the usual one if null.",
    )
    context_window = NumberField(min_value=SMALLEST_WINDOW, max_value=LARGEST_WINDOW)
    own_lifetime = NumberField(
        min_value=SHORTEST,
        max_value=LARGEST_POSITION,
        allow_null=True,
        help_text="Seconds after the last question or answer; at most your tier's; null: as usual.",
    )
    max_turns = NumberField(
        min_value=1,
        max_value=LARGEST_POSITION,
        allow_null=True,
        help_text="Turns after which it takes no more questions; at most your tier's; null: your "
        "tier's. None is deleted by it.",
    )
    document_context = DocumentsField(
        allow_null=True,
        help_text="Ids of the documents that are searched; all that you may read if none or null.",
    )

    def validate_title(self, title: str) -> str:
        return clean_line(title)

    def validate_max_turns(self, turns: int | None) -> int | None:
        most = get_policy(self.context["request"].user).max_turns
        if turns and turns > most:
            raise serializers.ValidationError(_("Your tier allows %d at most.") % most)
        return turns


class NewSession(SessionSettings):
    temporary = FlagField()
    user_id = IdField(help_text="Your own id, if given.")


class SessionChanges(SessionSettings):
    pinned = FlagField()
    archived = FlagField()


class Asking(Strict):
    """A question, and optionally the text to retrieve by."""

    query = QuestionField(max_length=settings.MAX_QUESTION_LENGTH)
    standalone_query = QuestionField(
        max_length=settings.MAX_QUESTION_LENGTH,
        allow_null=True,
        required=False,
        help_text="The standalone query to search for, instead of the automatic rewrite; the "
        "question itself, to search for exactly what was typed.",
    )

    structure = ChoiceField(
        choices=[PROSE, *load_structures()],
        required=False,
        help_text="The form of the answer, if ANSWER_STRUCTURES allows any; if not given, what the "
        "question seems to want.",
    )


class NewTurn(Asking):
    style = ChoiceField(  # type: ignore[assignment]
        choices=CitationStyle.choices, required=False, help_text="The session's if not given."
    )
    documents = DocumentsField(
        required=False,
        help_text="Ids of the documents to search; all that you may read if none is given.",
    )


class Message(Strict):
    """An earlier message. A client's instructions to the model are rejected, not ignored."""

    role = ChoiceField(choices=["user", "assistant"])
    content = TextField(max_length=MAX_CONTENT_LENGTH, allow_blank=True, trim_whitespace=False)


class Query(Asking):
    conversation_context = ListField(
        child=Message(),
        max_length=MAX_MESSAGES,
        default=[],
        help_text="What was said before, oldest first; the newest that fit are used.",
    )
    session_id = IdField(
        allow_null=True,
        required=False,
        help_text="One of your sessions, or a new one's id: the turn is stored in it. Another "
        "person's, and one under which a session was erased, is 404. Without it, nothing is "
        "stored.",
    )
    scope = DocumentsField(
        allow_null=True,
        required=False,
        help_text="Ids of the documents to search; all that you may read if none is given.",
    )
    style = ChoiceField(  # type: ignore[assignment]
        choices=CitationStyle.choices,
        required=False,
        help_text="The session's, or CITATION_STYLE, if not given.",
    )
    source_path = TextField(
        max_length=MAX_PATH_LENGTH,
        allow_null=True,
        allow_blank=True,
        required=False,
        help_text="Accepted from older clients, and ignored.",
    )


class DocumentDescription(Strict):
    """The metadata of a document."""

    title = LineField(max_length=MAX_TITLE, required=False)
    authors = ListField(child=LineField(max_length=MAX_NAME), max_length=MAX_NAMES, required=False)
    year = NumberField(
        min_value=EARLIEST_YEAR, max_value=LATEST_YEAR, allow_null=True, required=False
    )
    url = WebAddressField(required=False)


class DocumentChanges(DocumentDescription):
    supersedes = IdField(
        allow_null=True,
        required=False,
        help_text="The older version that it replaces; null: none, and what it replaced answers "
        "again.",
    )
    csl = SourceField(
        allow_null=True,
        required=False,
        help_text="All that a bibliography says of it, as a CSL-JSON item without its id; what it "
        "leaves out is cleared, but for title, authors, year and url.",
    )

    def validate(self, attrs: Any) -> Any:
        return build_item_columns(attrs["csl"]) | attrs if "csl" in attrs else attrs


class TextToVerify(Strict):
    text = TextField(
        max_length=MAX_CONTENT_LENGTH,
        trim_whitespace=False,
        help_text="Any text; its first fifty claims are checked.",
    )
    documents = DocumentsField(
        default=[],
        help_text="Ids of the documents to check it against; all that you may read if none.",
    )


class NewText(DocumentDescription):
    text = TextField(trim_whitespace=False)
    title = LineField(max_length=MAX_TITLE)
    supersedes = IdField(allow_null=True, required=False, help_text=SUPERSEDES)
    media_type = ChoiceField(
        choices=["text/plain", "text/markdown", "text/x-rst", "text/csv"], default="text/plain"
    )
    shared = FlagField(default=False, help_text="For everyone; staff only.")


class NewFile(DocumentDescription):
    """A form with a file. Its fields are all text: numbers and flags are parsed from it."""

    file = serializers.FileField(allow_empty_file=True)
    supersedes = IdField(required=False, help_text=SUPERSEDES)
    year = serializers.IntegerField(  # type: ignore[assignment]
        min_value=EARLIEST_YEAR, max_value=LATEST_YEAR, allow_null=True, required=False
    )
    shared = serializers.BooleanField(default=False, help_text="For everyone; staff only.")


class SourceFile(Strict):
    file = serializers.FileField(allow_empty_file=True)
    preview = serializers.BooleanField(default=False, help_text="Only say what would change.")


class Headers(serializers.Serializer[Any]):
    """The header of a question; its name is no Python identifier."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"Idempotency-Key": TextField(max_length=MAX_KEY_LENGTH, allow_blank=True)}


class NewDecision(Strict):
    purpose = ChoiceField(choices=Purpose.choices)
    given = FlagField(help_text="True allows it, false withdraws it.")


class NewErasure(Strict):
    scope = ChoiceField(
        choices=ErasureRequest.Scope.choices,
        help_text="everything: all conversations and documents; account: the account as well.",
    )


class Rating(Optional):
    rating = ChoiceField(choices=[1, -1], allow_null=True)
    feedback = TextField(max_length=MAX_FEEDBACK_LENGTH, allow_blank=True)
