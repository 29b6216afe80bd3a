"""Links to set a new password, sent in someone else's stead to the person's own address."""

from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from memory import audit
from memory.errors import Refusal
from memory.models import User


class NoAddress(Refusal):
    """There is no address that is known to be the person's."""

    code = "no_address"
    says = gettext_lazy(
        "This account has no confirmed address. Whoever runs the server can make a link to "
        "sign in: manage.py sign_in_link."
    )


def send(request: HttpRequest, person: User, *, actor: User) -> None:
    """Mail the person a link to set a new password; raises NoAddress."""
    address = address_of(person)
    if not address:
        raise NoAddress
    with transaction.atomic():
        audit.record("password.link_sent", actor=actor.pk, subject=person)
    request_password_reset(request, address, [person], None)


def address_of(person: User) -> str:
    """Return the address that the person has confirmed, or that the account was made with.

    The latter until the first sign-in only: nobody has shown that it is theirs, but nothing is
    theirs yet either.
    """
    confirmed = EmailAddress.objects.filter(user=person, verified=True).order_by("-primary", "pk")
    address = confirmed.values_list("email", flat=True).first()
    if address:
        return str(address)
    claimed = EmailAddress.objects.filter(user=person).exists()
    return "" if claimed or person.last_login else person.email
