"""The one door of deletion: whatever is deleted, for whatever reason, is deleted here."""

from django.db import transaction

from memory import audit
from memory.errors import NotFound
from memory.models import Session, User


def erase_session(session: Session, *, actor: User) -> None:
    """Erase a conversation with everything that was made from it.

    All of it hangs on the session by foreign keys that cascade: turns, attempts, citations, context
    records, vectors, idempotency keys. An answer that is being written finds its attempt gone.
    """
    with transaction.atomic():
        if not Session.objects.owned_by(actor).select_for_update().filter(pk=session.pk).exists():
            raise NotFound
        audit.record("session.erased", actor=actor.pk, subject=session)
        session.delete()
