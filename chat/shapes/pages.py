"""Pages of documents as pictures, and the marks on them."""

from typing import Annotated, TypedDict

from django.http import HttpResponse

from chat.rendering.passages import find_cited_places
from chat.shapes.resources.vocabulary import Id
from citations.models import Citation, DrawnPage
from citations.pages.drawing import draw_page
from citations.pages.marking import Box, MarkedPage, mark_citation
from memory.errors import NotFound

PNG = "image/png"


class Rectangle(TypedDict):
    x: Annotated[float, "Of its left edge, in parts of the page's width, from 0 to 1."]
    y: Annotated[float, "Of its top edge, in parts of the page's height."]
    width: float
    height: float


class MarkedPageAnswer(TypedDict):
    page: Annotated[int, "From 1."]
    width: Annotated[float, "Of the page as it is shown, in points."]
    height: float
    rectangles: Annotated[list[Rectangle], "Of the cited words; none if they were not found."]


class CitationPagesAnswer(TypedDict):
    citation_id: Id
    document_id: Id
    pages: Annotated[list[MarkedPageAnswer], "Those with the cited words, the first in any case."]


def respond_picture(page: DrawnPage) -> HttpResponse:
    return HttpResponse(bytes(page.picture), content_type=PNG)


def citation_pages_shape(citation: Citation) -> CitationPagesAnswer:
    """Return the pages of a citation with its rectangles. Raises NotFound and Undrawable."""
    pages = [
        marked_page_shape(each) for each in mark_citation(citation, find_cited_places(citation))
    ]
    return {
        "citation_id": str(citation.pk),
        "document_id": str(citation.source.document_id),
        "pages": pages,
    }


def marked_page_shape(marked: MarkedPage) -> MarkedPageAnswer:
    letters = marked.page.letters
    width, height = letters["points"]
    boxes = [rectangle_shape(box, *letters["frame"]) for box in marked.boxes]
    return {"page": marked.page.number, "width": width, "height": height, "rectangles": boxes}


def rectangle_shape(box: Box, wide: int, high: int) -> Rectangle:
    return {
        "x": round(box.left / wide, 5),
        "y": round(box.top / high, 5),
        "width": round((box.right - box.left) / wide, 5),
        "height": round((box.bottom - box.top) / high, 5),
    }


class PageView:
    """A page beside an answer, with links to the pages around it."""

    # CSS pixels of a point.
    SCALE = 4 / 3

    def __init__(self, citation: Citation, number: int | None) -> None:
        """Draw a page of the citation's document; without a number, the first marked one."""
        document = citation.source.document
        if document is None:
            raise NotFound
        marked = mark_citation(citation, find_cited_places(citation))
        self.number = marked[0].page.number if number is None else number
        found = next((each for each in marked if each.page.number == self.number), None)
        drawn = found.page if found else draw_page(document, self.number)
        self.boxes = found.boxes if found else []
        self.is_unmarked = self.number == marked[0].page.number and not marked[0].boxes
        self.goes_on = next(
            (each.page.number for each in marked if each.page.number > self.number), None
        )
        self.document, self.count = document, document.page_count or self.number
        self.frame_width, self.frame_height = drawn.letters["frame"]
        self.width, self.height = (round(self.SCALE * side) for side in drawn.letters["points"])

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.count else None

    @property
    def rectangles(self) -> list[tuple[int, int, int, int]]:
        """The marks as left, top, width and height, as fractions of the frame."""
        return [(b.left, b.top, b.right - b.left, b.bottom - b.top) for b in self.boxes]
