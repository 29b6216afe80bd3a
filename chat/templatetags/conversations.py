"""Template filters and tags for conversations."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.adapter import get_adapter
from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _, ngettext

from chat import llm, suggestions
from chat.extractive import MODEL
from chat.rendering.html import frame_html, render_answer
from chat.rendering.passages import SOUGHT, list_quoted_lines, render_passage, render_text
from chat.shapes import answer_failures, code_names, outcomes, transcript
from chat.shapes.missed import list_missed
from chat.shapes.resources.steps import STEP_NAMES, list_recorded_steps
from chat.shapes.resources.turns import (
    list_drawn_turns,
    list_source_positions,
    list_used_facts,
    write_text,
)
from chat.structures import PROSE, find_structure, load_structures
from chat.turns.grounding import select_language
from citations import library
from citations.index.scope import Scope
from citations.models import Citation
from citations.session_focus.document_scope import get_scope
from memory.forgetting.retention import lifetimes
from memory.forgetting.retention.terms import format_duration
from memory.models import Session, Turn
from memory.recall.rewriting.exchanges import EARLIER_SESSION
from memory.recall.talk.conversation import OF_THE_ANSWER
from memory.recall.talk.refusals import is_nothing_found
from memory.text.highlighting import Snippet
from memory.text.plain import render_plain_text

NAMED_AUTHORS = 3

register = template.Library()
register.simple_tag(lambda: str(uuid4()), name="new_key")
register.simple_tag(lambda: int(settings.MAX_QUESTION_LENGTH), name="question_limit")
register.simple_tag(lambda: int(settings.MAX_DOCUMENT_BYTES), name="upload_limit")
register.simple_tag(lambda: not llm.is_configured(), name="only_quotes")
register.filter("sources", transcript.list_cited_sources)
register.filter("better", transcript.find_better)
register.filter("text_so_far", transcript.read_text_so_far)
register.filter("in_short", transcript.preview)
register.filter("drawn_from", list_source_positions)
register.filter("drew_on", list_drawn_turns)
register.filter("told_beside", list_used_facts)
register.filter("follow_ups", suggestions.follow_ups)
register.filter("to_ask_instead", suggestions.suggest_instead)
register.filter("pipeline_steps", list_recorded_steps)
register.simple_tag(lambda: STEP_NAMES, name="step_names")
register.filter("worded", code_names.name_code)
register.filter("style_hint", code_names.style_hint)
register.filter("describe_end", lifetimes.describe_end)
register.filter("failure_message", answer_failures.describe_failure)


@register.filter
def is_made_of_earlier(turn: Turn) -> bool:
    """Return whether the answer may repeat other conversations.

    Answers that quote documents alone are merely accompanied by them.
    """
    return (
        turn.model != MODEL
        or turn.outcome == Turn.Outcome.ABOUT_CONVERSATION
        or turn.rewrite_reason == EARLIER_SESSION
    )


@register.filter
def answer(turn: Turn) -> SafeString:
    citations, claims = turn.citations.all(), turn.claims.all()
    html = render_answer(turn.response, citations, claims, style=turn.style, turn=turn.position)
    copy = render_to_string("chat/_copy_code.html") if "<pre>" in html else ""
    return frame_html(html, copy=copy)


@register.filter
def still_reading(turn: Turn) -> list[str]:
    """Return the titles of documents, still being read, that may have the answer."""
    if turn.outcome != Turn.Outcome.NOT_READ_YET:
        return []
    scope = Scope(owner=turn.owner_id, documents=get_scope(turn))
    return [document.title for document in library.unread_in_scope(scope)]


@register.filter
def missed(turn: Turn) -> list[str]:
    """List the unread parts that the answer may lack, in sentences."""
    return list_missed(turn, turn.citations.all())


@register.filter
def says_no_more(turn: Turn) -> bool:
    """Return whether the answer only repeats the notice above it: nothing was found."""
    if turn.outcome == Turn.Outcome.NOT_READ_YET:
        return not transcript.list_cited_sources(turn)
    return turn.outcome == Turn.Outcome.NOTHING_FOUND and is_nothing_found(turn.response)


@register.filter
def answer_language(turn: Turn | str) -> str:
    """Return the language of the notice about the answer: the question's."""
    if not isinstance(turn, Turn):
        return select_language("")
    # A short question doesn't tell; the title is the first question, unless it was renamed.
    return select_language(turn.query, [turn.session.title])


@register.filter
def was_searched_otherwise(turn: Turn) -> bool:
    """Return whether the rewrite has other words than the question.

    Not if it only asks for the previous answer again.
    """
    standalone = turn.standalone_query
    is_told_again = turn.rewrite_reason == OF_THE_ANSWER
    return (
        standalone is not None
        and not is_told_again
        and _split_words(standalone) != _split_words(turn.query)
    )


def _split_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@register.simple_tag
def outcome_notice(outcome: str, turn: Turn | str = "") -> tuple[str, str] | None:
    """Return the answer's outcome in a word, and its explanation."""
    return outcomes.notice(outcome, turn.model if isinstance(turn, Turn) else "")


