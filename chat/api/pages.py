"""Endpoints for pages of documents: their pictures, and the places of cited words."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries
from chat.api.schema.documentation import PICTURE, documented
from chat.protocol.parsing import parse_id, parse_number
from chat.protocol.requests import Endpoint, check_query, find_row, person
from chat.shapes.pages import CitationPagesAnswer, citation_pages_shape, respond_picture
from citations import library
from citations.models import Citation
from citations.pages.drawing import draw_page


class Page(Endpoint):
    @documented(
        "draw_page",
        "Fetch a page of a PDF as a picture; 422 if it can't be drawn",
        more=PICTURE,
        parameters=[queries.PageSize],
        errors=(422, 503),
    )
    def get(self, request: Request, document_id: str, number: str) -> HttpResponse:
        size = check_query(request, queries.PageSize)["size"]
        document = library.get_readable_document(person(request), parse_id(document_id))
        return respond_picture(draw_page(document, parse_number(number), size))


class CitationPages(Endpoint):
    @documented(
        "mark_citation",
        "Find the cited words on the pages of a PDF; 422 if a page can't be drawn",
        answer=CitationPagesAnswer,
        tag="documents",
        errors=(422, 503),
    )
    def get(self, request: Request, citation_id: str) -> Response:
        mine = Citation.objects.visible(person(request))
        related = mine.select_related("turn", "source__document", "passage")
        return Response(citation_pages_shape(find_row(related, citation_id)))
