"""A forgotten password: a link is mailed, or it is said who can make one."""

from allauth.account.views import password_reset
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from memory.people.sign_in.links import is_mail_printed


def forgotten(request: HttpRequest) -> HttpResponseBase:
    """Take the address to which a link is mailed; where nothing can be mailed, take none."""
    if is_mail_printed():
        return render(request, "account/no_mail.html")
    answer: HttpResponseBase = password_reset(request)
    return answer
