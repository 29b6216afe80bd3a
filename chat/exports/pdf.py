"""A conversation as a PDF, laid out from the HTML file by WeasyPrint, if that is installed."""

import re
from base64 import b64decode
from collections.abc import Iterator
from importlib.util import find_spec

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from chat.exports.conversation import Wish, check_visible
from chat.exports.pages import read_page_style, write_html
from chat.exports.refusals import ExportBusy, ExportTooLong, ExportUnavailable, check_length
from chat.exports.word.runs import ILLEGAL
from citations.formats.reading import BadFile
from citations.readers.apart import ChildBounds, let_go_of_connections, talk_apart
from memory.models import Session

MOST_TURNS, MOST_PAGES = 300, 1000
# Bounds of the layout, which takes some 0.1 s of computing for a page while the person waits.
LAYING_OUT = ChildBounds(memory=2 << 30, seconds=60, patience=120, answer=60 << 20, queue=10)
START = "import json, sys; o = json.loads(sys.argv[1]); sys.path[:] = o.pop('path')\n"
START += "from chat.exports.printing import main; main(o)"
# WeasyPrint has no colour schemes; the light colour is taken.
SCHEMES = re.compile(r"light-dark\(([^,()]+), [^()]+\)")


def has_pdf() -> bool:
    """Return whether PDF files can be made here."""
    return find_spec("weasyprint") is not None


def write_pdf(session: Session, wish: Wish) -> Iterator[bytes]:
    """Write the conversation; raises ExportRefused, or NotFound if it was deleted meanwhile."""
    if not has_pdf():
        raise ExportUnavailable
    check_length(session, wish, MOST_TURNS)
    style = SCHEMES.sub(r"\1", read_page_style() + render_to_string("exports/pdf.css"))
    html = "".join(write_html(session, wish, mark_safe(style)))  # noqa: S308 - our own files
    html = ILLEGAL.sub("", html)
    let_go_of_connections()
    data = _lay_out(html.encode())
    check_visible(session)
    yield data


def _lay_out(html: bytes) -> bytes:
    order = {"pages": MOST_PAGES}
    try:
        for said in talk_apart(START, order, html, LAYING_OUT):
            if "pdf" in said:
                return b64decode(said["pdf"])
    except BadFile as refusal:
        raise ExportBusy if refusal.code == "busy" else ExportTooLong from refusal
    raise ExportTooLong
