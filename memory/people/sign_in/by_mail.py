"""Pages that announce a message; without a mail server they name a contact instead."""

from allauth.account.views import email_verification_sent, password_reset
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from memory.people.sign_in.links import is_mail_printed


def forgotten(request: HttpRequest) -> HttpResponseBase:
    """Take the address to which a link is mailed; where nothing can be mailed, take none."""
    if is_mail_printed():
        return render(request, "account/no_mail.html")
    answer: HttpResponseBase = password_reset(request)
    return answer


def confirming(request: HttpRequest) -> HttpResponseBase:
    """Show where the link that confirms a new account's address was sent."""
    if is_mail_printed():
        return render(request, "account/no_mail.html", {"confirms": True})
    answer: HttpResponseBase = email_verification_sent(request)
    return answer
