"""Downloads of a bibliography: text, HTML, BibTeX, RIS or CSL-JSON."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from django.http import HttpRequest, StreamingHttpResponse

from citations.bibliography.bibtex import write_bibtex
from citations.bibliography.cited import CitedDocument, list_cited
from citations.bibliography.ris import write_ris
from memory.models import Session
from memory.people.streaming import Still, stream_pieces

PAGE = 100
Pages = Iterable[Sequence[CitedDocument]]


def download_bibliography(
    request: HttpRequest,
    pages: Pages,
    form: str,
    style: str,
    language: str,
    *,
    still: Still,
) -> StreamingHttpResponse:
    """Return the documents as a file; each page of them is read when it is written."""
    write, media_type, ending = FORMS[form]
    pieces = (piece.encode() for piece in write(pages, style, language))
    return stream_pieces(
        request, pieces, media_type=media_type, name=f"sources.{ending}", still=still
    )


def download_session_bibliography(
    request: HttpRequest, session: Session, form: str, style: str, language: str
) -> StreamingHttpResponse:
    """Return the session's sources as a file, while they may be read."""
    visible = Session.objects.visible(session.owner).filter(pk=session.pk)
    pages = _read_pages(session)
    return download_bibliography(request, pages, form, style, language, still=visible.exists)


def _read_pages(session: Session) -> Iterator[list[CitedDocument]]:
    after = 0
    while page := list_cited(session, after=after, limit=PAGE):
        yield page
        after = page[-1].number


def _write_text(pages: Pages, style: str, language: str) -> Iterator[str]:
    for page in pages:
        entries = [cited.format(style, language) for cited in page]
        yield "".join(f"[{entry.number}] {entry.text}\n" for entry in entries)


def _write_html(pages: Pages, style: str, language: str) -> Iterator[str]:
    yield f'<!doctype html>\n<html lang="{language}"><meta charset="utf-8"><ol>\n'
    for page in pages:
        entries = [cited.format(style, language) for cited in page]
        yield "".join(f'<li value="{entry.number}">{entry.html}</li>\n' for entry in entries)
    yield "</ol></html>\n"


def _make_writer(write: Callable[[int, dict[str, object]], str]) -> "Write":
    def write_records(pages: Pages, style: str, language: str) -> Iterator[str]:
        for page in pages:
            kept = [cited for cited in page if cited.document]
            yield "".join(write(cited.number, cited.item) + "\n" for cited in kept)

    return write_records


def _write_csl_json(pages: Pages, style: str, language: str) -> Iterator[str]:
    kept = [cited.item for cited in chain.from_iterable(pages) if cited.document]
    yield json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


Write = Callable[[Pages, str, str], Iterator[str]]
# The writer, the media type and the file extension of each format.
FORMS: dict[str, tuple[Write, str, str]] = {
    "text": (_write_text, "text/plain; charset=utf-8", "txt"),
    "html": (_write_html, "text/html; charset=utf-8", "html"),
    "bibtex": (_make_writer(write_bibtex), "application/x-bibtex; charset=utf-8", "bib"),
    "ris": (_make_writer(write_ris), "application/x-research-info-systems; charset=utf-8", "ris"),
    "csl-json": (_write_csl_json, "application/vnd.citationstyles.csl+json", "json"),
}
