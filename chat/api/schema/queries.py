"""Serializers of query strings.

A callable default, such as `str`, stays out of the schema: an empty text is no value of an enum.
"""

from rest_framework import serializers

from chat.api.schema.bodies import Strict
from chat.api.schema.fields import (
    ChoiceField,
    IdField,
    IdsField,
    MomentField,
    PageSizeField,
    QuestionField,
    TurnsField,
)
from chat.forms.conversations import MAX_WORDS_LENGTH
from chat.shapes.bibliographies import FORMS
from citations.bibliography.styles import LOCALES
from citations.library import WHOSE
from citations.models import Document, DrawnPage
from memory.models.conversations import CitationStyle
from memory.models.people import CitationFormat

MAX_QUERY = 2000


class Style(Strict):
    style = ChoiceField(  # type: ignore[assignment]
        choices=CitationStyle.choices,
        default=str,
        help_text="How the answers cite; each as it was asked for if not given.",
    )


class Page(Strict):
    """Parameters of a page of any list."""

    cursor = serializers.CharField(
        default=str, allow_blank=True, help_text="`next` of the page before."
    )
    limit = PageSizeField(min_value=1, max_value=100, default=50)


class SessionsPage(Page):
    limit = PageSizeField(min_value=1, max_value=100, default=30)


class SearchPage(Page):
    q = serializers.CharField(
        default=str,
        allow_blank=True,
        max_length=MAX_WORDS_LENGTH,
        help_text="Words, all of which the question or the answer has to have.",
    )
    session = IdField(required=False, help_text="The id of one of your sessions.")
    since = MomentField(help_text="A day, or a moment with its time zone.")
    until = MomentField(is_end=True, help_text="A day, which is included, or a moment.")
    limit = PageSizeField(min_value=1, max_value=100, default=20)


class PageSize(Strict):
    size = ChoiceField(
        choices=DrawnPage.Size.values,
        default=DrawnPage.Size.NORMAL.value,
        help_text="`normal` has about 1.1 million pixels, `large` four times as many.",
    )


class RetrievalPage(Page):
    q = QuestionField(max_length=MAX_QUERY, help_text="A question, or words to find.")
    documents = IdsField(
        default="",
        allow_blank=True,
        help_text="Ids of the documents to search, with commas; all that you may read if none.",
    )
    limit = PageSizeField(min_value=1, max_value=100, default=10)


class DocumentsPage(SessionsPage):
    q = serializers.CharField(
        default=str, allow_blank=True, help_text="Words of the title, the authors or the file name."
    )
    whose = ChoiceField(choices=WHOSE, default="all")
    status = ChoiceField(choices=Document.Status.choices, default=str)


class HistoryPage(Page, Style):
    """A page of a session's turns."""


class ExportFormat(Style):
    format = ChoiceField(choices=["json", "markdown", "html", "docx", "pdf"], default="json")
    citation_format = ChoiceField(
        choices=CitationFormat.choices, default=str, help_text="How the bibliography is written."
    )
    turns = TurnsField(
        default="",
        allow_blank=True,
        help_text="Positions of the turns to export, as in `1-3,5`; all of them if none.",
    )


class Bibliography(Strict):
    style = ChoiceField(  # type: ignore[assignment]
        choices=CitationFormat.choices,
        default=str,
        help_text="How entries are written; as the session, you or the instance say if not given.",
    )
    format = ChoiceField(choices=["json", *FORMS], default="json")
    language = ChoiceField(
        choices=[*LOCALES], default=str, help_text="Of the terms in entries; yours if not given."
    )


class SourcesPage(Page, Bibliography):
    """A page of a session's sources; downloads have all of them."""


class ChosenDocuments(Bibliography):
    ids = IdsField(help_text="Ids of documents, with commas, in the order of their numbers.")


class StreamPlace(Style):
    after = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="The id of the last event you have, as in `Last-Event-ID`.",
    )
