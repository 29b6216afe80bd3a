"""Error pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose CSRF token is missing or old."""
    return render(request, "403_csrf.html", status=403)
