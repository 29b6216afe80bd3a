"""Endpoint for imports: apply a reference manager's file to documents in the library."""

from typing import Annotated, Any, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.documents import Files
from chat.api.schema import serializers
from chat.api.schema.documentation import documented
from chat.protocol.credentials import require
from chat.protocol.requests import Endpoint, check_body, person
from chat.shapes.resources.vocabulary import Id
from citations.sources.imports import apply_matches, preview_import
from memory.models import Scope

MOST_UNMATCHED = 1000


class SourceMatch(TypedDict):
    document_id: Id
    title: Annotated[str, "Of the document as it was."]
    by: Annotated[str, ("file", "DOI", "ISBN", "title")]
    csl: Annotated[dict[str, Any], "What its entry says."]


class ImportFailure(TypedDict):
    entry: Annotated[str, "Its key, or its number such as #3."]
    reason: str


class ImportAnswer(TypedDict):
    applied: bool
    matches: list[SourceMatch]
    unmatched: Annotated[list[str], "Titles of entries that fit no document, at most 1,000."]
    failed: Annotated[int, "How many entries could not be read, or are beyond the limits."]
    failures: Annotated[list[ImportFailure], "Those that could not be read, at most 1,000."]


class SourceImport(Endpoint):
    parser_classes = (Files,)  # type: ignore[assignment]

    @documented(
        "import_sources",
        "Take over what a BibTeX, RIS or CSL-JSON file says of your documents",
        request={"multipart/form-data": serializers.SourceFile},
        answer=ImportAnswer,
        errors=(408, 409, 503),
    )
    def post(self, request: Request) -> Response:
        values = check_body(request, serializers.SourceFile)
        found = preview_import(values["file"].read(), actor=person(request))
        matches: list[SourceMatch] = [
            {
                "document_id": str(each.document.pk),
                "title": each.document.title,
                "by": each.by,
                "csl": each.item,
            }
            for each in found.matches
        ]
        if not values["preview"]:
            if any(each.document.owner_id is None for each in found.matches):
                require(request, Scope.ADMIN)
            apply_matches(found.matches, actor=person(request))
        answer = ImportAnswer(
            applied=not values["preview"],
            matches=matches,
            unmatched=found.unmatched[:MOST_UNMATCHED],
            failed=found.failed,
            failures=[
                ImportFailure(entry=each.entry, reason=str(each.reason)) for each in found.failures
            ],
        )
        return Response(answer)
