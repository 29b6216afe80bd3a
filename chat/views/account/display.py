"""Page for display preferences: time zone, language, citations and colours."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from chat.forms.account import DisplayForm
from chat.views.requests import PersonRequest, form_view
from memory.people.display import THEME_COOKIE, change_display

YEAR_SECONDS = 31_536_000


@form_view
def display(request: PersonRequest) -> HttpResponse:
    """Choose time zone, language, citation format and colours."""
    user = request.user
    initial = {
        "time_zone": user.time_zone,
        "language": user.language,
        "citation_format": user.citation_format,
        "theme": request.COOKIES.get(THEME_COOKIE, ""),
    }
    form = DisplayForm(request.POST or None, initial=initial)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "account/settings.html", {"form": form}, status=status)
    values = form.cleaned_data
    change_display(
        user,
        time_zone=values["time_zone"],
        language=values.get("language", user.language),
        citation_format=values["citation_format"],
    )
    messages.success(request, _("Saved."))
    response = redirect("chat:settings")
    # The theme belongs to the browser, not to the person.
    if values["theme"]:
        options = {"max_age": YEAR_SECONDS, "secure": settings.SESSION_COOKIE_SECURE}
        response.set_cookie(THEME_COOKIE, values["theme"], httponly=True, samesite="Lax", **options)
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    return response
