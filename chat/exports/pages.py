"""A conversation as one HTML file, which loads nothing and runs nothing."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from chat.exports.conversation import ExportedConversation, ExportedTurn, Wish
from chat.exports.wording import format_moment, list_memory, summarise_support
from memory.models import Session


def write_html(session: Session, wish: Wish, style: SafeString | None = None) -> Iterator[str]:
    """Write the conversation piece by piece, with a given style sheet or the usual one."""
    conversation = ExportedConversation(session, wish)
    head = {
        "title": conversation.title,
        "begun": format_moment(session.created_at),
        "style": style or read_page_style(),
    }
    yield render_to_string("exports/head.html", head)
    for turn in conversation.read_turns():
        yield turn_html(turn)
    foot = {"sources": conversation.sources, "remembered": list_memory(conversation)}
    yield render_to_string("exports/foot.html", foot)


def turn_html(turn: ExportedTurn) -> str:
    """Return a question and its answer as HTML for offline pages."""
    words = {"asked": format_moment(turn.asked_at), "support": summarise_support(turn)}
    return render_to_string("exports/turn.html", {"turn": turn, **words})


@cache
def read_page_style() -> SafeString:
    """Return the style sheet of offline pages."""
    code = Path(str(find("css/code.css"))).read_text()
    return mark_safe(render_to_string("exports/style.css") + code)  # noqa: S308 - our own files
