"""Pages for consents, and for a package of all of a person's data."""

from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from chat.forms.conversations import ConsentForm
from chat.packages.fetching import fetch_package
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    page_view,
    read_id,
    signed_in,
)
from memory.audit.reading import EVENTS_AT_ONCE, list_events
from memory.models import Consent, ExportPackage
from memory.people.staff import emergencies
from memory.personal_data import consent, packages


@page_view
def own_data(request: PersonRequest) -> HttpResponse:
    """Show the person's consents, and their package, if they have requested one."""
    context = _build_context(packages.get_newest_package(request.user))
    # A purpose that is not used yet is not offered, but its consent can be withdrawn.
    shown = consent.list_standings(request.user)
    context["standings"] = [each for each in shown if each.is_used or each.is_live]
    return render(request, "account/data.html", context)


# --- Consent --------------------------------------------------------------------------------------


@page_view
def decisions(request: PersonRequest) -> HttpResponse:
    """List the person's consents and withdrawals, newest first, by page."""
    listed = consent.list_decisions(request.user, before=read_id(request, "before"))
    return render(request, "account/decisions.html", {"listed": listed})


@page_view
def events(request: PersonRequest) -> HttpResponse:
    """List audit events by the person and on their account, newest first, by page."""
    chosen = {name: name in request.GET for name in ("others", "refused")}
    listed = list_events(request.user, before=read_id(request, "before"), **chosen)
    is_full = len(listed) == EVENTS_AT_ONCE
    openings = emergencies.list_told(request.user)
    if any(opening.seen_at is None for opening in openings):
        emergencies.mark_seen(request.user)
    context = {"listed": listed, "is_full": is_full, "chosen": chosen, "openings": openings}
    return render(request, "account/events.html", context)


@action_view
def record_decision(request: PersonRequest) -> HttpResponse:
    """Record the person's consent or withdrawal."""
    form = ConsentForm(request.POST)
    if not form.is_valid():
        raise Http404
    consent.decide(request.user, form.given_purposes(), source=Consent.Source.PAGE)
    messages.success(request, _("Your decision is recorded and applies from now on."))
    wished = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wished, allowed_hosts=None)
    return redirect(wished if is_ours else "chat:data")


# --- The package ----------------------------------------------------------------------------------


@form_view
@reauthentication_required  # type: ignore[untyped-decorator]
def new_package(request: PersonRequest) -> HttpResponse:
    """List the contents of a package, and begin to make one."""
    if request.method != "POST":
        return render(request, "account/package.html")
    packages.ask_for_package(request.user)
    return redirect("chat:data")


@page_view
def package(request: PersonRequest, package_id: UUID) -> HttpResponse:
    """Show the progress of a package: its fragment to a script, else its place on the page."""
    if not request.headers.get("HX-Request"):
        packages.get_own_package(request.user, package_id)
        return redirect("chat:data")
    shown = _build_context(packages.get_own_package(request.user, package_id))
    return render(request, "account/_package.html", shown)


def _build_context(row: ExportPackage | None) -> dict[str, object]:
    return {"package": row, "progress": packages.get_progress(row) if row else 0}


@action_view
def package_link(request: PersonRequest, package_id: UUID) -> HttpResponse:
    """Make the package's download link, and redirect to it."""
    row = packages.get_own_package(request.user, package_id)
    try:
        link = packages.make_link(row)
    except packages.NotReady as refusal:
        messages.error(request, refusal.message)
        return redirect("chat:data")
    return redirect("chat:package_file", row.pk, link.token)


@signed_in
@require_GET
def package_file(request: PersonRequest, package_id: UUID, token: str) -> StreamingHttpResponse:
    """Send the package of the download link."""
    return fetch_package(request, request.user, package_id, token)


@action_view
def discard_package(request: PersonRequest, package_id: UUID) -> HttpResponse:
    """Delete a package before it is downloaded."""
    packages.delete_package(packages.get_own_package(request.user, package_id), actor=request.user)
    messages.success(request, _("The package has been deleted."))
    return redirect("chat:data")
