"""The end of all access of a person: every credential stops working at once.

Also suspension: meanwhile neither a password nor any token gives access.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as WebSession
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy

from memory import audit
from memory.errors import Refusal
from memory.models import ApiToken, Attempt, ErasureRequest, ExportPackage, User
from memory.outages import one_transaction
from memory.personal_data.package_ends import end

Status = ExportPackage.Status
# Fields that change when all access ends.
SIGNED_OVER = ("password", "last_login", "date_joined", "is_active")


@one_transaction
def end_all_access(person: User, *, actor: User | None, but_for: str | None = None) -> None:
    """End the person's browsers, tokens and links; `but_for` is the key of a session that stays.

    The actor is None where an operator of the server does it.

    An unfinished package ends too. Responses in progress end when the reader's right is next
    checked, within seconds (chat.streams.watching, memory.people.streaming).
    """
    # Links to sign in or to set a password are signed over these fields (memory.people.sign_in);
    # the account's row is locked before its packages'.
    row = User.objects.filter(pk=person.pk)
    if not _move(row.filter(last_login__isnull=False), "last_login"):
        _move(row, "date_joined")  # the person has never signed in, but was sent a link
    audit.record("access.ended", actor=actor.pk if actor else None, subject=person)
    ApiToken.objects.owned(person).delete()
    unmade = ExportPackage.objects.filter(owner=person, status__in=Status.unmade())
    end(unmade, Status.DISCARDED)  # its requester may be the one to be locked out
    linked = ExportPackage.objects.filter(owner=person).exclude(link_hash="")
    linked.update(link_hash="", link_until=None)
    devices = UserSession.objects.filter(user=person).exclude(session_key=but_for)
    keys = devices.values_list("session_key", flat=True)
    WebSession.objects.filter(session_key__in=list(keys)).delete()
    devices.delete()


class AccessEnded(Refusal):
    """All access to the account was ended during the request."""

    code = "not_authenticated"
    says = gettext_lazy("All access has just been ended. Sign in again.")


@contextmanager
def while_let_in(person: User) -> Iterator[None]:
    """Open a transaction for making a credential, such as a token; raises AccessEnded.

    The person is as read at sign-in. A concurrent end of all access waits, and then ends the new
    credential too. Or it was first: then nothing is made, since it would outlive the end.
    """
    read = {name: getattr(person, name) for name in SIGNED_OVER}
    with transaction.atomic():
        as_read = User.objects.select_for_update(no_key=True).filter(pk=person.pk, **read)
        if not as_read.exists():
            raise AccessEnded
        yield


def _move(row: QuerySet[User], moment: str) -> int:
    return row.update(**{moment: F(moment) + timedelta(microseconds=1)})


class BeingErased(Refusal):
    """The account is locked because it is being erased."""

    code = "being_erased"
    says = gettext_lazy("This account is being erased.")


@one_transaction
def suspend(person: User, *, actor: User) -> None:
    """Lock the person out at once, and stop their open answers; nothing of theirs is lost.

    All their credentials have ended when they are readmitted: they sign in again.
    """
    if User.objects.filter(pk=person.pk, is_active=True).update(is_active=False):
        open_attempts = Attempt.objects.filter(owner=person, finished_at=None)
        open_attempts.update(stop_requested=True)
        end_all_access(person, actor=actor)
        audit.record("person.suspended", actor=actor.pk, subject=person)
    person.is_active = False


@one_transaction
def readmit(person: User, *, actor: User) -> None:
    """Readmit the person; raises BeingErased."""
    account = ErasureRequest.objects.owned(person).filter(scope=ErasureRequest.Scope.ACCOUNT)
    if account.running().exists():
        raise BeingErased
    if User.objects.filter(pk=person.pk, is_active=False).update(is_active=True):
        audit.record("person.readmitted", actor=actor.pk, subject=person)
    person.is_active = True
