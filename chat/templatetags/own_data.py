"""What the pages of a person's data say with a word of their own."""

from django import template

from memory.forgetting import consent
from memory.models import Consent, Purpose, Session, User

register = template.Library()


@register.filter
def wording_of(decision: Consent) -> str:
    """Return the words that the person decided on."""
    return consent.text_of(decision.purpose, decision.version)


@register.filter
def may_go_on(session: Session) -> bool:
    """Tell whether its owner's consent lets more be asked in the session."""
    return session.temporary or consent.allows(session.owner_id, Purpose.STORE)


@register.filter
def allows(user: User, purpose: str) -> bool:
    """Tell whether the person allows the purpose now."""
    return consent.allows(user.pk, Purpose(purpose))
