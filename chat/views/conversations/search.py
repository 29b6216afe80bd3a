"""Search: what a person has asked and was told, by words and days."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from chat.forms.conversations import SearchForm
from chat.shapes.transcript import SHOWN
from chat.views.requests import PersonRequest, page, page_view
from memory.conversations.message_search import Hit, search_messages
from memory.models import Session, Turn


@dataclass(frozen=True)
class FoundTurn:
    """A turn that was found, and where it is read."""

    hit: Hit
    link: str


@dataclass(frozen=True)
class Group:
    """What was found in one conversation."""

    session: Session
    found: list[FoundTurn]


@page_view
def search_page(request: PersonRequest) -> HttpResponse:
    """Search in what was said: the results alone with htmx, else the whole page."""
    form = SearchForm(request.GET or None)
    asked = form.is_valid() and any(form.cleaned_data.values())
    context: dict[str, object] = {"form": form, "asked": asked}
    if asked:
        found = search_messages(request.user, form.wanted(), after=form.cleaned_data["after"])
        given = {name: request.GET.get(name, "") for name in ("q", "since", "until")}
        following = urlencode({name: value for name, value in given.items() if value})
        context |= {
            "groups": list(groups(found.hits)),
            "more": f"{following}&after={found.next}" if found.next else "",
            "is_first": not form.cleaned_data["after"],
        }
    status = 400 if form.errors else 200
    if request.htmx:
        return render(request, "chat/_found.html", context, status=status)
    return page(request, "chat/search.html", context, status=status)


def groups(hits: Sequence[Hit]) -> Iterator[Group]:
    """Yield the hits by conversation; one that was left and taken up again stands twice."""
    for _, together in groupby(hits, key=lambda hit: hit.turn.session_id):
        found = [FoundTurn(hit, build_link(hit.turn)) for hit in together]
        yield Group(found[0].hit.turn.session, found)


def build_link(turn: Turn) -> str:
    """Return where the turn is read: the page shows the newest turns, or those before a place."""
    address = reverse("chat:conversation", args=[turn.session_id])
    before = turn.position + SHOWN // 2
    if turn.position <= turn.session.last_position - SHOWN:
        address += f"?before={min(before, turn.session.last_position + 1)}"
    return f"{address}#turn-{turn.position}"
