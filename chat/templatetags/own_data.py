"""Template filters for the pages of a person's data."""

from datetime import timedelta

from django import template
from django.contrib.auth.models import AnonymousUser

from memory.audit.reading import act_in_words
from memory.forgetting.erasure import requests
from memory.models import Consent, EmergencyAccess, ErasureRequest, Purpose, Session, Turn, User
from memory.people.staff import emergencies
from memory.personal_data import consent
from memory.recall.earlier.calling import calls_for_earlier

register = template.Library()
register.filter(act_in_words)
register.filter("operator_name", emergencies.get_operator_name)


@register.filter
def decision_text(decision: Consent) -> str:
    """Return the text that the person decided on."""
    return consent.get_text(decision.purpose, decision.version)


@register.filter
def may_go_on(session: Session) -> bool:
    """Return whether the owner's consent permits further questions in the session."""
    return session.temporary or consent.allows(session.owner_id, Purpose.STORE)


@register.filter
def allows(user: User, purpose: str) -> bool:
    """Return whether the person allows the purpose now."""
    return consent.allows(user.pk, Purpose(purpose))


@register.filter
def asks_for_recall(turn: Turn) -> bool:
    """Return whether the turn refers to earlier conversations without consent to recall."""
    if not calls_for_earlier(turn.query) or not turn.session.recalls:
        return False
    if consent.allows(turn.owner_id, Purpose.RECALL):
        return False
    others = Session.objects.filter(owner=turn.owner_id).recallable().exclude(pk=turn.session_id)
    return others.exists()


@register.filter
def recall_text(user: User) -> str:
    """Return the text of the consent to use one conversation in another."""
    return consent.get_text(Purpose.RECALL, consent.get_version(Purpose.RECALL))


@register.filter
def temporary_lifetime(user: User) -> timedelta:
    """Return the lifetime of a temporary conversation of the person while its page is open."""
    session = Session(owner=user, temporary=True)
    return session.compute_lifetime(session.policy)


@register.filter
def waiting_erasure(user: User | AnonymousUser) -> ErasureRequest | None:
    """Return the person's own erasure that is confirmed but hasn't begun."""
    return requests.get_waiting_request(user) if user.is_authenticated else None


@register.filter
def unseen_emergency(user: User | AnonymousUser) -> EmergencyAccess | None:
    """Return the emergency access that the person hasn't seen yet."""
    return emergencies.find_unseen(user) if user.is_authenticated else None
