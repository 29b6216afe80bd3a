"""What the conversation templates say with a word of their own."""

from collections.abc import Sequence
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.adapter import get_adapter
from django import template
from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat import failures, transcript, wording
from chat.rendering import answer_html, marked_passage
from citations.models import Citation
from memory.models import Session, Turn

NAMED_AUTHORS = 3

register = template.Library()
register.filter("sources", transcript.cited_sources)
register.filter("text_so_far", transcript.text_so_far)
register.filter("worded", wording.worded)
register.filter("failure_message", failures.message)


@register.filter
def answer(turn: Turn) -> SafeString:
    return answer_html(turn.response, turn.citations.all())


@register.filter
def marked(citation: Citation) -> SafeString:
    """Return the citation's passage with its sentence marked; the quote alone if it is gone."""
    text = citation.passage.text if citation.passage else citation.quote
    return marked_passage(text, citation.quote)


@register.filter
def titled(session: Session) -> str:
    return session.title or _("New conversation")


@register.filter
def is_full(session: Session) -> bool:
    return session.turn_count >= session.owner.limits.max_turns


@register.filter
def credit(authors: Sequence[str]) -> str:
    """Return the authors as a line: three by name, the others counted."""
    others = len(authors) - NAMED_AUTHORS
    line = "; ".join(authors[:NAMED_AUTHORS])
    if others <= 0:
        return line
    more = ngettext("and %(count)d other", "and %(count)d others", others) % {"count": others}
    return f"{line} {more}"


@register.filter
def web_address(url: str) -> str:
    """Return the address if it is one of the web; a document may say anything."""
    return url if urlsplit(url).scheme in ("http", "https") else ""


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of static/icons/icons.svg; its meaning has to be said beside it."""
    sprite = static("icons/icons.svg")
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        sprite,
        name,
    )


@register.simple_tag
def new_key() -> str:
    return str(uuid4())


@register.simple_tag
def question_limit() -> int:
    return int(settings.MAX_QUESTION_LENGTH)


@register.simple_tag(takes_context=True)
def signup_is_open(context: template.Context) -> bool:
    request: HttpRequest = context["request"]
    return bool(get_adapter(request).is_open_for_signup(request))