@register.filter
def styled(turn: Turn) -> str:
    """Return the answer as plain text, with citation numbers and its outcome."""
    with translation.override(answer_language(turn)):
        notice = outcomes.notice(turn.outcome, turn.model)
    above = f"{' '.join(notice)}\n\n" if notice else ""
    return above + render_plain_text(write_text(turn))


@register.filter
def marked(citation: Citation) -> SafeString:
    """Return the citation's passage with the quote marked, or the quote alone if it is gone."""
    if citation.passage is None:
        return render_text(citation.quote, [], citation.quote)
    return render_passage(citation.passage, citation.quote, list_quoted_lines(citation))


@register.filter
def marked_to_open(citation: Citation) -> SafeString:
    """Return the marked passage with the id that links to the cited words use."""
    html = marked(citation)
    mark = SOUGHT[:-1] if SOUGHT in html else "<mark"
    named = html.replace(mark, f'{mark} id="cited"', 1)
    return mark_safe(named if mark in html else f'<span id="cited"></span>{html}')  # noqa: S308


@register.filter
def support(turn: Turn) -> transcript.AnswerSupport | None:
    """Return the support of the answer's statements; None for plain quotations."""
    found = transcript.summarise_support(turn)
    is_plain = turn.model == MODEL and not (found and found.others)
    return None if is_plain else found


@register.filter
def highlighted(snippet: Snippet) -> SafeString:
    """Return the snippet with its matches marked."""
    at, pieces = 0, []
    for start, end in snippet.matches:
        pieces += [(snippet.text[at:start], snippet.text[start:end])]
        at = end
    marked = format_html_join("", "{}<mark>{}</mark>", pieces)
    return format_html("{}{}", marked, snippet.text[at:])


@register.filter
def link(turn: Turn) -> str:
    """Return the turn's address: on the page of newest turns, or of those before a position."""
    address = reverse("chat:conversation", args=[turn.session_id])
    last, shown = turn.session.last_position, transcript.SHOWN
    if turn.position <= last - shown:
        address += f"?before={min(turn.position + shown // 2, last + 1)}"
    return f"{address}#turn-{turn.position}"


@register.filter
def titled(session: Session) -> str:
    unnamed = _("Temporary conversation") if session.temporary else _("New conversation")
    return session.title or unnamed


@register.filter
def lifetime(session: Session) -> timedelta:
    """Return the session's lifetime after its last question or answer."""
    return session.compute_lifetime(session.policy)


@register.filter
def age(moment: datetime | None) -> str:
    """Return the period, up to now, under which a list groups the moment."""
    if moment is None:
        return ""
    days = (timezone.localdate() - timezone.localdate(moment)).days
    if days <= 1:
        return _("Yesterday") if days == 1 else _("Today")
    if days <= 7:
        return _("Previous 7 days")
    return _("Previous 30 days") if days <= 30 else date_format(timezone.localtime(moment), "F Y")


@register.filter
def stretch(lifetime: timedelta) -> str:
    """Return a period in words."""
    return format_duration(int(lifetime.total_seconds()))


@register.filter
def credit(authors: Sequence[str]) -> str:
    """Return the authors in a line: three names and the number of others."""
    others = len(authors) - NAMED_AUTHORS
    line = "; ".join(authors[:NAMED_AUTHORS])
    if others <= 0:
        return line
    more = ngettext("and %(count)d other", "and %(count)d others", others) % {"count": others}
    return f"{line} {more}"


@register.filter
def web_address(url: str) -> str:
    """Return the address if its scheme is http or https; documents are untrusted."""
    try:
        return url if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:  # "http://[x"
        return ""


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of static/icons/icons.svg; its meaning must be given beside it."""
    sprite = static("icons/icons.svg")
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        sprite,
        name,
    )


@register.simple_tag
def how_it_was_made() -> str:
    """Return the name of the page that explains how an answer was made."""
    return _("What the model saw") if llm.is_configured() else _("How this answer was made")


@register.simple_tag(takes_context=True)
def signup_is_open(context: template.Context) -> bool:
    request: HttpRequest = context["request"]
    return bool(get_adapter(request).is_open_for_signup(request))


@register.simple_tag
def structure_choices() -> list[tuple[str, str]]:
    """Return the structures that can be requested, each with its label."""
    if settings.ANSWER_STRUCTURES == "off":
        return []
    named = ((each.name, str(each.label)) for each in load_structures().values())
    return [(PROSE, _("Text")), *named]


@register.filter
def structure_label(turn: Turn) -> str:
    """Return the label of the answer's structure."""
    structure = find_structure(turn.structure)
    return str(structure.label) if structure else ""


@register.filter
def total_seconds(steps: Sequence[dict[str, float]]) -> float:
    """Return the total duration of the steps in seconds."""
    return sum(step["milliseconds"] for step in steps) / 1000
