"""Pages for erasing one question, everything or the account: request, progress, certificate.

Pages that need no account are open to anyone with the link: the account may be gone by then.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.forms.erasure import CertificateForm, ConfirmErasureForm
from chat.shapes.resources.deletions import preview_turn_deletion
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    get_own_turn,
    page_view,
    render_dialog,
    report_refusals,
)
from memory import holds
from memory.errors import NotFound
from memory.forgetting.deletion import erase_turn
from memory.forgetting.erasure import certificates, requests
from memory.forgetting.erasure.people import count_left
from memory.models import Certificate, ErasureRequest
from memory.sealing.signing import get_public_keys

SCOPES = ErasureRequest.Scope


@form_view
def delete_turn(request: PersonRequest, session_id: UUID, turn_id: UUID) -> HttpResponse:
    """Delete one question with its answer, after the person has seen the consequences."""
    turn = get_own_turn(request, session_id, turn_id)
    if request.method == "POST":
        with report_refusals(request):
            erase_turn(turn, actor=request.user)
        return redirect("chat:conversation", session_id)
    context = {
        "session": turn.session,
        "turn": turn,
        "with_it": preview_turn_deletion(turn),
        "hold": holds.find_told_hold(turn),
    }
    return render_dialog(request, "chat/delete_turn", context)


# --- Everything or the account --------------------------------------------------------------------


@page_view
def erasure(request: PersonRequest) -> HttpResponse:
    """Show the data that can be erased as a whole, and the progress of the person's request."""
    context = {
        "current": requests.get_open_request(request.user),
        "earlier": [row for row in requests.list_requests(request.user) if not row.is_open],
    }
    return render(request, "account/erasure.html", context)


@form_view
@reauthentication_required  # type: ignore[untyped-decorator]
def confirm_erasure(request: PersonRequest, scope: str) -> HttpResponse:
    """List the data to be erased, and begin once the person has confirmed."""
    if scope not in SCOPES:
        raise Http404
    form = ConfirmErasureForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "scope": SCOPES(scope), **_preview_erasure(request)}
        status = 400 if form.is_bound else 200
        return render(request, "account/confirm_erasure.html", context, status=status)
    try:
        row = requests.get_open_request(request.user)
        if row is None or row.scope != scope:  # unless a program has made it already
            row = requests.ask(request.user, scope, actor=request.user.pk)
        token = requests.confirm(row, actor=request.user.pk)
    except (requests.AskedAlready, requests.TooLate) as refusal:
        messages.error(request, refusal.message)
        return redirect("chat:erasure")
    path = reverse("chat:erasure_status", args=[token])
    context = {"link": request.build_absolute_uri(path), "path": path, "row": row}
    return render(request, "account/erasure_begun.html", context, status=201)


def _preview_erasure(request: PersonRequest) -> dict[str, Any]:
    """Count the rows to erase by model, with the date if confirmed now."""
    counts = count_left(request.user.pk)
    grace = timedelta(seconds=settings.ERASURE_GRACE)
    return {
        "counts": {label.partition(".")[2]: count for label, count in counts.items()},
        "grace": grace,
        "due": timezone.now() + grace,
        "hold": holds.list_told_holds(request.user).first(),
    }


@action_view
def cancel_erasure(request: PersonRequest) -> HttpResponse:
    """Cancel the request."""
    current = requests.get_open_request(request.user)
    if current is None:
        raise NotFound
    with report_refusals(request):
        requests.cancel(current, actor=request.user.pk)
        messages.success(request, _("Nothing will be erased."))
    return redirect("chat:erasure")


# --- For anyone with the link ---------------------------------------------------------------------


@never_cache
@require_safe
def erasure_status(request: HttpRequest, token: str) -> HttpResponse:
    """Show the progress of the request to anyone with its link."""
    try:
        row = requests.find_by_token(token)
    except NotFound as missing:
        raise Http404 from missing
    return render(request, "erasure/status.html", {"row": row})


@never_cache
@require_safe
def certificate(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """Show a certificate of erasure, and whether it is genuine."""
    row = get_object_or_404(Certificate, pk=certificate_id)
    verdict = certificates.verify(row.document)
    return render(request, "erasure/certificate.html", {"row": row, "verdict": verdict})


@never_cache
@require_safe
def certificate_file(request: HttpRequest, certificate_id: UUID) -> HttpResponse:
    """Download a certificate as it was signed."""
    row = get_object_or_404(Certificate, pk=certificate_id)
    disposition = {"Content-Disposition": f'attachment; filename="certificate-{row.pk}.json"'}
    return HttpResponse(row.document, content_type="application/json", headers=disposition)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def verify_certificate(request: HttpRequest) -> HttpResponse:
    """Verify a certificate that is pasted or uploaded."""
    bound = request.method == "POST"
    form = CertificateForm(request.POST, request.FILES) if bound else CertificateForm()
    verdict = certificates.verify(form.certificate) if form.is_valid() else None
    context = {"form": form, "verdict": verdict, "keys": get_public_keys()}
    status = 400 if bound and verdict is None else 200
    return render(request, "erasure/verify.html", context, status=status)
