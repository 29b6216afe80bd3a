"""Pages that announce a message; without a mail server they name a contact instead."""

from allauth.account.views import email_verification_sent, password_reset
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from memory.people.sign_in.links import is_mail_printed


def forgotten(request: HttpRequest) -> HttpResponseBase:
    """Accept the address for a mailed link; without a mail server, accept none."""
    if is_mail_printed():
        return render(request, "account/no_mail.html")
    answer: HttpResponseBase = password_reset(request)
    return answer


def confirming(request: HttpRequest) -> HttpResponseBase:
    """Show the address to which a new account's confirmation was sent."""
    if is_mail_printed():
        return render(request, "account/no_mail.html", {"confirms": True})
    answer: HttpResponseBase = email_verification_sent(request)
    return answer
