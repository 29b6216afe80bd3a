"""Downloads of a conversation in one of the formats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone, translation

from chat.exports.conversation import Wish
from chat.exports.data import write_json
from chat.exports.markdown import write_markdown
from chat.exports.pages import write_html
from chat.exports.pdf import write_pdf
from chat.exports.word import write_docx
from memory.models import Session
from memory.people.display import get_home_zone
from memory.people.streaming import stream_pieces

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@dataclass(frozen=True)
class Form:
    """An export format: its writer, its media type and its file extension."""

    write: Callable[[Session, Wish], Iterator[str | bytes]]
    media_type: str
    ending: str


FORMS = {
    "json": Form(write_json, "application/json", "json"),
    "markdown": Form(write_markdown, "text/markdown; charset=utf-8", "md"),
    "docx": Form(write_docx, WORD, "docx"),
    "pdf": Form(write_pdf, "application/pdf", "pdf"),
    "html": Form(write_html, "text/html; charset=utf-8", "html"),
}


def download(
    request: HttpRequest, session: Session, form: str, wish: Wish
) -> StreamingHttpResponse:
    """Return the session as a file; raises NotFound or the refusal of the format."""
    kind = FORMS[form]
    pieces = _localise_pieces(session, kind.write(session, wish))
    # The first piece is made here, so that refusals are raised before the response begins.
    pieces = chain([next(pieces, b"")], pieces)
    name = f"conversation-{session.created_at:%Y-%m-%d}-{session.pk}.{kind.ending}"
    return stream_pieces(request, pieces, media_type=kind.media_type, name=name)


def _localise_pieces(session: Session, pieces: Iterator[str | bytes]) -> Iterator[bytes]:
    """Yield the pieces, each made in the person's language and time zone.

    They are made while the file is sent, after those of the request are reset.
    """
    language, zone = translation.get_language(), get_home_zone(session.owner)
    while True:
        with translation.override(language), timezone.override(zone):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece.encode() if isinstance(piece, str) else piece
