"""A conversation to take away, with its sources: JSON for programs, Markdown for people.

It is written page by page while it is sent, so it never stands in memory as a whole. Before each
page the right to read is asked for again: what was erased or has expired meanwhile breaks it off.
"""

import json
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, TypedDict

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _

from chat.shapes import outcomes
from chat.shapes.citation_styles import entry, plain_markdown, restyled, source_title
from chat.shapes.inert import inert_markdown
from chat.shapes.resources.attribution import SourceAnswer, list_sources
from chat.shapes.resources.memory import MemoryAnswer, memory_shape
from chat.shapes.resources.sessions import SessionAnswer, session_shape
from chat.shapes.resources.turns import TurnAnswer, drawn_text, load_citations, turn_shape
from citations.session_focus.active import Standing
from memory.errors import NotFound
from memory.models import Entity, Session, Turn
from memory.models.conversations import CitationStyle
from memory.people.streaming import streamed
from memory.text.citation_markers import stored_markers
from memory.text.plain import plain_text
from memory.text.words import words

PAGE = 100


class ExportAnswer(TypedDict):
    """A conversation as a whole, as JSON."""

    session: SessionAnswer
    turns: list[TurnAnswer]
    sources: list[SourceAnswer]
    memory: MemoryAnswer


def download(
    request: HttpRequest, session: Session, form: str, style: str = ""
) -> StreamingHttpResponse:
    """Return the session as a file of the form, `json` or `markdown`.

    Its answers cite in the style, or else each in its own.
    """
    write, media_type, ending = FORMS[form]
    pieces = (piece.encode() for piece in write(session, style))
    name = f"conversation-{session.created_at:%Y-%m-%d}-{session.pk}.{ending}"
    return streamed(request, pieces, media_type=media_type, name=name)


def _turns(session: Session) -> Iterator[Turn]:
    """Yield the turns that there are now; raises NotFound when they may not be read any more."""
    after, last = 0, session.last_position
    while after < last:
        if not Session.objects.visible(session.owner).filter(pk=session.pk).exists():
            raise NotFound
        rows = Turn.objects.filter(session=session, position__gt=after, position__lte=last)
        page = list(load_citations(rows.order_by("position"))[:PAGE])
        yield from page
        after = page[-1].position if page else last


# --- JSON -----------------------------------------------------------------------------------------


def _json(session: Session, style: str) -> Iterator[str]:
    yield f'{{"session":{_dumped(session_shape(session))},"turns":['
    for number, turn in enumerate(_turns(session)):
        yield "," * bool(number) + _dumped(turn_shape(turn, style))
    beside = {"sources": list_sources(session), "memory": memory_shape(session)}
    yield f"],{_dumped(beside)[1:]}\n"


def _dumped(shape: Any) -> str:
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))


# --- Markdown -------------------------------------------------------------------------------------


def _markdown(session: Session, style: str) -> Iterator[str]:
    yield f"# {plain_markdown(session.title or _('Untitled conversation'))}\n\n"
    yield f"{session.created_at:%Y-%m-%d %H:%M} UTC\n"
    titles: dict[int, str] = {}
    # In a Markdown file a footnote has one note, however many answers refer to it.
    noted: set[int] = set()
    for turn in _turns(session):
        shape = turn_shape(turn, style)
        titles |= {source["number"]: source_title(source) for source in shape["sources"]}
        if shape["style"] == CitationStyle.FOOTNOTE:
            noted |= {int(marker[1]) for marker in stored_markers(drawn_text(turn))}
        response = inert_markdown(restyled(drawn_text(turn), shape["style"]))
        yield _markdown_turn(shape, response, titles)
    yield from _markdown_sources(list_sources(session), noted)
    yield from _markdown_memory(memory_shape(session))


def _markdown_turn(turn: TurnAnswer, response: str, titles: dict[int, str]) -> str:
    # A question is one paragraph, whatever blank lines it has: what follows it is the answer.
    asked = "\\\n".join(map(plain_markdown, turn["query"].splitlines()))
    blocks = [
        f"## {turn['position']}. {turn['timestamp'][:16].replace('T', ' ')}",
        f"**{_('Question')}:** {asked}",
    ]
    if notice := outcomes.notice(turn["outcome"], turn["model"]):
        blocks.append(f"**{notice[0]}** {notice[1]}")
    if response:
        blocks.append(response)
    if turn["failure"]:
        blocks.append(f"*{turn['failure']['message']}*")
    if quotes := _quotes(turn, response, titles):
        blocks.append("\n".join(quotes))
    return "\n" + "\n\n".join(blocks) + "\n"


def _quotes(turn: TurnAnswer, response: str, titles: dict[int, str]) -> list[str]:
    """Return the citations line by line; their words only if the answer hasn't the same."""
    mark = MARKS[CitationStyle(turn["style"])]
    said = _bare(plain_text(response))
    lines = []
    for each in filter(itemgetter("quote"), turn["citations"]):
        page = ", " + _("p.\u00a0%d") % each["page"] if each["page"] else ""
        where = f"- {mark % each['number'] if mark else ''}{titles[each['number']]}{page}"
        is_said = _bare(each["quote"]) in said
        lines.append(where if is_said else f"{where}: “{plain_markdown(each['quote'])}”")
    return list(dict.fromkeys(lines))


def _bare(text: str) -> str:
    """Return the words alone: an answer has them with signs and cells of its own."""
    return f" {' '.join(words(text))} "


def _markdown_sources(sources: list[SourceAnswer], noted: set[int]) -> Iterator[str]:
    """Yield the list of all sources, and the notes of the footnotes."""
    if not sources and not noted:
        return
    yield f"\n## {_('Sources')}\n\n"
    yield from (f"- [{source['number']}] {entry(source)}\n" for source in sources)
    known = {source["number"]: source for source in sources}
    notes = [f"[^{number}]: {entry(known.get(number, {}))}\n" for number in sorted(noted)]
    yield "".join(["\n" * bool(notes), *notes])


def _markdown_memory(memory: MemoryAnswer) -> Iterator[str]:
    """Yield what the session remembers, and how the person has its documents stand."""
    standing = [(row["title"], row["standing"]) for row in memory["documents"] if row["standing"]]
    if not memory["entities"] and not standing:
        return
    yield f"\n## {_('What this conversation remembers')}\n\n"
    for row in memory["entities"]:
        about = f": {plain_markdown(row['snippet'])}" if row["snippet"] else ""
        yield f"- {plain_markdown(row['name'])} ({Entity.Kind(row['kind']).label}){about}\n"
    for named, how in standing:
        yield f"- {plain_markdown(named)}: {Standing(how).label}\n"


# How a quote's number is written in each style.
MARKS = {
    CitationStyle.INLINE: "[%d] ",
    CitationStyle.FOOTNOTE: "[^%d] ",
    CitationStyle.REFERENCE: "",
}
FORMS: dict[str, tuple[Callable[[Session, str], Iterator[str]], str, str]] = {
    "json": (_json, "application/json", "json"),
    "markdown": (_markdown, "text/markdown; charset=utf-8", "md"),
}
