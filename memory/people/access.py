"""Ending all access: whatever lets someone in as a person stops doing so, all of it at once."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as WebSession
from django.db import transaction

from memory import audit
from memory.models import ApiToken, ExportPackage, User


def end_all_access(person: User, *, actor: User, but_for: str | None = None) -> None:
    """End the person's browsers, tokens and links; `but_for` is the key of a session that stays.

    What is being streamed ends at the next look at its reader's right (chat.streams.credentials).
    """
    with transaction.atomic():
        audit.record("access.ended", actor=actor.pk, subject=person)
        ApiToken.objects.owned_by(person).delete()
        linked = ExportPackage.objects.filter(owner=person).exclude(link_hash="")
        linked.update(link_hash="", link_until=None)
        devices = UserSession.objects.filter(user=person).exclude(session_key=but_for)
        keys = devices.values_list("session_key", flat=True)
        WebSession.objects.filter(session_key__in=list(keys)).delete()
        devices.delete()
