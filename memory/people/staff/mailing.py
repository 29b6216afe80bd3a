"""Mail to a person about acts or decisions of staff."""

from collections.abc import Callable

from django.core.mail import send_mail
from django.utils import translation

from memory.models import User
from memory.people.sign_in.links import find_address, is_mail_printed


def mail_person(person: User, subject: object, write: Callable[[], str]) -> None:
    """Mail the person in their language, if mail is set up and their address is confirmed."""
    address = find_address(person)
    if address and not is_mail_printed():
        with translation.override(person.language or None):
            send_mail(str(subject), write(), None, [address], fail_silently=True)
