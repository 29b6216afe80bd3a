"""Search of a person's questions and answers, by words and days."""

from django.http import HttpResponse
from django.shortcuts import render

from chat.forms.conversations import SearchForm
from chat.views.requests import PersonRequest, page_view, render_page
from memory.conversations.message_search import search_messages


@page_view
def search_page(request: PersonRequest) -> HttpResponse:
    """Search questions and answers: the results alone with htmx, else the whole page."""
    form = SearchForm(request.GET or None)
    asked = form.is_valid() and any(form.cleaned_data.values())
    context: dict[str, object] = {"form": form, "asked": asked}
    if asked:
        found = search_messages(request.user, form.wanted(), after=form.cleaned_data["after"])
        context |= {
            "hits": found.hits,
            "more": found.next,
            "is_first": not form.cleaned_data["after"],
        }
    status = 400 if form.errors else 200
    if request.htmx:
        return render(request, "chat/_found.html", context, status=status)
    return render_page(request, "chat/search.html", context, status=status)
