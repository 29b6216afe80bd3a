"""Requests as the pages' views see them, and the context that all pages share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from chat.protocol.errors import refusal_response
from chat.protocol.parsing import parse_id
from chat.shapes.resources.turns import load_citations
from chat.shapes.statuses import find_status
from memory.conversations.listing import conversations
from memory.errors import NotFound, Refusal
from memory.models import Session, Turn, User
from memory.people.rate_limits import LimitReached, take_request

P = ParamSpec("P")


class PersonRequest(HttpRequest):
    """A request of a signed-in person."""

    user: User
    htmx: HtmxDetails


View = Callable[Concatenate[PersonRequest, P], HttpResponseBase]


def signed_in(view: View[P]) -> View[P]:
    """Require sign-in; NotFound becomes a 404 page.

    POST requests count with those to the API.
    """

    @login_required
    @wraps(view)
    def guarded(request: PersonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            if request.method == "POST":
                take_request(request.user)
        except LimitReached as refusal:
            bare = request.htmx or wants_events(request)
            page = None if bare else render_to_string("429.html", {"message": refusal.message})
            return refusal_response(refusal, page)
        try:
            return view(request, *args, **kwargs)
        except NotFound as missing:
            raise Http404 from missing

    return guarded


def page_view(view: View[P]) -> View[P]:
    """Require sign-in and a safe method."""
    return signed_in(require_safe(view))


def action_view(view: View[P]) -> View[P]:
    """Require sign-in and POST."""
    return signed_in(require_POST(view))


def form_view(view: View[P]) -> View[P]:
    """Require sign-in and GET, HEAD or POST."""
    return signed_in(require_http_methods(["GET", "HEAD", "POST"])(view))


@contextmanager
def report_refusals(request: HttpRequest) -> Iterator[None]:
    """Show a refusal as a message on the next page; NotFound stays a 404."""
    try:
        yield
    except NotFound:
        raise
    except Refusal as refusal:
        messages.error(request, refusal.message)


def render_dialog(
    request: PersonRequest, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render the dialog for htmx, which swaps in successful responses only; else its page."""
    if request.htmx:
        return render(request, "{}/_{}.html".format(*name.split("/")), context)
    return render_page(request, f"{name}.html", context, status=status)


def submit(form: Form, field: str, act: Callable[..., object]) -> int | None:
    """Execute a valid form; else return the status of the page that shows it again.

    A refusal becomes an error of the field.
    """
    if not form.is_valid():
        focus_error(form)
        return 400 if form.is_bound else 200
    try:
        act(**form.cleaned_data)
    except NotFound:
        raise
    except Refusal as refusal:
        form.add_error(field, refusal.message)
        focus_error(form)
        return find_status(refusal)
    return None


def focus_error(form: Form) -> None:
    """Focus the first field with an error, which also scrolls to it."""
    if wrong := next((name for name in form.fields if name in form.errors), None):
        form.fields[wrong].widget.attrs["autofocus"] = True


def render_page(
    request: PersonRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render a whole page, with the person's newest conversations beside it."""
    beside = {"conversations": conversations(request.user)}
    return render(request, template, beside | context, status=status)


def get_own_session(request: PersonRequest, session_id: UUID) -> Session:
    """Return the person's own session; raises 404 if it is missing or another person's."""
    mine = Session.objects.visible(request.user).select_related("owner")
    return get_object_or_404(mine.annotate(limits=Count("limited_to")), pk=session_id)


def get_own_turn(request: PersonRequest, session_id: UUID, turn_id: UUID) -> Turn:
    """Return a turn of the person's own session with its citations, or raise 404."""
    mine = load_citations(Turn.objects.visible(request.user)).select_related("session__owner")
    return get_object_or_404(mine, pk=turn_id, session_id=session_id)


def read_chosen_documents(request: HttpRequest) -> list[UUID]:
    """Return the ids of the selected documents in a form or an address."""
    chosen = (request.POST if request.method == "POST" else request.GET).getlist("documents")
    return [parse_id(text) for text in chosen]


def read_id(request: HttpRequest, name: str) -> UUID | None:
    """Return the id in the query string under this name, or None."""
    try:
        return UUID(request.GET.get(name, ""))
    except ValueError:
        return None


def read_position(request: HttpRequest, name: str) -> int | None:
    """Return the position in the query string under this name, or None."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def wants_events(request: HttpRequest) -> bool:
    """Return whether the client accepts a stream of events."""
    return "text/event-stream" in request.headers.get("Accept", "")
