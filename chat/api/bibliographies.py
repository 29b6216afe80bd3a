"""Endpoint for bibliographies of chosen documents."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries
from chat.api.schema.components import build_schema
from chat.api.schema.documentation import BIBLIOGRAPHIES, documented
from chat.protocol.parsing import parse_id
from chat.protocol.requests import Endpoint, check_query, person
from chat.shapes.bibliographies import download_bibliography
from chat.shapes.resources.bibliography import EntryAnswer, entry_shape
from citations import library
from citations.bibliography.cited import CitedDocument, choose_format, choose_language
from citations.bibliography.suffixes import letter_documents
from citations.models import Document
from memory.models.people import CitationFormat


class BibliographyAnswer(TypedDict):
    style: Annotated[str, CitationFormat]
    sources: list[EntryAnswer]


ANSWERS = BIBLIOGRAPHIES | {(200, "application/json"): build_schema(BibliographyAnswer)}


class DocumentSources(Endpoint):
    @documented(
        "read_document_source",
        "Read a document's entry in a bibliography, or download it",
        more=ANSWERS,
        parameters=[queries.Bibliography],
    )
    def get(self, request: Request, document_id: str) -> HttpResponseBase:
        wish = check_query(request, queries.Bibliography)
        return _respond_bibliography(request, [parse_id(document_id)], wish)


class ChosenSources(Endpoint):
    @documented(
        "list_document_sources",
        "Read or download a bibliography of documents",
        more=ANSWERS,
        tag="documents",
        parameters=[queries.ChosenDocuments],
        errors=(404,),
    )
    def get(self, request: Request) -> HttpResponseBase:
        wish = check_query(request, queries.ChosenDocuments)
        return _respond_bibliography(request, list(dict.fromkeys(wish["ids"])), wish)


def _respond_bibliography(request: Request, chosen: Sequence[UUID], wish: Any) -> HttpResponseBase:
    """Return the bibliography of the documents in order, or raise NotFound if one is unreadable."""
    found = library.get_readable_documents(person(request), chosen)
    suffixes = letter_documents(found.values())
    cited = [
        CitedDocument(number, found[pk], suffix=suffixes.get(pk, ""))
        for number, pk in enumerate(chosen, 1)
    ]
    style = choose_format(person(request), wanted=wish["style"])
    language = choose_language(wish["language"])
    if wish["format"] == "json":
        sources = [entry_shape(each, style, language) for each in cited]
        return Response(BibliographyAnswer(style=style, sources=sources))
    readable = Document.objects.readable_documents(person(request)).filter(pk__in=chosen)
    return download_bibliography(
        request._request, [cited], wish["format"], style, language, still=readable.exists
    )
