"""Wording that all export formats share."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from chat.exports.conversation import ExportedConversation, ExportedTurn
from citations.session_focus.active import Standing
from memory.models import Entity


def format_moment(at: datetime) -> str:
    """Return the moment in the reader's time zone."""
    local = timezone.localtime(at)
    return f"{local:%Y-%m-%d %H:%M} {date_format(local, 'T')}"


def summarise_support(turn: ExportedTurn) -> str:
    """Return the count of supported statements; empty if none was checked."""
    support = turn.support
    if support is None:
        return ""
    counted = gettext("Statements supported: %(supported)d of %(claims)d")
    return counted % {"supported": support.supported, "claims": support.claims}


def list_memory(conversation: ExportedConversation) -> list[str]:
    """List what the session remembers, and the weights that the person gave its documents.

    Empty for chosen turns, since memory is of the whole conversation.
    """
    if conversation.wish.turns:
        return []
    memory = conversation.memory
    lines = [
        f"{row['name']} ({Entity.Kind(row['kind']).label})"
        + (f": {row['snippet']}" if row["snippet"] else "")
        for row in memory["entities"]
    ]
    standing = [(row["title"], row["standing"]) for row in memory["documents"] if row["standing"]]
    return lines + [f"{named}: {Standing(how).label}" for named, how in standing]
