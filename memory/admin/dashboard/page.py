"""The dashboard and the navigation of the admin, limited to the viewer's rights."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from memory.admin.dashboard import figures
from memory.admin.dashboard.plots import draw_plot
from memory.admin.names import annotate_names, render_target
from memory.admin.pages import get_person
from memory.admin.requests.erasures import queue
from memory.audit.integrity.keeping import get_faults
from memory.forgetting.retention.terms import HOUR, MINUTE, format_duration
from memory.models import LegalHold, RetentionRun
from memory.people.staff import approvals

# By title: the links with their models, as "app_model", and icons.
NAVIGATION = (
    (
        _("Retention"),
        (
            (_("Policies"), "memory_retentionpolicy", "rule"),
            (_("Previews and runs"), "memory_retentionrun", "cleaning_services"),
            (_("Legal holds"), "memory_legalhold", "lock"),
            (_("Deferred deletions"), "memory_waitingdeletion", "hourglass_top"),
            (_("Failed purges"), "memory_purgefailure", "error"),
        ),
    ),
    (
        _("Data requests"),
        (
            (_("Queue"), "memory_erasurerequest_queue", "inbox"),
            (_("Erasures"), "memory_erasurerequest", "delete_forever"),
            (_("Packages"), "memory_exportpackage", "archive"),
            (_("Certificates"), "memory_certificate", "verified"),
        ),
    ),
    (
        _("People"),
        (
            (_("Accounts"), "memory_user", "group"),
            (_("Consents"), "memory_consent", "how_to_reg"),
            (_("Emergency accesses"), "memory_emergencyaccess", "emergency"),
            (_("Approvals"), "memory_pendingact", "approval"),
        ),
    ),
    (
        _("Stored data"),
        (
            (_("Conversations"), "memory_session", "forum"),
            (_("Questions"), "memory_turn", "chat"),
            (_("Prompts"), "chat_contextrecord", "data_object"),
            (_("Documents"), "citations_document", "library_books"),
        ),
    ),
    (
        _("System"),
        (
            (_("Language models"), "chat_modelprofile", "smart_toy"),
            (_("Jobs"), "memory_job", "work"),
            (_("Audit log"), "memory_auditevent", "history"),
        ),
    ),
)


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the links to all pages that the person may see."""
    first = {"title": _("Dashboard"), "icon": "dashboard", "link": reverse("admin:index")}
    groups: list[dict[str, Any]] = [{"title": "", "items": [first]}]
    for title, entries in NAVIGATION:
        items = [_build_item(*entry) for entry in entries if may_see(request, entry[1])]
        if items:
            groups.append({"title": title, "separator": True, "items": items})
    return groups


def _build_item(title: Any, model: str, icon: str) -> dict[str, Any]:
    is_page = model.endswith("_queue")
    link = reverse(f"admin:{model}" if is_page else f"admin:{model}_changelist")
    item: dict[str, Any] = {"title": title, "icon": icon, "link": link}
    if model == "memory_erasurerequest":  # the queue's address begins with that of this list
        item["active"] = lambda request: (
            "/erasurerequest/" in request.path and not request.path.endswith("/queue/")
        )
    return item


def stylesheet(request: HttpRequest) -> str:
    """Return the address of the stylesheet of our own pages in the admin."""
    return static("css/admin.css")


def script(request: HttpRequest) -> str:
    """Return the address of the script that makes the admin's frame accessible."""
    return static("js/admin.js")


def idle_script(request: HttpRequest) -> str:
    """Return the address of the script that signs out idle people."""
    return static("js/idle.js")


def account_links(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the links to the person's own account."""
    return [{"title": _("Your account"), "link": reverse("chat:settings")}]


def may_see(request: HttpRequest, model: str) -> bool:
    """Return whether the person may see rows of the model, "app_model"."""
    app, _line, name = model.removesuffix("_queue").partition("_")
    return get_person(request).has_perm(f"{app}.view_{name}")


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add the dashboard's numbers and plots to the context of the admin's first page.

    Also the results of acts that the person requested.
    """
    for words in approvals.take_news(get_person(request)):
        messages.info(request, words)
    parts: list[tuple[str, Callable[[HttpRequest], dict[str, Any]]]] = [
        ("memory_session", _get_plot_context),
        ("memory_retentionrun", _purge),
        ("memory_erasurerequest", _get_request_context),
        ("memory_legalhold", _get_hold_context),
        ("memory_auditevent", _audit),
    ]
    for model, part in parts:
        if may_see(request, model):
            context |= part(request)
    context["tiles"] = [
        (name, number, reverse(f"admin:{model}_changelist"))
        for name, number, model in figures.list_tiles()
        if may_see(request, model)
    ]
    return context


def _get_plot_context(request: HttpRequest) -> dict[str, Any]:
    plots = [figures.plot_stored(), figures.plot_expiring()]
    return {"plots": [(plot, draw_plot(plot)) for plot in plots]}


def _audit(request: HttpRequest) -> dict[str, Any]:
    plot = figures.plot_audit_events()
    return {"acts": plot, "acts_drawn": draw_plot(plot), "audit_faults": get_faults()}


def _purge(request: HttpRequest) -> dict[str, Any]:
    behind, past = figures.purge_lag(), figures.plot_purged()
    # In whole minutes or hours where there are many seconds.
    unit = next((unit for unit in (HOUR, MINUTE) if behind.seconds >= 2 * unit), 1)
    runs = RetentionRun.objects.exclude(status=RetentionRun.Status.PREVIEWED)
    return {
        "behind": behind,
        "behind_in_words": format_duration(behind.seconds // unit * unit),
        "purged": past,
        "purged_drawn": draw_plot(past),
        "runs": runs.order_by("-created_at")[:5],
    }


def _get_request_context(request: HttpRequest) -> dict[str, Any]:
    open_requests = queue()
    late = sum(one.is_late for one in open_requests)
    return {"requests": open_requests[:8], "request_count": len(open_requests), "late": late}


def _get_hold_context(request: HttpRequest) -> dict[str, Any]:
    active = LegalHold.objects.active().order_by("-created_at")
    newest = annotate_names(active, "target_id")[:5]
    holds = [(row, render_target(row.scope, row.target_id, row.target_id_name)) for row in newest]
    return {"holds": holds, "hold_count": active.count()}
