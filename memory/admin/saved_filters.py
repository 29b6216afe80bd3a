"""Filters of the audit log that an admin saved under a name, for their own use."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from memory import audit
from memory.admin.pages import get_person, need
from memory.admin.rows import ReadOnlyAdmin
from memory.models import SavedFilter

RIGHT = "memory.view_auditevent"
LONGEST_NAME, LONGEST_QUERY, MOST = 60, 1000, 20


class SavedFiltersAdmin(ReadOnlyAdmin):
    """A list whose filters its reader can save, use and delete."""

    pages: ClassVar = {
        "save_filter": ("filters/", "save_filter"),
        "delete_filter": ("filters/<uuid:filter_id>/delete/", "delete_filter"),
    }

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the admin's own filters above the list."""
        own = SavedFilter.objects.filter(owner=get_person(request)).order_by("id")
        shown: HttpResponse = super().changelist_view(
            request, {"saved_filters": own} | (extra_context or {})
        )
        return shown

    def save_filter(self, request: HttpRequest) -> HttpResponse:
        """Save the list's current filters under a name."""
        need(request, RIGHT)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        name = audit.clean_reason(request.POST.get("name", ""))[:LONGEST_NAME]
        query = QueryDict(request.POST.get("query", "")[:LONGEST_QUERY]).urlencode()
        own = SavedFilter.objects.filter(owner=get_person(request))
        if not name or not query:
            messages.error(request, _("Set a filter and give it a name."))
        elif own.count() >= MOST:
            messages.error(request, _("These are %(most)d filters: delete one.") % {"most": MOST})
        else:
            SavedFilter(owner=get_person(request), name=name, query=query).save(force_insert=True)
        return redirect(f"{reverse('admin:memory_auditevent_changelist')}?{query}")

    def delete_filter(self, request: HttpRequest, filter_id: UUID) -> HttpResponse:
        """Delete one of the admin's own filters."""
        need(request, RIGHT)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not SavedFilter.objects.filter(owner=get_person(request), pk=filter_id).delete()[0]:
            raise Http404
        return redirect("admin:memory_auditevent_changelist")
