"""A conversation to take away, with its sources: JSON for programs, Markdown for people.

It is written page by page while it is sent, so it never stands in memory as a whole. Before each
page the right to read is asked for again: what was erased or has expired meanwhile breaks it off.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _

from chat.structures import Shape, session_shape, sources_of, turn_shape, with_citations
from memory.errors import NotFound
from memory.models import Session, Turn

PAGE = 100
MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>#|])")


def download(request: HttpRequest, session: Session, form: str) -> StreamingHttpResponse:
    """Return the session as a file of the form, `json` or `markdown`."""
    write, media_type, ending = FORMS[form]
    pieces = (piece.encode() for piece in write(session))
    # Under ASGI, Django would otherwise gather all pieces before it sends the first.
    body = _one_by_one(pieces) if hasattr(request, "scope") else pieces
    name = f"conversation-{session.created_at:%Y-%m-%d}-{session.pk}.{ending}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(body, content_type=media_type, headers=disposition)


async def _one_by_one(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = sync_to_async(partial(next, pieces, b""))
    while piece := await following():
        yield piece


def _turns(session: Session) -> Iterator[Shape]:
    """Yield the turns that there are now; raises NotFound when they may not be read any more."""
    after, last = 0, session.last_position
    while after < last:
        if not Session.objects.visible_to(session.owner).filter(pk=session.pk).exists():
            raise NotFound
        rows = Turn.objects.filter(session=session, position__gt=after, position__lte=last)
        page = list(with_citations(rows.order_by("position"))[:PAGE])
        yield from map(turn_shape, page)
        after = page[-1].position if page else last


# --- JSON -----------------------------------------------------------------------------------------


def _json(session: Session) -> Iterator[str]:
    yield f'{{"session":{_dumped(session_shape(session))},"turns":['
    for number, turn in enumerate(_turns(session)):
        yield "," * bool(number) + _dumped(turn)
    yield f'],"sources":{_dumped(sources_of(session))}}}\n'


def _dumped(shape: Any) -> str:
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))


# --- Markdown -------------------------------------------------------------------------------------


def _markdown(session: Session) -> Iterator[str]:
    yield f"# {_plain(session.title or _('Untitled conversation'))}\n\n"
    yield f"{session.created_at:%Y-%m-%d %H:%M} UTC\n"
    titles: dict[int, str] = {}
    for turn in _turns(session):
        titles |= {source["number"]: _title(source) for source in turn["sources"]}
        yield _markdown_turn(turn, titles)
    if sources := sources_of(session):
        lines = [f"- [{source['number']}] {_reference(source)}" for source in sources]
        yield f"\n## {_('Sources')}\n\n" + "\n".join(lines) + "\n"


def _markdown_turn(turn: Shape, titles: dict[int, str]) -> str:
    question = "\n".join(f"> {line}" for line in turn["query"].splitlines())
    blocks = [f"## {turn['position']}. {turn['timestamp'][:16].replace('T', ' ')}", question]
    if turn["response"]:
        blocks.append(turn["response"])
    if turn["failure"]:
        blocks.append(f"*{turn['failure']['message']}*")
    quotes = [_quote(citation, titles) for citation in turn["citations"] if citation["quote"]]
    if quotes:
        blocks.append("\n".join(quotes))
    return "\n" + "\n\n".join(blocks) + "\n"


def _quote(citation: Shape, titles: dict[int, str]) -> str:
    page = ", " + _("p. %d") % citation["page"] if citation["page"] else ""
    where = f"[{citation['number']}] {titles[citation['number']]}{page}"
    return f"- {where}: “{_plain(citation['quote'])}”"


def _title(source: Shape) -> str:
    return _plain(source["title"] or _("A document that was removed"))


def _reference(source: Shape) -> str:
    authors = _plain(", ".join(source["authors"]))
    parts = [authors, f"*{_title(source)}*", str(source["year"] or ""), source["url"] or ""]
    return ". ".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Return the text as one line in which Markdown sees no signs."""
    return MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))


FORMS: dict[str, tuple[Callable[[Session], Iterator[str]], str, str]] = {
    "json": (_json, "application/json", "json"),
    "markdown": (_markdown, "text/markdown; charset=utf-8", "md"),
}
