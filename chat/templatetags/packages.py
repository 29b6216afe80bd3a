"""What the pages of a package say with a word of their own."""

from django import template
from django.utils.safestring import SafeString

from chat.shapes.html import answer_html
from memory.models import Turn
from memory.models.conversations import CitationStyle

register = template.Library()


@register.filter
def noted_answer(turn: Turn) -> SafeString:
    """Return the answer with its citations as footnotes, which work without a server."""
    rows = turn.citations.all(), turn.claims.all()
    return answer_html(turn.response, *rows, style=CitationStyle.FOOTNOTE, turn=turn.position)
