"""Drawn pages: pictures of pages, drawn on request and kept for a while.

The confined child draws (citations.readers.apart). A picture is sealed and deleted as its
document's file is; of all pictures, the oldest are dropped to make room for new ones.
"""

from base64 import b64decode
from dataclasses import replace
from datetime import timedelta

from django.db.models import F, Sum, Window
from django.utils import timezone

from citations.formats.kinds import PDF
from citations.formats.reading import BadFile
from citations.ingestion.originals import has_original, read_original
from citations.models import Document, DrawnPage
from citations.readers import file_failures, get_reading_limits
from citations.readers.apart import run_apart
from memory.errors import NotFound, Refusal
from memory.outages import one_transaction
from memory.postgresql.scope import Purpose, whole_installation

Size = DrawnPage.Size
# A page of A4 at 110 and at 220 dots an inch: beside the answer, and enlarged.
PIXELS = {Size.NORMAL: 1_100_000, Size.LARGE: 4_400_000}
# Maximum number of bytes of kept pictures, of all documents together.
MOST_BYTES = 256 << 20
# Time before a page that could not be drawn is tried again.
FAILED_FOR = timedelta(minutes=10)


class Undrawable(Refusal):
    """A page that can't be drawn, with the reason in words."""

    code = "page_not_drawn"

    def __init__(self, failure: str) -> None:
        self.reason = file_failures.get_failure_sentence(failure)
        super().__init__(self.reason)
        if failure == "busy":
            self.code = failure


def has_pages(document: Document) -> bool:
    """Return whether the document's pages can be drawn."""
    return document.media_type == PDF and has_original(document)


def draw_page(document: Document, number: int, size: str = Size.NORMAL) -> DrawnPage:
    """Return a page of the document as a picture. Raises NotFound and Undrawable."""
    if document.media_type != PDF or not 1 <= number <= (document.page_count or 0):
        raise NotFound
    known = DrawnPage.objects.filter(document=document, number=number, size=size).first()
    if known is None or (known.failure and known.created_at < timezone.now() - FAILED_FOR):
        drawn = _draw(document, number, size)
        with whole_installation(Purpose.UPKEEP):  # all people's pages share one limit
            known = _store(drawn)
    if known.failure:
        raise Undrawable(known.failure)
    return known


def _draw(document: Document, number: int, size: str) -> DrawnPage:
    page = DrawnPage(document=document, owner_id=document.owner_id, number=number, size=size)
    limits = replace(get_reading_limits(), drawn=number - 1, pixels=PIXELS[Size(size)])
    try:
        drawn = run_apart("show", "pdf", read_original(document), limits)
    except BadFile as refusal:
        if refusal.code == "busy":
            raise Undrawable(refusal.code) from refusal
        page.failure = refusal.code
    else:
        page.picture, page.letters = b64decode(drawn.picture), drawn.letters
        page.weight = len(page.picture)
    return page


@one_transaction
def _store(page: DrawnPage) -> DrawnPage:
    """Store the page, unless its document was deleted meanwhile."""
    if not Document.objects.select_for_update().filter(pk=page.document_id).exists():
        raise NotFound
    DrawnPage.objects.filter(document=page.document_id, number=page.number, size=page.size).delete()
    page.save(force_insert=True)
    _drop_oldest()
    return page


def _drop_oldest() -> None:
    newest = Window(Sum("weight"), order_by=[F("created_at").desc(), F("pk").desc()])
    rows = DrawnPage.objects.annotate(kept=newest).filter(kept__gt=MOST_BYTES)
    DrawnPage.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).delete()
